// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("Jobs, shards and selections")
struct ManyJobsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a", "b"] {
            try folder.write(
                "\(name).yaml",
                Scenarios.nbt(
                    "demo.\(name)",
                    cases: """
                          - name: passes
                            matrix: { length: [1, 2, 3, 4] }
                            steps:
                              - select: D2760000850101
                              - read: { file: FILE_1, length: "${length}" }
                              - delay: 2s
                        \(Scenarios.failing)
                        """
                )
            )
        }
    }

    private func run(_ options: String...) throws -> ChildProcess.Ending {
        try Taprig.start(["run", "a.yaml", "b.yaml", "--seed", "1"] + options, in: folder.path).wait()
    }

    private func names(_ path: String) throws -> [String] {
        let record = try JSON(parsing: Array(try folder.data(path)))
        return (record["suites"]?.array ?? []).flatMap { suite in
            (suite["cases"]?.array ?? []).map { "\(suite["name"]?.string ?? "")/\($0["name"]?.string ?? "")" }
        }
    }

    // MARK: Jobs

    @Test("give the same bytes, run.json, JUnit and traces, with one worker and with several")
    func sameBytes() throws {
        var contents: [[String: Data]] = []
        for jobs in ["1", "2", "4"] {
            #expect(try run("--jobs", jobs, "--out", "out").status == 1)
            var files: [String: Data] = [:]
            for name in folder.files(below: "out") { files[name] = try folder.data("out/\(name)") }
            contents.append(files)
            try FileManager.default.removeItem(atPath: folder.path("out"))
        }
        #expect(contents[0].count >= 12)
        #expect(contents[0] == contents[1])
        #expect(contents[0] == contents[2])
    }

    @Test(
        "that no reader can do are refused before anything runs",
        arguments: [
            (["--via", "virtual", "--jobs", "3"], "'virtual' takes 2 cards at a time, and --jobs 3 needs 3"),
            (["--via", "pcsc:A", "--jobs", "2"], "'pcsc:A' is one reader, and --jobs 2 needs 2"),
            (["--via", "pcsc:A", "--via", "pcsc:A"], "'pcsc:A' is named twice"),
            (["--via", "emulator", "--via", "emulator"], "with --jobs N"),
            (["--via", "emulator", "--via", "pcsc:A"], "'emulator' cannot be one of several ways"),
            (["--via", "pcsc:A", "--via", "pcsc:B", "--jobs", "3"], "2 readers and --jobs 3 do not fit"),
            (["--jobs", "0"], "--jobs '0' is no number from 1 to 256"),
            (["--via", "virtual", "--vpcd", ":35964", "--jobs", "2"], "needs port 35965 too"),
            (["--shard", "3/2"], "--shard '3/2' names a part that is not there; its parts are 1 to 2"),
            (["--shard", "1of3"], "--shard '1of3' is no I/N with I from 1 to N, for example 1/3"),
            (
                ["--shard", "1/99999"],
                "--shard '1/99999' asks for 99999 parts; a run is divided into 10000 at most"
            ),
            (["--durations", "x.json"], "--durations says how to divide a run; give --shard I/N too"),
            (["--shard", "1/2", "--durations", "no.json"], "no.json"),
            (["--max-errors", "0"], "--max-errors '0' is no number"),
        ] as [([String], String)]
    )
    func refused(options: [String], words: String) throws {
        let ending = try Taprig.start(["run", "a.yaml", "--out", "out"] + options, in: folder.path).wait()
        #expect(ending.status == 2)
        #expect(ending.sentence?.contains(words) == true, "\(ending.errors)")
        #expect(folder.files(below: "out").isEmpty)
    }

    // MARK: Shards

    @Test("in shards make the whole run when they are merged", arguments: [2, 3])
    func shards(count: Int) throws {
        #expect(try run("--out", "whole").status == 1)
        let parts = (1...count).map { "part\($0)" }
        for (index, part) in parts.enumerated() {
            #expect([0, 1].contains(try run("--out", part, "--shard", "\(index + 1)/\(count)").status))
        }
        let lists = try parts.map { try names("\($0)/run.json") }
        #expect(lists.joined().count == 10)
        #expect(Set(lists.joined()).count == 10)
        let inputs = parts.reversed().map { "\($0)/run.json" }
        let ending = try Taprig.start(["merge"] + inputs + ["-o", "merged/run.json"], in: folder.path).wait()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("\(count) runs, 10 cases: 8 passed, 2 failed, 0 errors, 0 skipped"))
        #expect(try folder.data("merged/run.json") == (try folder.data("whole/run.json")))
        for name in folder.files(below: "whole/traces") {
            let (merged, whole) = (
                try folder.data("merged/traces/\(name)"), try folder.data("whole/traces/\(name)")
            )
            #expect(merged == whole)
        }
        let junit = try Taprig.start(["report", "merged/run.json", "--junit", "-"], in: folder.path).wait()
        #expect(junit.output.contains("tests=\"10\" failures=\"2\""))
        // The reports are the same too, but for the folder that they link to.
        for format in ["--junit", "--html"] {
            let reports = try ["whole", "merged"].map { place in
                try Taprig.start(["report", "\(place)/run.json", format, "-"], in: folder.path).wait().output
                    .replacing("\(place)/", with: "FOLDER/")
            }
            #expect(reports[0].count > 1000)
            #expect(reports[0] == reports[1], "\(format)")
        }
    }

    @Test(
        "in shards that follow a whole run in one folder lose no case, whatever the latest run was",
        arguments: [2, 3]
    )
    func shardsInTurn(count: Int) throws {
        #expect(try run("--out", "whole").status == 1)
        // The failing cases take no time, so a division by these durations would be another one.
        #expect(try run().status == 1)
        var lists: [[String]] = []
        var paths: [String] = []
        for index in 1...count {
            let ending = try run("--shard", "\(index)/\(count)")
            #expect(ending.status == 1 || ending.status == 0)
            #expect(ending.errors.contains("note: shard \(index) of \(count), of as many cases each: "))
            #expect(ending.errors.contains(" of 10 cases"))
            lists.append(try names("Reports/latest/run.json"))
            paths.append(
                "Reports/"
                    + (try FileManager.default.destinationOfSymbolicLink(
                        atPath: folder.path("Reports/latest")
                    )) + "/run.json"
            )
        }
        #expect(lists.joined().count == 10)
        #expect(Set(lists.joined()).count == 10)
        #expect(Set(paths).count == count)
        let ending = try Taprig.start(["merge"] + paths + ["-o", "merged/run.json"], in: folder.path).wait()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try folder.data("merged/run.json") == (try folder.data("whole/run.json")))
    }

    @Test("in shards by durations make the whole too, and those of a shard are refused")
    func durations() throws {
        #expect(try run("--out", "whole").status == 1)
        for index in 1...2 {
            let options = ["--out", "part\(index)", "--shard", "\(index)/2", "--durations", "whole/run.json"]
            let ending = try Taprig.start(
                ["run", "a.yaml", "b.yaml", "--seed", "1"] + options,
                in: folder.path
            ).wait()
            #expect(
                ending.errors.contains("shard \(index) of 2, balanced by the durations in whole/run.json: ")
            )
            // The failing cases take no time: the others are divided evenly.
            #expect(try names("part\(index)/run.json").filter { $0.contains("passes") }.count == 4)
        }
        let merged = try Taprig.run(
            "merge",
            "part1/run.json",
            "part2/run.json",
            "-o",
            "m/run.json",
            in: folder.path
        )
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try names("m/run.json").count == 10)
        for (options, words) in [
            (
                ["--shard", "2/2", "--durations", "part1/run.json"],
                "--durations: part1/run.json is the outcome of shard 1 of 2"
            ),
            (
                ["--shard", "1/2", "--last-failed", "--out", "part1"],
                "--last-failed: part1/run.json is the outcome of shard 1 of 2"
            ),
        ] {
            let ending = try Taprig.start(["run", "a.yaml", "b.yaml"] + options, in: folder.path).wait()
            #expect(ending.status == 2)
            #expect(ending.sentence?.contains(words) == true, "\(ending.errors)")
        }
    }

    @Test("that are not one run are not merged")
    func strangers() throws {
        #expect(try run("--out", "one", "--shard", "1/2").status <= 1)
        #expect(try run("--out", "two", "--shard", "2/2", "--case", "passes*").status == 0)
        for (inputs, words) in [
            (["one/run.json", "two/run.json"], "are shards of different runs"),
            (["one/run.json"], "shard 2 of 2 is missing"), (["one/run.json", "no.json"], "no.json"),
        ] {
            let ending = try Taprig.start(["merge"] + inputs + ["-o", "x/run.json"], in: folder.path).wait()
            #expect(ending.status == 2)
            #expect(ending.sentence?.contains(words) == true, "\(ending.errors)")
        }
        let partial = try Taprig.start(
            ["merge", "one/run.json", "--partial", "-o", "x/run.json"],
            in: folder.path
        ).wait()
        #expect(partial.status == 0)
        #expect(partial.errors.contains("shard 2 of 2 is missing"))
        #expect(try Taprig.start(["merge", "one/run.json"], in: folder.path).wait().status == 2)
    }

    @Test("with more shards than cases leave one without any, which is fine")
    func emptyShard() throws {
        let ending = try run("--out", "out", "--shard", "11/11")
        #expect(ending.status == 0)
        #expect(try names("out/run.json").isEmpty)
        #expect(folder.text("out/junit.xml").hasSuffix("</testsuites>\n"))
    }

    // MARK: Selections

    @Test("--last-failed runs what did not pass in the run before, of the same folder or the latest")
    func lastFailed() throws {
        let none = try run("--last-failed")
        #expect(none.status == 2)
        #expect(none.sentence?.contains("there is no earlier run in Reports/latest/run.json") == true)
        #expect(try run().status == 1)
        #expect(try run("--last-failed", "--out", "again").status == 1)
        #expect(try names("again/run.json") == ["demo.a/fails", "demo.b/fails"])
        #expect(try run("--out", "own", "--case", "demo.a/*").status == 1)
        #expect(try run("--last-failed", "--out", "own").status == 1)
        #expect(try names("own/run.json") == ["demo.a/fails"])
        #expect(try run("--out", "fine", "--case", "passes*").status == 0)
        let all = try run("--last-failed", "--out", "fine")
        #expect(all.status == 2)
        #expect(all.sentence?.contains("no case failed in fine/run.json") == true)
    }

    @Test("--last-failed knows cases that were repeated, and files that could not be read")
    func lastFailedOtherwise() throws {
        #expect(try run("--out", "three", "--repeat", "3").status == 1)
        #expect(try run("--last-failed", "--out", "three").status == 1)
        #expect(try names("three/run.json") == ["demo.a/fails", "demo.b/fails"])
        let right = folder.text("a.yaml")
        try folder.write("a.yaml", right.replacing("steps:", with: "stops:"))
        #expect(try run("--out", "broken").status == 2)
        try folder.write("a.yaml", right)
        let other = try Taprig.run("run", "b.yaml", "--last-failed", "--out", "broken", in: folder.path)
        #expect(other.status == 2)
        #expect(
            other.errors.contains(
                "--last-failed: what did not pass in broken/run.json is not among the 5 cases chosen here"
            ),
            "\(other.errors)"
        )
        #expect(try run("--last-failed", "--out", "broken").status == 1)
        #expect(try names("broken/run.json").allSatisfy { $0.hasPrefix("demo.a/") })
        #expect(try names("broken/run.json").count == 5)
    }

    @Test("--last-failed tells that cases were not run because another file was wrong, or had no values")
    func lastFailedBesideBroken() throws {
        let right = folder.text("a.yaml")
        for (name, wrong) in [
            ("broken", right.replacing("steps:", with: "stops:")),
            (
                "silent",
                right.replacing("target: nbt", with: "target: nbt\nvars: { place: FILE_9 }")
                    + "\n  - name: asks\n    steps:\n      - read: { file: \"${place}\" }\n"
            ),
        ] {
            try folder.write("a.yaml", wrong)
            let ending = try run("--out", name)
            #expect(ending.status == 2, "\(ending.everything)")
            #expect(ending.errors.contains("nothing was run"))
            try folder.write("a.yaml", right)
            let again = try run("--last-failed", "--out", name)
            #expect(
                again.errors.contains(
                    "note: \(name)/run.json: 5 of 6 cases were not run; --last-failed takes"
                ),
                "\(again.errors)"
            )
        }
    }

    @Test("--max-errors stops a run whose rig is broken")
    func maxErrors() throws {
        let cases = (1...5).map { Scenarios.faulty.replacing("has a fault", with: "has fault \($0)") }
        try folder.write("bad.yaml", Scenarios.nbt(cases: cases.joined(separator: "\n")))
        let ending = try Taprig.start(
            ["run", "bad.yaml", "--max-errors", "2", "--out", "out"],
            in: folder.path
        ).wait()
        #expect(ending.status == 3)
        #expect(try names("out/run.json").count == 2)
        #expect(ending.output.contains("stopped after 2 errors of the rig (--max-errors 2)"))
        #expect(folder.text("out/junit.xml").contains("stopped after 2 errors of the rig"))
    }
}
