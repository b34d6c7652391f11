// SPDX-License-Identifier: MIT

import RunRecord

/// A run in which every field has a value.
enum SampleRun {
    static var full: RunRecord {
        var run = RunRecord(
            name: "nbt-smoke",
            rigVersion: "0.1.0",
            started: "2026-11-30T08:15:02.011Z",
            seed: .max,
            hostName: "rig-03"
        )
        run.duration = .nanoseconds(3_019_000_001)
        run.labels = [.init(key: "branch", value: "main"), .init(key: "a", value: "")]
        run.interruptedBy = "SIGTERM"
        run.notes = ["one", "two \u{1}\u{FFFE}é🔑"]
        run.showsSecrets = true
        var suite = SuiteRecord(
            name: "nbt.led",
            title: "The LED",
            file: "Scenarios/nbt/led.yaml",
            target: "nbt",
            via: "emulator",
            started: "2026-11-30T08:15:02.011Z"
        )
        suite.firmware = "1.4.2"
        suite.reader = "ACME 00"
        suite.atr = "3B80800101"
        suite.protocolName = "T=1"
        suite.folder = "firmware"
        suite.duration = .milliseconds(5)
        suite.notes = ["a reader went out of use"]
        suite.cases = [fullCase, CaseRecord(name: "left out", file: "", line: 0, tags: [])]
        run.suites = [suite]
        return run
    }

    static var fullCase: CaseRecord {
        var item = CaseRecord(
            name: "led [a=1]",
            file: "Scenarios/nbt/led.yaml",
            line: 14,
            tags: ["smoke", "led"]
        )
        item.verdict = .failed
        item.problem = problem
        item.started = "2026-11-30T08:15:02.011Z"
        item.duration = .nanoseconds(1)
        item.resentCommands = 2
        item.warnings = ["a reset from outside"]
        item.resentTypes = ["CardReset"]
        item.reader = "ACME 00"
        var attempt = AttemptRecord(
            number: 1,
            started: "2026-11-30T08:15:02.011Z",
            trace: "traces/nbt.led/led.jsonl"
        )
        attempt.duration = .seconds(3)
        attempt.verdict = .error
        attempt.problem = problem
        attempt.teardownProblem = Problem(
            type: "TeardownFailed",
            isRigError: true,
            message: "x",
            file: "",
            line: 0
        )
        attempt.traceSHA256 = "00ff"
        attempt.exchangeCount = 6
        attempt.timing = .init(p50: 1.5, p95: 1e-7, max: 3)
        var step = StepRecord(label: "setup.1.2", title: "read", verb: "read", file: "lib.yaml", line: 3)
        step.verdict = .skipped
        step.start = .milliseconds(1)
        step.duration = .milliseconds(2)
        step.tries = 3
        step.assertions = 4
        step.exchangeCount = 5
        step.exchanges = [ExchangeSummary(command: "00B0", response: "9000", milliseconds: 0.1)]
        step.detail = "because"
        attempt.steps = [step, StepRecord(label: "step.1", title: "", verb: "", file: "", line: 0)]
        item.attempts = [attempt, AttemptRecord(number: 2, started: "", trace: "")]
        return item
    }

    static var problem: Problem {
        Problem(
            type: "UnexpectedStatus",
            isRigError: true,
            message: "step 4: \"no\"\nnext",
            file: "a.yaml",
            line: 9,
            step: "step.4",
            details: ["expected  SW 9000", ""],
            hint: "look"
        )
    }

    /// A run with so many cases of each verdict.
    static func counted(
        passed: Int = 0,
        skipped: Int = 0,
        failed: Int = 0,
        errors: Int = 0,
        errorType: String = "ReaderGone"
    ) -> RunRecord {
        var run = RunRecord(name: "r", rigVersion: "0", started: "", seed: 0, hostName: "h")
        var suite = SuiteRecord(
            name: "s",
            title: "",
            file: "s.yaml",
            target: "nbt",
            via: "emulator",
            started: ""
        )
        let verdicts: [(Verdict, Int)] = [
            (.passed, passed), (.skipped, skipped), (.failed, failed), (.error, errors),
        ]
        for (verdict, count) in verdicts {
            for number in 0..<count {
                var item = CaseRecord(name: "\(verdict) \(number)", file: "s.yaml", line: 1, tags: [])
                item.verdict = verdict
                if verdict == .error {
                    item.problem = Problem(type: errorType, isRigError: true, message: "m", file: "", line: 0)
                }
                suite.cases.append(item)
            }
        }
        run.suites = [suite]
        return run
    }
}
