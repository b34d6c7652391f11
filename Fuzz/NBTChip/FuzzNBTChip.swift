// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import NBTConstants
import NBTEmulator
import Synchronization

/// A chip that gets any commands on both of its faces, loses power in between, and answers each as a card does.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let clock = ModelClock()
    let first = input.byte()
    guard let chip = attempt({ try NBTChip(options: options(first), seed: 1, clock: clock) }) else {
        preconditionFailure("the chip's own options are refused")
    }
    let script = Script(input.pieces())
    // The host behind the pass-through: it says what the fuzzer makes, while the phone waits.
    chip.onHostInterrupt { [weak chip] in
        guard let chip else { return }
        for _ in 0..<2 {
            if let command = script.next() { send(command, to: chip.i2c, clock) }
        }
    }
    chip.nfc.powerOn()
    var face: any Card = chip.nfc
    while let piece = script.next() {
        // A piece of one byte is something that happens to the chip; all others are commands.
        switch piece.count == 1 ? piece[0] & 7 : nil {
        case nil: send(piece, to: face, clock)
        case 0: face.powerOff()
        case 1: face.powerOn()
        case 2: face = chip.nfc
        case 3: face = chip.i2c
        case 4: chip.cutDuringNextWrite(afterBytes: Int(piece[0] >> 3))
        default:
            face.powerOff()
            face.powerOn()
        }
    }
    for file in NBTFile.all where chip.contents(of: file) != nil {
        precondition(chip.contents(of: file)?.count == file.size, "a file changed its size")
    }
    // Writing and reading the text takes a hundred times as long as all of the above.
    guard first & 16 != 0 else { return 0 }
    let saved = chip.savedState
    attempt { try chip.restoreState(saved) }
    precondition(chip.savedState == saved, "a saved state does not come back")
    return 0
}

/// The chip that a byte asks for.
private func options(_ byte: UInt8) -> [String: String] {
    let states = ["delivery", "adt", "pass-through", "brand-protection"]
    return [
        "state": states[Int(byte & 3)],
        "variant": byte & 4 == 0 ? "nbt2000" : "nbt1000",
        "life-cycle": byte & 8 == 0 ? "operational" : "personalization",
        "pass-through-timeout": "1ms",
    ]
}

/// The pieces of an input, taken by phone and host in turn.
private final class Script: Sendable {
    private let rest: Mutex<ArraySlice<[UInt8]>>

    init(_ pieces: [[UInt8]]) {
        rest = Mutex(pieces[...])
    }

    func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
}

private func send(_ command: [UInt8], to face: any Card, _ clock: ModelClock) {
    let answer = face.respond(to: command)
    precondition(answer.time >= .zero, "time went back")
    clock.wait(answer.time)
    switch answer.ending {
    case .answered, .resetAfterwards:
        precondition(answer.bytes.count <= 65_538, "an answer that no APDU can be")
    case .mute, .removed:
        precondition(answer.bytes.isEmpty, "bytes that are never sent")
    }
}
