// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import RunRecord
import Testing

@testable import Report

@Suite("Strict JUnit dialects")
struct JUnitFlavorTests {
    private static let runs: [RunRecord] = {
        var twoSuites = SampleRun.mixed
        twoSuites.suites.append(twoSuites.suites[0])
        twoSuites.notes = ["a note"]
        var odd = SampleRun.run([SampleRun.plain], name: ".")
        odd.hostName = ""
        odd.suites[0].started = "never"
        return [
            SampleRun.mixed, twoSuites, odd, HostileRun.run(cases: 60, exchanges: 30), HostileRun.skipped,
            SampleRun.run([]),
        ]
    }()

    private func report(_ run: RunRecord, _ flavor: JUnitFlavor) throws -> ReportFile {
        try ReportFile(run, options: JUnitOptions(runFolder: "Reports/latest", flavor: flavor))
    }

    @Test("keep to their schemas", arguments: [JUnitFlavor.xunit10, .ant], runs.indices)
    func schemas(flavor: JUnitFlavor, index: Int) throws {
        let report = try report(Self.runs[index], flavor)
        #expect(try report.complaints(schema: "junit-\(flavor.rawValue).xsd") == "")
    }

    @Test("are needed: their schemas refuse the rich one", arguments: ["xunit10", "ant", "surefire"])
    func richIsRefused(schema: String) throws {
        let report = try report(SampleRun.mixed, .rich)
        #expect(try report.complaints(schema: "junit-\(schema).xsd") != "")
    }

    @Test("show the same outcomes as the rich one", arguments: [JUnitFlavor.xunit10, .ant])
    func outcomes(flavor: JUnitFlavor) throws {
        let (rich, strict) = (try report(SampleRun.mixed, .rich), try report(SampleRun.mixed, flavor))
        for expression in [
            "count(//testcase)", "count(//failure)", "count(//error)", "count(//skipped)",
            "string(//failure)",
            "string(//failure/@message)", "string(//error/@type)", "string(//skipped)",
            "string(//testcase[2]/@name)", "string(//testcase[2]/@classname)", "string(//testcase[2]/@time)",
            "string(//testsuite/@tests)", "string(//testsuite/@skipped)",
            "string(//testsuite/properties/property[@name='rig.seed']/@value)",
        ] {
            #expect(try strict.value(expression) == rich.value(expression), "\(expression)")
        }
    }

    @Test("xunit10 keeps the properties of a case as lines of its output")
    func properties() throws {
        var item = SampleRun.flaky
        item.tags = ["a]]b|c\nd", "e"]
        let report = try report(SampleRun.run([item]), .xunit10)
        let lines = try report.value("string(//testcase/system-out)").split(separator: "\n").map(String.init)
        #expect(lines.contains("[[PROPERTY|rig.attempts=2]]"))
        #expect(lines.contains("[[PROPERTY|rig.tags=a] ]b|c d,e]]"))
        #expect(lines.last == "[[ATTACHMENT|Reports/latest/traces/nbt.led/led-switches-on.jsonl]]")
        #expect(lines.allSatisfy { $0.hasPrefix("[[") == $0.hasSuffix("]]") })
        #expect(try report.value("count(//testcase/properties)") == "0")
        #expect(try report.value("count(//flakyFailure)") == "1")
    }

    @Test("ant keeps the output of cases with their suite, and splits its name")
    func ant() throws {
        let report = try report(SampleRun.mixed, .ant)
        #expect(try report.value("concat(//testsuite/@package,'|',//testsuite/@name)") == "nbt|led")
        #expect(try report.value("string(//testsuite/@timestamp)") == "2026-11-30T08:15:02")
        let output = try report.value("string(//testsuite/system-out)")
        #expect(output.contains("\nled reads back [protocol=T1]:\nteardown 1 led-dark > "))
        #expect(output.contains("step 4 read FILE_2 > 00B0000004 < 6982 2.9 ms"))
        #expect(try report.value("count(/testsuites/@*)") == "0")
    }

    @Test("surefire has one file for each suite", arguments: runs.indices)
    func surefire(index: Int) throws {
        let run = Self.runs[index]
        let folder = try TemporaryFolder()
        let writer = JUnitWriter(options: JUnitOptions(runFolder: "x", flavor: .surefire))
        #expect(writer.needsSplit(run) == (run.suites.count != 1))
        let files = try writer.writeSplit(run, folder: folder.path)
        #expect(files.count == run.suites.count)
        for file in files {
            #expect(try ReportFile(HostFile.read(file.path)).complaints(schema: "junit-surefire.xsd") == "")
            #expect(file.path.hasPrefix("\(folder.path)/TEST-"))
        }
        if run.suites.count == 1 {
            #expect(
                try ReportFile(run, options: .init(flavor: .surefire)).complaints(
                    schema: "junit-surefire.xsd"
                ) == ""
            )
        }
    }

    @Test("of an interrupted run tell of it in a file of its own")
    func interrupted() throws {
        var run = SampleRun.mixed
        run.interruptedBy = "SIGTERM"
        let folder = try TemporaryFolder()
        let writer = JUnitWriter(options: JUnitOptions(flavor: .surefire))
        #expect(writer.needsSplit(run))
        let files = try writer.writeSplit(run, folder: folder.path)
        #expect(files.map(\.path) == ["TEST-nbt.led.xml", "TEST-rig.run.xml"].map { "\(folder.path)/\($0)" })
    }

    @Test("split reports have safe names, unique cases and all sums")
    func split() throws {
        var run = SampleRun.run([])
        run.suites = ["nbt.led", "nbt.led", "../../x", "a/b c", "A/B C", "", "日本", "..", "-rf"].map { name in
            var suite = SampleRun.mixed.suites[0]
            suite.name = name
            return suite
        }
        run.notes = ["once"]
        let folder = try TemporaryFolder()
        let files = try JUnitWriter(options: JUnitOptions(runFolder: "r")).writeSplit(
            run,
            folder: folder.path
        )
        #expect(
            try HostFile.names(in: folder.path)
                == [
                    "junit-A-B-C.2.xml", "junit-a-b-c.xml", "junit-nbt.led.2.xml", "junit-nbt.led.xml",
                    "junit-rf.xml", "junit-suite.2.xml", "junit-suite.3.xml", "junit-suite.xml",
                    "junit-x.xml",
                ].map { $0 == "junit-a-b-c.xml" ? "junit-a-b-c.xml" : $0 }.sorted()
        )
        var keys: Set<String> = []
        var tests = 0
        for file in files {
            let report = try ReportFile(HostFile.read(file.path))
            #expect(try report.complaints() == "")
            #expect(try report.value("count(//testsuite)") == "1")
            tests += Int(try report.value("string(/testsuites/@tests)")) ?? 0
            for place in 1...5 {
                keys.insert(
                    try report.value("concat(//testcase[\(place)]/@classname,'#',//testcase[\(place)]/@name)")
                )
            }
        }
        #expect(tests == RunCounts(run).total)
        #expect(keys.count >= 40)
    }

    @Test("of one suite warn of a size that cannot be split")
    func warning() {
        #expect(
            JUnitSummary(byteCount: 31_000_000, isSplit: true).warning?.contains("--junit-split") == false
        )
        #expect(JUnitSummary(byteCount: 20_000_000, isSplit: true).warning == nil)
    }
}
