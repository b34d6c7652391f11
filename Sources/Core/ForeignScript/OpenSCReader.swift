// SPDX-License-Identifier: MIT

import SmartCard

/// A terminal with `opensc-tool -s`: the command line, and `Sending:` and `Received` lines where its output stands too.
enum OpenSCReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var output = ForeignScript(.openscTool)
        var commandLine = ForeignScript(.openscTool)
        var pending: (command: [UInt8], line: Int)?
        var answer: (sw: [UInt8], data: [UInt8], takesDump: Bool)?
        func finish() {
            if let pending, let answer {
                output.actions.append(
                    ForeignScript.Action(
                        .command(pending.command, answer: answer.data + answer.sw),
                        line: pending.line
                    )
                )
            } else if let pending {
                output.actions.append(
                    ForeignScript.Action(.command(pending.command, answer: nil), line: pending.line)
                )
            }
            pending = nil
            answer = nil
        }
        for line in lines.all {
            if line.text.contains("opensc-tool") {
                finish()
                commandLine.actions += try arguments(line, lines)
            } else if line.text.hasPrefix("Using reader with a card: ") {
                output.readerName = String(line.text.dropFirst("Using reader with a card: ".count))
            } else if line.text.hasPrefix("Sending:") {
                finish()
                pending = (
                    try lines.command(line.text.dropFirst("Sending:".count), line: line.number), line.number
                )
            } else if line.text.hasPrefix("Received (SW1=") {
                answer = (try statusWord(line, lines), [], line.text.hasSuffix(":"))
            } else if let known = answer, known.takesDump, !line.text.isEmpty {
                answer?.data += try dump(line, lines)
            }
        }
        finish()
        var script = output.actions.isEmpty ? commandLine : output
        script.readerName = output.readerName
        script.notes.append(
            ForeignScript.Note(
                line: 0,
                "opensc-tool may hide GET RESPONSE and change Le: the wire may have held more"
            )
        )
        return script
    }

    /// The values of `-s` and `--send-apdu` on a command line, quotes honoured.
    static func arguments(
        _ line: SourceLines.Line,
        _ lines: SourceLines
    ) throws(ForeignScriptError) -> [ForeignScript.Action] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line.text {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        var actions: [ForeignScript.Action] = []
        var index = 0
        while index < words.count {
            if words[index] == "-s" || words[index] == "--send-apdu" {
                guard index + 1 < words.count else {
                    throw lines.wrong(line.number, "\(words[index]) has no APDU behind it")
                }
                index += 1
                let bytes = try lines.command(words[index], line: line.number)
                actions.append(ForeignScript.Action(.command(bytes, answer: nil), line: line.number))
            }
            index += 1
        }
        return actions
    }

    private static func statusWord(
        _ line: SourceLines.Line,
        _ lines: SourceLines
    ) throws(ForeignScriptError) -> [UInt8] {
        let parts = line.text.split(separator: "=").dropFirst().map { $0.prefix(4) }
        guard parts.count == 2 else { throw lines.wrong(line.number, "the status word cannot be read") }
        return try lines.bytes(parts[0], line: line.number) + lines.bytes(parts[1], line: line.number)
    }

    /// One line of a dump: up to 16 pairs of digits, then a column of text.
    private static func dump(_ line: SourceLines.Line, _ lines: SourceLines) throws(ForeignScriptError)
        -> [UInt8]
    {
        let digits = line.raw.prefix(16 * 3)
        var out: [UInt8] = []
        for pair in digits.split(separator: " ") {
            // The column of text begins where a word is no pair of digits.
            guard pair.count == 2, pair.allSatisfy(\.isHexDigit) else { break }
            out += try lines.bytes(pair, line: line.number)
        }
        guard !out.isEmpty else { throw lines.wrong(line.number, "a line of the dump holds no bytes") }
        return out
    }
}
