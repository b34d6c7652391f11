// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import RunRecord
import Runner
import Testing

/// Retry counters are not run down (field case S29 and its kin), and secrets do not leave the rig.
@Suite struct GuardTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func writeCountingCard() throws {
        try bench.writeCard([
            Rule("002000010430303030", "63C2", times: 1), Rule("002000010430303030", "63C1", times: 1),
            Rule("002000010430303030", "63C0"), Rule("002000010431323334", "9000"),
            Rule("00240001083030303031323334", "63C2", times: 1),
            Rule("00240001083030303031323334", "63C1", times: 1), Rule("00240001083030303031323334", "63C0"),
        ])
    }

    @Test(arguments: [
        "send: 002000010430303030", "iso7816.verify: { reference: 01, value: 30303030 }",
        "verify: { reference: 01, value: 30303030 }", "send: 00240001083030303031323334",
    ])
    func `The third wrong attempt is not sent`(verb: String) throws {
        try writeCountingCard()
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: S29
                    steps:
                      - \(verb)
                        expect: { sw: 63C2 }
                      - \(verb)
                        expect: { sw: 63C1 }
                      - \(verb)
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(outcome.problem?.message.hasSuffix("stopped: 1 try left, floor is 1") == true)
        #expect(try bench.commands(outcome.attempts[0]).count == 2)
    }

    @Test func `A case may expect the guard, and goes on at once`() throws {
        try writeCountingCard()
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 002000010430303030
                        repeat: 2
                        expect: { sw: 63Cx }
                      - send: 002000010430303030
                        expect: { fault: guard }
                      - send: 002000010431323334
                        expect: { fault: guard }
                      - send: 0020000100
                        allow: [6D00]
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].steps.map(\.verdict) == [.passed, .passed, .passed, .passed])
    }

    private let withSecret =
        scriptedHead + """
            secrets: [pin]
            cases:
              - name: c
                steps:
                  - send: 002000010430303030
                    repeat: 2
                    expect: { sw: 63Cx }
                  - iso7816.verify: { reference: 01, value: "${pin}" }
                    allow: guard
                  - send: 002000010430303030
                    expect: { sw: 63C0 }
            """

    @Test func `One attempt with a secret value passes where the step allows it`() throws {
        bench.options.environment = ["RIG_VAR_PIN": "31323334"]
        try writeCountingCard()
        let outcome = try bench.runCase(withSecret)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `Only one attempt of a repeated step passes`() throws {
        bench.options.environment = ["RIG_VAR_PIN": "30303030"]
        try writeCountingCard()
        let outcome = try bench.runCase(
            scriptedHead + """
                secrets: [pin]
                cases:
                  - name: c
                    steps:
                      - iso7816.verify: { reference: 01, value: "${pin}" }
                        repeat: 4
                        allow: [guard, 63Cx]
                """
        )
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(outcome.attempts[0].steps[0].tries == 3)
    }

    @Test func `A pass that was not used does not count for a later step`() throws {
        bench.options.environment = ["RIG_VAR_PIN": "30303030"]
        try writeCountingCard()
        let outcome = try bench.runCase(
            scriptedHead + """
                secrets: [pin]
                cases:
                  - name: c
                    steps:
                      - send: 002000010430303030
                        repeat: 2
                        expect: { sw: 63Cx }
                      - log: "${pin}"
                        allow: guard
                      - send: 002000010430303030
                """
        )
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(outcome.problem?.step == "step.3")
    }

    @Test func `Letting an attempt through needs a value under secrets`() throws {
        try writeCountingCard()
        let mistakes = try bench.mistakes(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 002000010430303030
                        allow: guard
                """
        )
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains("needs a value that is named under 'secrets'") == true)
    }

    @Test func `Counters of a real sample outlive the case, those of an emulator do not`() throws {
        let text = """
            rig: 1
            suite: t
            target: iso7816
            cases:
              - name: one
                steps:
                  - send: 002000010430303030
                    expect: { sw: 63C1 }
              - name: two
                steps:
                  - send: 002000010430303030
                    expect: { sw: 63C1 }
            """
        let ledger = RetryLedger()
        let real = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "63C1" }
        let record = try bench.run(text, route: real, ledger: ledger)
        #expect(record.verdicts == ["one: passed", "two: error"])
        #expect(record.suites[0].cases[1].problem?.type == "RetryGuard")
        #expect(ledger.jsonText.contains("\"20/01\": 1"))
        let emulated = ScriptedRoute { _ in "63C1" }
        #expect(try bench.run(text, route: emulated).verdicts == ["one: passed", "two: passed"])
    }

    // MARK: Secrets

    @Test func `A secret stands in no trace and no record`() throws {
        bench.options.environment = ["RIG_VAR_PIN": "51525354"]
        try bench.writeCard([
            Rule("002000010451525354", "9000"), Rule("00B0000004", "515253549000"),
            Rule("00D600000451525354", "9000"),
        ])
        let record = try bench.run(
            scriptedHead + """
                secrets: [pin]
                cases:
                  - name: c
                    steps:
                      - iso7816.verify: { reference: 01, value: "${pin}" }
                      - send: { ins: D6, data: "${pin}" }
                      - log: "the pin is ${pin}"
                      - send: 00B0000004
                        expect: { data: 00000000 }
                  - name: written out
                    steps:
                      - send: 002000010451525354
                """
        )
        #expect(record.verdicts == ["c: failed", "written out: passed"])
        #expect(!record.jsonText.contains("51525354"))
        for testCase in record.suites[0].cases {
            let text = try bench.traceRecords(testCase.attempts[0].trace).map(\.text).joined()
            #expect(!text.contains("51525354"))
        }
        #expect(record.suites[0].cases[1].attempts[0].steps[0].title == "send 0020000104********")
    }
}
