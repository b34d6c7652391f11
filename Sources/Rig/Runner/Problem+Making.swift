// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario
import Trace
import Wording

/// A phase of a case, and how its steps are called.
enum Phase: String {
    case setup
    case step
    case teardown

    /// The label of a step: `setup.1`, `step.4`, inside a `use` `setup.1.2`.
    func label(_ path: [Int]) -> String {
        ([rawValue] + path.map(String.init)).joined(separator: ".")
    }
}

extension Problem {
    /// The words in front of a sentence about a step: `step 4 read FILE_2`.
    static func subject(_ record: StepRecord) -> String {
        record.label.replacing(".", with: " ", maxReplacements: 1) + " " + record.title
    }

    /// Expectations that did not hold: several become one problem with a list.
    static func mismatches(_ mismatches: [Mismatch], record: StepRecord, note: String = "") -> Problem {
        let first = mismatches[0]
        let more = mismatches.count > 1 ? " (and \(mismatches.count - 1) more)" : ""
        var details: [String] = []
        for mismatch in mismatches {
            if mismatches.count > 1 { details.append("- \(mismatch.message)") }
            details.append("expected  \(mismatch.expected)")
            details.append("received  \(mismatch.received)")
            details += mismatch.decoded
        }
        return Problem(
            type: first.kind.rawValue,
            isRigError: false,
            message: "\(subject(record)): \(first.message)\(more)\(note)",
            file: record.file,
            line: record.line,
            step: record.label,
            details: details,
            hint: mismatches.map(\.hint).first { !$0.isEmpty } ?? ""
        )
    }

    /// Trouble on the way to the card: the rig could not judge.
    static func fault(_ fault: TransportFault, record: StepRecord) -> Problem {
        Problem(
            type: fault.kind.junitType,
            isRigError: true,
            message: "\(subject(record)): \(fault.detail)",
            file: record.file,
            line: record.line,
            step: record.label,
            details: fault.code.map { ["code      0x\(hexText($0))"] } ?? [],
            hint: fault.hint
        )
    }

    /// A scenario that turned out wrong while it ran.
    static func mistake(_ mistake: ScenarioMistake, record: StepRecord) -> Problem {
        Problem(
            type: "ScenarioInvalid",
            isRigError: true,
            message: "\(subject(record)): \(mistake.message)",
            file: mistake.position.file,
            line: mistake.position.line,
            step: record.label,
            hint: mistake.hint.map { "did you mean '\($0)'?" } ?? ""
        )
    }

    /// A limit of time that has passed.
    static func limit(_ limit: LimitReached, record: StepRecord) -> Problem {
        Problem(
            type: FaultKind.timeout.junitType,
            isRigError: true,
            message: "\(subject(record)): \(limit.message)",
            file: record.file,
            line: record.line,
            step: record.label,
            hint: limit.hint
        )
    }

    /// A step that would be left out for want of something that must be there.
    static func required(_ sentence: String, record: StepRecord) -> Problem {
        Problem(
            type: "SetupFailed",
            isRigError: true,
            message: "\(subject(record)): \(sentence)",
            file: record.file,
            line: record.line,
            step: record.label
        )
    }

    /// A fault that was to be injected and never struck.
    static func unstruck(_ plan: FaultPlan) -> Problem {
        Problem(
            type: FaultKind.control.junitType,
            isRigError: true,
            message: "the fault never struck: \(plan.text) did not happen in the case's own steps",
            file: plan.position.file,
            line: plan.position.line,
            hint: "look at `at`: exchanges count from 1 and without set-up; a step that is skipped has none"
        )
    }

    /// The same problem with every text masked.
    func masked(by mask: SecretMask) -> Problem {
        var out = self
        out.message = mask.mask(text: message)
        out.details = details.map(mask.mask(text:))
        out.hint = mask.mask(text: hint)
        return out
    }

    /// The same problem, seen as one of the set-up: the rig could not judge the case.
    var asSetupProblem: Problem {
        guard !isRigError else { return self }
        var problem = self
        problem.type = "SetupFailed"
        problem.isRigError = true
        return problem
    }

    private static func hexText(_ code: UInt32) -> String {
        Digits.hex(code, width: 8)
    }
}
