// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import RunRecord
import Testing

@testable import Report

@Suite("JUnit report")
struct JUnitWriterTests {
    @Test("of a run with every kind of outcome")
    func golden() throws {
        let text = JUnitWriter(options: JUnitOptions(runFolder: "Reports/latest")).text(SampleRun.mixed)
        try Fixture.expect(text, equals: "junit-sample.xml")
        #expect(try ReportFile(text).complaints() == "")
    }

    @Test("of a run without suites")
    func empty() throws {
        var run = SampleRun.mixed
        run.suites = []
        #expect(try ReportFile(run).complaints() == "")
    }

    @Test("of an interrupted run has an error of type Interrupted", arguments: [true, false])
    func interrupted(isTold: Bool) throws {
        var run = SampleRun.mixed
        run.interruptedBy = "SIGINT"
        if isTold {
            run.suites[0].cases[2].problem = Problem(
                type: "Interrupted",
                isRigError: true,
                message: "interrupted by SIGINT",
                file: "a",
                line: 1
            )
        }
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        #expect(try report.value("count(//error[@type='Interrupted'])") == "1")
        #expect(try report.value("count(//testcase)") == (isTold ? "5" : "6"))
        #expect(try report.value("string(/testsuites/@errors)") == (isTold ? "1" : "2"))
    }

    @Test("of a wrong scenario has an error with its place")
    func wrongScenario() throws {
        var item = CaseRecord(name: "demo.yaml", file: "demo.yaml", line: 7, tags: [])
        item.verdict = .error
        item.problem = Problem(
            type: "ScenarioInvalid",
            isRigError: true,
            message: "unknown step 'raed'",
            file: "demo.yaml",
            line: 7,
            details: ["demo.yaml:7:12: unknown step 'raed'; did you mean 'read'?"]
        )
        var run = SampleRun.run([item], name: "demo.yaml")
        run.suites[0].via = ""
        run.suites[0].started = ""
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        #expect(try report.value("string(//error)").hasPrefix("unknown step 'raed'\nat demo.yaml:7\n"))
    }

    @Test("is written into a file as a whole, or not at all")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try HostFile.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let summary = try JUnitWriter().write(SampleRun.mixed, toFile: "\(folder)/junit.xml")
        #expect(try HostFile.read("\(folder)/junit.xml").count == summary.byteCount)
        #expect(try HostFile.names(in: folder) == ["junit.xml"])
        let error = #expect(throws: FileError.self) {
            try JUnitWriter().write(SampleRun.mixed, toFile: "\(folder)/no/junit.xml")
        }
        #expect(error?.description == "cannot write \(folder)/no/junit.xml: No such file or directory")
    }

    @Test("stops when its reader does")
    func brokenSink() {
        struct Full: Error {}
        #expect(throws: Full.self) {
            try JUnitWriter().write(SampleRun.mixed) { (_) throws(Full) in throw Full() }
        }
    }
}
