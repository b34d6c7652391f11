// SPDX-License-Identifier: MIT

import RunRecord

/// A run with one case of every kind.
enum SampleRun {
    static let file = "Scenarios/nbt/led.yaml"

    static var mixed: RunRecord {
        var run = RunRecord(
            name: "nbt-smoke",
            rigVersion: "0.1.0",
            started: "2026-11-30T08:15:02Z",
            seed: 42,
            hostName: "rig-03"
        )
        run.duration = .milliseconds(3019)
        var suite = SuiteRecord(
            name: "nbt.led",
            title: "The LED follows FILE_1",
            file: file,
            target: "nbt",
            via: "pcsc:serial=0a1b2c3d",
            started: "2026-11-30T08:15:02Z"
        )
        suite.firmware = "1.4.2"
        suite.reader = "ACME Contactless 00"
        suite.atr = "3B8A80010031C173C8400090007D"
        suite.protocolName = "T=1"
        suite.duration = .milliseconds(3019)
        suite.cases = [flaky, failed, broken, skipped, plain]
        run.suites = [suite]
        return run
    }

    static var flaky: CaseRecord {
        var item = CaseRecord(name: "led switches on", file: file, line: 14, tags: ["smoke", "led"])
        item.verdict = .passed
        item.started = "2026-11-30T08:15:02.011Z"
        item.duration = .milliseconds(412)
        var first = attempt(1, "led-switches-on.jsonl")
        first.verdict = .error
        first.problem = Problem(
            type: "LinkLost",
            isRigError: true,
            message: "card left the field after step 3",
            file: file,
            line: 21,
            step: "step.3",
            details: ["no response within 500 ms"]
        )
        first.steps = [step(3, "write FILE_1", "00D60000020001", "transport", 500, verdict: .error)]
        var second = attempt(2, "led-switches-on.2.jsonl")
        second.steps = [
            step(1, "select app", "00A4040007D276000085010100", "9000", 3.1, assertions: 3),
            step(2, "select FILE_1", "00A4000C02E1A1", "9000", 2.2, assertions: 3),
        ]
        second.exchangeCount = 6
        second.timing = .init(p50: 2200, p95: 31_400, max: 31_400)
        second.traceSHA256 = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"
        item.attempts = [first, second]
        return item
    }

    static var failed: CaseRecord {
        var item = CaseRecord(name: "led reads back [protocol=T1]", file: file, line: 31, tags: [])
        item.verdict = .failed
        item.started = "2026-11-30T08:15:02.423Z"
        item.duration = .milliseconds(990)
        item.problem = Problem(
            type: "UnexpectedStatus",
            isRigError: false,
            message: "step 4 read FILE_2: expected SW 9000, got 6982",
            file: file,
            line: 38,
            step: "step.4",
            details: ["expected  SW 9000", "received  SW 6982 (security status not satisfied)"],
            hint: "does the file policy want a password?"
        )
        var only = attempt(1, "led-reads-back-protocol-T1.jsonl")
        only.verdict = .failed
        only.problem = item.problem
        only.exchangeCount = 4
        only.steps = [
            step(4, "read FILE_2", "00B0000004", "6982", 2.9, verdict: .failed, assertions: 4),
            step(1, "led-dark", "00D60000020000", "9000", 1, phase: "teardown"),
        ]
        item.attempts = [only]
        return item
    }

    static var broken: CaseRecord {
        var item = CaseRecord(name: "led blinks", file: file, line: 52, tags: [])
        item.verdict = .error
        item.started = "2026-11-30T08:15:03.413Z"
        item.duration = .milliseconds(1017)
        item.problem = Problem(
            type: "ReaderGone",
            isRigError: true,
            message: "setup: reader unplugged",
            file: file,
            line: 5,
            step: "setup.1",
            details: ["PC/SC reports the reader as unavailable"]
        )
        item.attempts = [attempt(1, "")]
        return item
    }

    static var skipped: CaseRecord {
        var item = CaseRecord(name: "led colour", file: file, line: 70, tags: [])
        item.problem = Problem(
            type: "",
            isRigError: false,
            message: "needs capability kit.led; target nbt@pcsc does not offer it",
            file: file,
            line: 70
        )
        return item
    }

    static var plain: CaseRecord {
        var item = CaseRecord(name: "led off after reset", file: file, line: 81, tags: [])
        item.verdict = .passed
        item.started = "2026-11-30T08:15:04.430Z"
        item.duration = .milliseconds(600)
        return item
    }

    /// A run of one suite.
    static func run(_ cases: [CaseRecord], name: String = "demo") -> RunRecord {
        var run = mixed
        run.suites[0].name = name
        run.suites[0].cases = cases
        return run
    }

    /// A failed case with a message.
    static func failing(_ message: String, type: String = "UnexpectedData", details: [String] = [])
        -> CaseRecord
    {
        var item = failed
        item.problem = Problem(
            type: type,
            isRigError: false,
            message: message,
            file: file,
            line: 38,
            step: "step.4",
            details: details
        )
        return item
    }

    static func attempt(_ number: Int, _ trace: String) -> AttemptRecord {
        AttemptRecord(
            number: number,
            started: "2026-11-30T08:15:02.011Z",
            trace: trace.isEmpty ? "" : "traces/nbt.led/\(trace)"
        )
    }

    static func step(
        _ number: Int,
        _ title: String,
        _ command: String,
        _ response: String,
        _ milliseconds: Double,
        verdict: Verdict = .passed,
        assertions: Int = 0,
        phase: String = "step"
    ) -> StepRecord {
        var step = StepRecord(
            label: "\(phase).\(number)",
            title: title,
            verb: "send",
            file: file,
            line: 20 + number
        )
        step.verdict = verdict
        step.assertions = assertions
        step.exchangeCount = 1
        step.exchanges = [ExchangeSummary(command: command, response: response, milliseconds: milliseconds)]
        return step
    }
}
