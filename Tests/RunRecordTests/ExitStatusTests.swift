// SPDX-License-Identifier: MIT

import RunRecord
import Testing

@Suite("Exit status")
struct ExitStatusTests {
    /// A row of the table of field case S23, and further rows of the same kind.
    struct Row: Sendable, CustomTestStringConvertible {
        var passed = 0
        var skipped = 0
        var failed = 0
        var errors = 0
        var type = "ReaderGone"
        var signal: String?
        var allowSkipped = false
        let status: Int32

        var testDescription: String {
            "\(passed)/\(skipped)/\(failed)/\(errors) \(type) \(signal ?? "") -> \(status)"
        }
    }

    @Test(
        "follows from what the cases came to",
        arguments: [
            Row(passed: 3, status: 0), Row(passed: 2, skipped: 1, status: 0), Row(skipped: 3, status: 3),
            Row(skipped: 3, allowSkipped: true, status: 0), Row(status: 2),
            Row(passed: 2, failed: 1, status: 1),
            Row(passed: 2, errors: 1, status: 3), Row(failed: 1, errors: 1, status: 1),
            Row(skipped: 1, errors: 1, allowSkipped: true, status: 3), Row(allowSkipped: true, status: 2),
            Row(passed: 1, errors: 1, type: "ScenarioInvalid", status: 2),
            Row(passed: 9, signal: "SIGINT", status: 130),
            Row(failed: 9, signal: "SIGTERM", status: 143), Row(skipped: 1, signal: "SIGHUP", status: 129),
        ]
    )
    func table(row: Row) {
        var run = SampleRun.counted(
            passed: row.passed,
            skipped: row.skipped,
            failed: row.failed,
            errors: row.errors,
            errorType: row.type
        )
        run.interruptedBy = row.signal
        #expect(ExitStatus.of(run, allowSkipped: row.allowSkipped) == row.status)
    }

    @Test("is an error when only a teardown failed")
    func teardown() {
        var run = SampleRun.counted(passed: 1)
        let trouble = Problem(type: "TeardownFailed", isRigError: true, message: "m", file: "", line: 0)
        var attempt = AttemptRecord(number: 1, started: "", trace: "")
        attempt.teardownProblem = trouble
        run.suites[0].cases[0].attempts = [attempt]
        #expect(ExitStatus.of(run, allowSkipped: false) == 3)
        #expect(run.suites[0].cases[0].outcome == CaseRecord.sampleOutcome(.error, trouble))
        run.suites[0].cases[0].verdict = .failed
        run.suites[0].cases[0].problem = SampleRun.problem
        #expect(ExitStatus.of(run, allowSkipped: false) == 1)
        #expect(run.suites[0].cases[0].outcome.teardownProblem == trouble)
    }

    @Test("counts flaky cases as passed")
    func counts() {
        var run = SampleRun.counted(passed: 2, skipped: 1, failed: 3, errors: 4)
        run.suites[0].cases[0].resentCommands = 1
        let counts = RunCounts(run)
        #expect(counts.total == 10)
        #expect(counts.passed == 2)
        #expect(counts.flaky == 1)
        #expect(counts.skipped == 1)
        #expect(counts.failed == 3)
        #expect(counts.errors == 4)
    }

    @Test("has no type word in both lists")
    func words() {
        #expect(ProblemType.failures.isDisjoint(with: ProblemType.errors))
        #expect(ProblemType.isKnown("LinkLost"))
        #expect(!ProblemType.isKnown("yaml"))
    }
}

extension CaseRecord {
    /// The outcome of a passed case whose teardown failed.
    fileprivate static func sampleOutcome(_ verdict: Verdict, _ problem: Problem) -> CaseOutcome {
        var item = CaseRecord(name: "", file: "", line: 0, tags: [])
        item.verdict = verdict
        item.problem = problem
        return item.outcome
    }
}
