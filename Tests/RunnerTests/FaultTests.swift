// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

/// Faults that a scenario asks for, and faults that it expects.
@Suite struct FaultTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    /// A fault and what becomes of a write and of the file.
    struct Row: CustomTestStringConvertible {
        let fault: String
        let expect: String
        let content: String
        var testDescription: String { fault }
    }

    static let rows = [
        Row(fault: "when: before, kind: remove", expect: "fault: card-removed", content: "00000000"),
        Row(fault: "when: during, kind: remove", expect: "fault: card-removed", content: "11220000"),
        Row(
            fault: "when: after-answer-lost, kind: remove",
            expect: "fault: card-removed",
            content: "11223344"
        ),
        Row(fault: "when: before, kind: power-loss", expect: "fault: card-removed", content: "00000000"),
        Row(fault: "when: during, kind: power-loss", expect: "fault: card-removed", content: "11220000"),
        Row(
            fault: "when: after-answer-lost, kind: power-loss",
            expect: "fault: card-removed",
            content: "11223344"
        ),
        Row(fault: "when: before, kind: reset", expect: "fault: card-reset", content: "00000000"),
        Row(fault: "when: during, kind: reset", expect: "fault: card-reset", content: "11220000"),
        Row(fault: "when: after-answer-lost, kind: reset", expect: "fault: card-reset", content: "11223344"),
        Row(fault: "when: before, kind: mute", expect: "fault: timeout", content: "00000000"),
        Row(fault: "when: during, kind: mute", expect: "fault: timeout", content: "11223344"),
        Row(fault: "when: after-answer-lost, kind: mute", expect: "fault: timeout", content: "11223344"),
        Row(fault: "when: before, kind: sw, sw: 6581", expect: "sw: 6581", content: "00000000"),
        Row(fault: "when: during, kind: sw, sw: 6581", expect: "sw: 6581", content: "11223344"),
        Row(fault: "when: after-answer-lost, kind: sw, sw: 6581", expect: "sw: 6581", content: "11223344"),
        Row(
            fault: "when: before, kind: delay, delay: 400ms",
            expect: "time: \">400ms\"",
            content: "11223344"
        ),
        Row(
            fault: "when: during, kind: delay, delay: 400ms",
            expect: "time: \">400ms\"",
            content: "11223344"
        ),
        Row(
            fault: "when: after-answer-lost, kind: delay, delay: 400ms",
            expect: "time: \">400ms\"",
            content: "11223344"
        ),
        Row(fault: "when: before, kind: delay, delay: 900ms", expect: "fault: timeout", content: "00000000"),
        Row(fault: "kind: truncate, truncate: 1", expect: "fault: transport", content: "11223344"),
        Row(fault: "kind: corrupt", expect: "sw: 6F00", content: "11223344"),
    ]

    @Test(arguments: rows)
    func `A fault at a write leaves the card as such a failure would`(row: Row) throws {
        let outcome = try bench.runCase(
            nbtHead + """
                limits: { apdu: 500ms }
                setup:
                  - select: D2760000850101
                  - select: FILE_1
                cases:
                  - name: c
                    steps:
                      - write: { data: 11223344 }
                        fault: { \(row.fault) }
                        expect: { \(row.expect) }
                      - connect: {}
                      - select: D2760000850101
                      - read: { file: FILE_1, length: 4 }
                        expect: { data: \(row.content) }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test(arguments: [
        ("at: 2", "FILE_2"), ("at: write", "FILE_1"), ("at: \"the third\"", "FILE_3"),
        ("at: 3, times: 2", "FILE_3"),
    ])
    func `A fault of the case strikes at an exchange, a verb or a name`(at: String, file: String) throws {
        let record = try bench.run(
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: c
                    fault: { \(at), when: before, kind: sw, sw: 6F42 }
                    steps:
                      - select: FILE_1
                        allow: [6F42]
                      - write: { data: 01 }
                        allow: [6F42]
                      - select: FILE_3
                        name: the third
                        allow: [6F42]
                """
        )
        let outcome = record.suites[0].cases[0]
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        let struck = try bench.trace(outcome.attempts[0]).dropFirst().firstIndex { $0.hasSuffix("6F42") }
        let expected = ["FILE_1": 2, "FILE_2": 2, "FILE_3": 3][file]
        #expect(struck == expected)
        #expect(
            outcome.attempts[0].steps.filter { $0.exchanges.contains { $0.response == "6F42" } }.count == 1
        )
    }

    @Test func `The number of a step's fault counts the step's own exchanges`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: c
                    steps:
                      - select: FILE_2
                      - read: { file: FILE_1, length: 1 }
                        fault: { at: 2, when: before, kind: sw, sw: 6F42 }
                        expect: { sw: 6F42 }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `After an expected fault the case goes on where the card comes back`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: c
                    fault: { at: 1, when: before, kind: remove }
                    steps:
                      - select: FILE_1
                        expect: { fault: card-removed }
                      - read: { file: FILE_1 }
                      - log: the probe can still be asked
                      - field: on
                      - select: D2760000850101
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(
            outcome.attempts[0].steps.dropFirst().map(\.verdict) == [
                .passed, .skipped, .passed, .passed, .passed,
            ]
        )
        #expect(
            outcome.attempts[0].steps[2].detail
                == "the link is down since the expected card-removed, until a later step brings it back"
        )
    }

    @Test func `A step after a fault with nobody to bring the card back is an error, not a skip`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: c
                    fault: { at: 1, when: before, kind: remove }
                    steps:
                      - select: D2760000850101
                        expect: { fault: card-removed }
                      - read: { file: FILE_1 }
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "CardRemoved")
        #expect(outcome.problem?.step == "step.2")
    }

    @Test func `The field brings a card back after a timeout as well`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                limits: { apdu: 200ms }
                cases:
                  - name: on
                    steps:
                      - select: D2760000850101
                        fault: { kind: mute }
                        expect: { fault: timeout }
                      - field: on
                      - select: D2760000850101
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A reset that works brings a card back as well`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                        fault: { kind: reset }
                        expect: { fault: card-reset }
                      - reset: warm
                      - select: D2760000850101
                      - connect: {}
                      - select: D2760000850101
                """
        )
        #expect(outcome.attempts[0].steps.map(\.verdict) == [.passed, .passed, .passed, .passed, .passed])
    }

    @Test func `A fault with several words passes on any of them`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                        fault: { kind: reset }
                        expect: { fault: [card-removed, card-reset] }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A fault that never struck is told with its place`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850101
                  - select: FILE_1
                cases:
                  - name: c
                    fault: { at: 2, when: after-answer-lost, kind: remove }
                    steps:
                      - write: { data: 01 }
                """
        )
        #expect(outcome.verdict == .error)
        #expect(
            outcome.problem?.message
                == "the fault never struck: remove after the answer to exchange 2 did not happen in the case's own steps"
        )
        #expect(outcome.problem?.line == 10)
    }

    @Test func `A torn NDEF write leaves an empty tag that can be written again`() throws {
        // Field case S31, with the loss behind the third command of the write.
        let outcome = try bench.runCase(
            kitHead + """
                options: { mlc: 52, firmware-loop: off }
                vars:
                  message: { random: 120 }
                cases:
                  - name: tear
                    fault: { at: 6, when: after-answer-lost, kind: power-loss }
                    steps:
                      - ndef.write: "${message}"
                        expect: { fault: card-removed }
                      - connect: {}
                      - ndef.read: {}
                        expect: { length: 0 }
                      - ndef.write: "${message}"
                      - ndef.read: {}
                        expect: { message: "${message}" }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }
}
