// SPDX-License-Identifier: MIT

/// apdu4j dumps: a command line, an answer line, and so on; the ATR and the protocol stand in comments.
enum APDU4JReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.apdu4j)
        var pending: (command: [UInt8], line: Int)?
        for line in lines.all where !line.text.isEmpty {
            if line.text.hasPrefix("#") {
                try readComment(line, lines, &script)
                continue
            }
            if let command = pending {
                let answer = try lines.bytes(line.text, line: line.number)
                guard answer.count >= 2 else {
                    throw lines.wrong(line.number, "the answer has no status word")
                }
                script.actions.append(
                    ForeignScript.Action(.command(command.command, answer: answer), line: command.line)
                )
                pending = nil
            } else {
                pending = (try lines.command(line.text, line: line.number), line.number)
            }
        }
        if let pending { throw lines.wrong(pending.line, "unpaired command: the answer line is missing") }
        if script.atr == nil { script.notes.append(ForeignScript.Note(line: 0, "the dump names no ATR")) }
        return script
    }

    private static func readComment(
        _ line: SourceLines.Line,
        _ lines: SourceLines,
        _ script: inout ForeignScript
    ) throws(ForeignScriptError) {
        let words = line.text.dropFirst().split(separator: ":", maxSplits: 1)
        guard words.count == 2 else { return }
        let value = words[1].filter { !$0.isWhitespace }
        switch words[0].filter({ !$0.isWhitespace }).uppercased() {
        case "ATR": script.atr = try lines.bytes(words[1], line: line.number)
        case "PROTOCOL": script.protocolName = value
        default: break
        }
    }
}
