// SPDX-License-Identifier: MIT

/// Why a line of a script is no command.
public struct CommandTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the line.
    public enum Cause: Hashable, Sendable {
        /// The text is no hex text.
        case hex(HexError)
        /// The bytes are no command.
        case command(APDUError)
        /// Where a comment would begin, stands what looks like one more command.
        case secondCommand
    }

    /// What is wrong.
    public let cause: Cause
    /// Where in the line, in characters from 1; for a command of the wrong shape the column of its first digit.
    public let column: Int

    /// Column and cause.
    public var description: String { "column \(column): \(message)" }

    /// The cause alone, for those who tell the place in their own way.
    public var message: String {
        switch cause {
        case .hex(let error): error.description
        case .command(let error): error.description
        case .secondCommand:
            "behind ';' begins a comment, and this looks like a command; give it a line of its own, or begin the comment with '#'"
        }
    }
}

/// One line of a command script, as people and tools write it.
///
/// Hex text in any form that ``HexText`` takes. A comment begins with `#`, `//` or `;` and runs to the end of the
/// line; one that begins with `;` must not look like a command, which would never be sent. The layout of the length fields is kept: what was read is what is sent.
public struct CommandText {
    /// Reads a line as a command.
    ///
    /// - Parameter line: The line, with or without its line end.
    /// - Returns: The command, or nil when the line is empty or only a comment.
    /// - Throws: ``CommandTextError`` with the column in this line.
    public static func parse(_ line: String) throws(CommandTextError) -> CommandAPDU? {
        guard let content = Content(line) else { return nil }
        let bytes = try content.bytes()
        do {
            return try CommandAPDU(bytes: bytes)
        } catch {
            throw CommandTextError(cause: .command(error), column: content.column)
        }
    }

    /// Reads a line as bytes that need not be a command.
    ///
    /// - Parameter line: The line, with or without its line end.
    /// - Returns: The bytes, or nil when the line is empty or only a comment.
    /// - Throws: ``CommandTextError`` with the column in this line.
    public static func bytes(_ line: String) throws(CommandTextError) -> [UInt8]? {
        guard let content = Content(line) else { return nil }
        return try content.bytes()
    }

    /// What is left of a line without comment and blanks around.
    private struct Content {
        let text: Substring
        /// Column of the first character.
        let column: Int
        /// Column of what looks like a command behind `;`.
        private var secondColumn: Int?

        init?(_ line: String) {
            var text = line[...]
            var column = 1
            // Editors put a byte order mark before the first line; some tools, a blank that is no space.
            while let first = text.first, first.isWhitespace || first == "\u{FEFF}" {
                text = text.dropFirst()
                column += 1
            }
            var end = text.startIndex
            while end < text.endIndex, text[end] != "#", text[end] != ";" {
                if text[end] == "/", text[end...].hasPrefix("//") { break }
                end = text.index(after: end)
            }
            let comment = text[end...]
            if comment.first == ";" {
                let blanks = comment.dropFirst().prefix(while: \.isWhitespace).count
                let words = comment.dropFirst(1 + blanks).prefix { $0 != ";" && $0 != "#" }
                // A date or a word of hex digits may well stand in a comment; what could be sent may not.
                if let bytes = try? HexText.bytes(words), (try? CommandAPDU(bytes: bytes)) != nil {
                    secondColumn = column + text[..<end].count + 1 + blanks
                }
            }
            text = text[..<end]
            while let last = text.last, last.isWhitespace { text = text.dropLast() }
            guard !text.isEmpty else { return nil }
            self.text = text
            self.column = column
        }

        func bytes() throws(CommandTextError) -> [UInt8] {
            if let secondColumn { throw CommandTextError(cause: .secondCommand, column: secondColumn) }
            do {
                return try HexText.bytes(text)
            } catch {
                throw CommandTextError(cause: .hex(error), column: column + error.column - 1)
            }
        }
    }
}
