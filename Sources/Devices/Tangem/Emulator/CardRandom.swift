// SPDX-License-Identifier: MIT

import Cryptography

/// The card's source of keys, salts and tokens: the same seed gives the same card.
///
/// Where it stands is one number, so that a saved card goes on without repeating itself.
struct CardRandom: RandomNumberGenerator, Sendable {
    private let seed: UInt64
    private let stream: UInt64
    /// Blocks that were taken.
    var position: UInt64 = 0

    init(seed: UInt64, stream: UInt64) {
        self.seed = seed
        self.stream = stream
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count {
            let input = [seed, stream, position].flatMap { value in
                (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
            }
            out += SHA256.digest(input).prefix(count - out.count)
            position &+= 1
        }
        return out
    }

    mutating func next() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
