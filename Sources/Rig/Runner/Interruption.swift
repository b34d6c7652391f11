// SPDX-License-Identifier: MIT

import Synchronization

/// Whether somebody wants the run to end: set by a signal, read between steps and while waiting.
public final class Interruption: Sendable {
    private struct State {
        var signal: String?
        var count = 0
    }

    private let state = Mutex(State())
    /// A look without the lock, for loops that look before each of a million exchanges.
    private let isUp = Atomic(false)

    /// Makes a flag that is down.
    public init() {}

    /// Notes a signal, for example `SIGINT`.
    public func request(_ signal: String) {
        state.withLock {
            $0.signal = $0.signal ?? signal
            $0.count += 1
        }
        isUp.store(true, ordering: .releasing)
    }

    /// True once somebody wants an end.
    var isRequested: Bool { isUp.load(ordering: .acquiring) }

    /// The first signal; nil while the run may go on.
    public var signal: String? { state.withLock { $0.signal } }

    /// True after a second signal: teardown is skipped too.
    public var isImpatient: Bool { state.withLock { $0.count > 1 } }
}

/// Thrown through a case when the run is interrupted.
struct Interrupted: Error {
    let signal: String
}
