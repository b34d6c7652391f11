// SPDX-License-Identifier: MIT

internal import SmartCard

/// The words in which mismatches are told.
enum MismatchText {
    /// `SW 6982 (security status not satisfied)`, with the device's own meaning where it has one.
    static func status(_ sw: StatusWord, _ names: DeviceDictionary?) -> String {
        "SW \(sw) (\(names?.statusWords[sw] ?? sw.meaning))"
    }

    /// A typed error with what is known of it.
    static func error(_ observation: Observation, _ names: DeviceDictionary?) -> String {
        let error = "error \(observation.error ?? "unknown")"
        let detail = observation.errorDetail.isEmpty ? "" : ": \(observation.errorDetail)"
        // A library that judges answers names the word itself, unless it refused before anything was sent; and a 9000
        // explains no error, which is then one of what the library found out.
        guard !observation.isJudgedByLibrary, let last = observation.last, last.sw != .success else {
            return error + detail
        }
        return error + detail + ", \(status(last.sw, names))"
    }

    /// A command by its name and header; its data may be secret.
    static func command(_ bytes: [UInt8]) -> String {
        let header = bytes.prefix(4).hex
        // In the reserved classes `001x xxxx` an instruction means what the device's maker says.
        guard bytes.count >= 4, bytes[0] & 0xE0 != 0x20, let name = names[bytes[1]] else { return header }
        return "\(name) \(header)"
    }

    /// What a status word most often comes from; empty when there is nothing to say.
    static func hint(_ sw: StatusWord, _ names: DeviceDictionary?, isRaw: Bool) -> String {
        // The usual causes are those of the standard's meaning.
        guard names?.statusWords[sw] == nil else { return "" }
        if sw.sw1 == 0x61 || sw.sw1 == 0x6C {
            return isRaw
                ? "'raw' turns off that 61xx and 6Cxx are followed"
                : "the card went on to ask for the same after it was followed"
        }
        return switch sw.rawValue {
        case 0x6700: "look at Lc, Le and the length of the file"
        case 0x6982:
            "the card wants an authentication first, or the rights of the file forbid it on this interface"
        case 0x6983: "the code is blocked; another try will not help"
        case 0x6985, 0x6986: "look at what was selected before this command"
        case 0x6A82: "select the application first, and look at the file id"
        case 0x6A80, 0x6A86, 0x6B00: "look at P1, P2 and the data of the command"
        case 0x6D00, 0x6E00: "another application may be selected, or this firmware has no such command"
        default: ""
        }
    }

    /// For an exchange that was not the last one of its command.
    static let continuedHint =
        "the command went on after this answer; 'sw' beside 'wire' and 'every' speaks of the last one"

    /// Bytes in hex, cut when they are many.
    static func short(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "nothing" }
        guard bytes.count > longestShown else { return bytes.hex }
        return "\(bytes.prefix(longestShown - 8).hex)... (\(bytes.count) bytes)"
    }

    /// Bytes in hex with their number.
    static func counted(_ bytes: [UInt8]) -> String {
        bytes.isEmpty || bytes.count > longestShown ? short(bytes) : "\(bytes.hex) (\(Value.count(bytes)))"
    }

    /// Data as a tree of objects in the target's coding, else as text; empty when it is neither.
    static func decoded(_ data: [UInt8], names: DeviceDictionary?) -> [String] {
        if let names, names.isFlat {
            if let lines = FlatListText(names).lines(data) { return lines }
        } else if data.count > 2, let objects = try? TLV.parse(data, padding: .skip, lenient: true),
            !objects.isEmpty
        {
            return TLV.tree(objects, names: words(names)).split(separator: "\n").map(String.init)
        }
        if data.count > 2, data.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return ["text \"\(String(decoding: data, as: UTF8.self))\""]
        }
        return []
    }

    /// Where data differs from what was expected.
    ///
    /// - Returns: A message, or nil when the whole of both is short enough to be shown; and a hint.
    static func difference(_ check: ValueCheck, _ data: [UInt8], _ key: String) -> (
        message: String?, hint: String
    ) {
        let pattern: BytePattern
        switch check {
        case .bytes(let one): pattern = one
        case .value(.bytes(let bytes)): pattern = BytePattern(bytes)
        default: return (nil, "")
        }
        guard let offset = pattern.firstDifference(from: data) else {
            return (nil, "")
        }
        let hint = "they differ from byte \(offset) on, counted from 0"
        if let wanted = pattern.exact, wanted.count != data.count,
            offset == Swift.min(wanted.count, data.count)
        {
            let equal = offset == 0 ? "" : "; the first \(offset) are equal"
            return (
                "expected \(key) of \(Value.count(wanted)), got \(data.count == 0 ? "none" : "\(data.count)")\(equal)",
                data.count > wanted.count
                    ? "there is more than was expected; '...' at the end lets any rest be" : ""
            )
        }
        guard data.count > shortest || (pattern.exact?.count ?? 0) > shortest else {
            return (nil, data.count > 1 ? hint : "")
        }
        let wanted = pattern.expectedByte(at: offset).map { "expected \([$0].hex), " } ?? ""
        let got = offset < data.count ? [data[offset]].hex : "the end"
        return ("\(key) differs at byte \(offset), counted from 0: \(wanted)got \(got)", hint)
    }

    private static func words(_ dictionary: DeviceDictionary?) -> [TLVTag: String] {
        var out: [TLVTag: String] = [:]
        for (name, hex) in dictionary?.tags ?? [:] {
            guard let tag = TLVTag(hex: hex) else { continue }
            // Two names of one tag: the first in order, so that reports are the same each time.
            out[tag] = out[tag].map { Swift.min($0, name) } ?? name
        }
        return out
    }

    private static let longestShown = 40
    private static let shortest = 16
    private static let names: [UInt8: String] = [
        0xA4: "SELECT", 0xB0: "READ BINARY", 0xB2: "READ RECORD", 0xD6: "UPDATE BINARY",
        0xDC: "UPDATE RECORD",
        0x20: "VERIFY", 0x24: "CHANGE REFERENCE DATA", 0x2C: "RESET RETRY COUNTER", 0xCA: "GET DATA",
        0xCB: "GET DATA", 0xDA: "PUT DATA", 0xC0: "GET RESPONSE", 0xA8: "GET PROCESSING OPTIONS",
        0x88: "INTERNAL AUTHENTICATE", 0x82: "EXTERNAL AUTHENTICATE", 0x84: "GET CHALLENGE",
        0xAE: "GENERATE AC",
    ]
}

extension Value {
    /// The value for people, cut when it is long.
    var shortText: String {
        if case .bytes(let bytes) = self { return MismatchText.short(bytes) }
        if case .duration(let duration) = self { return DurationText.text(duration) }
        if case .statusWord(let word) = self { return "\(word) (\(word.meaning))" }
        let text = text
        return text.count > 200 ? "\(text.prefix(180))... (\(text.count) characters)" : text
    }
}
