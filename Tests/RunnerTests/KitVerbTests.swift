// SPDX-License-Identifier: MIT

import JSONText
import RunRecord
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

    @Test func `A LED that does not follow its log is told so by kit_led too`() throws {
        let outcome = try bench.runCase(
            pressed("- kit.led: { was: dark, is: lit }", options: "options: { led: stuck-dark }")
        )
        #expect(
            outcome.problem?.message.hasSuffix(
                "the firmware's log says that it turned ON, so probe and log disagree"
            ) == true,
            "\(outcome.problem?.message ?? "")"
        )
    }

    // MARK: Judging

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
