// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

/// The folder of a run: whose it is, what is in it, and what reports call it.
@Suite struct RunFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "a.yaml",
            Scenarios.nbt("demo.a", cases: "\(Scenarios.passing)\n\(Scenarios.failing)")
        )
        try folder.write("b.yaml", Scenarios.nbt("demo.b", cases: Scenarios.failing))
        try folder.write("long.yaml", Scenarios.endless)
    }

    // MARK: One run, one folder

    @Test func `Runs that begin in the same second have folders of their own`() throws {
        let runs = try (1...6).map { _ in try Taprig.start(["run", "a.yaml"], in: folder.path) }
        let endings = try runs.map { try $0.wait() }
        #expect(endings.map(\.status) == Array(repeating: 1, count: 6))
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path("Reports")).filter {
            $0 != "latest"
        }
        #expect(folders.count == 6)
        for name in folders { #expect(folder.files(below: "Reports/\(name)").contains("run.json")) }
        let told = endings.compactMap { ending in
            ending.output.split(separator: "\n").first { $0.hasPrefix("report: ") }.map(String.init)
        }
        #expect(Set(told) == Set(folders.map { "report: Reports/\($0)/junit.xml" }))
    }

    @Test(arguments: ["out", "./out/", "link"])
    func `A folder that a run is writing into is refused to another one, until that has ended`(name: String)
        throws
    {
        let first = try Taprig.start(["run", "long.yaml", "--out", "out"], in: folder.path)
        #expect(first.wait { folder.files(below: "out").contains { $0.hasSuffix(".jsonl") } })
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "out")
        let second = try Taprig.run("run", "a.yaml", "--out", name, in: folder.path)
        #expect(second.status == 3)
        #expect(
            second.sentence?.contains("another run is writing into it; choose another folder with --out")
                == true
        )
        #expect(folder.files(below: "out").allSatisfy { !$0.contains("demo.a") })
        // However it ends, the folder is free.
        first.send(SIGKILL)
        _ = try first.wait()
        #expect(try Taprig.run("run", "a.yaml", "--out", name, in: folder.path).status == 1)
        #expect(folder.files(below: "out").allSatisfy { !$0.contains("endless") })
    }

    @Test(arguments: [[], ["--junit-split"], ["--junit-flavor", "surefire"]])
    func `A second run into a folder leaves nothing of the first, and nothing else is touched`(
        options: [String]
    ) throws {
        #expect(
            try Taprig.start(["run", "a.yaml", "--out", "out"] + options, in: folder.path).wait().status == 1
        )
        #expect(folder.files(below: "out").contains("demo.a.txt"))
        #expect(folder.files(below: "out").contains("traces/demo.a/fails.jsonl"))
        let own = ["mine.txt", "junit/mine.xml", "traces/demo.a/mine.jsonl", "traces/notes.md"]
        for name in own { try folder.write("out/\(name)", "{}\n") }
        #expect(
            try Taprig.start(["run", "b.yaml", "--out", "out"] + options, in: folder.path).wait().status == 1
        )
        #expect(
            try Taprig.start(["run", "b.yaml", "--out", "new"] + options, in: folder.path).wait().status == 1
        )
        #expect(folder.files(below: "out") == (folder.files(below: "new") + own).sorted())
    }

    @Test func `What a killed run left goes too`() throws {
        let killed = try Taprig.start(["run", "long.yaml", "--out", "out"], in: folder.path)
        #expect(killed.wait { folder.files(below: "out").contains { $0.hasSuffix(".jsonl") } })
        killed.send(SIGKILL)
        _ = try killed.wait()
        // One that was killed before its first record.
        try folder.write("out/traces/demo.endless/empty.jsonl", "")
        try folder.write("out/traces/demo.endless/begun.jsonl", "{\"tra")
        #expect(try Taprig.run("run", "b.yaml", "--out", "out", in: folder.path).status == 1)
        #expect(folder.files(below: "out/traces") == ["demo.b/fails.jsonl"])
    }

    // MARK: What reports call it

    private func attachments(_ path: String) -> [String] {
        folder.text(path).split(separator: "\n").filter { $0.hasPrefix("[[ATTACHMENT|") }.map {
            String($0.dropFirst(13).dropLast(2))
        }
    }

    @Test func `Attachments are named from the working folder, however the folder is written`() throws {
        let whole = "traces/demo.b/fails.jsonl"
        let ways = [
            "one": "one/", folder.path("two"): "two/", "./three/": "three/",
            folder.path("x/../four"): "four/",
            ".": "",
        ]
        try folder.write("x/y", "")
        for (way, prefix) in ways {
            #expect(try Taprig.run("run", "b.yaml", "--out", way, in: folder.path).status == 1)
            #expect(attachments("\(prefix)junit.xml") == ["\(prefix)\(whole)"], "\(way)")
        }
        let again = try Taprig.run(
            "report",
            folder.path("two/run.json"),
            "--junit",
            "again.xml",
            in: folder.path
        )
        #expect(again.status == 0)
        #expect(attachments("again.xml") == ["two/\(whole)"])
        let given = [
            "report", "two/run.json", "--junit", "given.xml", "--attachments", folder.path("kept/here"),
        ]
        #expect(try Taprig.start(given, in: folder.path).wait().status == 0)
        #expect(attachments("given.xml") == ["kept/here/\(whole)"])
    }

    @Test(arguments: ["CI_PROJECT_DIR", "GITHUB_WORKSPACE", "WORKSPACE"])
    func `Where the server names its workspace, attachments are named from there`(variable: String) throws {
        try folder.write("sub/b.yaml", folder.text("b.yaml"))
        for (out, place) in [
            ("out", "sub/out"), (folder.path("Reports"), "Reports"), ("../up", "up"),
            (nil, "sub/Reports/latest"),
        ] {
            let ending = try Taprig.start(
                ["run", "b.yaml"] + (out.map { ["--out", $0] } ?? []),
                in: folder.path("sub"),
                environment: [variable: folder.path]
            ).wait()
            #expect(ending.status == 1)
            #expect(attachments("\(place)/junit.xml") == ["\(place)/traces/demo.b/fails.jsonl"])
        }
    }

    @Test func `The output folder of a project is named from the project when a run starts below it`() throws
    {
        try folder.write("taprig.yaml", "out: build/rig\n")
        try folder.write("sub/b.yaml", folder.text("b.yaml"))
        #expect(try Taprig.run("run", "b.yaml", in: folder.path("sub")).status == 1)
        #expect(attachments("build/rig/junit.xml") == ["build/rig/traces/demo.b/fails.jsonl"])
    }

    @Test func `A folder outside of the workspace has no attachments rather than wrong ones`() throws {
        let other = try TemporaryFolder()
        #expect(try Taprig.run("run", "b.yaml", "--out", other.path("out"), in: folder.path).status == 1)
        #expect(other.text("out/junit.xml").contains("<testsuites"))
        #expect(!other.text("out/junit.xml").contains("[[ATTACHMENT"))
    }

    // MARK: Reports that cannot be written

    @Test func `The folder of a JUnit file is made before anything runs`() throws {
        let ending = try Taprig.run(
            "run",
            "b.yaml",
            "--out",
            "out",
            "--junit",
            "deep/er/j.xml",
            in: folder.path
        )
        #expect(ending.status == 1)
        #expect(folder.text("deep/er/j.xml").hasSuffix("</testsuites>\n"))
        for (option, name) in [("--junit", "p/j.xml"), ("--html", "q/p.html"), ("--markdown", "r/s.md")] {
            #expect(try Taprig.run("report", "out/run.json", option, name, in: folder.path).status == 0)
            #expect(!folder.text(name).isEmpty)
        }
        let split = ["report", "out/run.json", "--junit", "sp/j.xml", "--junit-split"]
        #expect(try Taprig.start(split, in: folder.path).wait().status == 0)
        #expect(folder.files(below: "sp") == ["j-demo.b.xml"])
    }

    @Test func `A JUnit file that cannot be written is refused before anything runs`() throws {
        let ending = try Taprig.run(
            "run",
            "a.yaml",
            "--out",
            "out",
            "--junit",
            "a.yaml/j.xml",
            in: folder.path
        )
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("choose another file with --junit") == true)
        #expect(ending.output.isEmpty)
        #expect(folder.files(below: "out").isEmpty)
    }

    @Test func `A report is told when it is written, and not otherwise`() throws {
        let first = try Taprig.run("run", "b.yaml", "--out", "out", in: folder.path)
        #expect(first.output.contains("report: out/junit.xml\npage:   out/report.html\n"))
        // A run that may not write more than a trace: its reports have no room, as on a full disk.
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" run b.yaml --out small"
        let ending = try ChildProcess("/bin/bash", ["-c", script, Taprig.path], in: folder.path).wait()
        #expect(ending.status == 3)
        #expect(ending.errors.contains("the traces that were written so far are in small"))
        #expect(ending.output.contains("1 case: "))
        #expect(!ending.output.contains("report:"))
    }

    @Test(arguments: ["/dev/zero", "/dev/full"])
    func `A device is no outcome of a run, and is not read to its end`(device: String) throws {
        for words in [
            ["report", device], ["merge", device, "-o", "m/run.json"],
            ["run", "a.yaml", "--shard", "1/2", "--durations", device],
        ] {
            let ending = try Taprig.start(words, in: folder.path).wait()
            #expect(ending.status == 2)
            #expect(ending.sentence?.contains("cannot read \(device): it is a device") == true)
        }
    }

    @Test func `An outcome that is too long is refused before it is read`() throws {
        try folder.write("huge.json", "{")
        #expect(truncate(folder.path("huge.json"), 1 << 40) == 0)
        let ending = try Taprig.run("report", "huge.json", in: folder.path)
        #expect(ending.status == 2)
        #expect(ending.sentence?.contains("it is longer than 536870912 bytes") == true)
    }

    @Test(arguments: ["../outside.jsonl", "/dev/zero", "traces/../../outside.jsonl"])
    func `Traces outside of their run are not merged`(path: String) throws {
        #expect(try Taprig.run("run", "b.yaml", "--out", "out", in: folder.path).status == 1)
        let text = folder.text("out/run.json").replacing("traces/demo.b/fails.jsonl", with: path)
        try folder.write("out/run.json", text)
        let ending = try Taprig.run("merge", "out/run.json", "-o", "m/run.json", in: folder.path)
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("a trace lies in its run's folder") == true)
        #expect(folder.files(below: "m").isEmpty)
    }

    // MARK: What is selected and said twice

    @Test func `A part of a name is no glob, and the right one is offered`() throws {
        try folder.write(
            "danger.yaml",
            Scenarios.nbt(
                "danger.pin",
                cases: ["destroy everything", "change pin"].map {
                    Scenarios.passing.replacing("name: passes", with: "name: \($0)")
                }.joined(separator: "\n")
            )
        )
        for command in [["run", "danger.yaml", "--out", "out"], ["list", "danger.yaml"]] {
            let ending = try Taprig.start(command + ["--case", "pin"], in: folder.path).wait()
            #expect(ending.status == 2)
            #expect(ending.sentence?.contains("did you mean --case '*pin*'?") == true)
        }
        #expect(folder.files(below: "out").isEmpty)
        let ending = try Taprig.run("list", "danger.yaml", "--case", "*pin", in: folder.path)
        #expect(ending.output.contains("change pin"))
        #expect(!ending.output.contains("destroy"))
    }

    @Test(
        arguments: [
            ("--label", "site"), ("--var", "site"), ("--option", "firmware"),
        ]
    )
    func `A name that is given two values is refused`(option: String, name: String) throws {
        let words = ["run", "a.yaml", "--out", "out", option, "\(name)=1", option, "\(name)=2"]
        let ending = try Taprig.start(words, in: folder.path).wait()
        #expect(ending.status == 2)
        #expect(ending.sentence?.contains("\(option) \(name) is given twice, as '1' and as '2'") == true)
        #expect(folder.files(below: "out").isEmpty)
    }
}
