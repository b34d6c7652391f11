// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Runner
import Scenario

/// The person at the terminal: reads a request, presses Enter when it is done.
final class TerminalOperator: OperatorPort {
    private let interruption: Interruption

    private init(_ interruption: Interruption) {
        self.interruption = interruption
    }

    /// The operator, when there is a terminal to ask and to answer at, else nil; signals end the wait for an answer.
    static func present(_ interruption: Interruption) -> TerminalOperator? {
        isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal ? TerminalOperator(interruption) : nil
    }

    /// Shows the request and waits for a line that answers it; `no` and what is behind it refuses.
    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        // A teardown may ask as well: it has its time after the first signal, and none after the second. Whose question
        // this is must be known before it is shown: the answer to it may be a signal.
        let isTeardown = interruption.signal != nil
        let time = limit.map { " (within \(DurationText.text($0)))" } ?? ""
        // What was typed before the question is no answer to it.
        tcflush(STDIN_FILENO, TCIFLUSH)
        Console.interject("operator: \(request)\(time); \(Self.choices)")
        let end = limit.map { MonotonicTime.now + $0 }
        var line: [UInt8] = []
        while true {
            let isOver = isTeardown ? interruption.isImpatient : interruption.signal != nil
            let left = end.map { $0 - MonotonicTime.now } ?? Self.piece
            guard !isOver, left > .zero else { return .silent }
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let milliseconds = min(left, Self.piece) / .milliseconds(1)
            guard poll(&wait, 1, Int32(milliseconds.rounded(.up))) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return .refused("the terminal was closed") }
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if let answer = Self.answer(text) { return answer }
            line = []
            Console.interject("operator: '\(text)' is no answer; \(Self.choices)")
        }
    }

    /// How long a signal may wait.
    private static let piece = Duration.milliseconds(100)

    private static let choices = "press Enter when it is done, or write 'no' and why not"

    /// What a line says; nil for what is neither yes nor no, a key pressed by mistake for one.
    static func answer(_ line: String) -> OperatorAnswer? {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let first = words.first else { return .done }
        let isAlone = words.count == 1
        switch first.lowercased().filter({ !",.:;!".contains($0) }) {
        case "y", "yes", "done", "ok": return isAlone ? .done : nil
        case "n", "no": return .refused(isAlone ? "no reason was given" : String(words[1]))
        default: return nil
        }
    }
}
