// SPDX-License-Identifier: MIT

/// Why a text is no hex text.
public struct HexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    public enum Cause: Hashable, Sendable {
        /// A character that is neither a digit nor a separator.
        case notHex(Character)
        /// An odd number of digits.
        case oddDigitCount(Int)
    }

    /// What is wrong.
    public let cause: Cause
    /// Where, in characters from 1.
    public let column: Int

    /// What is wrong and what would be right.
    public var description: String {
        switch cause {
        case .notHex(let character): "'\(character)' is not a hex digit"
        case .oddDigitCount(let count): "\(count) hex digits are no whole bytes; two digits make a byte"
        }
    }
}

/// Hex text: bytes as people and tools write them.
public enum HexText {
    /// Reads bytes from hex text in any of the usual forms.
    ///
    /// Upper or lower case; blanks, tabs, colons, dashes and commas between bytes; a `0x` prefix before a byte or
    /// the whole; a pair of quotes around it.
    ///
    /// - Parameter text: The text, without a comment.
    /// - Throws: ``HexError`` with the column of the character that does not belong.
    public static func bytes(_ text: some StringProtocol) throws(HexError) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        var digits = 0
        var column = 0
        var previousIsLoneZero = false
        for character in text {
            column += 1
            if let value = character.hexDigitValue, character.isASCII {
                digits += 1
                let digit = UInt8(truncatingIfNeeded: value)
                if let upper = high {
                    out.append(upper << 4 | digit)
                    high = nil
                    previousIsLoneZero = false
                } else {
                    high = digit
                    previousIsLoneZero = digit == 0
                }
            } else if character == "x" || character == "X", previousIsLoneZero {
                // The zero of a `0x` prefix is no digit of a byte.
                high = nil
                digits -= 1
                previousIsLoneZero = false
            } else if separators.contains(character) {
                previousIsLoneZero = false
            } else {
                throw HexError(cause: .notHex(character), column: column)
            }
        }
        guard high == nil else { throw HexError(cause: .oddDigitCount(digits), column: column) }
        return out
    }

    private static let separators: Set<Character> = [" ", "\t", ":", "-", ",", "\"", "'"]
}

extension Sequence<UInt8> {
    /// Upper-case hex text without blanks, as files hold it.
    public var hex: String {
        let bytes = Array(self)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { out in
            var index = 0
            for byte in bytes {
                out[index] = hexDigits[Int(byte >> 4)]
                out[index + 1] = hexDigits[Int(byte & 0x0F)]
                index += 2
            }
            return index
        }
    }

    /// Upper-case hex text with a blank between bytes, as logs show it.
    public var spacedHex: String {
        map { [$0].hex }.joined(separator: " ")
    }
}

private let hexDigits: [UInt8] = Array("0123456789ABCDEF".utf8)
