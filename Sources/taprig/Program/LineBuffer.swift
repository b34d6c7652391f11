// SPDX-License-Identifier: MIT

import HostSystem
import Synchronization

/// Lines for standard output: at once on a terminal, in larger pieces elsewhere, but never late.
///
/// A call into the kernel for each line would be a tenth of the time of an exchange behind a virtual reader.
final class LineBuffer: Sendable {
    private let stream: StandardStream
    private let isImmediate: Bool
    private let state = Mutex(State())

    private struct State {
        var text = ""
        var written = MonotonicTime.nanoseconds
    }

    private static let limit = 16_384
    /// Who reads from a pipe should not wait longer for a line.
    private static let patienceNanoseconds: Int64 = 50_000_000

    init(_ stream: StandardStream) {
        self.stream = stream
        isImmediate = stream.isTerminal
    }

    /// Adds a line.
    func say(_ line: String) {
        state.withLock {
            $0.text += line
            $0.text += "\n"
            let isDue = MonotonicTime.nanoseconds - $0.written > Self.patienceNanoseconds
            if isImmediate || isDue || $0.text.utf8.count > Self.limit { write(&$0) }
        }
    }

    /// Writes what is left.
    func flush() {
        state.withLock { write(&$0) }
    }

    private func write(_ state: inout State) {
        guard !state.text.isEmpty else { return }
        stream.write(state.text)
        state.text = ""
        state.written = MonotonicTime.nanoseconds
    }
}
