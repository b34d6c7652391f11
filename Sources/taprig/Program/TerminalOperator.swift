// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Scenario

/// The person at the terminal: reads a request, presses Enter when it is done.
final class TerminalOperator: OperatorPort {
    private init() {}

    /// The operator, when there is a terminal to ask and to answer at; else nil.
    static func present() -> TerminalOperator? {
        isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal ? TerminalOperator() : nil
    }

    /// Shows the request and waits for a line; `no` and what is behind it refuses.
    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        let time = limit.map { " (within \(DurationText.text($0)))" } ?? ""
        Console.note("operator: \(request)\(time); press Enter when it is done, or write 'no' and why not")
        let end = limit.map { MonotonicTime.now + $0 }
        var line: [UInt8] = []
        while true {
            let left = end.map { $0 - MonotonicTime.now } ?? .milliseconds(500)
            guard left > .zero else { return .silent }
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let milliseconds = min(left, .milliseconds(500)) / .milliseconds(1)
            guard poll(&wait, 1, Int32(milliseconds.rounded(.up))) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return .refused("the terminal was closed") }
            if byte == 0x0A { return Self.answer(String(decoding: line, as: UTF8.self)) }
            line.append(byte)
        }
    }

    private static func answer(_ line: String) -> OperatorAnswer {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let first = words.first?.lowercased(), first == "no" || first == "no:" else { return .done }
        return .refused(words.count > 1 ? String(words[1]) : "no reason was given")
    }
}
