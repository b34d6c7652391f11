// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

/// What a lost command's repetition is answered by: the same state, or not at all.
@Suite struct RetryStateTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    // MARK: Within a verb

    /// Verbs that select for themselves, and what stands before them.
    private static let verbs = [
        "read: { file: FILE_1, length: 1 }", "read: { file: FILE_1, length: 600 }", "ndef.read: {}",
        "nbt.policy: {}",
    ]

    @Test(arguments: verbs)
    func `A link that is lost anywhere in a verb that only reads costs a repetition and no verdict`(
        verb: String
    ) throws {
        let head = nbtHead + "setup:\n  - select: D2760000850101\ncases:\n  - name: c\n"
        let whole = try bench.runCase(head + "    steps:\n      - \(verb)\n")
        #expect(whole.verdict == .passed, "\(whole.problem?.message ?? "")")
        let count = try bench.commands(whole.attempts[0]).count - 1
        #expect(count > 0)
        for number in 1...count {
            let outcome = try bench.runCase(
                head + "    fault: { at: \(number), when: before, kind: remove }\n"
                    + "    steps:\n      - \(verb)\n"
            )
            #expect(outcome.verdict == .passed, "at \(number): \(outcome.problem?.message ?? "")")
            #expect(outcome.resentCommands == 1, "at \(number)")
        }
    }

    /// Verbs with commands of the chip's own, of which nobody may say that they are harmless.
    @Test(arguments: ["nbt.get-configuration: product-short-name", "nbt.version: {}"])
    func `In a verb with other commands it is an error of the rig, and no failure`(verb: String) throws {
        for number in 1...2 {
            let outcome = try bench.runCase(
                nbtHead + "setup:\n  - select: D2760000850101\ncases:\n  - name: c\n"
                    + "    fault: { at: \(number), when: before, kind: remove }\n"
                    + "    steps:\n      - \(verb)\n      - \(verb)\n"
            )
            #expect(outcome.verdict != .failed, "at \(number): \(outcome.problem?.message ?? "")")
            #expect(outcome.attempts[0].problem?.type ?? "CardRemoved" == "CardRemoved", "at \(number)")
        }
    }

    // MARK: Between steps

    /// Steps of which the last is lost once, and all that the card then got.
    private func lost(
        _ steps: [String],
        answers: [String: String] = [:],
        refusedAgain: String? = nil
    ) throws -> (CaseRecord, [String]) {
        let (losses, selections) = (Counter(), Counter())
        let last = steps.last?.split(separator: " ").last.map(String.init) ?? ""
        let route = ScriptedRoute { sent throws(TransportFault) in
            if sent == last, losses.next() == steps.count(where: { $0.hasSuffix(last) }) {
                throw TransportFault(.transport, "lost")
            }
            if sent == refusedAgain, selections.next() > 1 { return "6A82" }
            return answers[sent] ?? "9000"
        }
        let lines = steps.map { "      - \($0)\n" }.joined()
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

            """ + lines,
            route: route
        )
        return (outcome, route.commands)
    }

    @Test func `Behind a fresh connection of the case's own nothing of the set-up is done again`() throws {
        let (outcome, commands) = try lost([
            "connect: {}", "send: 00A4000C02E101", "send: 00B0000001",
        ])
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(commands.suffix(3) == ["00B0000001", "00A4000C02E101", "00B0000001"])
        #expect(outcome.warnings == ["lost; connected again, then the command was repeated"])
    }

    /// What no replay brings back: authentications of a maker's own, an open channel, a failed PIN, a record pointer, an
    /// occurrence, the rest of an answer.
    private static let beyond: [[String]] = [
        ["send: 8050000008AABBCCDDEEFF0011", "send: 00B0000001"],
        ["send: 0070000001", "send: 00B0000001"],
        ["{ send: 00200001021234, expect: { sw: 63C2 } }", "send: 00B0000001"],
        ["send: 00B2000200", "send: 00B2000200"],
        ["send: 00A4020E02E101", "send: 00B0000001"],
        ["{ send: 00CA9F7F00, raw: true, expect: { sw: 6110 } }", "send: 00C0000010"],
    ]

    @Test(arguments: beyond)
    func `A command is not repeated where its state cannot be brought back`(steps: [String]) throws {
        let (outcome, commands) = try lost(
            steps,
            answers: ["00200001021234": "63C2", "00CA9F7F00": "6110"]
        )
        #expect(outcome.problem?.type == "LinkLost", "\(outcome.problem?.message ?? "")")
        #expect(outcome.resentCommands == 0)
        #expect(commands.count == 3)
    }

    @Test(arguments: [
        ["send: 00D6000001AA", "send: 00B0000001"],
        ["{ send: \"80500000\", expect: { sw: 6D00 } }", "send: 00B0000001"],
        ["send: 00B2010400", "send: 00B2010400"],
    ])
    func `What outlives a reset, and what was refused, is in nobody's way`(steps: [String]) throws {
        let (outcome, _) = try lost(steps, answers: ["80500000": "6D00"])
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.resentCommands == 1)
    }

    @Test func `A file that was selected by a read is selected again by one`() throws {
        let (outcome, commands) = try lost(["send: 00B0810001", "send: 00B0820001", "send: 00B0000101"])
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(commands.suffix(3) == ["00A4040005A000000001", "00B0820001", "00B0000101"])
    }

    @Test func `A selection that is refused when it is done again leaves the loss as the problem`() throws {
        let (outcome, commands) = try lost(
            ["send: 00A4000C02E101", "send: 00B0000001"],
            refusedAgain: "00A4000C02E101"
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "LinkLost")
        #expect(commands.last == "00A4000C02E101")
    }

    // MARK: Before the teardown

    private func teardown(
        _ case: String,
        interruption: Interruption = Interruption(),
        behaviour: @escaping ScriptedRoute.Behaviour
    ) throws -> (RunRecord, ScriptedRoute) {
        let route = ScriptedRoute(behaviour: behaviour)
        let record = try bench.run(
            """
            rig: 1
            suite: t
            target: iso7816
            setup:
              - send: 00A4000C02E104
            teardown:
              - send: 00D6000001AA
            cases:
              - name: c

            """ + `case`,
            route: route,
            interruption: interruption
        )
        return (record, route)
    }

    @Test func `An interrupt between two exchanges leaves the teardown the card as it is`() throws {
        let interruption = Interruption()
        let (record, route) = try teardown(
            "    steps: [{ send: 00B0000001 }, { delay: 20s }]\n",
            interruption: interruption
        ) { command in
            if command == "00B0000001" { interruption.request("SIGINT") }
            return "9000"
        }
        #expect(try record.testCase("c").problem?.type == "Interrupted")
        #expect(route.reconnects == 0)
        #expect(route.commands.last == "00D6000001AA")
        #expect(record.notes == [])
    }

    @Test func `So do a limit of the case, and trouble with what is no card`() throws {
        let (late, first) = try teardown(
            "    limits: { case: 50ms }\n    steps: [{ send: 00B0000001 }, { delay: 20s }]\n"
        ) { _ in "9000" }
        #expect(try late.testCase("c").verdict != .passed)
        #expect(first.reconnects == 0)
        let (_, second) = try teardown("    steps: [{ send: 00B0000001 }]\n") {
            command throws(TransportFault) in
            if command == "00B0000001" { throw TransportFault(.control, "the relay is gone") }
            return "9000"
        }
        #expect(second.reconnects == 0)
    }

    @Test(arguments: [FaultKind.cardRemoved, .timeout, .cardMute])
    func `A link that the case lost is made anew for the teardown`(kind: FaultKind) throws {
        let (record, route) = try teardown(
            "    limits: { case: 200ms }\n    steps: [{ send: 00F8000000 }]\n"
        ) { command throws(TransportFault) in
            if command == "00F8000000" {
                if kind == .timeout { SystemClock().wait(.milliseconds(250)) }
                throw TransportFault(kind, "gone")
            }
            return "9000"
        }
        #expect(try record.testCase("c").verdict != .passed)
        #expect(route.reconnects == 1)
    }
}
