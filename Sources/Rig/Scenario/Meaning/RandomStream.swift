// SPDX-License-Identifier: MIT

internal import Cryptography

/// Random bytes that are the same for the same seed, suite, case, variable and repeat.
///
/// The stream is SHA-256(K || 0), SHA-256(K || 1), ... one behind the other. K is the UTF-8 text of
/// `taprig-random-1`, seed, suite, case name without its brackets, variable and repeat, each followed by a zero byte;
/// numbers stand in decimal, the block number (also in decimal) without a zero byte behind it.
public struct RandomStream: Sendable {
    private let key: [UInt8]

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - seed: The run's seed.
    ///   - suite: The suite's name.
    ///   - testCase: The case's name without its brackets.
    ///   - variable: The variable's name.
    ///   - repetition: Which repeat of the case, from 0.
    public init(seed: UInt64, suite: String, testCase: String, variable: String, repetition: Int) {
        key = ["taprig-random-1", "\(seed)", suite, testCase, variable, "\(repetition)"].flatMap {
            Array($0.utf8) + [0]
        }
    }

    /// The first bytes of the stream.
    public func bytes(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(count + 32)
        var block = 0
        while out.count < count {
            out += SHA256.digest(key + Array("\(block)".utf8))
            block += 1
        }
        return Array(out.prefix(count))
    }
}
