// SPDX-License-Identifier: MIT

import DevKit

/// A model of the vendor's firmware example for the pass-through: the phone's commands switch the LED.
///
/// Source: the example's public sources (mtb-example-optiga-nbt-pt): FETCH DATA and PUT RESPONSE over I2C, and the
/// commands of its demo application.
struct PassThroughFirmware: BoardFirmware {
    private let chip: ChipBus
    /// Set by the first right SELECT, and kept until the firmware starts anew: the example never takes it back.
    private var isSelected = false

    /// Status bit of FETCH DATA: a command of the phone waits.
    private static let commandAvailable: UInt16 = 0x0004

    private static let applicationID: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05]
    private static let fetch: [UInt8] = [0x38, 0xCA, 0x00, 0x00]

    init(chip: ChipBus) {
        self.chip = chip
    }

    mutating func start(on hardware: inout BoardHardware) {
        isSelected = false
        chip.powerOn()
        hardware.say("\u{1B}[2J\u{1B}[;HNBT: Pass Through")
        if !Self.personalization.apply(over: chip, on: &hardware) {
            hardware.log("WARNING", "NBT does not answer; remove the phone or reader and reset the board")
        }
    }

    /// The example has no use for the button.
    mutating func buttonReleased(on hardware: inout BoardHardware) {}

    /// The phone's command waits: fetches it and puts the answer.
    mutating func chipInterrupted(on hardware: inout BoardHardware) {
        guard let fetched = chip.data(Self.fetch, on: &hardware), fetched.count >= 2 else { return }
        let status = UInt16(fetched[0]) << 8 | UInt16(fetched[1])
        guard status & Self.commandAvailable != 0, fetched.count > 2 else { return }
        let word = answer(Array(fetched.dropFirst(2)), on: &hardware)
        let put: [UInt8] = [0x38, 0xDA, 0x00, 0x00, 0x02, UInt8(word >> 8), UInt8(word & 0xFF)]
        if chip.data(put, on: &hardware) == nil { hardware.log("ERROR", "The response was not taken") }
    }

    /// The demo application's status word for a command.
    private mutating func answer(_ command: [UInt8], on hardware: inout BoardHardware) -> UInt16 {
        guard command.count >= 4, command[0] == 0x00 else { return 0x6E00 }
        switch command[1] {
        case 0xA4:
            guard command[2] == 0x04, command[3] == 0x00 else { return 0x6B00 }
            guard Self.data(of: command) == Self.applicationID else { return 0x6A82 }
            isSelected = true
            return 0x9000
        case 0x00:
            // In this order: P1, data, P2, selection.
            guard command[2] == 0x00 else { return 0x6B00 }
            guard Self.data(of: command).isEmpty else { return 0x6A80 }
            guard command[3] <= 0x01 else { return 0x6B00 }
            guard isSelected else { return 0x6D00 }
            let isOn = command[3] == 0x01
            hardware.switchLED(
                isOn ? .lit : .dark,
                saying: isOn ? "Turning on LED" : "Turning off LED",
                "DEBUG"
            )
            return 0x9000
        default: return 0x6D00
        }
    }

    /// The data of a short command; a single byte behind the header is its Le.
    private static func data(of command: [UInt8]) -> [UInt8] {
        command.count > 5 ? Array(command.dropFirst(5).prefix(Int(command[4]))) : []
    }

    private static let personalization = ChipPersonalization(
        policy: ChipPersonalization.policyWithoutFiles,
        pinFunction: 0x04
    )
}
