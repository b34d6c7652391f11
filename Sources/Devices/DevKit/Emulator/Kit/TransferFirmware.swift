// SPDX-License-Identifier: MIT

import DevKit

/// A model of the vendor's firmware example for asynchronous data transfer.
///
/// Source: the example's public sources and the terminal pictures that it shows (mtb-example-optiga-nbt-adt).
struct TransferFirmware: BoardFirmware {
    private let chip: ChipBus

    init(chip: ChipBus) {
        self.chip = chip
    }

    /// Power-up: sets the access policy and the interfaces, resets the chip, then runs the loop body once.
    mutating func start(on hardware: inout BoardHardware) {
        chip.powerOn()
        hardware.say("\u{1B}[2J\u{1B}[;HNBT: Asynchronous Data Transfer")
        guard Self.personalization.apply(over: chip, on: &hardware) else {
            warnOfField(on: &hardware)
            return
        }
        runLoopBody(on: &hardware)
    }

    mutating func buttonReleased(on hardware: inout BoardHardware) {
        runLoopBody(on: &hardware)
    }

    /// One round: FILE_1 decides on the LED, FILE_2 tells what was decided.
    private func runLoopBody(on hardware: inout BoardHardware) {
        guard chip.data(ChipPersonalization.selectApplication, on: &hardware) != nil else {
            warnOfField(on: &hardware)
            return
        }
        guard chip.data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA1, 0x00], on: &hardware) != nil,
            let wanted = chip.data([0x00, 0xB0, 0x00, 0x00, 0x01], on: &hardware), wanted.count == 1
        else {
            hardware.log("ERROR", "FILE_1 cannot be read")
            return
        }
        // Exactly 01 lights the LED; any other value does not.
        let isOn = wanted[0] == 0x01
        hardware.switchLED(isOn ? .lit : .dark, saying: isOn ? "LED turned ON" : "LED turned OFF", "INFO")
        guard chip.data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xA2, 0x00], on: &hardware) != nil,
            chip.data([0x00, 0xD6, 0x00, 0x00, 0x01, wanted[0] == 0x01 ? 0x01 : 0x00], on: &hardware) != nil
        else {
            hardware.log("ERROR", "FILE_2 cannot be written")
            return
        }
    }

    private func warnOfField(on hardware: inout BoardHardware) {
        hardware.log("WARNING", "NBT does not answer; remove the phone or reader and press the button")
    }

    private static let personalization = ChipPersonalization(
        policy: [
            [0xE1, 0x03, 0x40, 0x00, 0x40, 0x00],
            [0xE1, 0x04, 0x40, 0x40, 0x40, 0x00],
            [0xE1, 0xA1, 0x40, 0x00, 0x40, 0x40],
            [0xE1, 0xA2, 0x40, 0x40, 0x40, 0x00],
            [0xE1, 0xA3, 0x00, 0x00, 0x00, 0x00],
            [0xE1, 0xA4, 0x00, 0x00, 0x00, 0x00],
            [0xE1, 0xAF, 0x40, 0x40, 0x40, 0x40],
        ],
        pinFunction: 0x01
    )
}
