// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// Thrown through a case when a limit of time has passed.
struct LimitReached: Error {
    /// What took too long.
    let message: String
    /// What to do about it.
    let hint: String
}

/// How long an attempt may go on, and how it waits.
///
/// Belongs to the thread that runs the attempt.
final class Patience {
    /// A moment on the attempt's clock, and the limit that it comes from.
    struct End {
        /// The moment.
        let time: Duration
        /// The limit.
        let limit: Duration
    }

    private let clock: any RigClock
    private let interruption: Interruption
    private let watch: DeadlineWatch?
    /// When set-up and steps must be over; nil without a limit.
    private(set) var caseEnd: End?
    /// When the teardown must be over; nil before it begins.
    private(set) var teardownEnd: End?

    init(clock: any RigClock, interruption: Interruption, watch: DeadlineWatch?) {
        self.clock = clock
        self.interruption = interruption
        self.watch = watch
    }

    /// Starts the time of set-up and steps.
    func beginCase(limit: Duration?) {
        caseEnd = limit.map { End(time: clock.now + $0, limit: $0) }
    }

    /// Starts the time of the teardown; that of the case ends.
    func beginTeardown(limit: Duration) {
        caseEnd = nil
        teardownEnd = End(time: clock.now + limit, limit: limit)
    }

    /// Throws when a signal or a limit wants an end.
    func check() throws {
        if interruption.isRequested { try checkInterruption() }
        if let end = caseEnd ?? teardownEnd, clock.now > end.time { throw reached(end) }
    }

    /// Throws when the limit has passed; a fault that came with that is only its consequence.
    func checkLimit() throws(LimitReached) {
        if let end = caseEnd ?? teardownEnd, clock.now >= end.time { throw reached(end) }
    }

    /// Lets time pass in pieces, so that a signal or a limit ends it soon.
    func wait(_ duration: Duration) throws {
        try check()
        let end = clock.now + duration
        let limit = caseEnd ?? teardownEnd
        let last = limit.map { min($0.time, end) } ?? end
        while clock.now < last {
            let rest = last - clock.now
            clock.wait(clock.isVirtual ? rest : min(Self.piece, rest))
            if watch?.isAbandoned == true { ParkedThread.park() }
            if interruption.isRequested { try checkInterruption() }
        }
        if let limit, end > limit.time { throw reached(limit) }
    }

    /// A deadline of an exchange, cut where the case or the teardown must be over before.
    func cut(_ deadline: Duration) -> Duration {
        guard let end = caseEnd ?? teardownEnd else { return deadline }
        return min(deadline, max(end.time - clock.now, Self.shortestDeadline))
    }

    /// True when deadlines must be cut anew for each exchange.
    var hasLimit: Bool { caseEnd != nil || teardownEnd != nil }

    private func checkInterruption() throws {
        guard let signal = interruption.signal else { return }
        // The teardown has its time after the first signal, and none after the second.
        if teardownEnd == nil || interruption.isImpatient { throw Interrupted(signal: signal) }
    }

    private func reached(_ end: End) -> LimitReached {
        let isCase = caseEnd != nil
        let text = DurationText.text(end.limit)
        return LimitReached(
            message: "the \(isCase ? "case" : "teardown") took longer than its limit of \(text)",
            hint: isCase
                ? "raise limits.case, or look at the times of the steps"
                : "the device may be left in another state than the next case expects; raise limits.teardown"
        )
    }

    private static let piece = Duration.milliseconds(50)
    private static let shortestDeadline = Duration.milliseconds(1)
}
