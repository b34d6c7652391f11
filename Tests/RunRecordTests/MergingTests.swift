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
                == "shards 1, 3 of 3 are missing; name their run.json too, or merge what there is with --partial"
        )
        let partial = try RunRecord(merging: lone, allowsMissing: true)
        #expect(partial.notes.suffix(2) == ["shard 1 of 3 is missing", "shard 3 of 3 is missing"])
    }

    @Test("without all shards remain a part, which the others make whole")
    func parts() throws {
        let all = [
            run(1, of: 4, cases: [("a", 1), ("e", 5)]), run(2, of: 4, cases: [("b", 2)]),
            run(3, of: 4, cases: [("c", 3)]), run(4, of: 4, cases: [("d", 4)]),
        ]
        let whole = try RunRecord(merging: all)
        let partial = try RunRecord(merging: [all[2], all[0]], allowsMissing: true)
        #expect(partial.shard?.indexes == [1, 3])
        #expect(partial.shard?.title == "shards 1, 3 of 4")
        #expect(partial.suites[0].cases.map(\.number) == [1, 3, 5])
        #expect(partial.notes.suffix(2) == ["shard 2 of 4 is missing", "shard 4 of 4 is missing"])
        let kept = NamedRun(source: "m.json", run: try RunRecord(json: Array(partial.jsonText.utf8)))
        #expect(kept.run == partial)
        let error = #expect(throws: RunMergeError.self) { try RunRecord(merging: [kept, all[1]]) }
        #expect(
            error?.description
                == "shard 4 of 4 is missing; name its run.json too, or merge what there is with --partial"
        )
        let twice = #expect(throws: RunMergeError.self) { try RunRecord(merging: [kept, all[1], all[2]]) }
        #expect(twice?.description == "shard 3 of 4 is in m.json and in 3.json")
        let three = try RunRecord(merging: [kept, all[1]], allowsMissing: true)
        #expect(three.shard?.title == "shards 1, 2, 3 of 4")
        var again = try RunRecord(merging: [NamedRun(source: "n.json", run: three), all[3]])
        #expect(again.shard == nil)
        // What was merged first stands first, which is another order here.
        for list in [\RunRecord.suites[0].reader, \.suites[0].atr, \.suites[0].via, \.hostName] {
            let parts = again[keyPath: list].split(separator: ", ").sorted()
            #expect(parts == whole[keyPath: list].split(separator: ", ").sorted())
            #expect(parts.count == 4)
            again[keyPath: list] = whole[keyPath: list]
        }
        #expect(Set(again.notes) == Set(whole.notes))
        again.notes = whole.notes
        #expect(again == whole)
    }

    @Test("say how many cases were not run in all of them")
    func notRun() throws {
        var parts = halves
        for (index, count) in [3, 1].enumerated() {
            parts[index].run.notRun = count
            parts[index].run.notes.append(try #require(parts[index].run.notRunNote))
        }
        #expect(parts[1].run.notes.last == "1 of 3 cases was not run")
        let merged = try RunRecord(merging: parts)
        #expect(merged.notRun == 4)
        #expect(merged.notes == ["note 1", "both", "note 2", "4 of 8 cases were not run"])
        #expect(try RunRecord(json: Array(merged.jsonText.utf8)) == merged)
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
                "shard 1 of 2 is in 1.json and in 1.json"
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
