// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

/// Inputs of `lint` that are no plain files below the working folder, and the names that complaints give to them.
@Suite struct GivenPathTests {
    private let folder: TemporaryFolder
    private let wrong =
        "rig: 1\nsuite: a.b\ntarget: nbt\ncases:\n  - name: x\n    steps:\n      - raed: FILE_2\n"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func firstLine(_ arguments: String..., in working: String? = nil) throws -> String {
        let ending = try Taprig.start(["lint"] + arguments, in: working).wait(limit: .seconds(20))
        #expect(ending.status == 2)
        return String(ending.output.split(separator: "\n").first ?? "")
    }

    @Test func `A device keeps its name`() throws {
        #expect(try firstLine("/dev/null").hasPrefix("/dev/null:1:1: the file is empty"))
        let json = try Taprig.run("lint", "--json", "/dev/null").json()
        #expect(json.at("mistakes.0.file")?.string == "/dev/null")
        let run = try Taprig.run("run", "/dev/null", "--out", folder.path("out"))
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("/dev/null:1:1: "))
    }

    @Test func `A file is named as the user named it, wherever it lies`() throws {
        let path = try folder.write("project/in/suite.yaml", wrong)
        try folder.write("project/taprig.yaml", "")
        let inside = folder.path("project/in")
        #expect(try firstLine(path, in: "/").hasPrefix("\(path):7:9: "))
        #expect(try firstLine("suite.yaml", in: inside).hasPrefix("suite.yaml:7:9: "))
        #expect(try firstLine("./suite.yaml", in: inside).hasPrefix("./suite.yaml:7:9: "))
        #expect(try firstLine("../in/suite.yaml", in: inside).hasPrefix("../in/suite.yaml:7:9: "))
        #expect(try firstLine(folder.path, in: "/").hasPrefix("\(path):7:9: "))
        #expect(try firstLine("project", in: folder.path).hasPrefix("project/in/suite.yaml:7:9: "))
        #expect(
            try firstLine("nosuch//x.yaml", in: folder.path).hasPrefix("nosuch//x.yaml:1:1: there is no such")
        )
    }

    @Test func `An included file is named from the working folder`() throws {
        try folder.write("lib.yaml", "steps:\n  go:\n    - raed: FILE_2\n")
        try folder.write(
            "in/suite.yaml",
            wrong.replacingOccurrences(of: "target: nbt", with: "target: nbt\ninclude: [../lib.yaml]")
                .replacingOccurrences(of: "raed: FILE_2", with: "use: go")
        )
        try folder.write("taprig.yaml", "")
        #expect(try firstLine("in/suite.yaml", in: folder.path).hasPrefix("lib.yaml:3:7: "))
        #expect(
            try firstLine(folder.path("in/suite.yaml"), in: "/dev").hasPrefix(
                "\(folder.path("lib.yaml")):3:7: "
            )
        )
    }

    @Test func `The record names files from their project all the same, and JUnit from the working folder`()
        throws
    {
        try folder.write("taprig.yaml", "")
        let path = try folder.write("in/suite.yaml", wrong)
        let ending = try Taprig.run("run", path, "--out", folder.path("out"), in: "/")
        #expect(ending.errors.hasPrefix("\(path):7:9: "))
        #expect(folder.text("out/run.json").contains("\"file\":\"in/suite.yaml\""))
        #expect(folder.text("out/junit.xml").contains("file=\"\(path.dropFirst())\""))
    }

    @Test func `A pipe of the shell is read`() throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        let ending = try ChildProcess(
            "/bin/bash",
            ["-c", "\"$0\" lint <(cat suite.yaml) && cat suite.yaml | \"$0\" lint /dev/stdin", Taprig.path],
            in: folder.path
        ).wait()
        #expect(ending.status == 0, "\(ending.everything)")
        #expect(ending.output.components(separatedBy: "no mistakes").count == 3)
        #expect(
            try firstLine("-").hasPrefix(
                "-:1:1: there is no such file or folder; for standard input write /dev/stdin"
            )
        )
    }

    @Test func `A pipe in a folder is told and not waited for`() throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        #expect(mkfifo(folder.path("pipe.yaml"), 0o600) == 0)
        #expect(
            try firstLine(folder.path).hasPrefix("\(folder.path("pipe.yaml")):1:1: this is no plain file")
        )
    }

    @Test func `What cannot be read is told with its reason`() throws {
        #expect(try firstLine("/proc/self/mem").hasPrefix("/proc/self/mem:1:1: cannot read the file: "))
        #expect(
            try firstLine(folder.path).hasPrefix("\(folder.path):1:1: there is no scenario in this folder")
        )
    }

    @Test func `Control characters of a name neither end a line nor steer the terminal`() throws {
        let name = "a\nb\u{1B}[2J.yaml"
        try folder.write(name, wrong)
        let ending = try Taprig.run("lint", name, in: folder.path)
        #expect(ending.output.split(separator: "\n").count == 1)
        #expect(ending.output.hasPrefix("a\\u000Ab\\u001B[2J.yaml:7:9: "))
        for words in [
            ["send", "-f", name], ["trace", "show", name], ["report", name], ["report", "no\n\u{1B}.json"],
            ["send", "no\u{1B}hex"], ["fmt", "no\u{1B}.yaml"], ["no\u{1B}command"],
        ] {
            let other = try Taprig.start(words, in: folder.path).wait()
            #expect(other.status == 2, "\(words)")
            #expect(!other.everything.contains("\u{1B}"), "\(words)")
            #expect(other.sentence != nil, "\(other.errors)")
        }
        let json = try Taprig.run("lint", "--json", name, in: folder.path).json()
        #expect(json.at("mistakes.0.file")?.string == name)
    }
}
