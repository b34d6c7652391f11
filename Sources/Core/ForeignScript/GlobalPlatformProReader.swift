// SPDX-License-Identifier: MIT

/// The log of `gp -d`: `A>>` and `A<<` lines among those of readers and transactions.
enum GlobalPlatformProReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.globalPlatformPro)
        var pending: (command: [UInt8], line: Int)?
        for line in lines.all {
            if line.text.hasPrefix("SCardConnect(") {
                readConnect(line, lines, &script)
            } else if line.text.hasPrefix("A>> ") {
                if let pending { throw lines.wrong(pending.line, "the command has no answer") }
                pending = (try lines.command(afterBracket(line.text), line: line.number), line.number)
            } else if line.text.hasPrefix("A<< ") {
                guard let command = pending else {
                    throw lines.wrong(line.number, "the answer has no command before it")
                }
                pending = nil
                let answer = try lines.bytes(afterBracket(line.text), line: line.number)
                guard answer.count >= 2 else {
                    throw lines.wrong(line.number, "the answer has no status word")
                }
                script.actions.append(
                    ForeignScript.Action(
                        .command(command.command, answer: answer),
                        line: command.line,
                        duration: time(line.text)
                    )
                )
            }
        }
        if let pending { throw lines.wrong(pending.line, "the command has no answer; the log ends") }
        return script
    }

    /// What stands behind the last closing bracket: `(0015+2) (6ms) 00.. 9000`.
    private static func afterBracket(_ text: String) -> Substring {
        guard let bracket = text.lastIndex(of: ")") else { return text.dropFirst(4) }
        return text[text.index(after: bracket)...]
    }

    private static func time(_ text: String) -> Duration? {
        guard let end = text.firstRange(of: "ms)"), let start = text[..<end.lowerBound].lastIndex(of: "("),
            let value = Int(text[text.index(after: start)..<end.lowerBound])
        else { return nil }
        return .milliseconds(value)
    }

    /// `SCardConnect("NAME", T=*) -> T=1, 3B80800101`.
    private static func readConnect(
        _ line: SourceLines.Line,
        _ lines: SourceLines,
        _ script: inout ForeignScript
    ) {
        let quoted = line.text.split(separator: "\"", omittingEmptySubsequences: false)
        if quoted.count >= 3 { script.readerName = String(quoted[1]) }
        guard let arrow = line.text.firstRange(of: " -> ") else { return }
        for part in line.text[arrow.upperBound...].split(separator: ",") {
            let word = part.filter { !$0.isWhitespace }
            if word.hasPrefix("T=") {
                script.protocolName = word
            } else if let atr = try? lines.bytes(word, line: line.number), !atr.isEmpty {
                script.atr = atr
            }
        }
    }
}
