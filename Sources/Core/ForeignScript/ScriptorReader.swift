// SPDX-License-Identifier: MIT

/// scriptor: a command a line, `reset`, `exit`; `#` in column 1 is a comment; `\` at the end goes on.
enum ScriptorReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.scriptor)
        var open: [SourceLines.Piece] = []
        for line in lines.all {
            if open.isEmpty {
                // A '#' elsewhere is no comment for scriptor, so it must not silently shorten a command here.
                if line.raw.hasPrefix("#") || line.text.isEmpty { continue }
            }
            if line.text.hasSuffix("\\") {
                open.append(line.piece(line.text.dropLast()))
                continue
            }
            let pieces = open + [line.piece(line.text[...])]
            let start = pieces[0].line
            open = []
            switch SourceLines.text(of: pieces).lowercased() {
            case "reset": script.actions.append(ForeignScript.Action(.reset, line: start))
            case let words where isUnknownWord(words):
                let word = words.prefix { !$0.isWhitespace }
                throw lines.wrong(
                    start,
                    "unknown word '\(word)'; reset and exit are known, and commands in hex"
                )
            case "exit":
                let rest = lines.all.dropFirst(line.number).filter {
                    !$0.text.isEmpty && !$0.raw.hasPrefix("#")
                }
                if let first = rest.first {
                    script.notes.append(
                        ForeignScript.Note(
                            line: first.number,
                            rest.count == 1
                                ? "the line behind exit is not imported"
                                : "\(rest.count) lines behind exit are not imported"
                        )
                    )
                }
                return script
            default:
                script.actions.append(
                    ForeignScript.Action(
                        .command(try lines.command(pieces), answer: nil),
                        line: start
                    )
                )
            }
        }
        if let start = open.first {
            throw lines.wrong(start.line, "the line goes on with '\\', but the file ends")
        }
        return script
    }

    /// True for a line that begins with a word, and with one that cannot be meant as hex.
    private static func isUnknownWord(_ text: String) -> Bool {
        let first = text.prefix { !$0.isWhitespace }
        return first != "exit" && first.allSatisfy { $0.isASCII && $0.isLetter }
            && first.contains { !$0.isHexDigit }
    }
}
