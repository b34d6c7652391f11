// SPDX-License-Identifier: MIT

import JSONText
import RunRecord
import Runner
import Scenario
import Testing

/// Known failures, statistics of repeated steps, other connections and the operator, in a run.
@Suite struct KnownAndStatisticsTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func suite(_ steps: String, known: Bool = true, more: String = "") -> String {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        return "rig: 1\nsuite: t.known\ntarget: nbt\n\(more)cases:\n  - name: c\n"
            + (known ? "    known: { issue: NBT-7, until: 2027-01-31 }\n" : "") + "    steps:\n\(lines)"
    }

    private static let passing = "- select: D2760000850101"
    private static let failing = "- select: D2760000850101\n- write: { file: FILE_2, data: 01 }"
    private static let broken = "- select: D2760000850101\n  fault: { kind: remove }\n  repeatable: no"

    // MARK: Known failures

    @Test(arguments: [
        (failing, "2027-01-31", Verdict.skipped, ""), (failing, "2027-02-01", .failed, "KnownFailurePassed"),
        (passing, "2026-11-30", .failed, "KnownFailurePassed"), (broken, "2026-11-30", .error, "CardRemoved"),
    ])
    func `A known failure is a skip; a pass and a passed day are failures; errors stay`(
        steps: String,
        day: String,
        verdict: Verdict,
        type: String
    ) throws {
        bench.options.today = try CalendarDate.parse(day)
        let outcome = try bench.runCase(suite(steps))
        #expect(outcome.verdict == verdict)
        #expect(outcome.problem?.type == type)
        if verdict == .skipped {
            #expect(
                outcome.problem?.message
                    == "known until 2027-01-31 (NBT-7): step 2 write FILE_2: expected SW 9000, got 6982"
            )
            #expect(outcome.attempts.count == 1)
        }
    }

    @Test func `What is known of a row is told with its values`() throws {
        bench.options.today = try CalendarDate.parse("2026-11-30")
        let text = """
            rig: 1
            suite: t.known
            target: nbt
            cases:
              - name: c
                matrix: { file: [FILE_1, FILE_2] }
                known: { issue: "${file} is open", until: 2027-01-31 }
                steps:
                  - select: D2760000850101
            """
        let cases = try bench.run(text).suites[0].cases
        #expect(
            cases.map(\.problem?.message) == [
                "the case passes, but a failure is known (FILE_1 is open)",
                "the case passes, but a failure is known (FILE_2 is open)",
            ]
        )
    }

    @Test func `A teardown that fails is not covered by what is known`() throws {
        let more = "teardown:\n  - check: { equals: [a, b] }\n"
        bench.options.today = try CalendarDate.parse("2026-11-30")
        let known = try bench.runCase(suite(Self.failing, more: more))
        #expect(known.verdict == .error)
        #expect(known.problem?.type == "TeardownFailed")
        #expect(known.attempts.last?.problem?.type == "UnexpectedStatus")
        bench.options.today = try CalendarDate.parse("2027-02-01")
        let late = try bench.runCase(suite(Self.failing, more: more))
        #expect(late.verdict == .failed)
        #expect(late.problem?.type == "KnownFailurePassed")
        #expect(late.outcome.teardownProblem?.type == "TeardownFailed")
        let plain = try bench.runCase(suite(Self.failing, known: false, more: more))
        #expect(plain.problem?.type == "UnexpectedStatus")
    }

    // MARK: Statistics

    @Test func `Statistics judge the samples behind the warm-up`() throws {
        try bench.writeCard([
            Rule("00B0000001", "019000", times: 1, delay: 480),
            Rule("00B0000001", "019000", times: 18, delay: 62),
            Rule("00B0000001", "019000", times: 1, delay: 190),
        ])
        func text(_ bounds: String) -> String {
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 00B0000001
                        stats: { \(bounds), samples: 19, warmup: 1 }
                """
        }
        let good = try bench.runCase(text("p50: \"<63ms\", max: \"<191ms\", min: \">60ms\""))
        #expect(good.verdict == .passed)
        #expect(
            good.attempts[0].steps[0].detail.hasPrefix("19 samples: min 62ms, p50 62ms, p90 62ms, p95 190ms")
        )
        #expect(good.attempts[0].steps[0].tries == 20)
        #expect(good.attempts[0].exchangeCount == 20)
        let slow = try bench.runCase(text("p95: \"<100ms\", p50: \"<63ms\""))
        #expect(slow.verdict == .failed)
        #expect(slow.problem?.type == "TimingExceeded")
        #expect(
            slow.problem?.message
                == "step 1 send 00B0000001: expected p95 <100ms of 19 samples, took 190ms"
        )
    }

    /// Times of a series, and what is to be said of a bound that one of them breaks.
    struct Series: CustomTestStringConvertible {
        let testDescription: String
        let milliseconds: [Double]
        let warmup: Int
        let holds: String
        let breaks: String
        let says: String
        let detail: String

        static func all() throws -> [Series] {
            let folder = "S40-first-call-slow-one-outlier"
            let times = try JobsFixture.json("\(folder)/ms.json").array?.compactMap(\.double) ?? []
            let expect = try JobsFixture.json("\(folder)/expect.json")
            let place = expect["max_at_sample"]?.integer ?? 0
            return [
                Series(
                    testDescription: "S40",
                    milliseconds: times,
                    warmup: expect["warmup"]?.integer ?? 0,
                    holds: "p50: \"<70ms\", min: \">61ms\", p90: \"<63.2ms\"",
                    breaks: "max: \"<100ms\"",
                    says: "expected max <100ms of 19 samples, took 190.4ms (repetition \(place) of 20)",
                    detail: "19 samples: min 61.6ms, p50 62.2ms, p90 63.1ms, p95 190.4ms"
                ),
                Series(
                    testDescription: "no warm-up, so the first call counts",
                    milliseconds: [480.2, 62, 61, 63, 62],
                    warmup: 0,
                    holds: "p50: \"<70ms\"",
                    breaks: "max: \"<100ms\"",
                    says: "expected max <100ms of 5 samples, took 480.2ms (repetition 1 of 5)",
                    detail: "5 samples: min 61ms, p50 62ms, p90 480.2ms"
                ),
                Series(
                    testDescription: "one that is too fast",
                    milliseconds: [300, 250, 70, 71, 0.4, 72, 73],
                    warmup: 2,
                    holds: "p50: \"70ms..72ms\"",
                    breaks: "min: \">5ms\"",
                    says: "expected min >5ms of 5 samples, took 400us (repetition 5 of 7)",
                    detail: "5 samples: min 400us, p50 71ms, p90 73ms"
                ),
            ]
        }
    }

    @Test(arguments: try Series.all())
    func `A limit on the middle forgives an outlier, one on the extreme names it (S40)`(
        series: Series
    ) throws {
        let rules = series.milliseconds.map {
            "{\"c\":\"00B0000001\",\"r\":\"9000\",\"times\":1,\"delay_ms\":\($0)}"
        }
        try bench.write("card.json", "{\"rules\":[\(rules.joined(separator: ","))]}")
        func run(_ bounds: String) throws -> CaseRecord {
            try bench.runCase(
                scriptedHead + """
                    cases:
                      - name: c
                        steps:
                          - send: 00B0000001
                            stats: { \(bounds), samples: \(series.milliseconds.count - series.warmup), warmup: \(series.warmup) }
                    """
            )
        }
        let held = try run(series.holds)
        #expect(held.verdict == .passed, "\(held.problem?.message ?? "")")
        let detail = held.attempts[0].steps[0].detail
        #expect(detail.hasPrefix(series.detail), "\(detail)")
        #expect(detail.contains("; warm-up ") == (series.warmup > 0))
        if series.warmup == 1 { #expect(detail.hasSuffix("; warm-up 480.2ms")) }
        let broken = try run(series.breaks)
        #expect(broken.verdict == .failed)
        #expect(broken.problem?.type == "TimingExceeded")
        #expect(broken.problem?.message == "step 1 send 00B0000001: \(series.says)")
    }

    @Test(arguments: [
        ("repeat: 3", "total: \"<120ms\"", "expected total <120ms, took 150ms"),
        ("repeat: 3", "total: \">150ms\"", "expected total >150ms, took 150ms"),
        ("repeat: 3", "not: { total: \"<=150ms\" }", "total <=150ms was not expected, but is so"),
        ("repeat: 3", "data: 01, total: \"<= ${limit}\"", "took 150ms"),
        ("stats: { max: \"<60ms\", samples: 2, warmup: 1 }", "total: \"<120ms\"", "took 150ms"),
        ("repeat: 3", "total: 150ms..150ms, time: 50ms..50ms", ""),
        ("repeat: 3", "not: { total: \">150ms\" }", ""),
        ("repeat: 3", "not: { total: \"<100ms\", data: 01 }", ""),
        ("repeat: 1", "total: 50ms..50ms", ""),
        ("repeat: 2", "len: 1, total: \"<= ${limit}\"", ""),
    ])
    func `The total of a repeated step is that of all repetitions, and judged once`(
        keys: String,
        expect: String,
        says: String
    ) throws {
        try bench.writeCard([Rule("00B0000001", "019000", delay: 50)])
        let outcome = try bench.runCase(
            scriptedHead + """
                vars: { limit: 100ms }
                cases:
                  - name: c
                    steps:
                      - send: 00B0000001
                        \(keys)
                        expect: { \(expect) }
                """
        )
        #expect(outcome.verdict == (says.isEmpty ? .passed : .failed), "\(outcome.problem?.message ?? "")")
        if says.isEmpty { return }
        #expect(outcome.problem?.message.contains(says) == true, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].exchangeCount == 3)
    }

    @Test func `A wrong answer ends the series at once`() throws {
        try bench.writeCard([Rule("00B0000001", "019000", times: 3), Rule("00B0000001", "6982")])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 00B0000001
                        stats: { p95: "<40ms", samples: 50 }
                """
        )
        #expect(outcome.problem?.type == "UnexpectedStatus")
        #expect(outcome.attempts[0].exchangeCount == 4)
    }

    // MARK: Roles and the operator

    @Test func `A role that is not there is an unmet need of the case, or of an optional step`() throws {
        let text = suite("- select: D2760000850101\n- select: D2760000850101\n  on: second", known: false)
        let outcome = try bench.runCase(text)
        #expect(outcome.verdict == .skipped)
        #expect(outcome.problem?.message == "needs role second; nbt@emulator has no such connection")
        let optional = try bench.runCase(text + "        optional: yes\n")
        #expect(optional.verdict == .passed)
        #expect(optional.attempts[0].steps.map(\.verdict) == [.passed, .skipped])
    }

    @Test func `The I2C side of the NBT is another connection of the emulator`() throws {
        let outcome = try bench.runCase(
            suite(
                """
                - select: D2760000850101
                - write: { file: FILE_1, data: 5A }
                - field: off
                - select: D2760000850101
                  on: i2c
                - read: { file: FILE_1, length: 1 }
                  on: i2c
                  expect: { data: 5A }
                  capture: { seen: data }
                - write: { file: FILE_2, data: 77 }
                  on: i2c
                - field: on
                - select: D2760000850101
                - read: { file: FILE_2, length: 1 }
                  expect: { data: 77 }
                - check: { equals: ["${seen}", 5A] }
                """,
                known: false
            )
        )
        #expect(outcome.problem?.message == nil)
        #expect(outcome.verdict == .passed)
        let steps = outcome.attempts[0].steps
        #expect(steps.map(\.exchanges.count) == [1, 2, 0, 1, 2, 2, 0, 1, 2, 0])
        #expect(try bench.commands(outcome.attempts[0]).count == 11)
    }

    @Test func `A fault of one connection stops only that one`() throws {
        let outcome = try bench.runCase(
            suite(
                """
                - select: D2760000850101
                - select: D2760000850101
                  on: i2c
                  expect: { fault: [timeout, card-mute] }
                - select: FILE_1
                - connect: {}
                  on: i2c
                """,
                known: false
            )
        )
        #expect(outcome.problem?.message == nil)
        #expect(outcome.attempts[0].steps.map(\.verdict) == [.passed, .passed, .passed, .passed])
    }

    @Test func `The operator is asked where one is, and the case skipped where none is`() throws {
        let text = suite("- operator: { ask: \"Turn it\", within: 60s }", known: false)
        let skipped = try bench.runCase(text)
        #expect(skipped.verdict == .skipped)
        #expect(
            skipped.problem?.message.hasPrefix("needs capability operator; nobody can be asked here") == true
        )
        bench.options.required = [.capability("operator")]
        #expect(try bench.runCase(text).verdict == .error)
        bench.options.required = []
        bench.options.operatorPort = AgreeableOperator()
        let asked = try bench.runCase(text)
        #expect(asked.verdict == .passed)
        #expect(asked.attempts[0].steps[0].detail == "Turn it")
    }
}

/// An operator who does everything.
final class AgreeableOperator: OperatorPort {
    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer { .done }
}
