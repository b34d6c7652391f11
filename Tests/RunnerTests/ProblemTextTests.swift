// SPDX-License-Identifier: MIT

import RunRecord
import Testing

/// The sentences that a person reads when a step does not hold.
@Suite struct ProblemTextTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    /// A step and what is told about it.
    struct Sentence: CustomTestStringConvertible {
        let step: String
        let type: String
        let message: String
        var details: [String] = []
        var hint = ""
        var testDescription: String { message }
    }

    static let sentences = [
        Sentence(
            step: "- write: { file: FILE_2, data: 01 }",
            type: "UnexpectedStatus",
            message: "step 1 write FILE_2: expected SW 9000, got 6982",
            details: ["expected  SW 9000", "received  SW 6982 (security status not satisfied)"]
        ),
        Sentence(
            step: "- read: { file: E1A9 }",
            type: "UnexpectedStatus",
            message: "step 1 read E1A9: SELECT E1A9, which comes first, answered 6A82 instead of 9000",
            details: ["expected  SW 9000", "received  SW 6A82 (file or application not found)"]
        ),
        Sentence(
            step: "- read: { file: CC, length: 4 }\n        expect: { data: 002F2000 }",
            type: "UnexpectedData",
            message: "step 1 read CC: expected data 002F2000, got 002F2001",
            details: ["expected  data 002F2000", "received  data 002F2001 (4 bytes)"]
        ),
        Sentence(
            step: "- select: NDEF\n        name: the NDEF file\n        expect: { sw: 6982 }",
            type: "UnexpectedStatus",
            message: "step 1 the NDEF file: expected SW 6982, got 9000",
            details: ["expected  SW 6982", "received  SW 9000 (done)"]
        ),
        Sentence(
            step: "- select: NDEF\n        expect: { time: \"<1ms\" }",
            type: "TimingExceeded",
            message: "step 1 select NDEF: expected time <1ms, took 3ms",
            details: ["expected  time <1ms", "received  time 3ms"]
        ),
        Sentence(
            step: "- check: { equals: [AABB, AACC] }",
            type: "CheckFailed",
            message: "step 1 check: 'AACC' is not equal to 'AABB'",
            details: ["expected  the check to hold", "received  'AACC' is not equal to 'AABB'"]
        ),
        Sentence(
            step: "- kit.led: lit",
            type: "ProbeMismatch",
            message:
                "step 1 kit.led lit: the LED stayed dark for 1.0 s, expected lit; the probe, the log and FILE_2 agree "
                + "that the LED is dark",
            details: ["expected  LED lit", "received  LED dark"]
        ),
        Sentence(
            step: "- ndef.write: 0102",
            type: "UnexpectedStatus",
            message: "step 1 ndef.write 0102: expected SW 9000, got 6982",
            details: ["expected  SW 9000"],
            hint:
                "the card wants an authentication first, or the rights of the file forbid it on this interface"
        ),
        Sentence(
            step: "- ndef.read: {}\n        expect: { error: container }",
            type: "UnexpectedError",
            message: "step 1 ndef.read: expected the error container, but the step ended without one",
            details: ["expected  error container", "received  SW 9000 (done)"]
        ),
        Sentence(
            step: "- select: NDEF\n        fault: { kind: mute }\n        limits: { apdu: 250ms }",
            type: "RigTimeout",
            message: "step 1 select NDEF: no answer in 250 ms"
        ),
        Sentence(
            step: "- field: off\n      - select: NDEF",
            type: "CardAbsent",
            message: "step 2 select NDEF: no card: the field is off",
            hint: "switch the field on first"
        ),
        Sentence(
            step: "- read: { file: NDEF, length: 600, offset: 32500 }",
            type: "UnexpectedStatus",
            message:
                "step 1 read NDEF: READ BINARY at 32500, which comes first, answered 6700 instead of 9000"
        ),
    ]

    @Test(arguments: sentences)
    func `A problem says which step, what, and what was expected`(sentence: Sentence) throws {
        let outcome = try bench.runCase(
            kitHead + "setup:\n  - select: D2760000850101\ncases:\n  - name: c\n    steps:\n      "
                + sentence.step + "\n"
        )
        let problem = try #require(outcome.problem)
        #expect(problem.message == sentence.message)
        #expect(problem.type == sentence.type)
        if !sentence.details.isEmpty {
            #expect(Array(problem.details.prefix(sentence.details.count)) == sentence.details)
        }
        if !sentence.hint.isEmpty { #expect(problem.hint == sentence.hint) }
        #expect(problem.file == "scenario1.yaml")
        #expect(problem.line == (sentence.step.contains("field: off") ? 10 : 9))
    }

    @Test func `Several things that do not hold are one problem with a list`() throws {
        let outcome = try bench.runCase(
            kitHead + """
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                      - read: { file: CC, length: 2 }
                        expect: { data: 0011, len: 3 }
                """
        )
        let problem = try #require(outcome.problem)
        #expect(problem.message.hasSuffix(" (and 1 more)"))
        #expect(problem.details.filter { $0.hasPrefix("- ") }.count == 2)
    }

    @Test func `Steps of a library are told with its file and line, and numbered inside the use`() throws {
        try bench.write(
            "lib.yaml",
            """
            steps:
              both:
                - select: D2760000850101
                - select: D2760000850108
            """
        )
        let outcome = try bench.runCase(
            kitHead + """
                include: [lib.yaml]
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                      - use: both
                """
        )
        let problem = try #require(outcome.problem)
        #expect(problem.message == "step 2.2 select D2760000850108: expected SW 9000, got 6A82")
        #expect(problem.step == "step.2.2")
        #expect(problem.file == "lib.yaml")
        #expect(problem.line == 4)
        #expect(problem.details.contains { $0.hasPrefix("used at ") && !$0.contains("lib.yaml") })
    }

    @Test(arguments: [
        (
            "select: D2760000850101\n        capture: { fci: tlv.6F.84 }",
            "step 1 select D2760000850101: 'tlv.6F.84' has no value: the answer nothing has no such tag",
            "received  data nothing"
        ),
        (
            "read: { file: CC, length: 4 }\n        capture: { part: data(2..6) }",
            "step 1 read CC: 'data(2..6)' has no value: there are 4 bytes, none at 5, counted from 0",
            "received  data 002F2001 (4 bytes)"
        ),
    ])
    func `An answer that lacks what is captured is a failure of the product`(
        step: String,
        message: String,
        received: String
    ) throws {
        let outcome = try bench.runCase(
            kitHead + "setup:\n  - select: D2760000850101\ncases:\n  - name: c\n    steps:\n      - "
                + step + "\n"
        )
        let problem = try #require(outcome.problem)
        #expect(outcome.verdict == .failed)
        #expect(problem.type == "UnexpectedData")
        #expect(!problem.isRigError)
        #expect(problem.message == message)
        #expect(problem.details.contains(received))
    }

    @Test func `A value that turns out wrong at the run is told with its place`() throws {
        let outcome = try bench.runCase(
            kitHead + """
                cases:
                  - name: c
                    steps:
                      - select: D2760000850101
                      - read: { file: CC, length: 9 }
                        capture: { all: data }
                      - select: "${all}0102030405060708"
                """
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "ScenarioInvalid")
        #expect(outcome.problem?.line == 10)
    }
}
