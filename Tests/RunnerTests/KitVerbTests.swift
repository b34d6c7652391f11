// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import JSONText
import RunRecord
import Runner
import Synchronization
import Testing

/// The words of the dev kit beyond the plain flow, through scenarios on the emulated kit.
@Suite struct KitVerbTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    /// A case that has FILE_1 written and the button pressed; more steps follow.
    private func pressed(_ steps: String, options: String = "") -> String {
        let lines = steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        return kitHead + """
            \(options)
            setup:
              - select: D2760000850101
            cases:
              - name: c
                steps:
                  - write: { file: FILE_1, data: 01 }
                  - field: off
                  - kit.button: press

            """ + lines
    }

    private func expectPass(_ text: String) throws {
        let outcome = try bench.runCase(text)
        #expect(outcome.verdict == .passed, "\(outcome.problem.map { "\($0.message) \($0.details)" } ?? "")")
    }

    // MARK: Three witnesses

    @Test func `Probe, log and FILE_2 agree on a good kit`() throws {
        let outcome = try bench.runCase(
            pressed(
                """
                - kit.led: { was: dark, is: lit }
                - field: on
                - kit.agree: lit
                  expect: { seen: lit, log: lit, file: 01 }
                """
            )
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(
            outcome.attempts[0].steps.last?.detail
                == "the probe, the log and FILE_2 agree that the LED is lit"
        )
    }

    @Test func `A LED that is stuck is named against log and file`() throws {
        let outcome = try bench.runCase(
            pressed(
                """
                - delay: 100ms
                - field: on
                - kit.agree: lit
                """,
                options: "options: { led: stuck-dark }"
            )
        )
        #expect(outcome.problem?.type == "ProbeMismatch")
        #expect(
            outcome.problem?.message.hasSuffix(
                "the probe says dark, while the log and FILE_2 say that the LED is lit"
            ) == true
        )
    }

    @Test func `A LED that is stuck is named by kit_led too, which asks log and FILE_2`() throws {
        let outcome = try bench.runCase(
            pressed("- kit.led: { was: dark, is: lit }", options: "options: { led: stuck-dark }")
        )
        #expect(
            outcome.problem?.message.hasSuffix(
                "; the probe says dark, while the log and FILE_2 say that the LED is lit"
            ) == true,
            "\(outcome.problem?.message ?? "")"
        )
        #expect(outcome.problem?.details.contains { $0.contains("was the button pressed") } == false)
        // The field was off, and is so again.
        #expect(
            try bench.trace(outcome.attempts[0]).filter { $0.hasPrefix("(field") }.suffix(2) == [
                "(field on)", "(field off)",
            ]
        )
    }

    @Test func `A LED that was not in its old state is named against what was said before the press`() throws
    {
        let stuck = try bench.runCase(
            pressed("- kit.led: { was: dark, is: lit }", options: "options: { led: stuck-lit }")
        )
        let agreed = "the probe says lit, while the log until then and FILE_2 say that the LED is dark"
        #expect(
            stuck.problem?.message.hasSuffix("expected a change from dark; " + agreed) == true,
            "\(stuck.problem?.message ?? "")"
        )
        #expect(stuck.problem?.details.contains { $0.contains("is its loop running") } == false)
        #expect(stuck.problem?.details.contains("expected  LED dark, then lit") == true)
        // What the firmware has written since the press is its word of the new state.
        let late = try bench.runCase(
            pressed(
                "- delay: 200ms\n- kit.led: { was: dark, is: lit }",
                options: "options: { led: stuck-lit }"
            )
        )
        #expect(
            late.problem?.message.hasSuffix(
                "; the probe says lit, while the log until then says that the LED is dark"
            )
                == true,
            "\(late.problem?.message ?? "")"
        )
        // Without a look before the press, all of them are asked for now.
        let now = try bench.runCase(
            kitHead + """
                options: { led: stuck-lit }
                cases:
                  - name: c
                    steps:
                      - kit.led: { was: dark, is: lit }
                """
        )
        #expect(
            now.problem?.message.hasSuffix(
                "the probe says lit, while the log and FILE_2 say that the LED is dark"
            )
                == true,
            "\(now.problem?.message ?? "")"
        )
    }

    @Test func `A LED that was lit all the time is no quarrel of witnesses`() throws {
        let outcome = try bench.runCase(
            pressed(
                """
                - delay: 200ms
                - kit.button: press
                - kit.led: { was: dark, is: lit }
                """
            )
        )
        #expect(
            outcome.problem?.message.hasSuffix(
                "; the probe, the log until then and FILE_2 agree that the LED is lit"
            ) == true,
            "\(outcome.problem?.message ?? "")"
        )
        #expect(outcome.problem?.details.contains { $0.contains("is its loop running") } == false)
    }

    @Test(arguments: ["2ms", "10ms", "38ms"])
    func `A LED that blinks is neither state to three witnesses`(half: String) throws {
        for delay in ["0ms", "4ms", "12ms", "30ms"] {
            for state in ["lit", "dark"] {
                let outcome = try bench.runCase(
                    kitHead + """
                        options: { led: blinking, led-blink: \(half) }
                        cases:
                          - name: c
                            steps:
                              - delay: \(delay)
                              - kit.agree: \(state)
                        """
                )
                #expect(outcome.problem?.type == "ProbeMismatch")
                #expect(
                    outcome.problem?.message.contains("the probe says neither lit nor dark") == true,
                    "\(outcome.problem?.message ?? "")"
                )
            }
        }
    }

    @Test func `A LED that lights shortly before the limit is in time`() throws {
        try expectPass(
            pressed(
                "- kit.led: { was: dark, is: lit }\n  expect: { within: 310ms, latency: \"<310ms\" }",
                options: "options: { firmware-latency: 300ms }"
            )
        )
        let late = try bench.runCase(
            pressed(
                "- kit.led: { was: dark, is: lit }\n  expect: { within: 290ms }",
                options: "options: { firmware-latency: 300ms }"
            )
        )
        #expect(late.verdict == .failed)
    }

    @Test func `A button that does nothing is no quarrel of witnesses`() throws {
        let outcome = try bench.runCase(
            pressed("- kit.led: { was: dark, is: lit }", options: "options: { button: dead }")
        )
        #expect(
            outcome.problem?.message.hasSuffix("; the probe, the log and FILE_2 agree that the LED is dark")
                == true,
            "\(outcome.problem?.message ?? "")"
        )
    }

    @Test func `A poll of the LED leaves the field as it is between its tries`() throws {
        let outcome = try bench.runCase(
            pressed(
                """
                - kit.led: lit
                  poll: { every: 10ms, max: 200ms, until: { state: lit } }
                """,
                options: "options: { led: stuck-dark }"
            )
        )
        #expect(outcome.verdict == .failed)
        #expect(try bench.trace(outcome.attempts[0]).filter { $0.hasPrefix("(field") }.count == 1)
    }

    // MARK: Judging

    @Test(arguments: ["9ms", "10ms", "11ms", "20ms"])
    func `A LED that blinks fast is neither dark nor lit, nor does it stay so`(half: String) throws {
        for delay in ["0ms", "4ms", "12ms"] {
            for wanted in ["dark", "lit", "{ is: dark, for: 2s }", "{ is: lit, for: 2s }"] {
                let outcome = try bench.runCase(
                    pressed(
                        "- delay: \(delay)\n- kit.led: \(wanted)",
                        options: "options: { led: blinking, led-blink: \(half) }"
                    )
                )
                #expect(outcome.problem?.type == "ProbeMismatch", "\(wanted) after \(delay)")
            }
        }
    }

    @Test func `A change beside for is judged first`() throws {
        try expectPass(pressed("- kit.led: { was: dark, is: lit, for: 500ms }"))
        let never = try bench.runCase(
            kitHead + """
                cases:
                  - name: c
                    steps:
                      - kit.led: { was: lit, is: dark, for: 100ms }
                """
        )
        #expect(never.problem?.message.contains("a change from lit was not seen") == true)
    }

    @Test func `A limit in which nothing can be judged is a mistake of the file`() throws {
        func mistakes(_ step: String) throws -> [String] { try bench.mistakes(pressed(step)) }
        for time in ["5ms", "15ms", "59ms"] {
            let found = try mistakes("- kit.led: dark\n  expect: { within: \(time) }")
            #expect(found.count == 1)
            #expect(found.first?.contains("'within' is too short: judging a LED takes 60ms at least") == true)
        }
        #expect(try mistakes("- kit.led: dark\n  expect: { within: 60ms }").isEmpty)
        for time in ["0ms", "30ms", "59ms"] {
            let found = try mistakes("- kit.led: { is: dark, for: \(time) }")
            #expect(found.count == 1)
            #expect(found.first?.contains("a LED is looked at for 60.0 ms to be judged") == true)
        }
        let blinking = try mistakes("- kit.led: { blink: 500ms }\n  expect: { within: 2s }")
        #expect(blinking.first?.contains("'within' means nothing beside 'blink'") == true)
    }

    @Test(arguments: ["kit.led: dark", "kit.led: { is: dark, for: 100ms }", "kit.agree: dark"])
    func `The LED of a kit that is held in reset cannot be judged`(step: String) throws {
        let outcome = try bench.runCase(
            kitHead + """
                cases:
                  - name: c
                    steps:
                      - kit.reset: hold
                      - \(step)
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.message.contains("the micro-controller is held in reset") == true)
    }

    @Test func `A kit that starts has to be waited for, as on a desk`() throws {
        let outcome = try bench.runCase(
            kitHead + """
                options: { boot-time: 5s }
                cases:
                  - name: c
                    steps:
                      - kit.reset: pulse
                      - kit.led: dark
                """
        )
        #expect(outcome.problem?.message.contains("the firmware has not set the LED's pin up") == true)
    }

    @Test func `Times count from the step, from the press and from the write`() throws {
        try expectPass(
            pressed(
                """
                - kit.led: { was: dark, is: lit }
                  expect: { latency: "<60ms", sincePress: "<60ms", sinceWrite: "<200ms" }
                """
            )
        )
        let outcome = try bench.runCase(
            pressed(
                """
                - kit.led: { was: dark, is: lit }
                  expect: { sincePress: "<5ms" }
                """
            )
        )
        #expect(outcome.verdict == .failed)
    }

    @Test func `A blinking LED is judged by its period`() throws {
        let options = "options: { led: blinking, led-blink: 50ms }"
        try expectPass(
            pressed("- kit.led: { blink: 100ms }\n  expect: { period: \">90ms\" }", options: options)
        )
        let wrong = try bench.runCase(pressed("- kit.led: { blink: 300ms }", options: options))
        #expect(wrong.problem?.type == "ProbeMismatch")
        let still = try bench.runCase(pressed("- kit.led: { blink: 300ms }"))
        #expect(still.problem?.message.contains("expected to blink every 300.0 ms") == true)
    }

    @Test func `A pin that is given away is an error of the rig, never a failure of the product`() throws {
        let outcome = try bench.runCase(
            pressed("- kit.led: lit", options: "options: { led-pin: given-away }")
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "ProbeGone")
        #expect(outcome.problem?.message.contains("cannot judge the LED") == true)
    }

    // MARK: Button, reset, log

    @Test func `A reset makes the firmware look at FILE_1 without the button`() throws {
        try expectPass(
            kitHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: by the button's other way
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - field: off
                      - kit.button: { action: press, via: reset }
                      - kit.led: lit
                  - name: by a reset
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - field: off
                      - kit.reset: {}
                      - kit.led: lit
                  - name: held
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - field: off
                      - kit.reset: hold
                      - delay: 1s
                      - kit.reset: release
                      - kit.led: lit
                """
        )
    }

    @Test func `A line of the log is waited for`() throws {
        try expectPass(
            pressed(
                """
                - kit.uart: { contains: LED turned ON, since: press }
                  expect: { within: 500ms }
                """
            )
        )
        let missing = try bench.runCase(pressed("- kit.uart: { contains: LED turned OFF, since: press }"))
        #expect(missing.problem?.type == "ProbeMismatch")
        #expect(missing.problem?.message.contains("no line of the kit's log holds 'LED turned OFF'") == true)
    }

    @Test(
        arguments: [
            ("kit.reset: {}", "the micro-controller was reset"),
            ("kit.reset: release", "the micro-controller came out of reset"),
            ("kit.button: press", "the button was pressed"),
            (
                "kit.button: { action: press, via: reset }",
                "the micro-controller was reset in place of the button"
            ),
        ]
    )
    func `A LED that did not change says after what`(step: String, cause: String) throws {
        let outcome = try bench.runCase(
            kitHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: nothing was written
                    steps:
                      - field: off
                      - \(step)
                      - kit.led: lit
                """
        )
        #expect(outcome.problem?.type == "ProbeMismatch")
        let message = outcome.problem?.message ?? ""
        #expect(message.contains(" after \(cause), expected lit"), "\(message)")
        #expect(outcome.problem?.hint.contains("\(cause): is its loop running?") == true)
    }

    @Test func `A line since a press needs a press, and a text`() throws {
        let head = kitHead + "cases:\n  - name: c\n    steps:\n      - "
        let unpressed = try bench.runCase(head + "kit.uart: { contains: Asynchronous, since: press }")
        #expect(unpressed.verdict == .error)
        #expect(unpressed.problem?.message.contains("the case has not pressed the button") == true)
        let empty = try bench.mistakes(head + "kit.uart: \"\"")
        #expect(empty.count == 1 && empty.first?.contains("an empty text is in everything") == true)
        try expectPass(head + "kit.uart: Asynchronous")
    }

    @Test func `A change is between two states`() throws {
        let same = try bench.mistakes(
            kitHead + "cases:\n  - name: c\n    steps:\n      - kit.led: { was: dark, is: dark }"
        )
        #expect(same.count == 1 && same.first?.contains("name the same state") == true)
    }

    @Test(arguments: [("20ms", "dark"), ("20ms", "lit"), ("40ms", "dark"), ("40ms", "lit")])
    func `A LED that goes to and fro is told as such, by no witness`(half: String, wanted: String) throws {
        let outcome = try bench.runCase(
            kitHead.replacing(
                "target: nbt",
                with: "target: nbt\noptions: { led: blinking, led-blink: \(half) }"
            )
                + "cases:\n  - name: c\n    steps:\n      - kit.led: \(wanted)"
        )
        let problem = try #require(outcome.problem)
        #expect(problem.message.contains("the LED was not steadily \(wanted)"))
        #expect(!problem.message.contains("agree") && !problem.message.contains("says"))
        #expect(problem.details.contains { $0.contains("a LED that changes (") })
        #expect(problem.hint.isEmpty)
    }

    // MARK: A log that was lost

    /// A kit whose LED is lit and whose UART is gone, after a line that holds `hello`.
    private final class DeafKit: Kit {
        let name = "kit"

        func pressButton() {}
        func led() -> LEDState { .lit }
        func uartLines(since index: Int) -> [UARTLine] {
            Array([UARTLine(time: .zero, line: "hello")].dropFirst(index))
        }
        func checkUART() throws(TransportFault) { throw TransportFault(.probe, "the log is gone") }
        func settle() {}
    }

    @Test(
        arguments: [
            ("kit.uart: hello", nil), ("kit.uart: good-bye", "the log is gone"),
            ("kit.agree: lit", "the log is gone"),
        ]
    )
    func `A line that a lost log may have missed is no failure of the product`(
        step: String,
        complaint: String?
    ) throws {
        let carried = Set(["kit.led", "kit.uart"].map { Capability(rawValue: $0) })
        let route = ScriptedRoute(kit: DeafKit(), offered: carried, carried: carried) { command in
            command.hasPrefix("00B0") ? "019000" : "9000"
        }
        let outcome = try bench.runCase(
            "rig: 1\nsuite: t\ntarget: nbt\ncases:\n  - name: c\n    steps:\n      - \(step)",
            route: route
        )
        #expect(outcome.verdict == (complaint == nil ? .passed : .error), "\(outcome.problem?.message ?? "")")
        #expect(outcome.problem?.type == complaint.map { _ in "ProbeGone" })
        #expect(outcome.problem?.message.contains(complaint ?? "") ?? true)
    }

    // MARK: What a case leaves behind

    /// A kit whose reset line stays as it was left.
    private final class LeftKit: Kit {
        let name = "kit"
        private let held = Mutex(false)
        private let onHold: @Sendable () -> Void

        init(onHold: @escaping @Sendable () -> Void = {}) { self.onHold = onHold }

        var isHeld: Bool { held.withLock { $0 } }

        func pressButton() {}
        func led() -> LEDState { .dark }
        func holdReset(_ isHeld: Bool) {
            held.withLock { $0 = isHeld }
            if isHeld { onHold() }
        }
        func letGo() { held.withLock { $0 = false } }
        func uartLines(since index: Int) -> [UARTLine] { [] }
        func settle() {}
    }

    private static let holding = """
        rig: 1
        suite: t
        target: nbt
        cases:
          - name: holds
            steps:
              - kit.reset: hold
              - delay: 20s
        """

    private func route(_ kit: LeftKit) -> ScriptedRoute {
        ScriptedRoute(kit: kit, carried: [Capability(rawValue: "kit.reset")]) { _ in "9000" }
    }

    @Test func `A reset line that a case holds is let go behind it`() throws {
        let kit = LeftKit()
        let short = Self.holding.replacing("20s", with: "1ms")
        #expect(try bench.run(short, route: route(kit)).verdicts == ["holds: passed"])
        #expect(!kit.isHeld)
    }

    @Test func `An interrupted case lets the reset line go, also when its teardown is skipped`() throws {
        for count in [1, 2] {
            let interruption = Interruption()
            let kit = LeftKit { for _ in 0..<count { interruption.request("SIGINT") } }
            let record = try bench.run(Self.holding, route: route(kit), interruption: interruption)
            #expect(record.interruptedBy == "SIGINT")
            #expect(!kit.isHeld)
        }
    }

    // MARK: The second trace

    @Test func `What the firmware says to the chip is in the trace, marked with its source`() throws {
        let outcome = try bench.runCase(pressed("- kit.led: { was: dark, is: lit }"))
        let events = try bench.traceRecords(outcome.attempts[0].trace).filter {
            $0["event"]?.string == "kit-exchange"
        }
        #expect(events.count == 5)
        #expect(events.allSatisfy { $0["source"]?.string == "uart" && $0["interface"]?.string == "i2c" })
        #expect(events.first?["command"]?.string == "00A4040007D276000085010100")
        #expect(events.first?["answer"]?.string == "9000")
        #expect(events.last?["command"]?.string == "00D600000101")
        // They are not counted among the reader's exchanges.
        #expect(outcome.attempts[0].exchangeCount == 3)
    }
}
