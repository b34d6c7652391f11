// SPDX-License-Identifier: MIT

public import TangemConstants

/// Hashes in the groups in which SIGN takes them: one size a command, at most 10, at most 512 bytes.
public struct HashChunks: Hashable, Sendable {
    /// The hashes of one command.
    public struct Chunk: Hashable, Sendable {
        /// Bytes of each hash.
        public let hashSize: Int
        /// Where the hashes stood in the list of the caller.
        public let indices: [Int]
    }

    /// The groups, those of the size that came first before the others.
    public let chunks: [Chunk]

    /// Groups hashes.
    ///
    /// - Parameters:
    ///   - hashes: At least one, none empty.
    ///   - largest: How many one command takes, where the card takes less than usual.
    /// - Throws: `emptyHashes` when there is nothing to sign.
    public init(_ hashes: [[UInt8]], largest: Int = TangemLimits.hashesPerCommand) throws(TangemError) {
        guard !hashes.isEmpty else { throw TangemError(.emptyHashes, "give at least one hash") }
        guard !hashes.contains(where: \.isEmpty) else {
            throw TangemError(.emptyHashes, "one of the hashes has no bytes")
        }
        var sizes: [Int] = []
        for hash in hashes where !sizes.contains(hash.count) { sizes.append(hash.count) }
        var chunks: [Chunk] = []
        for size in sizes {
            let indices = hashes.indices.filter { hashes[$0].count == size }
            let room = max(1, min(largest, TangemLimits.hashBytesPerCommand / size))
            for start in stride(from: 0, to: indices.count, by: room) {
                let part = indices[start..<min(start + room, indices.count)]
                chunks.append(Chunk(hashSize: size, indices: Array(part)))
            }
        }
        self.chunks = chunks
    }
}
