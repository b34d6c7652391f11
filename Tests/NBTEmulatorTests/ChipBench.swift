// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

/// A chip on the bench: hex in, hex out, on either face.
struct ChipBench {
    let chip: NBTChip

    /// Makes a chip with power on its I2C side and no field.
    init(_ options: [String: String] = [:]) throws {
        chip = try NBTChip(options: options, clock: ModelClock())
        chip.i2c.powerOn()
    }

    /// Sends a command; `mute` or `removed` stand for an answer that does not come.
    func send(_ command: String, over face: Face) throws -> String {
        let card = face == .nfc ? chip.nfc : chip.i2c
        let answer = card.respond(to: try HexText.bytes(command))
        switch answer.ending {
        case .answered: return answer.bytes.hex
        case .mute: return "mute"
        case .removed: return "removed"
        case .resetAfterwards: return "reset"
        }
    }

    /// Powers the one face that is to be used, and selects the tag application on it.
    func open(_ face: Face) throws {
        if face == .nfc { chip.nfc.powerOn() } else { chip.nfc.powerOff() }
        #expect(try send("00A4040007D276000085010100", over: face) == "9000")
    }

    /// The two ways to the chip.
    enum Face: String, CaseIterable, CustomTestStringConvertible {
        case nfc
        case i2c

        var testDescription: String { rawValue }
    }

    /// Reads a fixture of this target.
    static func fixture(_ name: String) throws -> [JSON] {
        let root = try #require(Bundle.module.resourceURL)
        let bytes = Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/\(name)")))
        return try #require(try JSON(parsing: bytes).array)
    }
}
