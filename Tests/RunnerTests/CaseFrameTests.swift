// SPDX-License-Identifier: MIT

import RunRecord
import Runner
import Testing

/// Set-up, steps and teardown as the frame of each case.
@Suite struct CaseFrameTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private let frame =
        nbtHead + """
            setup:
              - select: D2760000850101
              - write: { file: FILE_1, data: 55 }
            teardown:
              - select: D2760000850101
              - write: { file: FILE_1, data: 00 }

            """

    @Test func `Set-up runs before each case on a fresh card`() throws {
        let record = try bench.run(
            frame + """
                cases:
                  - name: one
                    steps:
                      - write: { file: FILE_3, data: 77 }
                  - name: two
                    steps:
                      - read: { file: FILE_3, length: 1 }
                        expect: { data: 00 }
                """
        )
        #expect(record.verdicts == ["one: passed", "two: passed"], "\(record.messages)")
        for testCase in record.suites[0].cases {
            #expect(try bench.commands(testCase.attempts.first).first == selectTag)
        }
    }

    @Test func `Teardown runs after a failure`() throws {
        let outcome = try bench.runCase(
            frame + """
                cases:
                  - name: fails
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        expect: { data: 56 }
                      - read: { file: FILE_2, length: 1 }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.type == "UnexpectedData")
        #expect(
            outcome.attempts[0].steps.map(\.label) == [
                "setup.1", "setup.2", "step.1", "teardown.1", "teardown.2",
            ]
        )
        #expect(try bench.trace(outcome.attempts.last).suffix(2) == ["00D600000100 9000", "= failed"])
    }

    @Test func `Teardown runs after a fault, on a card that is there again`() throws {
        let outcome = try bench.runCase(
            frame + """
                cases:
                  - name: lost
                    fault: { at: 2, when: after-answer-lost, kind: remove }
                    steps:
                      - write: { file: FILE_2, data: 01 }
                """
        )
        #expect(outcome.verdict == .error, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.type == "CardRemoved")
        #expect(outcome.attempts.last?.teardownProblem == nil)
        let trace = try bench.trace(outcome.attempts.last)
        #expect(trace.contains("(reconnect)"))
        #expect(trace.suffix(2) == ["00D600000100 9000", "= error"])
    }

    @Test func `Teardown runs on a card that is there again after an expected fault at the end`() throws {
        let outcome = try bench.runCase(
            frame + """
                cases:
                  - name: goes away
                    fault: { at: 1, when: before, kind: remove }
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        expect: { fault: card-removed }
                """
        )
        #expect(outcome.verdict == .passed)
        #expect(outcome.problem == nil)
    }

    @Test func `Teardown runs with the field on, however the case left it`() throws {
        let outcome = try bench.runCase(
            frame + """
                cases:
                  - name: field stays off
                    steps:
                      - field: off
                """
        )
        #expect(outcome.verdict == .passed)
        #expect(try bench.trace(outcome.attempts.last).contains("(field on)"))
    }

    @Test func `A set-up that fails is an error of the rig, and the teardown runs`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850109
                teardown:
                  - select: D2760000850101
                cases:
                  - name: never reached
                    steps:
                      - read: { file: FILE_1 }
                """
        )
        #expect(outcome.verdict == .error, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.type == "SetupFailed")
        #expect(
            outcome.problem?.message
                == "setup 1 select D2760000850109: expected SW 9000, got 6A82"
        )
        #expect(outcome.attempts[0].steps.map(\.label) == ["setup.1", "teardown.1"])
    }

    @Test func `A fault of the link in the set-up keeps its own type`() throws {
        try bench.writeCard([Rule("00B0000001", nil, fault: "mute")])
        let outcome = try bench.runCase(
            scriptedHead + """
                setup:
                  - send: 00B0000001
                cases:
                  - name: never reached
                    steps:
                      - send: 00B0000002
                """
        )
        #expect(outcome.problem?.type == "RigTimeout")
        #expect(outcome.verdict == .error, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A teardown that fails is an error beside the case's own failure`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                teardown:
                  - select: D2760000850109
                cases:
                  - name: fails too
                    steps:
                      - select: D2760000850108
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.step == "step.1")
        #expect(outcome.attempts[0].teardownProblem?.type == "TeardownFailed")
        #expect(outcome.attempts[0].teardownProblem?.step == "teardown.1")
    }

    @Test func `A teardown that fails after a pass makes the case an error`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                teardown:
                  - select: D2760000850109
                cases:
                  - name: passes
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(outcome.verdict == .error, "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.type == "TeardownFailed")
    }

    @Test func `The teardown knows what set-up and case captured`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850101
                  - read: { file: FILE_1, length: 2 }
                    capture: { before: data }
                teardown:
                  - write: { file: FILE_1, data: "${before}" }
                  - check: { equals: ["${seen}", AABB] }
                cases:
                  - name: captures
                    steps:
                      - write: { file: FILE_1, data: AABB }
                      - read: { file: FILE_1, length: 2 }
                        capture: { seen: data }
                """
        )
        #expect(outcome.verdict == .passed)
        #expect(outcome.problem?.message == nil)
        #expect(try bench.trace(outcome.attempts.last).contains("00D60000020000 9000"))
    }

    @Test func `An interrupted case runs its teardown, delays included, and the others are not begun`() throws
    {
        let interruption = Interruption()
        let route = ScriptedRoute { command in
            if command == "00B0000002" { interruption.request("SIGINT") }
            return "9000"
        }
        let record = try bench.run(
            """
            rig: 1
            suite: t
            target: iso7816
            teardown:
              - delay: 60ms
              - send: 00B00000FF
            cases:
              - name: one
                steps:
                  - send: 00B0000001
                  - send: 00B0000002
                  - send: 00B0000003
              - name: two
                steps:
                  - send: 00B0000004
            """,
            route: route,
            interruption: interruption
        )
        #expect(record.interruptedBy == "SIGINT")
        #expect(record.verdicts == ["one: error"])
        let one = try record.testCase("one")
        #expect(one.problem?.type == "Interrupted")
        #expect(one.attempts[0].teardownProblem == nil)
        #expect(route.commands == ["00B0000001", "00B0000002", "00B00000FF"])
    }

    @Test func `A second signal skips the teardown`() throws {
        let interruption = Interruption()
        let route = ScriptedRoute { _ in
            interruption.request("SIGTERM")
            interruption.request("SIGTERM")
            return "9000"
        }
        let record = try bench.run(
            """
            rig: 1
            suite: t
            target: iso7816
            teardown:
              - send: 00B00000FF
            cases:
              - name: one
                steps:
                  - send: 00B0000001
                  - send: 00B0000002
            """,
            route: route,
            interruption: interruption
        )
        #expect(record.interruptedBy == "SIGTERM")
        #expect(route.commands == ["00B0000001"])
    }
}
