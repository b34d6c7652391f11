// SPDX-License-Identifier: MIT

import JSONText
import RunRecord
import Runner
import Testing

/// Steps that are tried again, and steps that are repeated.
@Suite struct PollTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    @Test func `Until counts its tries and keeps the last answer`() throws {
        try bench.writeCard([Rule("00B0000001", "009000", times: 2), Rule("00B0000001", "019000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        poll: { every: 100ms, max: 2s, until: { data: 01 } }
                        expect: { total: "200ms..210ms" }
                        capture: { seen: data }
                      - check: { equals: ["${seen}", 01] }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        let step = outcome.attempts[0].steps[0]
        #expect(step.tries == 3)
        #expect(step.exchangeCount == 3)
        #expect(step.detail == "3 tries in 200ms")
        #expect(step.duration == .milliseconds(200))
    }

    @Test func `A poll that runs out says what is still so, for how long, and how often it tried`() throws {
        try bench.writeCard([Rule("00B0000001", "009000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        poll: { every: 100ms, max: 2s, until: { data: 01 } }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.type == "UnexpectedData")
        #expect(
            outcome.problem?.message
                == "step 1 send 00B0000001: 00B0000001 still 00 after 2000 ms (21 tries): expected data 01, got 00"
        )
        #expect(outcome.attempts[0].steps[0].tries == 21)
    }

    @Test func `FILE_2 that never changes while the field is on gets the hint`() throws {
        let outcome = try bench.runCase(
            kitHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: field stays on
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - kit.button: press
                      - read: { file: FILE_2, length: 1 }
                        poll: { every: 50ms, max: 2000ms, until: { data: 01 } }
                """
        )
        let message = try #require(outcome.problem?.message)
        #expect(message.hasPrefix("step 3 read FILE_2: FILE_2 still 00 after 2000 ms ("))
        #expect(
            outcome.problem?.hint
                == "the field was on all the time: the kit's firmware reaches the chip only while it is off"
        )
    }

    @Test(arguments: [
        "write: { file: FILE_1, data: 01 }\n      - read: { length: 1 }", "read: { file: FILE_1, length: 1 }",
        "write: { file: FILE_2, data: 00 }\n      - read: { file: FILE_2, length: 1 }",
    ])
    func `A file that the reader's side writes gets no hint about the kit's firmware`(steps: String) throws {
        let outcome = try bench.runCase(
            (steps.contains("FILE_2") ? nbtHead : kitHead) + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: field stays on
                    steps:
                      - \(steps)
                        poll: { every: 50ms, max: 500ms, until: { data: 02 } }
                """
        )
        #expect(outcome.problem?.message.contains("still 0") == true, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.hint == "")
    }

    @Test func `The last try is at the very end of the time, however odd the interval`() throws {
        try bench.writeCard([Rule("00B0000001", "009000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        poll: { every: 300ms, max: 1s, until: { data: 01 } }
                """
        )
        #expect(outcome.attempts[0].steps[0].tries == 5)
        #expect(outcome.attempts[0].steps[0].duration == .seconds(1))
    }

    @Test func `A poll without an interval ends on a card without times`() throws {
        try bench.writeCard([Rule("00B0000001", "009000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        poll: { every: 0ms, max: 50ms, until: { data: 01 } }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.attempts[0].steps[0].tries == 51)
    }

    @Test func `While goes on as long as something holds`() throws {
        try bench.writeCard([
            Rule("00FB0000", "1C0205DC9789", times: 1, delay: 50),
            Rule("00FB0000", "1C0203209789", times: 1, delay: 50),
            Rule("00FB0000", "1C01649789", times: 1, delay: 50), Rule("00FB0000", "61029000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: security delay
                    steps:
                      - send: 00FB0000
                        poll: { every: 0ms, max: 30s, while: { sw: 9789 } }
                        expect: { data: 6102 }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].steps[0].tries == 4)
    }

    @Test func `While that ends with another error fails, since nobody asked for that`() throws {
        try bench.writeCard([Rule("00FB0000", "9789", times: 2), Rule("00FB0000", "6A80")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: refused at last
                    steps:
                      - send: 00FB0000
                        poll: { every: 10ms, max: 30s, while: { sw: 9789 } }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.message == "step 1 send 00FB0000: expected SW 9000, got 6A80")
    }

    @Test func `While that never ends runs out`() throws {
        try bench.writeCard([Rule("00FB0000", "9789")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: for ever
                    steps:
                      - send: 00FB0000
                        poll: { every: 500ms, max: 1s, while: { sw: 9789 } }
                """
        )
        #expect(
            outcome.problem?.message
                == "step 1 send 00FB0000: 00FB0000 still not so after 1000 ms (3 tries): the answer is unchanged"
        )
    }

    @Test func `Steps between two tries run, and leave the polled step its own settings`() throws {
        try bench.writeCard([
            Rule("00B0000001", "6C02", times: 1), Rule("00B0000001", "009000", times: 1),
            Rule("00B0000001", "019000"), Rule("00C0000001", "6102"), Rule("00B0000002", "AABB9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        raw: true
                        allow: [6C02]
                        poll:
                          every: 10ms
                          max: 1s
                          until: { data: 01, sw: 9000 }
                          between:
                            - send: 00C0000001
                              raw: true
                              expect: { sw: 61xx }
                            - log: tried
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].steps.count == 1)
        #expect(outcome.attempts[0].steps[0].tries == 3)
        #expect(
            try bench.commands(outcome.attempts.last)
                == ["00B0000001", "00C0000001", "00B0000001", "00C0000001", "00B0000001"]
        )
        let steps = try bench.traceRecords(outcome.attempts[0].trace).compactMap { $0["step"]?.string }
        #expect(
            steps == [
                "step.1 send 00B0000001", "step.1 between.1 send 00C0000001", "step.1 send 00B0000001",
                "step.1 between.1 send 00C0000001", "step.1 send 00B0000001",
            ]
        )
    }

    @Test func `Steps between two tries on one connection run on the one that they name, else on the first`()
        throws
    {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: poll
                    steps:
                      - field: off
                      - send: 00A4040007D276000085010100
                        on: i2c
                      - send: 00A4000C02E1A1
                        on: i2c
                      - send: 00B0000001
                        on: i2c
                        poll:
                          every: 10ms
                          max: 1s
                          until: { data: 55 }
                          between:
                            - field: on
                            - send: 00A4040007D276000085010100
                            - field: off
                            - send: 00A4000C02E1A1
                              on: i2c
                              allow: [6A82]
                            - send: 00D600000155
                              on: i2c
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].steps.last?.tries == 2)
        let events = try bench.traceRecords(outcome.attempts[0].trace)
        #expect(events.compactMap { $0["state"]?.string } == ["off", "on", "off"])
    }

    @Test func `Steps of a library can stand between two tries`() throws {
        try bench.write(
            "lib.yaml",
            """
            steps:
              nudge:
                args: [what]
                steps:
                  - send: "${what}"
            """
        )
        try bench.writeCard([
            Rule("00B0000001", "009000", times: 1), Rule("00B0000001", "019000"), Rule("00C0000001", "9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                include: [lib.yaml]
                cases:
                  - name: poll
                    steps:
                      - send: 00B0000001
                        poll:
                          max: 1s
                          until: { data: 01 }
                          between:
                            - use: { name: nudge, with: { what: 00C0000001 } }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(try bench.commands(outcome.attempts.last) == ["00B0000001", "00C0000001", "00B0000001"])
    }

    @Test func `A fault ends a poll that does not wait for it, and one that does goes on with connect`()
        throws
    {
        let text =
            scriptedHead + """
                cases:
                  - name: poll
                    fault: { at: 3, when: before, kind: remove }
                    steps:
                      - send: 00B1000001
                        poll: { every: 10ms, max: 1s, until: { UNTIL } }
                      - connect: {}
                      - send: 00B1000001
                """
        try bench.writeCard([Rule("00B1000001", "009000")])
        let ended = try bench.runCase(text.replacing("UNTIL", with: "data: 01"))
        #expect(ended.problem?.type == "CardRemoved")
        try bench.writeCard([Rule("00B1000001", "009000")])
        let waited = try bench.runCase(text.replacing("UNTIL", with: "fault: card-removed"))
        #expect(waited.verdict == .passed, "\(waited.problem?.message ?? "")")
        #expect(waited.attempts[0].steps[0].tries == 3)
    }

    @Test func `A signal ends a poll`() throws {
        let interruption = Interruption()
        let route = ScriptedRoute { _ in
            interruption.request("SIGINT")
            return "6985"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: poll
                steps:
                  - send: 00B0000001
                    poll: { every: 10s, max: 60s, until: { sw: 9000 } }
            """,
            route: route,
            interruption: interruption
        )
        #expect(outcome.problem?.type == "Interrupted")
        #expect(route.commands.count == 1)
    }

    // MARK: Repetitions

    @Test func `A repeated step is one step, and each repetition is judged`() throws {
        try bench.writeCard([Rule("00B0000001", "009000", times: 4), Rule("00B0000001", "019000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: five times
                    steps:
                      - send: 00B0000001
                        repeat: 10
                        expect: { data: 00 }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.attempts[0].steps.count == 1)
        #expect(outcome.attempts[0].steps[0].tries == 5)
        #expect(outcome.attempts[0].exchangeCount == 5)
    }

    @Test func `A capture in a repeated step is seen by the next repetition`() throws {
        try bench.writeCard([
            Rule("0084000001", "119000", times: 1), Rule("0084000001", "229000"),
            Rule("00D60000011100", "9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: growing
                    steps:
                      - send: 0084000001
                        repeat: 3
                        capture: { last: data }
                      - check: { equals: ["${last}", 22] }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `Many repetitions leave nothing behind but the trace`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: many
                    steps:
                      - select: D2760000850101
                      - read: { file: FILE_1, length: 1 }
                        repeat: 2000
                        expect: { data: 00 }
                """
        )
        #expect(outcome.verdict == .passed)
        let step = outcome.attempts[0].steps[1]
        #expect(step.tries == 2000)
        #expect(step.exchangeCount == 4000)
        #expect(step.assertions == 4000)
        #expect(step.exchanges.count == 16)
        #expect(outcome.attempts[0].exchangeCount == 4001)
        #expect(outcome.attempts[0].timing != nil)
    }

    @Test func `A remark that each repetition makes is told once`() throws {
        try bench.writeCard([Rule("00A4040006F0010203040500", "9000")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: many
                    steps:
                      - select: F00102030405
                        repeat: 5
                """
        )
        #expect(
            outcome.warnings == [
                "step 1 select F00102030405: SELECT F00102030405 answered 9000 without tag 84: not confirmed"
            ]
        )
    }
}
