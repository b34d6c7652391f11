// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Scenario

/// Gives an interrupted attempt the time of its teardown, and not more; gives a reconnect its own.
final class AttemptSupervisor {
    /// How long after the first signal an exchange may go on before the teardown must have begun.
    static let grace = Duration.seconds(2)
    /// How long after the second signal anything may go on.
    static let impatientGrace = Duration.milliseconds(200)
    /// How long a teardown that has used all of its time may take to let go of the card.
    static let closingGrace = Duration.milliseconds(500)

    private let interruption: Interruption
    private let progress: AttemptProgress
    private let teardownLimit: Duration
    private let connectEnd: Duration?
    private var interruptedAt: Duration?

    /// Makes a supervisor.
    ///
    /// - Parameters:
    ///   - interruption: The signals.
    ///   - progress: What the attempt has reached.
    ///   - teardownLimit: What the teardown may take.
    ///   - connectLimit: What connecting may take, where there is nothing but a teardown to do.
    init(
        interruption: Interruption,
        progress: AttemptProgress,
        teardownLimit: Duration,
        connectLimit: Duration? = nil
    ) {
        self.interruption = interruption
        self.progress = progress
        self.teardownLimit = teardownLimit
        connectEnd = connectLimit.map { MonotonicTime.now + $0 }
    }

    /// Looks at the signals and the clock.
    func look() -> SupervisorOrder {
        let now = MonotonicTime.now
        let state = progress.supervised
        if let connectEnd, !state.isConnected, now > connectEnd {
            return .abandon(TransportFault(.timeout, "the reader did not come back in time"))
        }
        // An exchange of the teardown has a deadline; whatever else hangs in it is given up a little later.
        if let since = state.teardownSince, now - since > teardownLimit + Self.closingGrace {
            return .abandon(
                TransportFault(.timeout, "the teardown hung for \(DurationText.text(teardownLimit))")
            )
        }
        guard let signal = interruption.signal else { return .goOn }
        let since = interruptedAt ?? now
        interruptedAt = since
        let limit =
            interruption.isImpatient
            ? Self.impatientGrace
            : state.teardownSince == nil && connectEnd == nil
                ? min(Self.grace, teardownLimit / 2) : teardownLimit + Self.closingGrace
        guard now - since > limit else { return .goOn }
        return .abandon(
            TransportFault(
                .timeout,
                "\(signal), and the case did not come to its end within \(DurationText.text(limit))"
            )
        )
    }

    /// What is left of the time that the teardown has after a signal; the whole limit without one.
    var timeLeft: Duration {
        guard let interruptedAt else { return teardownLimit }
        return max(teardownLimit - (MonotonicTime.now - interruptedAt), .zero)
    }
}
