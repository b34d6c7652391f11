// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Synchronization

/// What an attempt has reached so far, readable from the supervising thread when the attempt hangs.
final class AttemptProgress: Sendable {
    struct State {
        var record: AttemptRecord
        /// The step that is being run.
        var current: StepRecord?
        /// Steps that ended and were not reported yet.
        var fresh: [StepRecord] = []
        var facts: ConnectionFacts?
        var firmware: String?
        /// Why the case is not run at all; nil while it is.
        var unmet: NeedsCheck.Unmet?
        /// Since when the teardown runs, on the host's clock; nil before it begins.
        var teardownSince: Duration?
        /// True once there was a connection.
        var isConnected = false
        var warnings: [String] = []
        var resentCommands = 0
        /// The type word of the fault of each of them.
        var resentTypes: [String] = []
        /// The command that is on its way, what of it is hidden, and since when on the host's clock.
        var pending: (command: [UInt8], hidden: [Range<Int>], since: Duration)?
        /// How often the case's own fault has struck.
        var strikes = 0
        /// The connection while its thread is in a call to something else; nil otherwise.
        var idle: IdleConnection?
    }

    private let state: Mutex<State>

    init(_ record: AttemptRecord) {
        state = Mutex(State(record: record))
    }

    /// A copy of everything.
    var snapshot: State { state.withLock { $0 } }

    /// The few things that the supervisor looks at again and again.
    var supervised: (isConnected: Bool, teardownSince: Duration?) {
        state.withLock { ($0.isConnected, $0.teardownSince) }
    }

    /// Changes something.
    func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Takes the steps that ended since the last call.
    func takeFreshSteps() -> [StepRecord] {
        state.withLock {
            let steps = $0.fresh
            $0.fresh = []
            return steps
        }
    }
}
