// SPDX-License-Identifier: MIT

import HostSystem
import Synchronization

/// Between a worker thread and its supervisor: until when the worker may be silent, and whether it was given up.
///
/// The worker arms it around each call that may block; the supervisor looks at it from another thread. Arming costs
/// an uncontended lock and a look at the clock, and wakes nobody.
public final class DeadlineWatch: Sendable {
    private struct State {
        /// Monotonic nanoseconds; `.max` when nothing is waited for.
        var deadline = Int64.max
        var detail = ""
        var abandonment: TransportFault?
        /// True once the worker has said that it needs nobody's patience any more.
        var isComplete = false
    }

    private let state = Mutex(State())

    /// Makes a watch that waits for nothing.
    public init() {}

    /// Starts waiting.
    ///
    /// - Parameters:
    ///   - duration: How long from now.
    ///   - detail: What to say when that has passed: `no answer in 5000 ms`.
    /// - Returns: False when the worker was given up already: make no call then.
    @discardableResult
    public func arm(_ duration: Duration, _ detail: String) -> Bool {
        arm(nanoseconds: duration.wholeNanoseconds, detail)
    }

    /// The same, for callers that know the nanoseconds and have the text ready.
    func arm(nanoseconds: Int64, _ detail: String) -> Bool {
        let (deadline, overflowed) = MonotonicTime.nanoseconds.addingReportingOverflow(nanoseconds)
        return state.withLock { state in
            guard state.abandonment == nil else { return false }
            state.deadline = overflowed ? .max : deadline
            state.detail = detail
            return true
        }
    }

    /// Stops waiting.
    ///
    /// - Returns: False when the worker was given up meanwhile: its result is worth nothing.
    @discardableResult
    public func disarm() -> Bool {
        state.withLock { state in
            state.deadline = .max
            return state.abandonment == nil
        }
    }

    /// True once the supervisor has given the worker up.
    public var isAbandoned: Bool { abandonment != nil }

    /// Why the worker was given up; nil while it is not.
    public var abandonment: TransportFault? { state.withLock { $0.abandonment } }

    /// Says that the worker has made its last call that may block: from now on it is not given up any more.
    ///
    /// - Returns: False when it was given up before: what it would do now was done by somebody else.
    public func complete() -> Bool {
        state.withLock { state in
            guard state.abandonment == nil else { return false }
            state.deadline = .max
            state.isComplete = true
            return true
        }
    }

    /// Gives the worker up for a reason of the supervisor's own.
    ///
    /// - Returns: False when the worker has completed its work, so that its end is near.
    func abandon(_ fault: TransportFault) -> Bool {
        state.withLock { state in
            guard !state.isComplete else { return false }
            if state.abandonment == nil { state.abandonment = fault }
            return true
        }
    }

    /// Gives the worker up when its deadline has passed, and says why.
    ///
    /// One step under the lock: a worker that comes back in this very moment sees either its result or its end.
    func abandonIfLate(at now: Int64) -> TransportFault? {
        state.withLock { state in
            if state.abandonment == nil, !state.isComplete, state.deadline <= now {
                state.abandonment = TransportFault(
                    .timeout,
                    state.detail,
                    hint: "the call cannot be stopped; its thread was given up"
                )
            }
            return state.abandonment
        }
    }

    /// Nanoseconds until the deadline, at most `limit`.
    func timeLeft(at now: Int64, limit: Int64) -> Int64 {
        state.withLock { state in
            state.deadline == .max ? limit : max(min(state.deadline - now, limit), 0)
        }
    }
}
