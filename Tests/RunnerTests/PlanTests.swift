// SPDX-License-Identifier: MIT

import JSONText
import RunRecord
import Runner
import Scenario
import Testing

/// Which cases are run, under which names, on which device, with which values.
@Suite struct PlanTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    @Test func `A matrix multiplies a case, and its values enter the name`() throws {
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: read ${file}
                    matrix:
                      file: [FILE_1, FILE_2]
                      length: [1, 2]
                      exclude:
                        - { file: FILE_2, length: 2 }
                      include:
                        - { file: NDEF, length: 3 }
                    steps:
                      - select: D2760000850101
                      - read: { file: "${file}", length: "${length}" }
                        expect: { len: "${length}" }
                """
        )
        #expect(
            record.verdicts == [
                "read FILE_1 [file=FILE_1, length=1]: passed",
                "read FILE_1 [file=FILE_1, length=2]: passed",
                "read FILE_2 [file=FILE_2, length=1]: passed",
                "read NDEF [file=NDEF, length=3]: passed",
            ]
        )
        let traces = record.suites[0].cases.compactMap { $0.attempts.first?.trace }
        #expect(traces[0] == "traces/t/read-FILE-1-file-FILE-1-length-1.jsonl")
        #expect(Set(traces).count == 4)
    }

    @Test func `A matrix key that is an option configures the emulator`() throws {
        let record = try bench.run(
            kitHead + """
                options: { user-file-fill: 11, firmware-loop: off }
                cases:
                  - name: fill
                    matrix: { user-file-fill: [AA, BB] }
                    steps:
                      - select: D2760000850101
                      - read: { file: FILE_1, length: 1 }
                        expect: { data: [AA, BB] }
                        capture: { seen: data }
                      - check: { equals: ["${seen}", "${user-file-fill}"] }
                """
        )
        #expect(
            record.verdicts == [
                "fill [user-file-fill=AA]: passed", "fill [user-file-fill=BB]: passed",
            ]
        )
    }

    @Test func `The firmware of a row stands in the trace and answers needs`() throws {
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: new only
                    needs: ["firmware>=2.0"]
                    matrix: { firmware: ["1.0", "2.1"] }
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(record.verdicts == ["new only [firmware=1.0]: skipped", "new only [firmware=2.1]: passed"])
        #expect(
            record.suites[0].cases[0].problem?.message
                == "needs firmware>=2.0; nbt@emulator has 1.0"
        )
        let trace = try bench.traceRecords(record.suites[0].cases[1].attempts[0].trace)
        #expect(trace[0]["firmware"]?.string == "2.1")
    }

    @Test func `Rows that configure an emulator are skipped on a real device, before it is touched`() throws {
        let route = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: state
                    matrix: { state: [delivery, adt] }
                    steps:
                      - select: D2760000850101
                """,
            route: route
        )
        #expect(record.verdicts == ["state [state=delivery]: skipped", "state [state=adt]: skipped"])
        #expect(
            record.suites[0].cases[0].problem?.message
                == "the row state=delivery configures an emulator; pcsc:X is a real device"
        )
        #expect(route.opens == 0)
    }

    @Test func `A row of the firmware that was named on the command line runs on a real device`() throws {
        bench.options.firmware = "1.1"
        let route = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: f
                    matrix: { firmware: ["1.0", "1.1"] }
                    steps:
                      - select: D2760000850101
                """,
            route: route
        )
        #expect(record.verdicts == ["f [firmware=1.0]: skipped", "f [firmware=1.1]: passed"])
    }

    private let three =
        nbtHead + """
            vars:
              noise: { random: 8 }
            tags: [all]
            cases:
              - name: first
                tags: [quick]
                steps:
                  - select: D2760000850101
                  - write: { file: FILE_1, data: "${noise}" }
              - name: second
                id: T-2
                tags: [slow]
                steps:
                  - select: D2760000850101
                  - write: { file: FILE_1, data: "${noise}" }
              - name: third
                steps:
                  - select: D2760000850101
                  - write: { file: FILE_1, data: "${noise}" }
            """

    @Test func `Tags select cases or leave them out; those of the suite count for all`() throws {
        bench.options.tags = ["slow", "quick"]
        #expect(try bench.run(three).verdicts == ["first: passed", "second: passed"])
        bench.options.tags = ["all"]
        #expect(try bench.run(three).verdicts.count == 3)
        bench.options.tags = ["!slow"]
        #expect(try bench.run(three).verdicts == ["first: passed", "third: passed"])
        bench.options.tags = ["quick", "slow", "!slow"]
        #expect(try bench.run(three).verdicts == ["first: passed"])
        bench.options.tags = ["none"]
        #expect(try bench.run(three).verdicts == [])
    }

    @Test(arguments: [
        ("*ir*", ["first", "third"]), ("t/sec*", ["second"]), ("T-2", ["second"]), ("third", ["third"]),
        ("thir?", ["third"]), ("nothing", []), ("thir", []), ("t/", []),
        ("t/third", ["third"]), ("t/thir", []),
        ("?hird", ["third"]), ("t/?????", ["first", "third"]), ("[t]hird", []), ("T-", []),
    ])
    func `Globs select cases by name, suite and id`(glob: String, expected: [String]) throws {
        bench.options.caseGlobs = [glob]
        let names = try bench.run(three).suites.flatMap(\.cases).map(\.name)
        #expect(names == expected)
    }

    @Test func `A case has the same random values whatever runs beside it, and others in a repeat`() throws {
        func written(_ record: RunRecord) throws -> [String: String] {
            var out: [String: String] = [:]
            for testCase in record.suites.flatMap(\.cases) {
                out[testCase.name] = try bench.commands(testCase.attempts.first).last
            }
            return out
        }
        let all = try written(bench.run(three))
        #expect(Set(all.values).count == 3)
        bench.options.caseGlobs = ["third"]
        #expect(try written(bench.run(three))["third"] == all["third"])
        bench.options.repetitions = 2
        let repeated = try written(bench.run(three))
        #expect(repeated.keys.sorted() == ["third [repeat=1]", "third [repeat=2]"])
        #expect(repeated["third [repeat=1]"] == all["third"])
        #expect(repeated["third [repeat=2]"] != all["third"])
        bench.options.repetitions = 1
        bench.options.seed = 43
        #expect(try written(bench.run(three))["third"] != all["third"])
    }

    @Test func `A seeded run writes the same traces to the byte`() throws {
        func digests() throws -> [String] {
            try bench.run(three).suites.flatMap(\.cases).compactMap { $0.attempts.first?.traceSHA256 }
        }
        let first = try digests()
        #expect(first.count == 3)
        #expect(first.allSatisfy { $0.count == 64 })
        #expect(try digests() == first)
    }

    @Test func `Two files with the same suite and case names do not collide`() throws {
        let text =
            nbtHead + """
                cases:
                  - name: same
                    steps:
                      - select: D2760000850101
                """
        let record = try bench.run(text, text)
        #expect(record.verdicts == ["same: passed", "same (2): passed"])
        #expect(Set(record.suites.flatMap(\.cases).map { $0.attempts[0].trace }).count == 2)
    }

    // MARK: Needs

    @Test func `An unmet need skips the case before anything is connected`() throws {
        let route = ScriptedRoute(offered: []) { _ in "9000" }
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: of the case
                    needs: [kit.led]
                    steps:
                      - select: D2760000850101
                  - name: of a verb
                    steps:
                      - select: D2760000850101
                      - field: off
                  - name: of a fault
                    fault: { at: 1, when: during, kind: power-loss }
                    steps:
                      - select: D2760000850101
                  - name: of a step
                    steps:
                      - select: D2760000850101
                        needs: [extended-length]
                """,
            route: route
        )
        #expect(record.suites[0].cases.map(\.verdict) == [.skipped, .skipped, .skipped, .skipped])
        #expect(
            record.suites[0].cases.compactMap(\.problem?.message) == [
                "needs capability kit.led; nbt@fake does not offer it",
                "needs capability field.control; nbt@fake does not offer it",
                "needs capability field.cut; nbt@fake does not offer it",
                "needs capability extended-length; nbt@fake does not offer it",
            ]
        )
        #expect(route.opens == 0)
        #expect(record.suites[0].cases.allSatisfy { $0.attempts.isEmpty && $0.started == nil })
    }

    @Test func `Where only a connection can tell, an unmet need skips before the first exchange`() throws {
        let route = ScriptedRoute(offered: nil, carried: []) { _ in "9000" }
        let record = try bench.run(
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: led
                    needs: [kit.led]
                    steps:
                      - read: { file: FILE_1 }
                """,
            route: route
        )
        #expect(record.verdicts == ["led: skipped"])
        #expect(route.opens == 1)
        #expect(route.commands == [])
    }

    @Test func `A required capability turns the skip into an error, also behind another unmet need`() throws {
        bench.options.required = [.capability("kit.uart")]
        let route = ScriptedRoute(offered: []) { _ in "9000" }
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: both
                    needs: [kit.led, kit.uart]
                    steps:
                      - select: D2760000850101
                """,
            route: route
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "SetupFailed")
        #expect(
            outcome.problem?.message
                == "needs capability kit.uart; nbt@fake does not offer it, and --require asks for it"
        )
    }

    @Test(arguments: [
        (Need.Kind.firmware(comparison: ">=", version: "9999"), "error"),
        (Need.Kind.firmware(comparison: ">=", version: "999"), "skipped"),
    ])
    func `A bound on the firmware is required as the case has it`(need: Need.Kind, verdict: String) throws {
        bench.options.required = [need]
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: new
                    needs: ["firmware >= 9999"]
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(record.verdicts == ["new: \(verdict)"])
    }

    @Test func `A role can be required`() throws {
        bench.options.required = [try #require(Need.Kind(role: "role second"))]
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: two
                    steps:
                      - send: 00A40400
                        on: second
                """,
            route: ScriptedRoute(offered: []) { _ in "9000" }
        )
        #expect(outcome.problem?.type == "SetupFailed")
        #expect(
            outcome.problem?.message
                == "needs role second; nbt@fake has no such connection, and --require asks for it"
        )
    }

    private let optional =
        nbtHead + """
            cases:
              - name: with an optional step
                steps:
                  - select: D2760000850101
                  - select: D2760000850101
                    needs: [wallet.purge]
                    optional: true
            """

    @Test func `An optional step alone is skipped, and says so`() throws {
        let outcome = try bench.runCase(optional)
        #expect(outcome.verdict == .passed)
        #expect(outcome.attempts[0].steps.map(\.verdict) == [.passed, .skipped])
        #expect(
            outcome.attempts[0].steps[1].detail
                == "needs capability wallet.purge; nbt@emulator does not offer it"
        )
    }

    @Test func `An optional step whose need is required is an error`() throws {
        bench.options.required = [.capability("wallet.purge")]
        let outcome = try bench.runCase(optional)
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "SetupFailed")
    }

    @Test func `A destructive case is refused on a real card and runs on an emulator`() throws {
        let text =
            nbtHead + """
                cases:
                  - name: harmful
                    tags: [destructive]
                    steps:
                      - select: D2760000850101
                """
        #expect(try bench.runCase(text).verdict == .passed)
        let route = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        let outcome = try bench.runCase(text, route: route)
        #expect(outcome.problem?.type == "NotPermitted")
        #expect(route.opens == 0)
    }

    @Test func `A step that cannot be undone is not sent to a real card in a case without the tag`() throws {
        let text =
            nbtHead + """
                cases:
                  - name: careless
                    steps:
                      - select: D2760000850101
                      - nbt.finalize: {}
                """
        let route = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        let outcome = try bench.runCase(text, route: route)
        #expect(outcome.problem?.type == "NotPermitted")
        #expect(outcome.problem?.message.contains("not tagged destructive") == true)
        #expect(route.commands == ["00A4040007D276000085010100"])
        let emulated = ScriptedRoute(isEmulated: true) { _ in "9000" }
        #expect(try bench.runCase(text, route: emulated).verdict == .passed)
        #expect(emulated.commands.last == "00E2000003BF6300")
    }

    @Test func `With fail-fast the first case that does not pass is the last`() throws {
        bench.options.failsFast = true
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: one
                    steps:
                      - select: D2760000850108
                  - name: two
                    steps:
                      - select: D2760000850101
                """
        )
        #expect(record.verdicts == ["one: failed"])
        #expect(
            record.notes == [
                "stopped after the first case that did not pass (--fail-fast)", "1 of 2 cases was not run",
            ]
        )
    }

    @Test func `Conditions choose steps`() throws {
        let record = try bench.run(
            nbtHead + """
                cases:
                  - name: if
                    matrix: { mode: [a, b] }
                    steps:
                      - select: D2760000850101
                      - select: D2760000850108
                        if: ${mode} == b
                """
        )
        #expect(record.verdicts == ["if [mode=a]: passed", "if [mode=b]: failed"])
        #expect(record.suites[0].cases[0].attempts[0].steps[1].detail == "if: ${mode} == b does not hold")
    }
}
