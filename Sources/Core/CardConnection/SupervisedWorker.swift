// SPDX-License-Identifier: MIT

import Glibc
import HostSystem

/// What a supervisor wants after a look around.
public enum SupervisorOrder: Hashable, Sendable {
    /// Let the worker work.
    case goOn
    /// Give the worker up now, for this reason.
    case abandon(TransportFault)
}

/// How supervised work ended.
public enum SupervisedOutcome<Result: Sendable>: Sendable {
    /// The work came to its end.
    case finished(Result)
    /// The worker was given up; what it was doing may still be going on and will be thrown away.
    case abandoned(TransportFault)
}

/// Runs work that may block for ever, because a call into a reader cannot be cancelled.
///
/// The work has a thread of its own. When it is given up, that thread stays until its call returns, which may be
/// never; the caller goes on at once.
public enum SupervisedWorker {
    /// How often the supervisor looks around.
    private static let lookEvery: Int64 = 50_000_000
    /// Stack of a worker.
    private static let stackBytes = 8 << 20

    /// Runs work on a thread of its own and waits for it.
    ///
    /// - Parameters:
    ///   - body: The work. It makes, uses and closes its connections itself, each in a ``WatchedConnection`` on the
    ///     watch given.
    ///   - tick: Called on the caller's thread about every 50 ms, to look at signals and limits.
    /// - Returns: The result, or why the work was given up.
    public static func perform<Result: Sendable>(
        _ body: @escaping @Sendable (DeadlineWatch) -> Result,
        tick: () -> SupervisorOrder = { .goOn }
    ) -> SupervisedOutcome<Result> {
        let watch = DeadlineWatch()
        let outcome = Guarded<Result?>(nil)
        let start = ThreadStart {
            let result = body(watch)
            outcome.change { $0 = result }
        }
        if let reason = start.launch(stackBytes: stackBytes) {
            return .abandoned(TransportFault(.transport, "cannot start a worker thread: \(reason)"))
        }
        while true {
            let pause = watch.timeLeft(at: MonotonicTime.nanoseconds, limit: lookEvery)
            outcome.wait(timeout: .nanoseconds(pause)) { $0 != nil }
            if let result = outcome.withLock({ $0 }) { return .finished(result) }
            if let fault = watch.abandonIfLate(at: MonotonicTime.nanoseconds) { return .abandoned(fault) }
            if case .abandon(let fault) = tick(), watch.abandon(fault) { return .abandoned(fault) }
        }
    }
}

/// Work on its way to a new thread.
private final class ThreadStart: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// Starts a detached thread; gives the reason when the host refuses.
    func launch(stackBytes: Int) -> String? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let reference = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            },
            reference.toOpaque()
        )
        guard result != 0 else { return nil }
        reference.release()
        return String(cString: strerror(result))
    }
}
