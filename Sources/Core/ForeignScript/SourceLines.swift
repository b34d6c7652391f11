// SPDX-License-Identifier: MIT

import SmartCard

/// The lines of a source, with their numbers.
struct SourceLines {
    /// A line without its end and without blanks around it.
    struct Line {
        let number: Int
        /// Column of the first character that is no blank, from 1.
        let column: Int
        /// Without blanks around it.
        let text: String
        /// As it stands, blanks included.
        let raw: String

        init(_ raw: Substring, number: Int) {
            self.number = number
            self.raw = String(raw)
            var text = raw
            var column = 1
            while let first = text.first, first.isWhitespace {
                text.removeFirst()
                column += 1
            }
            self.column = column
            while let last = text.last, last.isWhitespace { text.removeLast() }
            self.text = String(text)
        }

        /// A part of this line, for a command that goes over several.
        func piece(_ part: Substring) -> Piece {
            let offset = text.distance(from: text.startIndex, to: part.startIndex)
            return Piece(text: String(part), line: number, column: column + offset)
        }
    }

    /// A part of a command, and where it stands.
    struct Piece {
        let text: String
        let line: Int
        /// Column of its first character, from 1.
        let column: Int
    }

    let name: String
    let all: [Line]

    init(_ text: String, name: String) {
        self.name = name
        all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            Line($1, number: $0 + 1)
        }
    }

    /// Hex text of a line as bytes.
    func bytes(_ text: some StringProtocol, line: Int) throws(ForeignScriptError) -> [UInt8] {
        do {
            return try HexText.bytes(text)
        } catch {
            throw wrong(line, column: column(of: text, in: line) + error.column - 1, "\(error)")
        }
    }

    /// Hex text of a line as a command: the four bytes of a header at least.
    func command(_ text: some StringProtocol, line: Int) throws(ForeignScriptError) -> [UInt8] {
        let bytes = try bytes(text, line: line)
        guard bytes.count >= 4 else {
            throw wrong(
                line,
                column: column(of: text, in: line),
                "\(APDUError.headerTooShort(count: bytes.count))"
            )
        }
        return bytes
    }

    /// Hex text that goes over several lines as a command.
    func command(_ pieces: [Piece]) throws(ForeignScriptError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try HexText.bytes(Self.text(of: pieces))
        } catch {
            var column = error.column
            for piece in pieces {
                if column <= piece.text.count {
                    throw wrong(piece.line, column: piece.column + column - 1, "\(error)")
                }
                column -= piece.text.count + 1
            }
            throw wrong(pieces.last?.line ?? 0, "\(error)")
        }
        guard bytes.count >= 4 else {
            let start = pieces.first
            throw wrong(
                start?.line ?? 0,
                column: start?.column,
                "\(APDUError.headerTooShort(count: bytes.count))"
            )
        }
        return bytes
    }

    /// Pieces as one text, a blank between them.
    static func text(of pieces: [Piece]) -> String {
        pieces.map(\.text).joined(separator: " ")
    }

    /// A mistake in a line; without a column, at its first character that is no blank.
    func wrong(_ line: Int, column: Int? = nil, _ message: String) -> ForeignScriptError {
        let first = all.indices.contains(line - 1) ? all[line - 1].column : 1
        return ForeignScriptError(name: name, line: line, column: column ?? first, message)
    }

    /// Column of a part of a line: at its end where it stands there, else where it comes first.
    private func column(of text: some StringProtocol, in line: Int) -> Int {
        guard all.indices.contains(line - 1) else { return 1 }
        let whole = all[line - 1]
        if whole.text.hasSuffix(text) { return whole.column + whole.text.count - text.count }
        guard let range = whole.text.firstRange(of: String(text)) else { return whole.column }
        return whole.column + whole.text.distance(from: whole.text.startIndex, to: range.lowerBound)
    }
}
