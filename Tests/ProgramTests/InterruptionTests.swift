// SPDX-License-Identifier: MIT

import Glibc
import JSONText
import Testing

@Suite("An interrupted run")
struct InterruptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("endless.yaml", Scenarios.endless)
    }

    private static let trace = "out/traces/demo.endless/reads-on-and-on.jsonl"

    @Test(
        "runs its teardown, writes its reports and ends with the signal's status",
        arguments: [(SIGINT, "SIGINT", 130), (SIGTERM, "SIGTERM", 143)] as [(Int32, String, Int32)]
    )
    func signal(_ number: Int32, _ name: String, _ status: Int32) throws {
        let child = try Taprig.start(["run", "endless.yaml", "--out", "out"], in: folder.path)
        #expect(child.wait(until: { folder.text(Self.trace).contains("\"n\":20,") }))
        child.send(number)
        let ending = try child.wait()
        #expect(ending.status == status)
        #expect(!ending.wasKilled)
        #expect(ending.errors.contains(name))
        #expect(ending.output.contains("interrupted by \(name)"))

        let lines = folder.text(Self.trace).split(separator: "\n")
        #expect(lines.suffix(4).contains { $0.contains("\"step\":\"teardown.1 select FILE_2\"") })
        #expect(lines.last?.hasPrefix("{\"end\":\"error\"") == true)
        let record = try JSON(parsing: Array(folder.text("out/run.json").utf8))
        #expect(record["interrupted_by"]?.string == name)
        #expect(record.at("suites.0.cases.0.problem.type")?.string == "Interrupted")
        let junit = folder.text("out/junit.xml")
        #expect(junit.contains("type=\"Interrupted\""))
        #expect(junit.hasSuffix("</testsuites>\n"))
    }

    @Test("of send ends between two commands, and says so")
    func send() throws {
        let child = try Taprig.start(["send", "--repeat", "100000000", "00B0000001"])
        #expect(child.wait(until: { child.outputSoFar.contains("6986") }))
        child.send(SIGTERM)
        let ending = try child.wait()
        #expect(ending.status == 143)
        #expect(!ending.wasKilled)
        #expect(ending.sentence == "taprig: ended by SIGTERM before all was sent")
    }
}
