// SPDX-License-Identifier: MIT

import DevKit

/// A model of the vendor's firmware example for the pass-through: the phone's commands switch the LED.
///
/// Source: the example's public sources (mtb-example-optiga-nbt-pt): FETCH DATA and PUT RESPONSE over I2C, and the
/// commands of its demo application.
struct PassThroughFirmware: BoardFirmware {
    private let chip: ChipBus
    private var isSelected = false

    /// Status bits of FETCH DATA.
    private enum Status {
        static let fieldLost: UInt16 = 0x0010
        static let entered: UInt16 = 0x0020
        static let commandAvailable: UInt16 = 0x0004
    }

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
        if status & (Status.fieldLost | Status.entered) != 0 { isSelected = false }
        guard status & Status.commandAvailable != 0, fetched.count > 2 else { return }
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
            let length = command.count > 4 ? Int(command[4]) : 0
            isSelected = command.dropFirst(5).prefix(length).elementsEqual(Self.applicationID)
            return isSelected ? 0x9000 : 0x6A82
        case 0x00 where isSelected:
            guard command[2] == 0x00, command[3] <= 0x01 else { return 0x6B00 }
            guard command.count == 4 else { return 0x6A80 }
            hardware.switchLED(command[3] == 0x01 ? .lit : .dark)
            return 0x9000
        default: return 0x6D00
        }
    }

    private static let personalization = ChipPersonalization(
        policy: ChipPersonalization.policyWithoutFiles,
        pinFunction: 0x04
    )
}
