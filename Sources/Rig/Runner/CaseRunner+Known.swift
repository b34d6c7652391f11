// SPDX-License-Identifier: MIT

import HostSystem
import RunRecord
import Scenario

extension CaseRunner {
    /// Settles a case of which a failure is known.
    func apply(_ known: KnownFailure, to record: inout CaseRecord) {
        let outcome: KnownFailure.Outcome
        switch record.verdict {
        case .passed: outcome = .passed
        case .failed: outcome = .failed
        case .error: outcome = .error
        default: outcome = .skipped
        }
        guard let today = options.today ?? CalendarDate(timestamp: WallTime.now.iso) else { return }
        let original = record.problem
        switch known.ruling(on: outcome, message: original?.message ?? "", today: today) {
        case .unchanged: break
        case .skip(let reason):
            // A teardown that failed is the rig's trouble, which an expected failure must not cover.
            if let teardown = record.attempts.last?.teardownProblem {
                record.verdict = .error
                record.problem = teardown
                return
            }
            record.verdict = .skipped
            record.problem = Problem(
                type: "",
                isRigError: true,
                message: reason,
                file: original?.file ?? record.file,
                line: original?.line ?? record.line,
                step: original?.step ?? "",
                details: original?.details ?? []
            )
        case .fail(let message, let hint):
            record.verdict = .failed
            record.problem = Problem(
                type: KnownFailure.problemType,
                isRigError: false,
                message: message,
                file: original?.file ?? record.file,
                line: original?.line ?? record.line,
                step: original?.step ?? "",
                details: original?.details ?? [],
                hint: hint
            )
        }
    }
}
