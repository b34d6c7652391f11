// SPDX-License-Identifier: MIT

import DevKit

/// A model of the vendor's firmware example for static connection handover: a Bluetooth record in the NDEF file.
///
/// A message of 0x71 bytes with one out-of-band record is written once; address, confirmation value and random value
/// are patched in their places at each start. Which optional fields fill the record is not published; those here are
/// our choice.
/// Source: the vendor's public examples; Bluetooth Core Specification Supplement, part A (data types).
struct HandoverFirmware: BoardFirmware {
    private let chip: ChipBus
    /// How often the firmware has started; its values differ each time.
    private var startCount: UInt8 = 0

    init(chip: ChipBus) {
        self.chip = chip
    }

    mutating func start(on hardware: inout BoardHardware) {
        startCount &+= 1
        chip.powerOn()
        hardware.say("\u{1B}[2J\u{1B}[;HNBT: Static Connection Handover")
        guard Self.personalization.apply(over: chip, on: &hardware), writeRecord(on: &hardware) else {
            hardware.log("WARNING", "NBT does not answer; remove the phone or reader and reset the board")
            return
        }
        hardware.log("INFO", "Handover record written")
    }

    /// The example has no use for the button.
    mutating func buttonReleased(on hardware: inout BoardHardware) {}

    private func writeRecord(on hardware: inout BoardHardware) -> Bool {
        let message = Self.message
        var pieces: [(offset: Int, bytes: [UInt8])] = [(0, [0, UInt8(message.count)] + message)]
        // The values go behind length and type of their field.
        for (offset, count) in Self.patches {
            pieces.append((offset, (0..<UInt8(count)).map { $0 &* 7 &+ startCount }))
        }
        guard chip.data(ChipPersonalization.selectApplication, on: &hardware) != nil,
            chip.data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04, 0x00], on: &hardware) != nil
        else { return false }
        for piece in pieces {
            let command =
                [0x00, 0xD6, UInt8(piece.offset >> 8), UInt8(piece.offset & 0xFF), UInt8(piece.bytes.count)]
                + piece.bytes
            guard chip.data(command, on: &hardware) != nil else { return false }
        }
        return true
    }

    private static let mediaType = Array("application/vnd.bluetooth.le.oob".utf8)

    /// Device address and type, role, confirmation value, random value, temporary key, flags, name.
    private static let fields: [[UInt8]] = [
        [0x08, 0x1B] + [UInt8](repeating: 0, count: 7),
        [0x02, 0x1C, 0x00],
        [0x11, 0x22] + [UInt8](repeating: 0, count: 16),
        [0x11, 0x23] + [UInt8](repeating: 0, count: 16),
        [0x11, 0x10] + [UInt8](repeating: 0, count: 16),
        [0x02, 0x01, 0x06],
        [0x08, 0x09] + Array("NBT kit".utf8),
    ]

    private static let message: [UInt8] =
        [0xD2, UInt8(mediaType.count), UInt8(fields.joined().count)] + mediaType + fields.joined()

    /// Offsets in the file (behind the length of the message) and lengths of address, confirmation and random value.
    private static let patches: [(offset: Int, count: Int)] = {
        let start = 2 + 3 + mediaType.count
        return [(start + 2, 6), (start + 9 + 3 + 2, 16), (start + 9 + 3 + 18 + 2, 16)]
    }()

    private static let personalization = ChipPersonalization(
        policy: ChipPersonalization.policyWithoutFiles,
        pinFunction: 0x01
    )
}
