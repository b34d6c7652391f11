// SPDX-License-Identifier: MIT

/// Why a text is no hex text.
public struct HexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    public enum Cause: Hashable, Sendable {
        /// A character that is neither a digit nor a separator.
        case notHex(Character)
        /// An odd number of digits in a row.
        case oddDigitCount(Int)
    }

    /// What is wrong.
    public let cause: Cause
    /// Where, in characters from 1: the bad character, or the digit that has no partner.
    public let column: Int

    /// What is wrong and what would be right.
    public var description: String {
        switch cause {
        case .notHex(let character): "\(Self.shown(character)) is not a hex digit"
        case .oddDigitCount(1): "one hex digit is no whole byte; two digits make a byte"
        case .oddDigitCount(let count): "\(count) hex digits are no whole bytes; two digits make a byte"
        }
    }

    /// A character in quotes, or its code point where it could not be told from a blank or another letter.
    private static func shown(_ character: Character) -> String {
        if let ascii = character.asciiValue, (0x21...0x7E).contains(ascii) { return "'\(character)'" }
        let codes = character.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        return "the character " + codes.joined(separator: " ")
    }
}
