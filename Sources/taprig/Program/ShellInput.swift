// SPDX-License-Identifier: MIT

import Glibc
import LineEditor

/// Where the shell's lines come from.
protocol ShellInput: AnyObject {
    /// Waits for a line.
    func readLine() -> LineEditor.Ending

    /// Adds a line to what the arrow keys bring back.
    func remember(_ line: String)
}

/// Lines from a terminal, with editing keys.
final class TerminalInput: ShellInput {
    private let editor: LineEditor
    private let prompt: String

    /// Takes the terminal; nil when standard input or output is none.
    init?(prompt: String, completer: ShellCompleter, shouldStop: @escaping () -> Bool) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            let editor = LineEditor(program: "taprig")
        else { return nil }
        self.editor = editor
        self.prompt = prompt
        editor.complete = { completer.candidates(before: $0) }
        editor.shouldStop = shouldStop
    }

    func readLine() -> LineEditor.Ending { editor.readLine(prompt: prompt) }

    func remember(_ line: String) { editor.remember(line) }
}

/// Lines from a file or a pipe, as they come.
final class PlainInput: ShellInput {
    private static let lookEvery: Int32 = 100
    /// A longer line is no command: the longest APDU has 131 088 digits.
    private static let longestLine = 1 << 20

    private let shouldStop: () -> Bool
    private var buffer: [UInt8] = []
    private var isAtEnd = false

    init(shouldStop: @escaping () -> Bool) {
        self.shouldStop = shouldStop
    }

    func readLine() -> LineEditor.Ending {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[..<end]
                buffer.removeSubrange(...end)
                return .line(Self.text(line))
            }
            if isAtEnd || buffer.count > Self.longestLine {
                guard !buffer.isEmpty else { return .end }
                let line = buffer[...]
                buffer = []
                return .line(Self.text(line))
            }
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, Self.lookEvery)
            if shouldStop() { return .stopped }
            guard ready > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let got = read(STDIN_FILENO, &chunk, chunk.count)
            if got < 0 && errno == EINTR { continue }
            if got > 0 { buffer += chunk[..<got] } else { isAtEnd = true }
        }
    }

    func remember(_ line: String) {}

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    }
}
