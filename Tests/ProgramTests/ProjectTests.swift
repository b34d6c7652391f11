// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// A run in a project with a `taprig.yaml`.
@Suite struct ProjectTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("cases/suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
    }

    private func labels(_ path: String) throws -> [String] {
        let record = try JSON(parsing: Array(folder.text(path).utf8))
        return record["labels"]?.array?.map { "\($0["key"]?.string ?? "")=\($0["value"]?.string ?? "")" }
            ?? []
    }

    @Test func `Its output folder and labels hold where the command line gives none`() throws {
        try folder.write("taprig.yaml", "out: build/rig\nlabels: {line: 3, site: east}\n")
        let ending = try Taprig.run("run", "cases", "--label", "line=4", in: folder.path)
        #expect(ending.status == 0)
        #expect(ending.output.contains("report: build/rig/junit.xml"))
        #expect(try labels("build/rig/run.json") == ["site=east", "line=4"])
        #expect(folder.text("build/rig/junit.xml").contains("value=\"build/rig/run.json\""))
    }

    @Test func `The command line's output folder goes before its own`() throws {
        try folder.write("taprig.yaml", "out: build/rig\n")
        #expect(try Taprig.run("run", "cases", "--out", "here", in: folder.path).status == 0)
        #expect(folder.text("here/junit.xml").hasSuffix("</testsuites>\n"))
        #expect(folder.text("build/rig/junit.xml").isEmpty)
    }

    @Test func `A mistake in it is told, and nothing runs`() throws {
        try folder.write("taprig.yaml", "outt: build/rig\n")
        let ending = try Taprig.run("run", "cases", in: folder.path)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("taprig.yaml:1:1: unknown key 'outt' in the project's settings"))
        #expect(ending.output.isEmpty)
    }

    @Test(arguments: ["../evil", "/proc/evil", "cases/../../evil", "leaving/evil", "leaving"])
    func `An output folder outside of the project is a mistake, through links too`(out: String) throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("leaving"),
            withDestinationPath: other.path
        )
        try folder.write("taprig.yaml", "out: \(out)\n")
        let ending = try Taprig.run("run", "cases", in: folder.path)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("taprig.yaml:1:6: 'out: \(out)' leads out of the project"))
        #expect(other.files().isEmpty)
        #expect(ending.output.isEmpty)
    }

    @Test func `A bench of the project keeps its counters in the project`() throws {
        let other = try TemporaryFolder()
        let bench = """
            bench: 1
            ledger: LEDGER
            roles:
              nbt: { reader: { pattern: none } }
            """
        try folder.write("taprig.yaml", "bench: bench.yaml\n")
        for path in ["../evil.json", other.path("evil.json")] {
            try folder.write("bench.yaml", bench.replacing("LEDGER", with: path))
            let ending = try Taprig.run(
                "run",
                "cases",
                "--out",
                "out",
                in: folder.path,
                environment: Taprig.withoutService
            )
            #expect(ending.status == 2)
            #expect(ending.sentence?.contains("leads out of the project") == true, "\(ending.errors)")
        }
        #expect(other.files().isEmpty)
        // Who names the bench knows it.
        let named = try Taprig.run(
            "run",
            "cases",
            "--out",
            "out",
            "--bench",
            "bench.yaml",
            in: folder.path,
            environment: Taprig.withoutService
        )
        #expect(named.status == 3)
        #expect(other.files().contains("evil.json"))
    }
}
