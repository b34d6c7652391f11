// SPDX-License-Identifier: MIT

import Cryptography

/// A list of 12 to 24 words that stands for the root of a tree of keys.
///
/// Source: BIP39, the English list.
public struct Mnemonic: Hashable, Sendable {
    /// The words, lower case.
    public let words: [String]
    /// The bytes behind the words, 16 to 32.
    public let entropy: [UInt8]

    /// Reads words from a text; numbers, signs and blanks between them are left out.
    ///
    /// - Parameter text: The words.
    /// - Throws: `cryptoUtilsError` for a wrong number of words, an unknown one or a wrong checksum.
    public init(_ text: String) throws(TangemError) {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        guard [12, 15, 18, 21, 24].contains(words.count) else {
            throw TangemError(
                .cryptoUtilsError,
                "a mnemonic has 12, 15, 18, 21 or 24 words, here are \(words.count)"
            )
        }
        var bits: [Bool] = []
        for (position, word) in words.enumerated() {
            guard let number = MnemonicWords.number(of: word) else {
                throw TangemError(.cryptoUtilsError, "word \(position + 1) is not in the list of BIP39")
            }
            bits += (0..<11).map { number >> (10 - $0) & 1 == 1 }
        }
        let entropyBits = bits.count * 32 / 33
        entropy = stride(from: 0, to: entropyBits, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        guard Self.checksum(entropy) == Array(bits[entropyBits...]) else {
            throw TangemError(.cryptoUtilsError, "the checksum in the last word is wrong")
        }
        self.words = words
    }

    /// Takes the bytes behind the words.
    public init(entropy: [UInt8]) throws(TangemError) {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else {
            throw TangemError(
                .cryptoUtilsError,
                "a mnemonic stands for 16, 20, 24, 28 or 32 bytes, here are \(entropy.count)"
            )
        }
        let bits =
            entropy.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } } + Self.checksum(entropy)
        words = stride(from: 0, to: bits.count, by: 11).map { start in
            MnemonicWords.all[bits[start..<start + 11].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }]
        }
        self.entropy = entropy
    }

    /// The words with a blank between them.
    public var text: String { words.joined(separator: " ") }

    /// The seed of 64 bytes; a passphrase beyond ASCII must be in normalization form KD.
    public func seed(passphrase: String = "") throws(TangemError) -> [UInt8] {
        do {
            return try PBKDF2.key(
                password: Array(text.utf8),
                salt: Array(("mnemonic" + passphrase).utf8),
                rounds: 2048,
                length: 64,
                hash: .sha512
            )
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    private static func checksum(_ entropy: [UInt8]) -> [Bool] {
        let first = SHA256.digest(entropy).first ?? 0
        return (0..<entropy.count / 4).map { first >> (7 - $0) & 1 == 1 }
    }
}
