// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// Makes card identifiers: a series of 4 characters, a number of 11 digits, a check digit.
enum CardIdentifier {
    static func make(using random: inout CardRandom) -> [UInt8] {
        let number = random.next() % 100_000_000_000
        let digits = String(number)
        let padded = String(repeating: "0", count: 11 - digits.count) + digits
        let text = "CB79" + padded
        let nibbles = Array(text.utf8).map(nibble) + [checkDigit(of: text)]
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    /// Doubles every other digit from the right, the check digit's neighbour first; letters count from A = 0.
    static func checkDigit(of text: String) -> UInt8 {
        var sum = 0
        for (index, character) in text.utf8.reversed().enumerated() {
            let isLetter = character >= UInt8(ascii: "A")
            var value = Int(character) - Int(isLetter ? UInt8(ascii: "A") : UInt8(ascii: "0"))
            if index % 2 == 0 {
                value *= 2
                if value > 9 { value -= 9 }
            }
            sum += value
        }
        return UInt8((10 - sum % 10) % 10)
    }

    private static func nibble(_ character: UInt8) -> UInt8 {
        character >= UInt8(ascii: "A") ? character - UInt8(ascii: "A") + 10 : character - UInt8(ascii: "0")
    }
}

/// Digests of the codes that a card leaves the factory with.
enum CodeDigest {
    /// Bytes of each.
    static let size = 32
    static let defaultAccessCode = SHA256.digest(Array(TangemLimits.defaultAccessCode.utf8))
    static let defaultPasscode = SHA256.digest(Array(TangemLimits.defaultPasscode.utf8))
}
