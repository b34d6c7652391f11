// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario

extension StepRunner {
    /// The runner of the connection that a step addresses: this one, or that of the step's role, opened at its first
    /// use.
    func runner(of step: Step, record: StepRecord) throws -> StepRunner {
        if let caller { return try caller.runner(of: step, record: record) }
        guard let role = step.role else { return self }
        let other: StepRunner
        if let owner {
            other = try owner.runner(of: step, record: record)
        } else if let open = others[role] {
            other = open
        } else {
            do throws(TransportFault) {
                let (session, stack) = try openRole(role)
                other = StepRunner(
                    suite: suite,
                    verbs: verbs,
                    session: session,
                    stack: stack,
                    patience: patience,
                    offered: offered,
                    limits: limits,
                    progress: progress
                )
            } catch {
                throw StepEnd(problem: .fault(error, record: record), fault: error)
            }
            others[role] = other
        }
        other.phase = phase
        other.stack.interposer.isArmed = phase == .step
        return other
    }

    /// Lets go of the other connections.
    func closeOthers() {
        for other in others.values { other.stack.close() }
        others = [:]
    }
}
