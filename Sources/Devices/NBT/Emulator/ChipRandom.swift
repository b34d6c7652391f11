// SPDX-License-Identifier: MIT

import Cryptography

/// The chip's source of keys, token parts and random UIDs: the same seed and position give the same bytes.
enum ChipRandom {
    /// What the bytes are for; each purpose has a stream of its own.
    enum Purpose: UInt8 {
        case signingKey = 1
        case token = 2
        case randomUID = 3
    }

    /// Gives up to 32 bytes.
    static func bytes(_ count: Int, for purpose: Purpose, seed: UInt64, position: UInt64) -> [UInt8] {
        let numbers = [seed, position].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return Array(SHA256.digest([purpose.rawValue] + numbers).prefix(count))
    }
}
