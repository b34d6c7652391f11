// SPDX-License-Identifier: MIT

import HostSystem
import Synchronization

/// The signals that came while the shell runs.
///
/// On a terminal Ctrl-C is a key while a line is edited, and a signal only while a command runs: it gives that command
/// up and no more.
final class ShellSignals: Sendable {
    private struct State {
        var isInterrupted = false
        var terminatedAt: Duration?
    }

    /// How long a command that is on its way may take after SIGTERM.
    private static let patience = Duration.seconds(1)

    private let state = Mutex(State())

    func note(_ signal: String) {
        state.withLock {
            if signal == "SIGTERM" {
                $0.terminatedAt = $0.terminatedAt ?? MonotonicTime.now
            } else {
                $0.isInterrupted = true
            }
        }
    }

    /// True when SIGINT came; it stays noted for ``ending(isInteractive:)``.
    func takesInterrupt() -> Bool { state.withLock { $0.isInterrupted } }

    /// True when SIGTERM came and the command has had its time.
    var isOverdue: Bool {
        state.withLock { $0.terminatedAt.map { MonotonicTime.now - $0 > Self.patience } ?? false }
    }

    /// True once any signal came.
    var isRaised: Bool { state.withLock { $0.isInterrupted || $0.terminatedAt != nil } }

    /// True once SIGTERM came.
    var isTerminated: Bool { state.withLock { $0.terminatedAt != nil } }

    /// Forgets a SIGINT that came while a command ran.
    func forgetInterrupt() { state.withLock { $0.isInterrupted = false } }

    /// The status with which signals end the shell; nil when it goes on.
    func ending(isInteractive: Bool) -> ExitCode? {
        state.withLock {
            if $0.terminatedAt != nil { return .terminated }
            guard $0.isInterrupted else { return nil }
            if isInteractive {
                $0.isInterrupted = false
                return nil
            }
            return .interrupted
        }
    }
}
