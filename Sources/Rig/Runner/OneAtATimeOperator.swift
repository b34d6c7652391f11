// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import Scenario
import Synchronization

/// The operator as one case sees it: asked by one case at a time, and given up when it hangs.
final class OneAtATimeOperator: OperatorPort {
    private let inner: any OperatorPort
    private let turns: OperatorTurns
    private let watch: DeadlineWatch
    private let calls: OutsideCalls?

    /// How much later than asked for an answer may come.
    private static let grace = Duration.seconds(2)

    /// Makes the operator of a case.
    ///
    /// - Parameters:
    ///   - inner: The operator of the run.
    ///   - turns: Whose turn it is to ask.
    ///   - watch: The watch of the case's thread; nil where time is modelled.
    ///   - calls: The outside calls of that thread; nil where time is modelled.
    init(_ inner: any OperatorPort, turns: OperatorTurns, watch: DeadlineWatch?, calls: OutsideCalls?) {
        self.inner = inner
        self.turns = turns
        self.watch = watch ?? DeadlineWatch()
        self.calls = calls
    }

    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        turns.take(watch)
        defer { turns.giveBack(watch) }
        guard let calls else { return inner.ask(request, within: limit) }
        return calls.perform(limit.map { $0 + Self.grace }, "the operator's program did not come back") {
            inner.ask(request, within: limit)
        }
    }
}

/// Whose turn it is to ask the operator: two cases at the same time would not know whose the answer is.
final class OperatorTurns: Sendable {
    private let holder = Mutex<DeadlineWatch?>(nil)
    private static let pause = Duration.milliseconds(20)

    /// Waits for a turn; one whose holder was given up is over.
    func take(_ watch: DeadlineWatch) {
        while true {
            let isOurs = holder.withLock { holder in
                guard holder?.isAbandoned ?? true else { return false }
                holder = watch
                return true
            }
            if isOurs { return }
            MonotonicTime.sleep(Self.pause)
        }
    }

    /// Ends a turn, unless it has passed to somebody else.
    func giveBack(_ watch: DeadlineWatch) {
        holder.withLock { if $0 === watch { $0 = nil } }
    }
}
