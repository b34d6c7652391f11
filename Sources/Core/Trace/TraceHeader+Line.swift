// SPDX-License-Identifier: MIT

import JSONText

extension TraceHeader {
    /// Reads a header from the value of a line; nil when the line is no header.
    init?(json: JSON) {
        guard let version = json["trace"]?.integer else { return nil }
        self.init()
        self.version = version
        rig = json["rig"]?.string
        suite = json["suite"]?.string
        caseName = json["case"]?.string
        target = json["target"]?.string
        via = json["via"]?.string
        reader = json["reader"]?.string
        atr = json["atr"]?.string
        protocolName = json["protocol"]?.string
        firmware = json["firmware"]?.string
        switch json["seed"] {
        case .integer(let value)?: seed = UInt64(exactly: value)
        // A seed beyond 63 bits is no number that every reader of JSON keeps.
        case .string(let text)?: seed = UInt64(text)
        default: break
        }
        scenarioSHA256 = json["scenario_sha256"]?.string
        started = json["started"]?.string
        overhead = json["overhead_us"]?.integer.map { .microseconds($0) }
        timingBand = json["band"]?.string
        showsSecrets = json["secrets"]?.boolean ?? false
    }

    /// Writes the header as a line.
    func write(to line: inout TraceLine) {
        line.begin()
        line.append("{\"trace\":")
        line.append(number: version)
        line.append(",\"rig\":", rig)
        line.append(",\"suite\":", suite)
        line.append(",\"case\":", caseName)
        line.append(",\"target\":", target)
        line.append(",\"via\":", via)
        line.append(",\"reader\":", reader)
        line.append(",\"atr\":", atr)
        line.append(",\"protocol\":", protocolName)
        line.append(",\"firmware\":", firmware)
        if let seed {
            if let number = Int(exactly: seed) {
                line.append(",\"seed\":")
                line.append(number: number)
            } else {
                line.append(",\"seed\":", String(seed))
            }
        }
        line.append(",\"scenario_sha256\":", scenarioSHA256)
        line.append(",\"started\":", started)
        if let overhead {
            line.append(",\"overhead_us\":")
            line.append(number: Int(overhead / .microseconds(1)))
        }
        line.append(",\"band\":", timingBand)
        if showsSecrets { line.append(",\"secrets\":true") }
        line.finish()
    }

    /// The header as a line of a trace file, line feed included.
    public var line: String {
        var out = TraceLine()
        write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
