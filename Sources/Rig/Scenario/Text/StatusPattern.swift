// SPDX-License-Identifier: MIT

public import SmartCard
import Wording

/// Which status words will do: `9000`, `61xx`, `63Cx`, `6A80..6A8F`, `not 6982`, or a class.
public struct StatusPattern: Hashable, Sendable, CustomStringConvertible {
    private enum Rule: Hashable {
        /// Equal where the mask has ones.
        case masked(value: UInt16, mask: UInt16)
        case range(ClosedRange<UInt16>)
        case ok
        case warning
        case error
    }

    private let rule: Rule
    private let isNegated: Bool
    /// The text as the file has it.
    public let description: String

    /// Takes one status word and no other.
    public init(_ word: StatusWord) {
        rule = .masked(value: word.rawValue, mask: 0xFFFF)
        isNegated = false
        description = word.description
    }

    private init(rule: Rule, isNegated: Bool, description: String) {
        self.rule = rule
        self.isNegated = isNegated
        self.description = description
    }

    /// What a step asks for that says nothing: `9000`.
    public static let success = StatusPattern(.success)

    /// True when the word will do.
    public func matches(_ word: StatusWord) -> Bool {
        let value = word.rawValue
        let holds =
            switch rule {
            case .masked(let wanted, let mask): value & mask == wanted
            case .range(let range): range.contains(value)
            case .ok: Self.isOK(value)
            case .warning: Self.isWarning(value)
            case .error: !Self.isOK(value) && !Self.isWarning(value)
            }
        return holds != isNegated
    }

    /// Reads a pattern.
    ///
    /// - Parameter text: Four hex digits (`x` for any), a range of two such words, or `ok` (9000, 61xx), `warning`
    ///   (62xx, 63xx), `error` (all others); `not` before any of them turns it around.
    /// - Returns: The pattern.
    /// - Throws: ``TextError`` when it is none of that.
    public static func parse(_ text: String) throws(TextError) -> StatusPattern {
        var cursor = TextCursor(text)
        cursor.skipBlanks()
        var isNegated = false
        if cursor.take("not ") {
            isNegated = true
            cursor.skipBlanks()
        }
        let rule = try rule(&cursor)
        cursor.skipBlanks()
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a status word such as 9000 or 63Cx",
                column: cursor.column
            )
        }
        return StatusPattern(rule: rule, isNegated: isNegated, description: text.trimmed)
    }

    private static func rule(_ cursor: inout TextCursor) throws(TextError) -> Rule {
        let start = cursor
        let word = cursor.take { $0.isLetter || $0.isDigit }
        switch word {
        case "ok": return .ok
        case "warning": return .warning
        case "error": return .error
        default: break
        }
        let (low, lowMask) = try digits(word, at: start)
        guard cursor.take("..") else { return .masked(value: low, mask: lowMask) }
        let second = cursor
        let (high, highMask) = try digits(cursor.take { $0.isLetter || $0.isDigit }, at: second)
        let top = high | ~highMask
        guard low <= top else {
            throw TextError("the range is empty: \(word) lies above its end", column: start.column)
        }
        return .range(low...top)
    }

    private static func digits(_ word: String, at place: TextCursor) throws(TextError) -> (UInt16, UInt16) {
        var digits = Array(word.utf8)
        var skipped = 0
        if digits.count == 6, digits[0] == 0x30, digits[1] | 0x20 == 0x78 {
            digits.removeFirst(2)
            skipped = 2
        }
        var value: UInt16 = 0
        var mask: UInt16 = 0
        for (offset, byte) in digits.enumerated() {
            if let digit = byte.hexDigit {
                value = value << 4 | UInt16(digit)
                mask = mask << 4 | 0xF
            } else if byte | 0x20 == 0x78 {
                value <<= 4
                mask <<= 4
            } else {
                throw TextError(
                    "'\(word)' is no status word; it has four hex digits (9000, 63Cx), or is ok, warning or error",
                    column: place.column + (byte.isLetter && offset > 0 ? offset + skipped : 0),
                    hint: Suggestion.nearest(to: word, among: ["ok", "warning", "error"])
                )
            }
        }
        guard digits.count == 4 else {
            let found = word.isEmpty ? place.nextCharacter : "'\(word)'"
            throw TextError(
                "\(found) is no status word; it has four hex digits, such as 9000, 61xx or 63Cx",
                column: place.column
            )
        }
        return (value, mask)
    }

    private static func isOK(_ value: UInt16) -> Bool { value == 0x9000 || value >> 8 == 0x61 }

    private static func isWarning(_ value: UInt16) -> Bool { value >> 8 == 0x62 || value >> 8 == 0x63 }
}
