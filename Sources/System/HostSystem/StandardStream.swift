// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The process' standard output and standard error.
public enum StandardStream: Int32, Sendable {
    /// Data.
    case output = 1
    /// Text for people when standard output carries data.
    case error = 2

    /// The number of the first error that cost standard output some of its text; 0 for none.
    private static let lossNumber = Atomic<Int32>(0)

    /// Why standard output has lost text, for example on a full disk; nil when all of it was written, or nobody reads it.
    public static var outputLoss: FileError? {
        let number = lossNumber.load(ordering: .relaxed)
        return number == 0 ? nil : FileError(path: "standard output", action: "write", errorNumber: number)
    }

    /// Writes a text; a reader that has gone away, or that never was, is not an error.
    public func write(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(rawValue, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 {
                    if errno == EINTR { continue }
                    guard errno == EAGAIN else { return note(loss: errno) }
                    // A parent that shares the pipe may have made it non-blocking: wait, or text would be lost.
                    var wait = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                    continue
                }
                done += count
            }
        }
    }

    private func note(loss number: Int32) {
        guard self == .output, number != EPIPE, number != EBADF else { return }
        _ = Self.lossNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }

    /// True when it is of no use to write more: what was written is lost, or nobody is there to read it.
    ///
    /// For commands that would otherwise run until somebody ends them.
    public var isLost: Bool {
        if self == .output, Self.outputLoss != nil { return true }
        var entry = pollfd(fd: rawValue, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// True when a person looks at it.
    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Width of the terminal in columns; nil when it is none.
    public var columns: Int? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
