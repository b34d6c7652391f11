// SPDX-License-Identifier: MIT

import CardConnection
import NBT

/// A bus with a chip whose blocks the fuzzer makes: one for each that the host writes; the last one comes for ever.
final class FuzzedBus: I2CBus {
    /// More blocks than the deadlines of one input have room for, at the shortest pause between two polls.
    private static let patience = 100_000

    private var pieces: ArraySlice<[UInt8]>
    private var last: [UInt8] = []
    private var output: ArraySlice<UInt8> = []
    private var count = 0

    init(_ pieces: [[UInt8]]) {
        self.pieces = pieces[...]
    }

    /// Takes a block; where the fuzzer made none for it, the chip does not acknowledge.
    func write(_ bytes: [UInt8]) throws(TransportFault) -> Bool {
        count += 1
        precondition(count < Self.patience, "the host goes on for ever")
        last = pieces.popFirst() ?? last
        guard let control = last.first else { return false }
        let information = Array(last.dropFirst())
        // No fuzzer guesses a checksum; FF in front means the bytes as they are.
        output = control == 0xFF ? information[...] : Self.wellMade(control, information)[...]
        return true
    }

    /// Gives what is left of the block; beyond its end the bus reads `FF`.
    func read(_ count: Int) throws(TransportFault) -> [UInt8]? {
        guard !output.isEmpty else { return nil }
        let part = Array(output.prefix(count))
        output = output.dropFirst(part.count)
        return part + [UInt8](repeating: 0xFF, count: count - part.count)
    }

    private static func wellMade(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
        let count = information.count
        let body =
            [0x12, control, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            + information
        let checksum = T1PrimeChecksum.of(body)
        return body + [UInt8(truncatingIfNeeded: checksum >> 8), UInt8(truncatingIfNeeded: checksum)]
    }
}
