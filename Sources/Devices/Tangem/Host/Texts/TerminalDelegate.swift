// SPDX-License-Identifier: MIT

import Glibc

/// A delegate that writes lines to standard error and reads codes from the terminal.
public final class TerminalDelegate: SessionDelegate {
    /// What is written; texts can be replaced.
    public var texts: SessionTexts

    private let write: (String) -> Void
    private let read: () -> String?

    /// Makes a delegate.
    ///
    /// - Parameters:
    ///   - texts: What is written.
    ///   - write: Where lines go; standard error unless said otherwise.
    ///   - read: Where codes come from; the terminal, without showing them, unless said otherwise. nil gives up.
    public init(
        texts: SessionTexts = SessionTexts(),
        write: @escaping (String) -> Void = TerminalDelegate.writeToStandardError,
        read: @escaping () -> String? = TerminalDelegate.readHidden
    ) {
        self.texts = texts
        self.write = write
        self.read = read
    }

    /// Writes a line for what happened.
    public func handle(_ event: SessionEvent) {
        if let text = texts.line(event) { write(text) }
    }

    /// Reads a code; an empty line gives up.
    public func code(for request: CodeRequest) -> CodeReply {
        guard let text = read(), !text.isEmpty else { return .cancel }
        return .text(text)
    }

    /// Writes a line to standard error.
    public static func writeToStandardError(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                start += count
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Reads a line from the terminal without showing it.
    ///
    /// nil where standard input is no terminal.
    public static func readHidden() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        return readLine()
    }
}
