// SPDX-License-Identifier: MIT

import Glibc

/// The process' standard output and standard error.
public enum StandardStream: Int32, Sendable {
    /// Data.
    case output = 1
    /// Text for people when standard output carries data.
    case error = 2

    /// Writes a text; a reader that has gone away is not an error.
    public func write(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(rawValue, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 {
                    if errno == EINTR { continue }
                    guard errno == EAGAIN else { return }
                    // A parent that shares the pipe may have made it non-blocking: wait, or text would be lost.
                    var wait = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                    continue
                }
                done += count
            }
        }
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
