// SPDX-License-Identifier: MIT

import Cryptography
import Scenario

/// Which device a case runs on: firmware and options from suite, matrix and command line.
struct DeviceSelection {
    /// Firmware version or profile; nil takes the emulator's default.
    let firmware: String?
    /// Options of the emulator.
    let options: [String: String]

    init(_ planned: PlannedCase, options runOptions: RunOptions) {
        var options = planned.suite.options
        var firmware = runOptions.firmware ?? options["firmware"]
        let known = runOptions.emulatorOptionNames[planned.suite.target]
        // In a run of several devices an option is for those that have it.
        for (name, value) in runOptions.emulatorOptions where known?.contains(name) ?? true {
            options[name] = value
        }
        for cell in planned.row.values {
            if cell.key == "firmware" {
                firmware = cell.text
            } else if known?.contains(cell.key) == true {
                options[cell.key] = cell.text
            }
        }
        options["firmware"] = nil
        self.firmware = firmware
        self.options = options
    }
}

/// The seed of a case's card.
///
/// Keyed by suite and case, so that no case depends on another, on order or on shards.
enum CaseSeed {
    static func of(_ planned: PlannedCase, seed: UInt64) -> UInt64 {
        let key = "\(seed)|\(planned.suite.name)|\(planned.name)"
        return SHA256.digest(Array(key.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
