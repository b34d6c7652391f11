// SPDX-License-Identifier: MIT

/// A condition, read.
enum ConditionTest: Hashable, Sendable {
    /// `present ${name}`.
    case present(name: String, index: Int?)
    /// `${name} == value`, `!= value`, `in [a, b]`; `column` is where the values begin.
    case compare(subject: TextPiece, isNegated: Bool, values: [Operand], column: Int)

    /// A value to compare with.
    struct Operand: Hashable, Sendable {
        let pieces: [TextPiece]
        let column: Int
    }

    /// Reads a condition.
    ///
    /// - Throws: ``TextError`` when it is none of the four forms.
    static func parse(_ text: String) throws(TextError) -> ConditionTest {
        var cursor = TextCursor(text)
        cursor.skipBlanks()
        if cursor.take("present ") || cursor.take("present\t") {
            cursor.skipBlanks()
            guard case .reference(let name, let index) = try subject(&cursor) else { throw unknown(cursor) }
            try end(&cursor)
            return .present(name: name, index: index)
        }
        let subject = try subject(&cursor)
        cursor.skipBlanks()
        let isNegated = cursor.take("!=")
        if isNegated || cursor.take("==") {
            cursor.skipBlanks()
            let column = cursor.column
            let operand = try operand(cursor.rest, column: column)
            try refuseSecondTest(cursor)
            return .compare(subject: subject, isNegated: isNegated, values: [operand], column: column)
        }
        guard cursor.take("in") else { throw unknown(cursor) }
        return .compare(subject: subject, isNegated: false, values: try list(&cursor), column: cursor.column)
    }

    private static func subject(_ cursor: inout TextCursor) throws(TextError) -> TextPiece {
        let start = cursor
        guard cursor.take("${") else {
            throw TextError(
                "a condition begins with ${name} or 'present'; \(cursor.nextCharacter) stands here",
                column: cursor.column
            )
        }
        return try TextTemplate.reference(&cursor, from: start)
    }

    private static func operand(_ text: String, column: Int) throws(TextError) -> Operand {
        let plain = text.trimmed
        guard !plain.isEmpty else { throw TextError("a value to compare with is missing", column: column) }
        let skipped = text.unicodeScalars.prefix { $0 == " " || $0 == "\t" }.count
        var letters = plain[...]
        var quote = 0
        if let first = plain.first, "\"'".contains(first), plain.count > 1, plain.last == first {
            letters = letters.dropFirst().dropLast()
            quote = 1
        }
        do {
            return Operand(pieces: try TextTemplate.pieces(String(letters)), column: column + skipped + quote)
        } catch {
            throw error.shifted(by: column + skipped + quote)
        }
    }

    private static func isQuoted(_ text: String) -> Bool {
        guard let first = text.first, first == "\"" || first == "'" else { return false }
        return text.count > 1 && text.last == first && !text.dropFirst().dropLast().contains(first)
    }

    /// What joins conditions elsewhere would be letters of the value here, and the step would never be done.
    private static func refuseSecondTest(_ start: TextCursor) throws(TextError) {
        guard !isQuoted(start.rest.trimmed) else { return }
        var cursor = start
        while !cursor.isAtEnd {
            let column = cursor.column
            let word = cursor.take { $0 != 0x20 && $0 != 0x09 }
            let isJoint =
                ["and", "or"].contains(word.lowercased()) && column > start.column && !cursor.isAtEnd
            let isLogic = word.range(ofFirst: "&&") != nil || word.range(ofFirst: "||") != nil
            if isJoint || isLogic || ["==", "!="].contains(word) {
                throw TextError(
                    "'if' takes one condition, and '\(word)' would be part of its value; make two steps of it, or put "
                        + "a value that is meant so into quotes",
                    column: column
                )
            }
            cursor.skipBlanks()
        }
    }

    private static func list(_ cursor: inout TextCursor) throws(TextError) -> [Operand] {
        cursor.skipBlanks()
        guard cursor.take("[") else { throw TextError("'in' takes a list: in [a, b]", column: cursor.column) }
        var values: [Operand] = []
        repeat {
            let column = cursor.column
            let text = cursor.take { $0 != 0x2C && $0 != 0x5D }
            values.append(try operand(text, column: column))
        } while cursor.take(",")
        guard cursor.take("]") else {
            throw TextError("']' is missing behind the list", column: cursor.column)
        }
        try end(&cursor)
        return values
    }

    private static func end(_ cursor: inout TextCursor) throws(TextError) {
        cursor.skipBlanks()
        guard cursor.isAtEnd else {
            throw TextError("\(cursor.nextCharacter) does not belong to the condition", column: cursor.column)
        }
    }

    private static func unknown(_ cursor: TextCursor) -> TextError {
        TextError(
            "\(cursor.nextCharacter) stands where ==, != or in [a, b] is wanted; conditions know nothing else",
            column: cursor.column
        )
    }
}
