// SPDX-License-Identifier: MIT

/// apdutool `.scr`: bytes as `0x..` up to `;`, `powerup;`, `powerdown;`; Lc and Le are always written.
enum APDUToolReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.apdutool)
        var open: [SourceLines.Piece] = []
        for line in lines.all {
            var rest = line.text[...]
            if let comment = rest.firstRange(of: "//") { rest = rest[..<comment.lowerBound] }
            while let end = rest.firstIndex(of: ";") {
                let statement = open + Self.piece(rest[..<end], of: line)
                open = []
                rest = rest[rest.index(after: end)...]
                try take(statement, lines, &script)
            }
            open += Self.piece(rest, of: line)
        }
        if let start = open.first {
            throw lines.wrong(
                start.line,
                column: start.column,
                "';' is missing at the end of the command"
            )
        }
        return script
    }

    /// A part of a line without the blanks before it; none when there is nothing else.
    private static func piece(_ part: Substring, of line: SourceLines.Line) -> [SourceLines.Piece] {
        let text = part.drop(while: \.isWhitespace)
        return text.isEmpty ? [] : [line.piece(text)]
    }

    private static func take(
        _ statement: [SourceLines.Piece],
        _ lines: SourceLines,
        _ script: inout ForeignScript
    ) throws(ForeignScriptError) {
        guard let start = statement.first,
            let first = start.text.split(whereSeparator: \.isWhitespace).first
        else { return }
        let line = start.line
        switch first.lowercased() {
        case "powerup": script.actions.append(ForeignScript.Action(.connect, line: line))
        case "powerdown": script.actions.append(ForeignScript.Action(.disconnect, line: line))
        case "output", "echo", "delay", "contacted", "contactless", "open", "close", "select", "extended":
            script.notes.append(
                ForeignScript.Note(line: line, "'\(first)' is control of the tool and is not imported")
            )
        default:
            let written = try lines.command(statement)
            script.actions.append(
                ForeignScript.Action(.command(try plain(written, start, lines), answer: nil), line: line)
            )
        }
    }

    /// The command as a reader takes it: without the Lc of 00 that the tool writes when there is no data.
    private static func plain(
        _ written: [UInt8],
        _ start: SourceLines.Piece,
        _ lines: SourceLines
    ) throws(ForeignScriptError) -> [UInt8] {
        guard written.count >= 5 else { return written }
        let nc = Int(written[4])
        if nc == 0 {
            guard written.count <= 6 else {
                throw lines.wrong(
                    start.line,
                    column: start.column,
                    "Lc is 00, but \(Self.following(written.count - 5)) it"
                )
            }
            return written.count == 6 ? Array(written[0..<4]) + [written[5]] : Array(written[0..<4])
        }
        guard written.count == 5 + nc || written.count == 6 + nc else {
            throw lines.wrong(
                start.line,
                column: start.column,
                "Lc says \(nc) data bytes, but \(Self.following(written.count - 5)) it; each command of "
                    + "apdutool ends with ';'"
            )
        }
        return written
    }

    private static func following(_ count: Int) -> String {
        count == 1 ? "1 byte follows" : "\(count) bytes follow"
    }
}
