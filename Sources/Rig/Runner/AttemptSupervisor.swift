// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Scenario

/// Gives an interrupted attempt the time of its teardown, and not more.
final class AttemptSupervisor {
    private let interruption: Interruption
    private let teardownLimit: Duration
    private var interruptedAt: Duration?

    init(interruption: Interruption, teardownLimit: Duration) {
        self.interruption = interruption
        self.teardownLimit = teardownLimit
    }

    /// Looks at the signals.
    func look() -> SupervisorOrder {
        guard let signal = interruption.signal else { return .goOn }
        let since = interruptedAt ?? MonotonicTime.now
        interruptedAt = since
        let patience = interruption.isImpatient ? Duration.milliseconds(200) : teardownLimit
        guard MonotonicTime.now - since > patience else { return .goOn }
        return .abandon(
            TransportFault(
                .timeout,
                "\(signal), and the case did not come to its end within \(DurationText.text(patience))"
            )
        )
    }
}
