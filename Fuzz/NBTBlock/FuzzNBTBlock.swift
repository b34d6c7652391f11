// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput

@testable import NBTEmulator

/// The I2C bus of a chip: any blocks, most of them well made, and reads of any length in between.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let clock = ModelClock()
    let made = attempt { try NBTChip(options: ["pass-through-timeout": "1ms"], seed: 1, clock: clock) }
    guard let chip = made else { preconditionFailure("the chip's own options are refused") }
    chip.i2c.powerOn()
    let bus = NBTBlockFace(chip, clock: clock)
    while let piece = input.piece() {
        clock.wait(.seconds(1))
        guard let first = piece.first else { continue }
        if piece.count == 1 {
            if let answer = bus.read(Int(first)) {
                precondition(answer.count == Int(first), "the bus gave more or fewer bytes than were read")
            }
            continue
        }
        // No fuzzer guesses a checksum; FF in front means the bytes as they are.
        let block = first == 0xFF ? Array(piece.dropFirst()) : wellMade(first, Array(piece.dropFirst()))
        guard bus.write(block) else { continue }
        clock.wait(.seconds(1))
        guard let head = bus.read(4) else { continue }
        precondition(head[0] == 0x12, "a block that is not for the host")
        let rest = bus.read((Int(head[2]) << 8 | Int(head[3])) + 2) ?? []
        let body = head + rest.dropLast(2)
        precondition(BlockFrame.checksum(of: body[...]) == Array(rest.suffix(2)), "a wrong checksum")
    }
    return 0
}

/// A block of the host around an information field.
private func wellMade(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
    let count = [
        UInt8(truncatingIfNeeded: information.count >> 8), UInt8(truncatingIfNeeded: information.count),
    ]
    let body = [0x21, control] + count + information
    return body + BlockFrame.checksum(of: body[...])
}
