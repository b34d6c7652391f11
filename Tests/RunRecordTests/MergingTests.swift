// SPDX-License-Identifier: MIT

import RunRecord
import Testing

@Suite("Merged runs")
struct MergingTests {
    private func run(_ index: Int, of count: Int, cases: [(String, Int)], cut: String = "c") -> NamedRun {
        var run = RunRecord(
            name: "r",
            rigVersion: "1",
            started: "2026-01-0\(10 - index)T00:00:00.000Z",
            seed: 1,
            hostName: "host\(index)"
        )
        run.shard = RunShard(index: index, count: count, caseCount: 4, cut: cut)
        run.duration = .seconds(index)
        run.notes = ["note \(index)", "both"]
        var suite = SuiteRecord(
            name: "s",
            title: "",
            file: "s.yaml",
            target: "nbt",
            via: "pcsc:\(index)",
            started: run.started
        )
        suite.reader = "reader \(index)"
        suite.atr = "3B\(index)0"
        for (name, number) in cases {
            var item = CaseRecord(name: name, file: "s.yaml", line: 1, tags: [])
            item.number = number
            item.verdict = .passed
            item.duration = .seconds(1)
            suite.cases.append(item)
            suite.duration += item.duration
        }
        run.suites = [suite]
        return NamedRun(source: "\(index).json", run: run)
    }

    private var halves: [NamedRun] {
        [run(2, of: 2, cases: [("b", 2), ("d", 4)]), run(1, of: 2, cases: [("a", 1), ("c", 3)])]
    }

    @Test("have the cases in file order, whatever the order of the shards")
    func order() throws {
        let merged = try RunRecord(merging: halves)
        #expect(merged.suites.count == 1)
        #expect(merged.suites[0].cases.map(\.name) == ["a", "b", "c", "d"])
        #expect(merged.suites[0].cases.allSatisfy { $0.number == 0 })
        #expect(merged.suites[0].duration == .seconds(4))
        #expect(merged.duration == .seconds(3))
        #expect(merged.shard == nil)
        #expect(RunCounts(merged).passed == 4)
        #expect(try RunRecord(merging: halves.reversed()) == merged)
    }

    @Test("keep what each shard says of hosts, readers and the run")
    func heads() throws {
        let merged = try RunRecord(merging: halves)
        #expect(merged.hostName == "host1, host2")
        #expect(merged.started == "2026-01-08T00:00:00.000Z")
        #expect(merged.notes == ["note 1", "both", "note 2"])
        #expect(merged.suites[0].reader == "reader 1, reader 2")
        #expect(merged.suites[0].atr == "3B10, 3B20")
        #expect(merged.suites[0].via == "pcsc:2, pcsc:1" || merged.suites[0].via == "pcsc:1, pcsc:2")
    }

    @Test("tell of different seeds and versions")
    func differences() throws {
        var parts = halves
        parts[0].run.seed = 7
        parts[0].run.rigVersion = "2"
        let notes = try RunRecord(merging: parts).notes
        #expect(notes.contains("the runs have different seeds: 1, 7"))
        #expect(notes.contains("the runs are of different versions of the rig: 1, 2"))
    }

    @Test("of shards that are not all there are refused, or say so")
    func missing() throws {
        let lone = [run(2, of: 3, cases: [("b", 2)])]
        let error = #expect(throws: RunMergeError.self) { try RunRecord(merging: lone) }
        #expect(
            error?.description
                == "shard 1, 3 of 3 is missing; name its run.json too, or merge what there is with --partial"
        )
        let partial = try RunRecord(merging: lone, allowsMissing: true)
        #expect(partial.notes.suffix(2) == ["shard 1 of 3 is missing", "shard 3 of 3 is missing"])
    }

    @Test("of shards that do not belong together are refused")
    func strangers() {
        let cases: [([NamedRun], String)] = [
            (
                [run(1, of: 2, cases: [("a", 1)]), run(2, of: 2, cases: [("b", 2)], cut: "d")],
                "1.json and 2.json are shards of different runs; give all shards the same scenarios, selection and "
                    + "--durations"
            ),
            (
                [run(1, of: 2, cases: [("a", 1)]), run(1, of: 2, cases: [("a", 1)])],
                "1.json and 1.json are both shard 1 of 2"
            ),
            (
                [halves[0], NamedRun(source: "w.json", run: SampleRun.full)],
                "w.json is a whole run, and 2.json is a shard of one"
            ),
            ([], "there is no run to merge"),
        ]
        for (runs, message) in cases {
            let error = #expect(throws: RunMergeError.self) { try RunRecord(merging: runs) }
            #expect(error?.description == message)
        }
    }

    @Test("of whole runs follow each other, and no case may be in two")
    func wholeRuns() throws {
        var other = SampleRun.full
        other.suites[0].name = "other"
        let merged = try RunRecord(merging: [
            NamedRun(source: "a", run: SampleRun.full), NamedRun(source: "b", run: other),
        ])
        #expect(merged.suites.map(\.name) == ["nbt.led", "other"])
        #expect(RunCounts(merged).total == 4)
        let error = #expect(throws: RunMergeError.self) {
            try RunRecord(merging: [
                NamedRun(source: "a", run: SampleRun.full), NamedRun(source: "b", run: SampleRun.full),
            ])
        }
        #expect(error?.description == "case 'led [a=1]' of suite 'nbt.led' is in a and in b")
    }

    @Test("name a file that cannot be read once, though every shard has it")
    func brokenFile() throws {
        var parts = halves
        for index in parts.indices {
            var broken = SuiteRecord(
                name: "broken",
                title: "",
                file: "b.yaml",
                target: "",
                via: "",
                started: ""
            )
            var item = CaseRecord(name: "the file is read", file: "b.yaml", line: 1, tags: [])
            item.verdict = .error
            broken.cases = [item]
            parts[index].run.suites.insert(broken, at: 0)
        }
        let merged = try RunRecord(merging: parts)
        #expect(merged.suites.map(\.name) == ["broken", "s"])
        #expect(merged.suites[0].cases.count == 1)
    }
}
