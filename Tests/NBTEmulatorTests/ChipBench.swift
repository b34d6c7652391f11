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
    let clock = ModelClock()

    /// Makes a chip with power on its I2C side and no field.
    init(_ options: [String: String] = [:], seed: UInt64 = 0, rules: ChipRules = ChipRules()) throws {
        chip = try NBTChip(options: options, seed: seed, clock: clock, rules: rules)
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

    /// Sends commands, each written with the answer that it has to get.
    func run(
        _ exchanges: [(command: String, answer: String)],
        over face: Face,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (command, answer) in exchanges {
            #expect(
                try send(command, over: face) == answer,
                "\(command)",
                sourceLocation: sourceLocation
            )
        }
    }

    /// Sends commands and gives their answers.
    func answers(to commands: [String], over face: Face) throws -> [String] {
        try commands.map { try send($0, over: face) }
    }

    /// Lets the chip start anew, as a kit does after it has changed a setting.
    func reset() {
        chip.nfc.powerOff()
        chip.i2c.powerOff()
        chip.i2c.powerOn()
    }

    /// Changes settings of the configurator over I2C, and lets the chip start anew.
    func configure(_ settings: String...) throws {
        chip.nfc.powerOff()
        #expect(try send(Self.selectConfigurator, over: .i2c) == "9000")
        for setting in settings {
            let count = [UInt8(setting.count / 2)].hex
            #expect(try send("20200000\(count)\(setting)", over: .i2c) == "9000")
        }
        reset()
    }

    static let selectTag = "00A4040007D276000085010100"
    static let selectConfigurator = "00A404000DD276000004150200000B00010100"

    /// The two ways to the chip.
    enum Face: String, CaseIterable, CustomTestStringConvertible {
        case nfc
        case i2c

        var testDescription: String { rawValue }
    }

    /// Reads a fixture of this target.
    static func fixture(_ name: String) throws -> [JSON] {
        try #require(try document(name).array)
    }

    /// Reads a fixture of this target, whatever its shape is.
    static func document(_ name: String) throws -> JSON {
        let root = try #require(Bundle.module.resourceURL)
        return try JSON(
            parsing: Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/\(name)")))
        )
    }

    /// One item of a fixture.
    static func item(_ id: String, in name: String) throws -> JSON {
        try #require(try fixture(name).first { $0["id"]?.string == id })
    }

    /// The sentence with which options are refused; empty when they are taken.
    static func complaint(about options: [String: String]) -> String {
        do {
            _ = try NBTChip(options: options, clock: ModelClock())
            return ""
        } catch {
            return "\(error)"
        }
    }
}
