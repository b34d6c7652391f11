// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A scenario that no rig should choke on, and what is said of it.
    struct Input: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [(name: String, data: Data)]
        /// Words of the first complaint.
        let words: String
        /// How many complaints there are at most.
        var mostLines = 1

        var testDescription: String { name }
        var path: String { files.first?.name ?? "nosuch.yaml" }

        init(_ name: String, _ words: String, _ files: (String, String)..., mostLines: Int = 1) {
            self.name = name
            self.words = words
            self.files = files.map { ($0.0, Data($0.1.utf8)) }
            self.mostLines = mostLines
        }

        init(_ name: String, _ words: String, bytes: Data) {
            self.name = name
            self.words = words
            files = [("input.yaml", bytes)]
        }

        private static func including(_ path: String) -> String {
            Scenarios.nbt(cases: Scenarios.passing, header: "include: [\(path)]\n")
        }

        static let all: [Input] = [
            Input("an empty file", "the file is empty", ("input.yaml", "")),
            Input("two megabytes", "longer than 1 MiB", bytes: Data(repeating: 0x61, count: 2 << 20)),
            Input("bytes that are no text", "input.yaml:1:", bytes: Data((0...255).map { UInt8($0 ^ 0x9C) })),
            Input("a text", "a scenario is a mapping", ("input.yaml", "hello\n")),
            Input("a folder without scenarios", "no scenario in this folder", ("sub/notes.txt", "hello")),
            Input("a missing file", "no such file or folder"),
            Input(
                "an include in a circle",
                "includes itself",
                ("input.yaml", including("a.yaml")),
                ("a.yaml", "include: [b.yaml]\nsteps: {}\n"),
                ("b.yaml", "include: [a.yaml]\nsteps: {}\n")
            ),
            Input(
                "an include above the project",
                "leads out of the project",
                ("input.yaml", including("../x.yaml"))
            ),
            Input(
                "an include by an absolute path",
                "leads out of the project",
                ("input.yaml", including("/etc/passwd"))
            ),
            Input("an include that is missing", "is not there", ("input.yaml", including("nosuch.yaml"))),
            Input(
                "ten thousand unknown keys",
                "unknown key 'key0'",
                (
                    "input.yaml",
                    (0..<10_000).map { "key\($0): 1\n" }.joined() + Scenarios.nbt(cases: Scenarios.passing)
                ),
                mostLines: 250
            ),
            Input(
                "forty levels",
                "deep",
                ("input.yaml", "rig: " + String(repeating: "[", count: 40)),
                mostLines: 2
            ),
            Input(
                "a card that is missing",
                "is not there",
                (
                    "input.yaml",
                    "rig: 1\nsuite: a.b\ntarget: iso7816\noptions: { card: no.json }\ncases:\n"
                        + "  - name: x\n    steps:\n      - send: 00B0000001\n"
                )
            ),
            Input(
                "a card that is no card",
                "input.yaml:4:18: ",
                (
                    "input.yaml",
                    "rig: 1\nsuite: a.b\ntarget: iso7816\noptions: { card: card.json }\ncases:\n"
                        + "  - name: x\n    steps:\n      - send: 00B0000001\n"
                ),
                ("card.json", "{\"rules\": 7}")
            ),
        ]
    }

    @Test("is told in one sentence by lint and by run, and nothing is sent", arguments: Input.all)
    func scenario(_ input: Input) throws {
        for (name, data) in input.files { try folder.write(name, data) }
        let path = input.path.hasPrefix("sub/") ? "sub" : input.path
        let lint = try Taprig.run("lint", path, in: folder.path)
        #expect(lint.status == 2)
        #expect(!lint.wasKilled)
        #expect(
            lint.output.split(separator: "\n").first?.contains(input.words) == true,
            "\(lint.output.prefix(500))"
        )
        #expect(lint.output.split(separator: "\n").count <= input.mostLines)

        let run = try Taprig.run("run", path, "--out", "out", in: folder.path)
        #expect(run.status == 2)
        #expect(!run.wasKilled)
        #expect(run.output.isEmpty)
        #expect(
            run.errors.split(separator: "\n").first?.contains(input.words) == true,
            "\(run.errors.prefix(500))"
        )
        #expect(run.errors.split(separator: "\n").count <= input.mostLines + 1)
        #expect(folder.text("out/junit.xml").contains("type=\"ScenarioInvalid\""))
        #expect(folder.files(below: "out/traces").isEmpty)
    }

    @Test("is told when it is a link that leads out of the project")
    func linkOut() throws {
        let outside = try TemporaryFolder()
        try outside.write("lib.yaml", "steps: {}\n")
        try folder.write("taprig.yaml", "")
        try folder.write(
            "input.yaml",
            Scenarios.nbt(cases: Scenarios.passing, header: "include: [lib.yaml]\n")
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("lib.yaml"),
            withDestinationPath: outside.path("lib.yaml")
        )
        let lint = try Taprig.run("lint", "input.yaml", in: folder.path)
        #expect(lint.status == 2)
        #expect(lint.output.contains("leads out of the project"))
    }

    @Test("is told when a folder cannot be read")
    func unreadableFolder() throws {
        try folder.write("sub/a.yaml", Scenarios.nbt(cases: Scenarios.passing))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path("sub"))
        defer {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700],
                ofItemAtPath: folder.path("sub")
            )
        }
        for arguments in [["lint", "sub"], ["run", "sub", "--out", "out"]] {
            // The superuser reads every folder, but not from inside of a namespace that knows no superuser.
            let wrapped = getuid() == 0 ? ["-U", Taprig.path] + arguments : arguments
            let program = getuid() == 0 ? "unshare" : Taprig.path
            let ending = try ChildProcess(program, wrapped, in: folder.path).wait()
            #expect(ending.status == 2)
            #expect(ending.everything.contains("cannot list the folder: Permission denied"))
        }
    }

    @Test("of a card: one byte is an error of the case, never a crash")
    func oneByteAnswer() throws {
        try folder.write("card.json", "{\"rules\":[{\"c\":\"00D60000010A\",\"r\":\"90\"}]}")
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.short
            target: iso7816
            options: { card: card.json }
            teardown:
              - send: 00A40000
                allow: [6D00]
            cases:
              - name: writes
                steps:
                  - send: 00D60000010A
            """
        )
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 3)
        #expect(ending.output.contains("response too short (1 bytes)"))
        #expect(folder.text("out/junit.xml").contains("<error type=\"LinkLost\""))
        #expect(folder.text("out/traces/demo.short/writes.jsonl").contains("\"step\":\"teardown.1 send"))
    }

    // MARK: Files of other commands

    @Test("of trace show and stats is told with its line")
    func brokenTrace() throws {
        let header = "{\"trace\":1,\"rig\":\"0.1.0\"}\n"
        let broken: [(String, String)] = [
            (header + "{\"n\":1,\"c\":\"00B0\",\"r\":\"90\n{\"n\":2}\n", "t.jsonl:2:"),
            (header + "{\"n\":\"x\"}\n", "t.jsonl:2:1: "),
            ("[1]\n", "t.jsonl:1:1: this is no trace"), ("garbage", "it has no whole line"),
            ("", "t.jsonl:1:1: this is no trace, it is empty; name a file"), ("\n\n", "it is empty"),
            ("{\"run\":1}\n", "t.jsonl:1:1: this is no trace"), ("# notes\n", "t.jsonl:1:1: "),
            (header + "{\"n\":1,\"c\":\"0G\",\"r\":\"9000\"}\n", "t.jsonl:2:1: "),
        ]
        for (text, words) in broken {
            let path = try folder.write("t.jsonl", text)
            for word in ["show", "stats"] {
                let ending = try Taprig.run("trace", word, path)
                #expect(ending.status == 2, "\(text)")
                #expect(ending.sentence?.contains(words) == true, "\(ending.errors)")
            }
        }
        let torn = try folder.write(
            "torn.jsonl",
            header + "{\"n\":1,\"c\":\"00B0000001\",\"r\":\"9000\",\"us\":1.0}\n{\"n\":2,\"c\""
        )
        for word in ["show", "stats"] {
            let ending = try Taprig.run("trace", word, torn)
            #expect(ending.status == 0)
            #expect(ending.output.contains("READ BINARY"))
            #expect(ending.sentence?.contains("torn.jsonl: the last line is torn") == true)
        }
    }

    @Test(
        "of report is told in one sentence",
        arguments: [
            "", "{", "[]", "{\"run\":99}", "{\"run\":1,\"suites\":7}", "{\"run\":1}",
            "{\"run\":1,\"suites\":[{}]}",
        ]
    )
    func brokenRecord(_ text: String) throws {
        let path = try folder.write("run.json", text)
        for more in [[], ["--junit", "-"]] {
            let ending = try Taprig.start(["report", path] + more).wait()
            #expect(ending.status == 2)
            #expect(ending.output.isEmpty)
            let sentence = try #require(ending.sentence)
            #expect(sentence.hasPrefix("taprig: \(path):"), "\(sentence)")
            #expect(sentence.hasSuffix("; name the run.json that a run has left"), "\(sentence)")
        }
    }

    // MARK: Where nothing can be written

    @Test("of --out: a folder that cannot be made is trouble of the rig")
    func unwritableOut() throws {
        let suite = try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        try folder.write("file", "")
        for out in ["/proc/taprig", folder.path("file/out"), folder.path("file")] {
            let ending = try Taprig.run("run", suite, "--out", out)
            #expect(ending.status == 3)
            #expect(ending.sentence?.contains("choose another folder with --out") == true, "\(ending.errors)")
        }
    }

    @Test("of --junit: a place that cannot be written to is trouble of the rig, before anything runs")
    func unwritableJUnit() throws {
        let suite = try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let ending = try Taprig.run(
            "run",
            suite,
            "--out",
            folder.path("out"),
            "--junit",
            folder.path("suite.yaml/such/f.xml")
        )
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("suite.yaml") == true)
        #expect(ending.output.isEmpty)
        #expect(folder.files(below: "out").isEmpty)
    }

    @Test("of --junit: a link is followed, and a stream is written to as it stands")
    func linkedJUnit() throws {
        let suite = try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        try folder.write("real.xml", "old")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.xml"),
            withDestinationPath: "real.xml"
        )
        let ending = try Taprig.run(
            "run",
            suite,
            "--out",
            folder.path("out"),
            "--junit",
            folder.path("link.xml")
        )
        #expect(ending.status == 0)
        #expect(folder.text("real.xml").hasPrefix("<?xml"))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.xml")) == "real.xml"
        )
        let report = try Taprig.run("report", folder.path("out/run.json"), "--junit", "/dev/stdout")
        #expect(report.output.hasPrefix("<?xml"))
        #expect(report.output.hasSuffix("</testsuites>\n"))
    }

    /// Runs the program in a namespace of its own, behind one of the tools of the fixtures.
    private func start(_ tool: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "unshare",
            ["-Urm", Taprig.fixture("tools/\(tool)")] + arguments,
            in: folder.path
        )
    }

    private static let hasNamespaces = (try? ChildProcess("unshare", ["-Urm", "true"]).wait().status) == 0

    @Test(
        "of a disk: a JUnit file on a full device is told",
        .enabled(if: hasNamespaces, "needs user namespaces")
    )
    func fullDevice() throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let full = try folder.write("full", "")
        let ending = try start(
            "full-file",
            [full, Taprig.path, "run", "suite.yaml", "--out", "out", "--junit", full]
        ).wait()
        #expect(ending.status == 3)
        #expect(ending.sentence?.contains("No space left on device") == true, "\(ending.errors)")
        #expect(folder.files().filter { $0.hasSuffix(".new") }.isEmpty)
    }

    @Test(
        "of a disk: when it fills under a trace, the case is an error, and the program says so",
        .enabled(if: hasNamespaces, "needs user namespaces")
    )
    func fullDisk() throws {
        let reads = """
              - name: reads a lot
                steps:
                  - select: D2760000850101
                  - select: E1A1
                  - read: { length: 1 }
                    repeat: 5000
            """
        try folder.write("suite.yaml", Scenarios.nbt(cases: reads))
        try folder.write("disk/here", "")
        let ending = try start(
            "small-disk",
            [folder.path("disk"), "64k", Taprig.path, "run", "suite.yaml", "--out", "disk/out"]
        ).wait()
        #expect(ending.status == 3, "\(ending.everything)")
        #expect(!ending.wasKilled)
        #expect(ending.everything.contains("No space left on device"))
    }
}
