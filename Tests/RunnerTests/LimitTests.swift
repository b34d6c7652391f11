// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

/// Limits of time, and what is a failure of the product and what an error of the rig.
@Suite struct LimitTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    @Test(arguments: [
        ("limits: { apdu: 400ms }", "", "", "400 ms"),
        ("limits: { apdu: 400ms }", "limits: { apdu: 300ms }", "", "300 ms"),
        ("limits: { apdu: 400ms }", "limits: { apdu: 300ms }", "limits: { apdu: 200ms }", "200 ms"),
        ("", "", "", "30000 ms"),
    ])
    func `The deadline of an exchange comes from step, case, suite or default`(
        suite: String,
        testCase: String,
        step: String,
        expected: String
    ) throws {
        try bench.writeCard([Rule("00B0000001", nil, fault: "mute")])
        let outcome = try bench.runCase(
            scriptedHead + """
                \(suite)
                cases:
                  - name: c
                    \(testCase)
                    steps:
                      - send: 00B0000001
                        \(step)
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "RigTimeout")
        #expect(outcome.problem?.message == "step 1 send 00B0000001: no answer in \(expected)")
    }

    @Test func `A step may state its own longest time`() throws {
        try bench.writeCard([Rule("0046000000", "9000", delay: 9000)])
        let outcome = try bench.runCase(
            scriptedHead + """
                limits: { apdu: 500ms }
                cases:
                  - name: key pair
                    steps:
                      - send: 0046000000
                        limits: { apdu: 12s }
                        expect: { time: 8550ms..9450ms }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A case that takes longer than its limit is an error that says so`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                limits: { case: 20s }
                cases:
                  - name: long
                    limits: { case: 2s }
                    steps:
                      - select: D2760000850101
                      - delay: 10s
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "RigTimeout")
        #expect(outcome.problem?.message == "step 2 delay 10s: the case took longer than its limit of 2s")
        #expect(outcome.attempts[0].duration == .seconds(2))
    }

    @Test func `The limit of a case cuts the deadline of an exchange, and is named as the cause`() throws {
        try bench.writeCard([Rule("00B0000001", nil, fault: "mute")])
        let outcome = try bench.runCase(
            scriptedHead + """
                limits: { case: 1s, apdu: 5s }
                cases:
                  - name: long
                    steps:
                      - send: 00B0000001
                """
        )
        #expect(
            outcome.problem?.message == "step 1 send 00B0000001: the case took longer than its limit of 1s"
        )
        #expect(outcome.attempts[0].duration == .seconds(1))
    }

    @Test func `The limit of a case counts its set-up and ends a repetition`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                limits: { case: 1s }
                setup:
                  - delay: 900ms
                cases:
                  - name: long
                    steps:
                      - select: D2760000850101
                        repeat: 1000000
                """
        )
        #expect(outcome.problem?.type == "RigTimeout")
        let tries = outcome.attempts[0].steps[1].tries
        #expect((30...40).contains(tries), "\(tries)")
    }

    @Test func `A teardown has its own limit`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                limits: { teardown: 3s }
                teardown:
                  - delay: 2s
                  - delay: 2s
                  - delay: 2s
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "TeardownFailed")
        #expect(
            outcome.problem?.message == "teardown 2 delay 2s: the teardown took longer than its limit of 3s"
        )
    }

    @Test func `A teardown whose card is mute ends with its limit, not with the deadline of an exchange`()
        throws
    {
        try bench.writeCard([Rule("00B0000001", nil, fault: "mute")])
        let outcome = try bench.runCase(
            scriptedHead + """
                teardown:
                  - send: 00B0000001
                cases:
                  - name: c
                    steps:
                      - log: nothing
                """
        )
        #expect(outcome.problem?.type == "TeardownFailed")
        #expect(outcome.attempts[0].duration == .seconds(10))
    }

    @Test func `A right answer that comes too late is a failure of the product`() throws {
        try bench.writeCard([Rule("00B0000001", "9000", delay: 80)])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: slow
                    steps:
                      - send: 00B0000001
                        expect: { time: "<60ms" }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.type == "TimingExceeded")
    }

    /// Field case S26: a reader that gives up first says so, with both times.
    @Test func `A reader that gives up before the step would names both times`() throws {
        let route = ScriptedRoute { _ throws(TransportFault) in
            throw .readerTimeout(after: .seconds(3), allowed: .seconds(12))
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: key pair
                steps:
                  - send: 0046000000
                    limits: { apdu: 12s }
            """,
            route: route
        )
        #expect(outcome.problem?.type == "LinkLost")
        #expect(
            outcome.problem?.message
                == "step 1 send 0046000000: reader timeout after 3.0 s, step allows 12 s"
        )
    }

    @Test(
        "S26: a case that needs a patient reader is skipped on one that is none, before anything is sent",
        arguments: [
            ("needs: [time-extension]", ""), ("", "needs: [time-extension]"),
            ("needs: [time-extension, field.control]", ""),
        ]
    )
    func impatientReader(ofCase: String, ofStep: String) throws {
        let text = """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: key pair
                \(ofCase)
                steps:
                  - send: 0046000000
                    \(ofStep)
            """
        let poor = ScriptedRoute(spec: "pcsc:X", carried: [.fieldControl]) { _ in "9000" }
        let skipped = try bench.runCase(text, route: poor)
        #expect(skipped.verdict == .skipped)
        #expect(
            skipped.problem?.message
                == "needs capability time-extension; iso7816@pcsc:X does not offer it"
        )
        #expect(poor.commands.isEmpty)
        let good = ScriptedRoute(carried: [.fieldControl, Capability(rawValue: "time-extension")]) { _ in
            "9000"
        }
        #expect(try bench.runCase(text, route: good).verdict == .passed)
    }

    // MARK: Failure or error (field case S24)

    /// A way for a case to end badly.
    struct Ending: CustomTestStringConvertible {
        let what: String
        let steps: String
        var frame = ""
        var extra = ""
        let verdict: Verdict
        let type: String
        var testDescription: String { what }
    }

    static let endings = [
        Ending(
            what: "another status word",
            steps: "- send: 00B0000002",
            verdict: .failed,
            type: "UnexpectedStatus"
        ),
        Ending(
            what: "another byte",
            steps: "- send: 00B0000001\n        expect: { data: 01 }",
            verdict: .failed,
            type: "UnexpectedData"
        ),
        Ending(
            what: "too slow",
            steps: "- send: 00B0000001\n        expect: { time: \"<1ms\" }",
            verdict: .failed,
            type: "TimingExceeded"
        ),
        Ending(
            what: "a check that does not hold",
            steps: "- check: { equals: [A, B] }",
            verdict: .failed,
            type: "CheckFailed"
        ),
        Ending(
            what: "an earlier command refused",
            steps: "- read: { file: E1A9 }",
            verdict: .failed,
            type: "UnexpectedStatus"
        ),
        Ending(
            what: "an expected fault that never came",
            steps: "- send: 00B0000001\n        expect: { fault: timeout }",
            verdict: .failed,
            type: "UnexpectedError"
        ),
        Ending(
            what: "card removed",
            steps: "- send: 00D6000001AA",
            extra: "    fault: { at: 1, kind: remove }\n",
            verdict: .error,
            type: "CardRemoved"
        ),
        Ending(
            what: "no answer",
            steps: "- send: 00D6000001AA",
            extra: "    fault: { at: 1, kind: mute }\n",
            verdict: .error,
            type: "RigTimeout"
        ),
        Ending(
            what: "answer cut",
            steps: "- send: 00D6000001AA",
            extra: "    fault: { at: 1, kind: truncate, truncate: 1 }\n",
            verdict: .error,
            type: "LinkLost"
        ),
        Ending(
            what: "another fault than expected",
            steps: "- send: 00D6000001AA\n        expect: { fault: timeout }",
            extra: "    fault: { at: 1, kind: remove }\n",
            verdict: .error,
            type: "CardRemoved"
        ),
        Ending(
            what: "set-up refused",
            steps: "- send: 00B0000001",
            frame: "setup:\n  - send: 00B0000002\n",
            verdict: .error,
            type: "SetupFailed"
        ),
        Ending(
            what: "teardown refused after a pass",
            steps: "- send: 00B0000001",
            frame: "teardown:\n  - send: 00B0000002\n",
            verdict: .error,
            type: "TeardownFailed"
        ),
        Ending(
            what: "capability missing",
            steps: "- send: 00B0000001",
            extra: "    needs: [kit.led]\n",
            verdict: .skipped,
            type: ""
        ),
        Ending(
            what: "a fault that never struck",
            steps: "- send: 00B0000001",
            extra: "    fault: { at: 2, kind: remove }\n",
            verdict: .error,
            type: "ControlFailed"
        ),
    ]

    @Test(arguments: endings)
    func `Wrong answers are failures, trouble of the rig is an error`(ending: Ending) throws {
        try bench.writeCard([Rule("00B0000001", "009000", delay: 2), Rule("00D6000001AA", "9000")])
        let outcome = try bench.runCase(
            scriptedHead + ending.frame + "cases:\n  - name: c\n" + ending.extra + "    steps:\n      "
                + ending.steps + "\n"
        )
        #expect(outcome.verdict == ending.verdict, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.type == ending.type)
    }

    @Test func `A reader that is gone is an error, and so is one that cannot be opened`() throws {
        let text = """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: c
                steps:
                  - send: 00D6000001AA
            """
        let gone = ScriptedRoute { _ throws(TransportFault) in
            throw TransportFault(.readerRemoved, "the reader was unplugged")
        }
        #expect(try bench.runCase(text, route: gone).problem?.type == "ReaderGone")
        let absent = ScriptedRoute(opening: { _ throws(TransportFault) in
            throw TransportFault(.noReader, "no reader", hint: "plug one in")
        }) { _ in "9000" }
        let outcome = try bench.runCase(text, route: absent)
        #expect(outcome.problem?.type == "ReaderAbsent")
        #expect(outcome.problem?.message == "connect fake: no reader")
        #expect(outcome.problem?.hint == "plug one in")
    }
}
