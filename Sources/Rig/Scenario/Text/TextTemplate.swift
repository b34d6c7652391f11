// SPDX-License-Identifier: MIT

/// Texts with references to variables: `pay ${amount}`, `${list(0)}`; `$${` stands for the letters `${`.
public enum TextTemplate {
    /// True when a text has something to read in it; all others are one literal.
    public static func hasReferences(_ text: String) -> Bool {
        // A buffer is gone through several times faster than the view of a text.
        text.utf8.withContiguousStorageIfAvailable { hasReferences(in: $0) } ?? hasReferences(in: text.utf8)
    }

    private static func hasReferences(in text: some Sequence<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if previous == 0x24, byte == 0x7B { return true }
            previous = byte
        }
        return false
    }

    /// Splits a text into letters and references.
    ///
    /// - Throws: ``TextError`` when a reference has no end, no name, or an index that is no number.
    public static func pieces(_ text: String) throws(TextError) -> [TextPiece] {
        guard hasReferences(text) else { return text.isEmpty ? [] : [.literal(text)] }
        var out: [TextPiece] = []
        var literal = ""
        var cursor = TextCursor(text)
        while !cursor.isAtEnd {
            literal += cursor.take { $0 != 0x24 }
            let start = cursor
            if cursor.take("$${") {
                literal += "${"
            } else if cursor.take("${") {
                if !literal.isEmpty { out.append(.literal(literal)) }
                literal = ""
                out.append(try reference(&cursor, from: start))
            } else if cursor.take("$") {
                literal += "$"
            }
        }
        if !literal.isEmpty { out.append(.literal(literal)) }
        return out
    }

    /// True for what may be the name of a variable: a letter or `_`, then letters, digits, `_` and `-`.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter || first == 0x5F else { return false }
        return text.utf8.allSatisfy(\.isNamePart)
    }

    /// The pieces with the place of each in characters from 0.
    static func columns(of pieces: [TextPiece]) -> [(piece: TextPiece, column: Int)] {
        var column = 0
        return pieces.map { piece in
            defer { column += width(piece) }
            return (piece, column)
        }
    }

    private static func width(_ piece: TextPiece) -> Int {
        switch piece {
        case .literal(let text):
            // Each escaped `${` was written with one sign more.
            var count = 0
            var previous: Unicode.Scalar = " "
            for scalar in text.unicodeScalars {
                count += previous == "$" && scalar == "{" ? 2 : 1
                previous = scalar
            }
            return count
        case .reference(let name, let index):
            return name.utf8.count + 3 + (index.map { "\($0)".utf8.count + 2 } ?? 0)
        }
    }

    /// Reads what follows `${` up to and with its `}`.
    static func reference(_ cursor: inout TextCursor, from start: TextCursor) throws(TextError) -> TextPiece {
        let place = cursor
        let name = cursor.take(while: \.isNamePart)
        guard isName(name) else {
            throw TextError(
                name.isEmpty
                    ? "a name is missing in '${}'; write ${name}, or $${ for the letters"
                    : "'\(name)' is no name; a letter comes first, then letters, digits, '_' and '-'",
                column: place.column
            )
        }
        var index: Int?
        if cursor.take("(") {
            let number = cursor
            index = try NumberText.parse(&cursor)
            guard (0...Int(Int32.max)).contains(index ?? 0) else {
                throw TextError("an index counts from 0", column: number.column)
            }
            guard cursor.take(")") else {
                throw TextError("')' is missing behind the index of '\(name)'", column: cursor.column)
            }
        }
        guard cursor.take("}") else {
            guard !cursor.isAtEnd else {
                throw TextError("'${\(name)' has no end; write ${\(name)}", column: start.column)
            }
            guard cursor.next != 0x2E else {
                throw TextError(
                    "a variable has no parts; capture the part under a name of its own, such as "
                        + "capture: { part: \(name)\(index.map { "(\($0))" } ?? "").name }",
                    column: cursor.column
                )
            }
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a variable's name",
                column: cursor.column
            )
        }
        return .reference(name: name, index: index)
    }
}
