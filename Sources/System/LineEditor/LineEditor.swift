// SPDX-License-Identifier: MIT

import CEdit
import Glibc

/// Reads lines from a terminal with editing keys, history and completion (libedit).
///
/// One thread at a time. The terminal is in the editor's mode only while ``readLine(prompt:)`` waits.
public final class LineEditor {
    /// How reading a line ended.
    public enum Ending: Hashable, Sendable {
        /// A line, without its end.
        case line(String)
        /// The end of input: Ctrl-D on an empty line.
        case end
        /// Ctrl-C: the line was thrown away.
        case cancelled
        /// `shouldStop` said so.
        case stopped
    }

    /// What may stand at the end of a text, offered by Tab.
    public struct Candidates: Hashable, Sendable {
        /// How many characters before the cursor they replace.
        public let replaced: Int
        /// The whole words.
        public let words: [String]

        /// Makes candidates.
        public init(replaced: Int, words: [String]) {
            self.replaced = replaced
            self.words = words
        }
    }

    /// Asked with the text before the cursor when Tab is pressed.
    public var complete: (String) -> Candidates = { _ in Candidates(replaced: 0, words: []) }
    /// Asked about ten times a second while nothing is typed; true ends the waiting.
    public var shouldStop: () -> Bool = { false }

    private static let historyLimit: Int32 = 1000
    private static let lookEvery: Int32 = 100

    private let handle: OpaquePointer
    private let history: OpaquePointer
    private var prompt: UnsafeMutablePointer<CChar>?
    private var wasCancelled = false
    private var wasStopped = false

    /// Takes standard input and output as the terminal.
    ///
    /// - Returns: Nil when the library cannot use the terminal.
    public init?(program: String) {
        setlocale(LC_CTYPE, "")
        guard let handle = cedit_open(program) else { return nil }
        guard let history = history_init() else {
            el_end(handle)
            return nil
        }
        self.handle = handle
        self.history = history
        _ = cedit_set_client_data(handle, Unmanaged.passUnretained(self).toOpaque())
        _ = cedit_limit_history(history, Self.historyLimit)
        _ = cedit_drop_repeats(history)
        _ = cedit_use_history(handle, history)
        _ = cedit_use_emacs_keys(handle)
        _ = cedit_set_signals(handle, 0)
        _ = cedit_take_interrupt_key(handle)
        _ = cedit_set_prompt(handle) { LineEditor.of($0)?.prompt }
        _ = cedit_set_reader(handle) { LineEditor.of($0)?.readCharacter($1) ?? -1 }
        _ = cedit_add_function(handle, "taprig-complete", "Completes the word.") { handle, _ in
            UInt8(LineEditor.of(handle)?.completeWord() ?? CC_ERROR)
        }
        _ = cedit_add_function(handle, "taprig-cancel", "Throws the line away.") { handle, _ in
            LineEditor.of(handle)?.wasCancelled = true
            return UInt8(CC_EOF)
        }
        for (key, function) in Self.keys { _ = cedit_bind(handle, key, function) }
    }

    deinit {
        el_end(handle)
        history_end(history)
        free(prompt)
    }

    /// Keys beside those of the emacs mode.
    private static let keys = [
        ("^I", "taprig-complete"), ("^C", "taprig-cancel"), ("^R", "em-inc-search-prev"),
        ("\\e[1~", "ed-move-to-beg"), ("\\e[4~", "ed-move-to-end"), ("\\e[H", "ed-move-to-beg"),
        ("\\e[F", "ed-move-to-end"), ("\\e[3~", "ed-delete-next-char"), ("\\e[1;5C", "em-next-word"),
        ("\\e[1;5D", "ed-prev-word"),
    ]

    private static func of(_ handle: OpaquePointer?) -> LineEditor? {
        guard let handle, let data = cedit_client_data(handle) else { return nil }
        return Unmanaged<LineEditor>.fromOpaque(data).takeUnretainedValue()
    }

    /// Waits for a line.
    public func readLine(prompt text: String) -> Ending {
        free(prompt)
        prompt = strdup(text)
        wasCancelled = false
        wasStopped = false
        var count: Int32 = 0
        _ = cedit_take_terminal(handle)
        let line = el_gets(handle, &count)
        if wasCancelled || wasStopped {
            // What was typed must not be at the beginning of the next line.
            el_reset(handle)
            write("\n")
            return wasStopped ? .stopped : .cancelled
        }
        guard let line, count > 0 else {
            write("\n")
            return .end
        }
        var out = String(cString: line)
        while let last = out.last, last.isNewline { out.removeLast() }
        return .line(out)
    }

    /// Adds a line to what the arrow keys bring back.
    public func remember(_ line: String) {
        _ = cedit_add_history(history, line)
    }

    // MARK: Called by the library

    /// Gives the next character; looks at `shouldStop` while there is none.
    private func readCharacter(_ out: UnsafeMutablePointer<wchar_t>?) -> Int32 {
        guard let out else { return -1 }
        var decoder = UTF8()
        var pending: [UInt8] = []
        while true {
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, Self.lookEvery)
            if shouldStop() {
                wasStopped = true
                return -1
            }
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            var byte: UInt8 = 0
            let got = read(STDIN_FILENO, &byte, 1)
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { return got == 0 ? 0 : -1 }
            pending.append(byte)
            var bytes = pending.makeIterator()
            decoder = UTF8()
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar):
                out.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            case .emptyInput, .error:
                // At most four bytes make a character; what is none is dropped.
                if pending.count >= 4 || !Self.isStart(pending[0]) { pending = [] }
            }
        }
    }

    private static func isStart(_ byte: UInt8) -> Bool { byte >= 0xC2 && byte <= 0xF4 }

    /// Completes the word before the cursor as far as it is certain, and lists what is possible.
    private func completeWord() -> Int32 {
        guard let line = el_line(handle)?.pointee, let start = line.buffer, let cursor = line.cursor else {
            return CC_ERROR
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: cursor - start)
        let candidates = complete(String(decoding: bytes, as: UTF8.self))
        guard let first = candidates.words.first else { return CC_ERROR }
        let common = candidates.words.dropFirst().reduce(first) { Self.commonStart($0, $1) }
        if common.count > candidates.replaced || candidates.words.count == 1 {
            el_deletestr(handle, Int32(candidates.replaced))
            let text = candidates.words.count == 1 ? common + " " : common
            return el_insertstr(handle, text) == 0 ? CC_REFRESH : CC_ERROR
        }
        write("\n" + Self.columns(candidates.words))
        return CC_REDISPLAY
    }

    private static func commonStart(_ a: String, _ b: String) -> String {
        String(zip(a, b).prefix { $0 == $1 }.map(\.0))
    }

    /// Words in columns, for a terminal of 80.
    private static func columns(_ words: [String]) -> String {
        let width = (words.map(\.count).max() ?? 0) + 2
        let perLine = max(1, 80 / width)
        var out = ""
        for (index, word) in words.enumerated() {
            out += word
            let isLast = index == words.count - 1 || index % perLine == perLine - 1
            out += isLast ? "\n" : String(repeating: " ", count: width - word.count)
        }
        return out
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
