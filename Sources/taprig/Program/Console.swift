// SPDX-License-Identifier: MIT

import HostSystem
import Report

/// Text for people.
enum Console {
    /// A complaint on standard error, with the program's name in front; words of the command line in it steer nothing.
    static func complain(_ message: String) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        note("taprig: " + lines.map { VisibleText.escaped(String($0)) }.joined(separator: "\n"))
    }

    /// A line on standard output.
    static func say(_ line: String) {
        StandardStream.output.write(TerminalText.harmless(line) + "\n")
    }

    /// A sentence on standard output: on a terminal it breaks between words.
    static func saySentence(_ line: String) {
        write(line, to: .output)
    }

    /// A line on standard error, for what is no data.
    static func note(_ line: String) {
        write(line, to: .error)
    }

    /// A line on standard error while a run shows its progress: where that is one line that is rewritten, it gives way.
    static func interject(_ line: String) {
        let style = TerminalStyle.of(.error, environment: HostEnvironment.all)
        if style.rewritesLine { StandardStream.error.write("\r\u{1B}[K") }
        note(line)
    }

    /// Names and messages come from files, cards and readers: none of them can steer the terminal.
    private static func write(_ line: String, to stream: StandardStream) {
        let line = TerminalText.harmless(line)
        guard let columns = stream.columns else {
            stream.write(line + "\n")
            return
        }
        let pieces = line.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { TextWrap.wrapped(String($0), columns: columns, indent: 2) }
        stream.write(pieces.joined(separator: "\n") + "\n")
    }
}
