// SPDX-License-Identifier: MIT

import SmartCard

/// The lines of a source, with their numbers.
struct SourceLines {
    /// A line without its end and without blanks around it.
    struct Line {
        let number: Int
        /// Without blanks around it.
        let text: String
        /// As it stands, blanks included.
        let raw: String
    }

    let name: String
    let all: [Line]

    init(_ text: String, name: String) {
        self.name = name
        all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            index,
            line in
            Line(number: index + 1, text: Self.trimmed(line), raw: String(line))
        }
    }

    /// Hex text of a line as bytes.
    func bytes(_ text: some StringProtocol, line: Int) throws(ForeignScriptError) -> [UInt8] {
        do {
            return try HexText.bytes(text)
        } catch {
            throw wrong(line, "\(error)")
        }
    }

    /// Hex text of a line as a command: the four bytes of a header at least.
    func command(_ text: some StringProtocol, line: Int) throws(ForeignScriptError) -> [UInt8] {
        let bytes = try bytes(text, line: line)
        guard bytes.count >= 4 else { throw wrong(line, "\(APDUError.headerTooShort(count: bytes.count))") }
        return bytes
    }

    func wrong(_ line: Int, _ message: String) -> ForeignScriptError {
        ForeignScriptError(name: name, line: line, message)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
