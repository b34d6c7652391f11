// SPDX-License-Identifier: MIT

/// Bytes that look random and are the same for the same seed, on every machine and in every version.
///
/// For emulators and test data, never for secrets. The stream is SHA-256 of the seed and a block counter from 0, both
/// as 8 bytes big-endian, one digest after the other.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private let seed: UInt64
    private var counter: UInt64 = 0
    private var block: ArraySlice<UInt8> = []

    /// Starts the stream of a seed.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// The next bytes of the stream.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(max(0, count))
        while out.count < count {
            if block.isEmpty {
                block = ArraySlice(SHA256.digest(bigEndian(seed) + bigEndian(counter)))
                counter &+= 1
            }
            let part = block.prefix(count - out.count)
            out += part
            block = block.dropFirst(part.count)
        }
        return out
    }

    /// The next 8 bytes of the stream as a big-endian number.
    public mutating func next() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
}
