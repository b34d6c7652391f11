// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import NBTEmulator

/// Saved chips: any text is refused, or makes a chip that answers every command and is saved as it was read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let text = FuzzInput(data, size).text
    for variant in ["nbt2000", "nbt1000"] {
        let clock = ModelClock()
        let made = attempt { try NBTChip(options: ["variant": variant], seed: 1, clock: clock) }
        guard let chip = made else { preconditionFailure("the chip's own options are refused") }
        guard attempt({ try chip.restoreState(text) }) != nil else { continue }
        let saved = chip.savedState
        precondition(attempt { try chip.restoreState(saved) } != nil, "the chip refuses its own saved state")
        precondition(chip.savedState == saved, "a saved state does not come back")
        chip.nfc.powerOn()
        for command in commands { _ = chip.nfc.respond(to: command) }
    }
    return 0
}

/// SELECT of application and files, with passwords too, reads, writes, proofs and settings.
private let commands: [[UInt8]] = {
    let files: [UInt8] = [0x03, 0x04, 0xA1, 0xA2, 0xA3, 0xA4, 0xAF]
    let access = files.flatMap { file -> [[UInt8]] in
        [
            [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, file],
            [0x00, 0xA4, 0x00, 0x0C, 0x08, 0xE1, file, 0x52, 4, 1, 2, 3, 4, 0],
            [0x00, 0xB0, 0x00, 0x00, 0x00], [0x00, 0xB0, 0x01, 0x00, 0x10],
            [0x00, 0xD6, 0x00, 0x00, 0x01, 0x07],
        ]
    }
    let tag: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]
    let configurator: [UInt8] =
        [0x00, 0xA4, 0x04, 0x00, 0x0D]
        + [0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00, 0x01, 0x01, 0x00]
    return [tag] + access
        + [
            [0x00, 0x30, 0xDF, 0x3A, 0x00], [0x00, 0x30, 0xDF, 0x3B, 0x00],
            [0x00, 0x88, 0x00, 0x00, 0x04, 1, 2, 3, 4, 0], configurator,
            [0x20, 0x30, 0x00, 0x00, 0x02, 0xC0, 0x60], [0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x60, 1, 0x11],
        ]
}()
