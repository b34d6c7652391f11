// SPDX-License-Identifier: MIT

/// apdutool `.scr`: bytes as `0x..` up to `;`, `powerup;`, `powerdown;`; Lc and Le are always written.
enum APDUToolReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.apdutool)
        var open = ""
        var start = 0
        for line in lines.all {
            var rest = line.text[...]
            if let comment = rest.firstRange(of: "//") { rest = rest[..<comment.lowerBound] }
            while let end = rest.firstIndex(of: ";") {
                if open.allSatisfy(\.isWhitespace) { start = line.number }
                let statement = (open + rest[..<end]).filter { !$0.isNewline }
                open = ""
                rest = rest[rest.index(after: end)...]
                try take(statement, line: start, lines, &script)
            }
            if rest.contains(where: { !$0.isWhitespace }) {
                if open.allSatisfy(\.isWhitespace) { start = line.number }
                open += rest + " "
            }
        }
        guard open.allSatisfy(\.isWhitespace) else {
            throw lines.wrong(start, "';' is missing at the end of the command")
        }
        return script
    }

    private static func take(
        _ statement: String,
        line: Int,
        _ lines: SourceLines,
        _ script: inout ForeignScript
    ) throws(ForeignScriptError) {
        let words = statement.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return }
        switch first.lowercased() {
        case "powerup": script.actions.append(ForeignScript.Action(.connect, line: line))
        case "powerdown": script.actions.append(ForeignScript.Action(.disconnect, line: line))
        case "output", "echo", "delay", "contacted", "contactless", "open", "close", "select", "extended":
            script.notes.append(
                ForeignScript.Note(line: line, "'\(first)' is control of the tool and is not imported")
            )
        default:
            let written = try lines.command(statement, line: line)
            script.actions.append(
                ForeignScript.Action(.command(try plain(written, line: line, lines), answer: nil), line: line)
            )
        }
    }

    /// The command as a reader takes it: without the Lc of 00 that the tool writes when there is no data.
    private static func plain(
        _ written: [UInt8],
        line: Int,
        _ lines: SourceLines
    ) throws(ForeignScriptError) -> [UInt8] {
        guard written.count >= 5 else { return written }
        let nc = Int(written[4])
        if nc == 0 {
            guard written.count <= 6 else {
                throw lines.wrong(
                    line,
                    "Lc is 00, but \(written.count == 6 ? "1 byte follows" : "\(written.count - 5) bytes follow") it"
                )
            }
            return written.count == 6 ? Array(written[0..<4]) + [written[5]] : Array(written[0..<4])
        }
        guard written.count == 5 + nc || written.count == 6 + nc else {
            throw lines.wrong(
                line,
                "Lc says \(nc) data bytes, but \(written.count == 6 ? "1 byte follows" : "\(written.count - 5) bytes follow") it"
            )
        }
        return written
    }
}
