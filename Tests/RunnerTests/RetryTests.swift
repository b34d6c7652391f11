// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import Testing

/// Attempts at cases, and commands that are sent again.
@Suite struct RetryTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    // MARK: Attempts

    @Test func `Of each type of error it is known whether a case is tried again after it`() {
        let (again, never) = (Vocabulary.shipped.errorTypes, Vocabulary.shipped.finalErrorTypes)
        #expect(Set(again).isDisjoint(with: never))
        #expect(Set(again + never) == ProblemType.failures.union(ProblemType.errors))
    }

    @Test func `A case is tried again after a fault that it names, and every attempt is kept`() throws {
        let count = Counter()
        let route = ScriptedRoute { _ throws(TransportFault) in
            if count.next() < 3 { throw TransportFault(.transport, "link lost") }
            return "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: flaky
                retry: { on: [LinkLost], max: 2, delay: 1ms }
                steps:
                  - send: 00D6000001AA
            """,
            route: route
        )
        #expect(outcome.verdict == .passed)
        #expect(outcome.isFlaky)
        #expect(outcome.attempts.map(\.verdict) == [.error, .error, .passed])
        #expect(
            outcome.attempts.map(\.trace) == [
                "traces/t/flaky.jsonl", "traces/t/flaky.2.jsonl", "traces/t/flaky.3.jsonl",
            ]
        )
        #expect(try bench.trace(outcome.attempts[1]) == ["00D6000001AA !transport", "= error"])
        #expect(route.opens == 3)
    }

    @Test(arguments: [(1, 2), (2, 3), (3, 3)])
    func `The strikes of the case's own fault count over its attempts`(times: Int, attempts: Int) throws {
        try bench.writeCard([], default: "9000")
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: flaky
                    retry: { on: [CardMute, CardRemoved], max: 2, delay: 1s }
                    fault: { at: 1, kind: remove, when: before, times: \(times) }
                    steps:
                      - send: 00D6000001AA
                """
        )
        #expect(outcome.attempts.count == attempts)
        #expect(outcome.attempts.dropLast().allSatisfy { $0.problem?.type == "CardRemoved" })
        #expect(outcome.verdict == (times < 3 ? .passed : .error), "\(outcome.problem?.message ?? "")")
        #expect(outcome.isFlaky == (times < 3))
    }

    @Test func `The attempts end, and the last problem is the case's`() throws {
        let route = ScriptedRoute { _ throws(TransportFault) in throw TransportFault(.cardMute, "mute") }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: never
                retry: { on: [CardMute, LinkLost], max: 2 }
                steps:
                  - send: 00D6000001AA
            """,
            route: route
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.attempts.count == 3)
        #expect(!outcome.isFlaky)
    }

    @Test func `A wrong answer is not tried again unless it is named`() throws {
        let text =
            scriptedHead + """
                cases:
                  - name: wrong
                    retry: { on: [TYPES], max: 2, delay: 200ms }
                    steps:
                      - send: 00D6000001AA
                """
        try bench.writeCard([], default: "6985")
        let unnamed = try bench.runCase(text.replacing("TYPES", with: "LinkLost"))
        #expect(unnamed.attempts.count == 1)
        let named = try bench.runCase(text.replacing("TYPES", with: "UnexpectedStatus"))
        #expect(named.attempts.map(\.verdict) == [.failed, .failed, .failed])
        #expect(named.verdict == .failed)
    }

    // MARK: Commands

    private func lost(_ command: String, _ kind: FaultKind = .transport, extra: String = "") throws -> (
        CaseRecord, [String]
    ) {
        let count = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == command, count.next() == 1 { throw TransportFault(kind, "lost") }
            return "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4000C02E104
            cases:
              - name: c
                steps:
                  - send: "\(command)"
            \(extra)
            """,
            route: route
        )
        return (outcome, route.commands)
    }

    @Test(arguments: [
        "00A4000C02E103", "00B0000001", "00B2010400", "00CA9F7F00", "00CB3FFF00", "00C0000010",
    ])
    func `A harmless command that the link lost is sent again after set-up, and the case is flaky`(
        command: String
    ) throws {
        let (outcome, commands) = try lost(command)
        #expect(outcome.verdict == .passed)
        #expect(outcome.resentCommands == 1)
        #expect(outcome.resentTypes == ["LinkLost"])
        #expect(outcome.isFlaky)
        #expect(commands == ["00A4000C02E104", command, "00A4000C02E104", command])
        #expect(outcome.warnings == ["lost; connected again and set up again, then the command was repeated"])
    }

    @Test(arguments: [
        "0020000104FFFFFFFF", "00240001021122", "002C000102AABB", "002A9E9A01AA", "00880000020102",
        "80AE8000020102", "00FB0000", "00FC0000", "00D6000001AA", "00D0000001AA", "00F80000",
    ])
    func `A command that may change something is never sent again by itself`(command: String) throws {
        let (outcome, commands) = try lost(command)
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "LinkLost")
        #expect(outcome.resentCommands == 0)
        #expect(commands == ["00A4000C02E104", command])
    }

    @Test func `The step may allow what is forbidden, and forbid what is allowed`() throws {
        let (allowed, _) = try lost("00D6000001AA", extra: "        repeatable: yes")
        #expect(allowed.verdict == .passed)
        #expect(allowed.resentCommands == 1)
        let (forbidden, _) = try lost("00B0000001", extra: "        repeatable: no")
        #expect(forbidden.verdict == .error)
        #expect(forbidden.resentCommands == 0)
    }

    @Test(arguments: [FaultKind.timeout, .cardMute, .readerRemoved, .service, .noCard])
    func `Nothing is sent again after a timeout or without a reader`(kind: FaultKind) throws {
        let (outcome, commands) = try lost("00B0000001", kind)
        #expect(outcome.problem?.type == kind.junitType)
        #expect(commands.count == 2)
    }

    @Test func `A set-up that uses another connection is run again on the same one`() throws {
        let outcome = try bench.runCase(
            nbtHead.replacing("off }", with: "off, state: adt }") + """
                setup:
                  - field: off
                  - select: D2760000850101
                    on: i2c
                  - field: on
                  - select: D2760000850101
                cases:
                  - name: c
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        name: struck
                      - field: off
                      - send: 00A4000C02E1A1
                        on: i2c
                    fault: { at: struck, when: before, kind: reset }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.resentTypes == ["CardReset"])
        #expect(try bench.commands(outcome.attempts[0]).filter { $0 == selectTag }.count == 4)
    }

    @Test func `A recovery that fails is not told as one that came about`() throws {
        let count = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == "00B0000001" { throw TransportFault(.transport, "lost") }
            return count.next() == 1 ? "9000" : "6A82"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4000C02E104
            cases:
              - name: c
                steps:
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.problem?.type == "LinkLost")
        #expect(outcome.resentCommands == 0)
        #expect(outcome.warnings == [])
    }

    @Test func `A command is sent again twice and not more`() throws {
        let route = ScriptedRoute { _ throws(TransportFault) in throw TransportFault(.transport, "lost") }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: c
                steps:
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.problem?.type == "LinkLost")
        #expect(outcome.resentCommands == 2)
        #expect(route.commands.count == 3)
    }

    @Test func `A command is not repeated in a state that no set-up brings back`() throws {
        let count = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == "00B0000001", count.next() == 1 { throw TransportFault(.transport, "lost") }
            return "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: behind a PIN
                steps:
                  - send: 00200001021234
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.problem?.type == "LinkLost")
        #expect(outcome.resentCommands == 0)
    }

    @Test func `What the case's own steps selected is selected again`() throws {
        let count = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == "00B0000001", count.next() == 2 { throw TransportFault(.cardReset, "card was reset") }
            return "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4040005A000000001
            cases:
              - name: c
                steps:
                  - send: 00A4040005A000000002
                  - send: 00A4000C02E101
                  - send: 00A4000C02E102
                  - send: 00B0000001
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.verdict == .passed)
        #expect(
            route.commands.suffix(5) == [
                "00A4040005A000000001", "00A4040005A000000002", "00A4000C02E101", "00A4000C02E102",
                "00B0000001",
            ]
        )
    }

    @Test func `A command that is lost in the set-up lets the set-up begin again`() throws {
        let count = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == "00A4000C02E102", count.next() == 1 { throw TransportFault(.transport, "lost") }
            return "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4000C02E101
              - send: 00A4000C02E102
            cases:
              - name: c
                steps:
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.resentCommands == 1)
        #expect(outcome.attempts[0].steps.map(\.label) == ["setup.1", "setup.2", "step.1"])
        #expect(
            route.commands == [
                "00A4000C02E101", "00A4000C02E102", "00A4000C02E101", "00A4000C02E102", "00B0000001",
            ]
        )
    }

    @Test func `A set-up that is lost again and again comes to an end`() throws {
        let route = ScriptedRoute { _ throws(TransportFault) in throw TransportFault(.transport, "lost") }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4000C02E101
            cases:
              - name: c
                steps:
                  - send: 00B0000001
            """,
            route: route
        )
        #expect(outcome.problem?.type == "LinkLost")
        #expect(route.commands.count == 3)
    }

    @Test func `Captures of a set-up that is run again are those of the new state`() throws {
        let count = Counter()
        let challenge = Counter()
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == "00CA9F7F00", count.next() == 1 { throw TransportFault(.cardReset, "card was reset") }
            return sent == "00CA010100" ? "0\(challenge.next())9000" : "9000"
        }
        let outcome = try bench.runCase(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00CA010100
                capture: { session: data }
            cases:
              - name: c
                steps:
                  - send: 00CA9F7F00
                  - check: { equals: ["${session}", "02"] }
            """,
            route: route
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    // MARK: Another program resets the card

    /// Field case S12, and two more of its kind: the reset comes in the set-up, and behind the last command.
    @Test func `A foreign reset: reconnect, set-up again, the read again, one warning`() throws {
        try bench.writeCard([
            Rule("00A4040007D2760000850101", "9000"),
            Rule("00A4000C02E104", "9000", times: 1, fault: "reset-after"), Rule("00A4000C02E104", "9000"),
            Rule("00B0000002", "000A9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                setup:
                  - send: 00A4040007D2760000850101
                  - send: 00A4000C02E104
                cases:
                  - name: S12
                    steps:
                      - send: 00B0000002
                        expect: { data: 000A }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.warnings.count == 1)
        #expect(outcome.warnings[0].hasPrefix("card was reset by somebody else; "))
        #expect(outcome.isFlaky)
        #expect(
            try bench.trace(outcome.attempts[0]) == [
                "00A4040007D2760000850101 9000", "00A4000C02E104 9000", "00B0000002 !card-reset",
                "(recovery)",
                "(reconnect)", "00A4040007D2760000850101 9000", "00A4000C02E104 9000", "00B0000002 000A9000",
                "= passed",
            ]
        )
        let steps = try bench.traceRecords(outcome.attempts[0].trace).filter { $0["c"] != nil }
        #expect(steps.last?["step"]?.string == "step.1 send 00B0000002")
    }

    @Test func `A foreign reset in the set-up begins it again`() throws {
        try bench.writeCard([
            Rule("00A4040007D2760000850101", "9000", times: 1, fault: "reset-after"),
            Rule("00A4040007D2760000850101", "9000"), Rule("00A4000C02E104", "9000"),
            Rule("00B0000002", "000A9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                setup:
                  - send: 00A4040007D2760000850101
                  - send: 00A4000C02E104
                cases:
                  - name: c
                    steps:
                      - send: 00B0000002
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(
            try bench.commands(outcome.attempts[0]) == [
                "00A4040007D2760000850101", "00A4000C02E104", "00A4040007D2760000850101", "00A4000C02E104",
                "00B0000002",
            ]
        )
    }

    @Test func `A foreign reset before a write is an error: the write is not repeated`() throws {
        try bench.writeCard([
            Rule("00A4000C02E104", "9000", fault: "reset-after"), Rule("00D6000001AA", "9000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                setup:
                  - send: 00A4000C02E104
                cases:
                  - name: c
                    steps:
                      - send: 00D6000001AA
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "CardReset")
        #expect(
            try bench.trace(outcome.attempts[0]).prefix(2) == [
                "00A4000C02E104 9000", "00D6000001AA !card-reset",
            ]
        )
    }
}
