// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

/// Calls that never return, on the host's clock.
@Suite(.timeLimit(.minutes(5))) struct SupervisionTests {
    private let bench: ScenarioBench
    private let clock = ContinuousClock()

    init() throws {
        bench = try ScenarioBench()
    }

    private let text = """
        rig: 1
        suite: t
        target: iso7816
        limits: { apdu: 300ms, teardown: 1s }
        teardown:
          - send: 00B00000FF
        cases:
          - name: hangs
            steps:
              - send: 00B0000001
              - send: 00B0000002
              - send: 00B0000003
          - name: next
            steps:
              - send: 00B0000004
        """

    @Test func `A card that never answers is booked at its deadline, and a new connection tears down`() throws
    {
        let route = ScriptedRoute { $0 == "00B0000002" ? nil : "9000" }
        defer { route.release() }
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["hangs: error", "next: passed"])
        let hung = try record.testCase("hangs")
        #expect(hung.problem?.type == "RigTimeout")
        #expect(hung.problem?.message == "step 2 send 00B0000002: no answer in 300 ms")
        #expect(hung.attempts[0].teardownProblem == nil)
        #expect(hung.attempts[0].steps.map(\.label) == ["step.1", "step.2", "teardown.1"])
        #expect(hung.attempts[0].steps.map(\.verdict) == [.passed, .error, .passed])
        #expect(hung.attempts[0].steps[1].duration >= .milliseconds(300))
        #expect(hung.attempts[0].exchangeCount == 3)
        // The teardown's exchange alone was timed to its end, and speaks for nothing.
        #expect(hung.attempts[0].timing == nil)
        #expect(route.opens == 3)
        #expect(route.commands == ["00B0000001", "00B0000002", "00B00000FF", "00B0000004", "00B00000FF"])
        #expect(
            try bench.trace(hung.attempts[0])
                == ["00B0000001 9000", "00B0000002 !timeout", "00B00000FF 9000", "= error"]
        )
        #expect(hung.attempts[0].traceSHA256.count == 64)
    }

    @Test func `The hang is told when it is booked, not after the teardown`() throws {
        let route = ScriptedRoute { $0 == "00B0000002" ? nil : "9000" }
        defer { route.release() }
        try bench.run(text, route: route)
        let labels = bench.events.compactMap { event -> String? in
            guard case .stepEnded(_, "hangs", let step) = event else { return nil }
            return "\(step.label) \(step.verdict.rawValue)"
        }
        #expect(labels == ["step.1 passed", "step.2 error", "teardown.1 passed"])
    }

    @Test func `A reader that does not come back is out of use, and the other cases are errors at once`()
        throws
    {
        let gate = ScriptedRoute { _ in nil }
        let route = ScriptedRoute(
            opening: { number in if number > 1 { gate.block() } },
            behaviour: { $0 == "00B0000002" ? nil : "9000" }
        )
        defer {
            route.release()
            gate.release()
        }
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["hangs: error", "next: error"])
        #expect(try record.testCase("hangs").problem?.type == "RigTimeout")
        let next = try record.testCase("next")
        #expect(next.problem?.type == "RigTimeout")
        #expect(
            next.problem?.message == "the reader is out of use since an earlier case: no answer in 300 ms"
        )
        #expect(next.attempts.isEmpty)
        #expect(route.opens == 2)
        let notes = bench.events.compactMap { event -> String? in
            guard case .note(let text) = event else { return nil }
            return text
        }
        #expect(notes == ["fake: out of use for the rest of the run: no answer in 300 ms"])
    }

    @Test func `What a case needs is known to be missing, whether the reader is in use or not`() throws {
        let gate = ScriptedRoute { _ in nil }
        let route = ScriptedRoute(
            offered: [],
            opening: { number in if number > 1 { gate.block() } },
            behaviour: { $0 == "00B0000002" ? nil : "9000" }
        )
        defer {
            route.release()
            gate.release()
        }
        let needy = text.replacing("- name: next\n", with: "- name: next\n    needs: [kit.led]\n")
        let record = try bench.run(needy, route: route)
        #expect(record.verdicts == ["hangs: error", "next: skipped"])
        #expect(
            try record.testCase("next").problem?.message
                == "needs capability kit.led; iso7816@fake does not offer it"
        )
    }

    @Test func `A reader that refuses the second connection is out of use as well`() throws {
        let route = ScriptedRoute(
            opening: { number throws(TransportFault) in
                if number > 1 { throw TransportFault(.noReader, "no reader") }
            },
            behaviour: { $0 == "00B0000002" ? nil : "9000" }
        )
        defer { route.release() }
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["hangs: error", "next: error"])
        #expect(try record.testCase("hangs").problem?.type == "RigTimeout")
    }

    @Test func `A teardown that fails on the new connection does not put the reader out of use`() throws {
        let route = ScriptedRoute { command in
            switch command {
            case "00B0000002": nil
            case "00B00000FF": "6985"
            default: "9000"
            }
        }
        defer { route.release() }
        let record = try bench.run(text, route: route)
        let hung = try record.testCase("hangs")
        #expect(hung.problem?.type == "RigTimeout")
        #expect(hung.attempts[0].teardownProblem?.type == "TeardownFailed")
        #expect(try record.testCase("next").problem?.type == "TeardownFailed")
        #expect(route.opens == 3)
    }

    @Test func `A connection that is never made is booked, and tried again once`() throws {
        let gate = ScriptedRoute { _ in nil }
        let route = ScriptedRoute(opening: { if $0 == 1 { gate.block() } }, behaviour: { _ in "9000" })
        defer { gate.release() }
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["hangs: error", "next: passed"])
        #expect(try record.testCase("hangs").problem?.message == "connect fake: the connection was not made")
    }

    @Test func `A card that is let go for ever at the end of its case leaves a trace with one end`() throws {
        let gate = ScriptedRoute { _ in nil }
        let route = ScriptedRoute(closing: { if $0 == 1 { gate.block() } }, behaviour: { _ in "9000" })
        let record = try bench.run(text, route: route)
        let attempt = try record.testCase("hangs").attempts[0]
        #expect(record.verdicts == ["hangs: error", "next: passed"])
        // The thread comes back after all was booked.
        gate.release()
        SystemClock().wait(.milliseconds(100))
        let trace = try bench.trace(attempt)
        #expect(attempt.teardownProblem?.type == "TeardownFailed")
        #expect(trace.filter { $0.hasPrefix("= ") } == ["= passed"])
        #expect(trace.last == "= passed")
    }

    @Test func `An answer that comes late disturbs nothing`() throws {
        let route = ScriptedRoute { $0 == "00B0000002" ? nil : "9000" }
        let record = try bench.run(text, route: route)
        let hung = try record.testCase("hangs")
        let path = hung.attempts[0].trace
        let before = try bench.traceRecords(path).count
        let commands = route.commands
        route.release()
        SystemClock().wait(.milliseconds(100))
        #expect(try bench.traceRecords(path).count == before)
        #expect(route.commands == commands)
    }

    @Test func `A hang in the teardown is an error beside the case's own verdict`() throws {
        let route = ScriptedRoute { $0 == "00B00000FF" ? nil : "9000" }
        defer { route.release() }
        let record = try bench.run(text, route: route)
        let outcome = try record.testCase("hangs")
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "TeardownFailed")
        #expect(outcome.problem?.message == "teardown 1 send 00B00000FF: no answer in 300 ms")
        #expect(outcome.attempts[0].verdict == .passed)
    }

    /// How a teardown may go wrong, and what is said of the device.
    private static let dirt = [
        ("is lost", nil, "teardown 1 send 00B00000FF: gone"),
        ("is refused", "6985", "teardown 1 send 00B00000FF: expected SW 9000, got 6985"),
        ("takes too long", "slow", "teardown 2 delay 3s: the teardown took longer than its limit of 1s"),
    ]

    @Test(arguments: dirt)
    func `A teardown that does not do its work leaves a device that is marked dirty, once (S42)`(
        how: String,
        answer: String?,
        complaint: String
    ) throws {
        let route = ScriptedRoute { command throws(TransportFault) in
            guard command == "00B00000FF", answer != "slow" else { return "9000" }
            guard let answer else { throw TransportFault(.cardRemoved, "gone") }
            return answer
        }
        let slow = answer == "slow" ? "  - send: 00B00000FF\n  - delay: 3s\n" : "  - send: 00B00000FF\n"
        let record = try bench.run(text.replacing("  - send: 00B00000FF\n", with: slow), route: route)
        let name = record.suites[0].cases[0].name
        #expect(
            record.notes.filter { $0.contains("dirty") } == [
                "fake: dirty since the teardown of '\(name)': \(complaint)"
            ]
        )
        #expect(record.suites[0].notes == record.notes)
        // An emulator in process is made anew for each case, so nothing is left of it.
        let emulated = try bench.run(
            nbtHead + """
                teardown:
                  - read: { file: E1A9 }
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(emulated.verdicts == ["c: error"])
        #expect(emulated.notes == [])
    }

    @Test func `A retry is made on a new connection after a hang`() throws {
        let count = Counter()
        let route = ScriptedRoute { $0 == "00B0000002" && count.next() == 1 ? nil : "9000" }
        defer { route.release() }
        let outcome = try bench.runCase(
            text.replacing(
                "  - name: hangs\n",
                with: "  - name: hangs\n    retry: { on: [RigTimeout], max: 1 }\n"
            ),
            route: route
        )
        #expect(outcome.verdict == .passed)
        #expect(outcome.isFlaky)
        #expect(outcome.attempts.map(\.verdict) == [.error, .passed])
    }

    @Test func `A signal during a blocked exchange ends the run within the time of the teardown`() throws {
        let interruption = Interruption()
        let route = ScriptedRoute { command in
            guard command == "00B0000002" else { return "9000" }
            interruption.request("SIGINT")
            return nil
        }
        defer { route.release() }
        let begin = clock.now
        let record = try bench.run(
            text.replacing("apdu: 300ms", with: "apdu: 200s"),
            route: route,
            interruption: interruption
        )
        #expect(clock.now - begin < .seconds(200))
        #expect(record.interruptedBy == "SIGINT")
        #expect(record.verdicts == ["hangs: error"])
        #expect(try record.testCase("hangs").problem?.type == "Interrupted")
        #expect(route.commands.last == "00B00000FF")
    }

    @Test func `A second signal during a blocked exchange ends the run at once, without teardown`() throws {
        let interruption = Interruption()
        let route = ScriptedRoute { command in
            guard command == "00B0000002" else { return "9000" }
            interruption.request("SIGTERM")
            interruption.request("SIGTERM")
            return nil
        }
        defer { route.release() }
        let begin = clock.now
        let record = try bench.run(
            text.replacing("apdu: 300ms", with: "apdu: 200s"),
            route: route,
            interruption: interruption
        )
        #expect(clock.now - begin < .seconds(200))
        #expect(record.interruptedBy == "SIGTERM")
        #expect(route.commands == ["00B0000001", "00B0000002"])
        #expect(try bench.trace(record.testCase("hangs").attempts[0]).last == "= error")
    }

    @Test func `A card that is silent within its deadline only slows the run down`() throws {
        let route = ScriptedRoute { command in
            if command == "00B0000002" { SystemClock().wait(.milliseconds(150)) }
            return "9000"
        }
        #expect(try bench.run(text, route: route).verdicts == ["hangs: passed", "next: passed"])
    }
}
