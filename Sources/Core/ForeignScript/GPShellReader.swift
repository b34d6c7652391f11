// SPDX-License-Identifier: MIT

/// GPShell: `select` and `send_apdu` are APDUs, the rest is control of the tool.
enum GPShellReader {
    static func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        var script = ForeignScript(.gpShell)
        for line in lines.all {
            let words = line.text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let verb = words.first, !verb.hasPrefix("//"), !verb.hasPrefix("#") else { continue }
            switch verb {
            case "card_connect": script.actions.append(ForeignScript.Action(.connect, line: line.number))
            case "card_disconnect":
                script.actions.append(ForeignScript.Action(.disconnect, line: line.number))
            case "select":
                // Whether GPShell itself appends Le 00 is not documented; a card that wants none answers all the same.
                let aid = try value(of: "-AID", words, line, lines)
                guard (1...16).contains(aid.count) else {
                    throw lines.wrong(line.number, "an AID has 5 to 16 bytes, here are \(aid.count)")
                }
                script.actions.append(
                    ForeignScript.Action(
                        .command([0x00, 0xA4, 0x04, 0x00, UInt8(aid.count)] + aid + [0x00], answer: nil),
                        line: line.number
                    )
                )
            case "send_apdu", "send_apdu_nostop":
                if let index = words.firstIndex(of: "-sc"), index + 1 < words.count, words[index + 1] != "0" {
                    throw lines.wrong(line.number, "secure channel lines are not imported")
                }
                let bytes = try value(of: "-APDU", words, line, lines)
                guard bytes.count >= 4 else { throw lines.wrong(line.number, "the command has no header") }
                script.actions.append(ForeignScript.Action(.command(bytes, answer: nil), line: line.number))
            case "open_sc", "install", "install_for_load", "delete", "get_status", "put_key", "put_sc_key":
                throw lines.wrong(line.number, "secure channel lines are not imported")
            case "mode_201", "mode_211", "gemXpressoPro", "enable_trace", "enable_timer", "establish_context",
                "release_context":
                continue
            default:
                script.notes.append(
                    ForeignScript.Note(
                        line: line.number,
                        "'\(verb)' is control of the tool and is not imported"
                    )
                )
            }
        }
        return script
    }

    private static func value(
        of option: String,
        _ words: [String],
        _ line: SourceLines.Line,
        _ lines: SourceLines
    ) throws(ForeignScriptError) -> [UInt8] {
        guard let index = words.firstIndex(of: option), index + 1 < words.count else {
            throw lines.wrong(line.number, "\(option) and its value are missing")
        }
        return try lines.bytes(words[index + 1], line: line.number)
    }
}
