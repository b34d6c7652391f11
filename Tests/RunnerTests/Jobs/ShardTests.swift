// SPDX-License-Identifier: MIT

import Routes
import RunRecord
import Runner
import Scenario
import Testing

/// Parts of a run, and the whole that they make.
@Suite struct ShardTests {
    private let bench: ScenarioBench
    private let texts: [String]

    init() throws {
        bench = try ScenarioBench()
        texts = ["a", "b", "c"].map { name in
            nbtHead.replacing("suite: t", with: "suite: \(name)") + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: reads
                    matrix: { length: [1, 2, 3, 4, 5] }
                    steps:
                      - read: { file: FILE_1, length: "${length}" }
                      - delay: 250ms
                  - name: fails
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        expect: { data: EE }
                  - name: is skipped
                    needs: ["firmware>=9999"]
                    steps:
                      - read: { file: FILE_1, length: 1 }
                """
        }
    }

    private func plan() throws -> RunPlan {
        RunPlan(suites: try bench.load(texts), options: bench.options)
    }

    private func names(_ plan: RunPlan) -> [String] {
        plan.suites.flatMap(\.cases).map { "\($0.suite.name)/\($0.name)" }
    }

    private func part(_ index: Int, of count: Int, _ durations: [CaseKey: Duration] = [:]) throws -> RunPlan {
        try plan().part(try ShardChoice("\(index)/\(count)"), durations: durations)
    }

    @Test(arguments: [1, 2, 3, 7, 21, 30])
    func `Each case is in exactly one shard, and the shards are as large as they can be`(count: Int) throws {
        let whole = names(try plan())
        let parts = try (1...count).map { names(try part($0, of: count)) }
        #expect(parts.joined().sorted() == whole.sorted())
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        // The order within a shard is that of the files.
        for part in parts { #expect(part == whole.filter(part.contains)) }
        // The same question has the same answer.
        #expect(try names(part(1, of: count)) == parts[0])
    }

    @Test func `Known durations balance the shards`() throws {
        let whole = try plan().suites.flatMap(\.cases)
        var durations: [CaseKey: Duration] = [:]
        for (index, item) in whole.enumerated() { durations[item.key] = .seconds(index == 4 ? 60 : 3) }
        let parts = try (1...2).map { try part($0, of: 2, durations).suites.flatMap(\.cases) }
        let loads = parts.map { part in part.compactMap { durations[$0.key] }.reduce(.zero, +) }
        #expect(parts.map(\.count).sorted() == [1, 20])
        #expect(loads.sorted() == [.seconds(60), .seconds(60)])
        // One that nobody knows counts as one of mean length.
        durations[whole[4].key] = nil
        let sizes = try (1...2).map { try part($0, of: 2, durations).caseCount }
        #expect(sizes.sorted() == [10, 11])
    }

    @Test func `Cases without any duration are spread, not heaped`() throws {
        let whole = try plan().suites.flatMap(\.cases)
        let durations = Dictionary(uniqueKeysWithValues: whole.map { ($0.key, Duration.zero) })
        let sizes = try (1...3).map { try part($0, of: 3, durations).caseCount }
        #expect(sizes == [7, 7, 7])
    }

    @Test(
        arguments: ["1", "1/", "/2", "a/b", "1/2/3", "-1/2", "١/٢", "", "1/99999999999999999999"].map {
            ($0, "'\($0)' is no I/N with I from 1 to N, for example 1/3")
        } + [
            ("0/2", "'0/2' names a part that is not there; its parts are 1 to 2"),
            ("3/2", "'3/2' names a part that is not there; its parts are 1 to 2"),
            ("2/1", "'2/1' names a part that is not there; the only part is 1/1"),
            ("1/0", "'1/0' names a part that is not there; a run has one part at least"),
            ("1/10001", "'1/10001' asks for 10001 parts; a run is divided into 10000 at most"),
        ]
    )
    func `Words that are no shard are refused, each for its own reason`(text: String, reason: String) {
        let error = #expect(throws: TextError.self) { try ShardChoice(text) }
        #expect(error?.description == reason)
    }

    @Test(arguments: [2, 3, 5])
    func `The shards of a seeded run make the whole run, to the byte`(count: Int) throws {
        let whole = Runner(options: bench.options, route: EmulatorRoute()).run(try plan())
        var parts: [NamedRun] = []
        for index in (1...count).reversed() {
            let run = Runner(options: bench.options, route: EmulatorRoute()).run(try part(index, of: count))
            #expect(run.shard?.index == index)
            // What is kept is what was run.
            let kept = try RunRecord(json: Array(run.jsonText.utf8))
            #expect(kept == run)
            parts.append(NamedRun(source: "\(index)/run.json", run: kept))
        }
        let merged = try RunRecord(merging: parts)
        #expect(merged.jsonText == whole.jsonText)
        #expect(RunCounts(merged) == RunCounts(whole))
        #expect(RunCounts(merged).total == 21)
    }

    @Test func `A shard without a case is a run that is fine`() throws {
        let part = try part(30, of: 30)
        #expect(part.caseCount == 0)
        let run = Runner(options: bench.options, route: EmulatorRoute()).run(part)
        #expect(run.name == "a")
        #expect(ExitStatus.of(run, allowSkipped: false) == 0)
        #expect(run.notes == ["this shard, 30 of 30, has no case: there are 21 cases to divide"])
    }

    @Test func `The cases that did not pass can be run again alone`() throws {
        let first = Runner(options: bench.options, route: EmulatorRoute()).run(try plan())
        bench.options.onlyCases = EarlierFailures(in: first, from: "run.json")
        #expect(names(try plan()) == ["a/fails", "b/fails", "c/fails"])
    }

    @Test(arguments: [(1, 3), (3, 1), (3, 2)])
    func `However often cases are repeated, they are the same cases`(before: Int, after: Int) throws {
        let text = """
            \(nbtHead)setup:
              - select: D2760000850101
            cases:
            """
        let cases = ["fails", "row ${length}", "fails [repeat=1]", "passes"].map { name in
            let matrix = name.hasPrefix("row") ? "\n    matrix: { length: [1, 2] }" : ""
            let expect = name == "passes" ? "sw: 9000" : "data: EEEE"
            return """

                  - name: "\(name)"\(matrix)
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        expect: { \(expect) }
                """
        }
        // Two suites of one name: the cases of the second are told apart by a number.
        let suites = try bench.load([text + cases.joined(), text + cases.joined()])
        bench.options.repetitions = before
        let plan = RunPlan(suites: suites, options: bench.options)
        let kept = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        let first = try RunRecord(json: Array(kept.jsonText.utf8))
        let kinds = first.suites.flatMap(\.cases).map(\.repetition)
        #expect(kinds == plan.suites.flatMap(\.cases).map(\.repetition))
        bench.options.repetitions = after
        let whole = names(RunPlan(suites: suites, options: bench.options))
        bench.options.onlyCases = EarlierFailures(in: first, from: "run.json")
        let again = RunPlan(suites: suites, options: bench.options)
        #expect(names(again) == whole.filter { !$0.contains("passes") })
        #expect(again.caseCount == 8 * after)
        let durations = CaseKey.durations(in: first)
        #expect(again.suites.flatMap(\.cases).allSatisfy { durations[$0.key] != nil })
        #expect(durations.count == 10)
    }

    @Test func `Of a file that was no scenario every case is run again, once it is one`() throws {
        let suites = try bench.load(texts)
        let broken = LoadedSuites.BrokenSuite(file: suites[1].file, suiteName: "x", mistakes: [])
        let first = Runner(options: bench.options, route: EmulatorRoute()).run(
            RunPlan(suites: [], options: bench.options),
            broken: [broken]
        )
        bench.options.onlyCases = EarlierFailures(in: first, from: "run.json")
        let plan = RunPlan(suites: suites, options: bench.options)
        #expect(plan.suites.map(\.suite.name) == ["b"])
        #expect(plan.caseCount == 7)
    }
}
