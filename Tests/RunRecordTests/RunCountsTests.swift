// SPDX-License-Identifier: MIT

import Testing

@testable import RunRecord

@Suite("Counts of a run")
struct RunCountsTests {
    private func item(_ verdict: Verdict, assertions: [Int] = [], teardown: Bool = false) -> CaseRecord {
        var item = CaseRecord(name: "a", file: "a.yaml", line: 1, tags: [])
        item.verdict = verdict
        var attempt = AttemptRecord(number: 1, started: "", trace: "")
        attempt.steps = assertions.map { count in
            var step = StepRecord(label: "step.1", title: "", verb: "", file: "", line: 1)
            step.assertions = count
            return step
        }
        if teardown {
            attempt.teardownProblem = Problem(
                type: "TeardownFailed",
                isRigError: true,
                message: "m",
                file: "",
                line: 0
            )
        }
        item.attempts = [attempt]
        return item
    }

    @Test("add up, suite by suite or at once")
    func sums() {
        var run = RunRecord(name: "r", rigVersion: "0", started: "", seed: 1, hostName: "h")
        let kinds: [[CaseRecord]] = [
            [item(.passed, assertions: [1, 2]), item(.failed)], [],
            [item(.error), item(.skipped), item(.passed)],
        ]
        run.suites = kinds.map { cases in
            var suite = SuiteRecord(name: "s", title: "", file: "", target: "", via: "", started: "")
            suite.cases = cases
            return suite
        }
        var sum = RunCounts()
        for suite in run.suites { sum.add(RunCounts(suite)) }
        #expect(sum == RunCounts(run))
        #expect(sum.total == 5)
        #expect(sum.assertions == 3)
    }

    @Test("take a failed teardown of a passed case for an error, and of no other")
    func teardown() {
        for verdict in [Verdict.passed, .failed, .error, .skipped] {
            let item = item(verdict, teardown: true)
            #expect(item.countedVerdict == (verdict == .passed ? .error : verdict))
            #expect(item.countedVerdict == item.outcome.verdict)
        }
        #expect(item(.passed).countedVerdict == .passed)
    }

    @Test("take assertions from the last attempt alone")
    func assertions() {
        var twice = item(.passed, assertions: [5])
        twice.attempts.append(item(.passed, assertions: [1, 1]).attempts[0])
        #expect(twice.assertionCount == 2)
        #expect(CaseRecord(name: "a", file: "", line: 1, tags: []).assertionCount == 0)
    }
}
