// SPDX-License-Identifier: MIT

import Foundation
import RunRecord
import Testing

@testable import Report

/// What each reader takes from where, row by row, and what large and hostile reports become there.
@Suite("What readers of JUnit reports take")
struct ConsumerTableTests {
    private static let options = JUnitOptions(runFolder: "Reports/latest")

    private func cases(_ consumer: Consumer, _ run: RunRecord) throws -> [ReadCase] {
        let text = JUnitWriter(options: Self.options).text(run)
        return consumer.read(try #require(XMLNode.parse(text)))
    }

    // MARK: One row an item

    @Test("the type of a failure and of an error", arguments: Consumer.allCases)
    func types(consumer: Consumer) throws {
        let cases = try cases(consumer, SampleRun.mixed)
        let isShown = consumer == .dorny || consumer == .junitparser
        #expect(cases[1].type == (isShown ? "UnexpectedStatus" : ""))
        #expect(cases[2].type == (isShown ? "ReaderGone" : ""))
        #expect(cases[4].type == "")
    }

    @Test("the properties of a case", arguments: Consumer.allCases)
    func caseProperties(consumer: Consumer) throws {
        let properties = try cases(consumer, SampleRun.mixed)[0].properties
        guard [.jenkins, .allure, .junitparser, .junit2html].contains(consumer) else {
            #expect(properties == [])
            return
        }
        for property in [
            "rig.attempts=2", "rig.apdu.count=6", "rig.apdu.p95_ms=31.4", "rig.tags=smoke,led",
            "attachment=Reports/latest/traces/nbt.led/led-switches-on.2.jsonl",
        ] {
            #expect(properties.contains(property), "\(property)")
        }
    }

    @Test("the properties of a suite", arguments: Consumer.allCases)
    func suiteProperties(consumer: Consumer) throws {
        let properties = try cases(consumer, SampleRun.mixed)[0].suiteProperties
        guard [.jenkins, .junitparser, .junit2html].contains(consumer) else {
            #expect(properties == [])
            return
        }
        for property in [
            "rig.target=nbt@pcsc:serial=0a1b2c3d", "rig.firmware=1.4.2", "rig.seed=42",
            "rig.reader=ACME Contactless 00", "rig.atr=3B8A80010031C173C8400090007D",
        ] {
            #expect(properties.contains(property), "\(property)")
        }
    }

    @Test("when a case began", arguments: Consumer.allCases)
    func stamps(consumer: Consumer) throws {
        let cases = try cases(consumer, SampleRun.mixed)
        #expect(cases[0].stamp == (consumer == .jenkins ? "2026-11-30T08:15:02.011Z" : ""))
        #expect(cases[3].stamp == "", "a case that was not begun has no time")
    }

    @Test("the output of a case", arguments: Consumer.allCases)
    func output(consumer: Consumer) throws {
        let cases = try cases(consumer, SampleRun.mixed)
        let (passed, failed) = (cases[0].output, cases[1].output)
        let showsAll: [Consumer] = [.jenkins, .enricoMi, .allure, .junitparser, .junit2html]
        #expect(passed.contains("step 1 select app > 00A4") == showsAll.contains(consumer))
        let showsFailed = showsAll.contains(consumer) || consumer == .azure
        #expect(failed.contains("step 4 read FILE_2 > 00B0") == showsFailed)
    }

    @Test("retries", arguments: Consumer.allCases)
    func retries(consumer: Consumer) throws {
        var failedAgain = SampleRun.failed
        failedAgain.attempts.insert(SampleRun.flaky.attempts[0], at: 0)
        let cases = try cases(consumer, SampleRun.run([SampleRun.flaky, failedAgain]))
        let known = ["flakyFailure", "rerunFailure"]
        let seen = cases.map { $0.extras.filter(known.contains) }
        switch consumer {
        case .jenkins, .junitparser: #expect(seen == [["flakyFailure"], ["rerunFailure"]])
        case .mikepenz: #expect(seen == [["flakyFailure"], []])
        case .allure: #expect(seen == [[], ["rerunFailure"]])
        default: #expect(seen == [[], []])
        }
    }

    // MARK: Reports that are large or hostile

    /// Cases whose names try everything, a failure, an error and a skip among them.
    private static let hostile: RunRecord = {
        var run = HostileRun.run(cases: 2000, exchanges: 2)
        run.suites[0].cases[0].verdict = .skipped
        return run
    }()
    private static let hostileText = JUnitWriter(options: options).text(hostile)

    @Test("2000 cases with hostile names: each is seen once, with its outcome", arguments: Consumer.allCases)
    func hostileNames(consumer: Consumer) throws {
        let root = try #require(XMLNode.parse(Self.hostileText))
        let cases = consumer.read(root)
        #expect(cases.count == 2000)
        // dorny cuts blanks off, and a name of nothing else was given words.
        #expect(Set(cases.map(\.name)).count == 2000)
        #expect(cases.allSatisfy { !$0.name.isEmpty })
        let counts = RunCounts(Self.hostile)
        #expect(counts.failed > 50 && counts.errors > 50 && counts.skipped == 1)
        let good = cases.count { ["passed", "success", "Passed"].contains($0.status) }
        let skipped = cases.count { ["skipped", "NotExecuted"].contains($0.status) }
        #expect(good == counts.passed)
        #expect(skipped == 1)
    }

    @Test("2000 cases with hostile names: the report is valid in every dialect, and no name is another's")
    func hostileReports() throws {
        for flavor in [JUnitFlavor.rich, .xunit10, .ant] {
            let report = try ReportFile(
                Self.hostile,
                options: JUnitOptions(runFolder: "Reports/latest", flavor: flavor)
            )
            #expect(try report.complaints(schema: "junit-\(flavor.rawValue).xsd") == "")
            #expect(try report.value("count(//testcase)") == "2000")
        }
        let scalars = Self.hostileText.unicodeScalars
        #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
        // Nothing of a name has become markup.
        #expect(!Self.hostileText.contains("<script") && !Self.hostileText.contains("<img"))
    }

    @Test(
        "a case with a trace of 10 MB: its end is seen, and the rest is a link",
        arguments: Consumer.allCases
    )
    func longTrace(consumer: Consumer) throws {
        var item = SampleRun.failed
        // 4000 exchanges of some 2.6 kB.
        let data = String(repeating: "5A", count: 1300)
        item.attempts[0].steps =
            (1...4000).map { SampleRun.step($0, "read", "00B0000000", data, 1) }
            + [SampleRun.step(4001, "last", "00B0000004", "6982", 2.9, verdict: .failed)]
        item.attempts[0].problem?.step = "step.4001"
        item.problem?.step = "step.4001"
        item.problem?.details = [String(repeating: "received 5A ", count: 1_000_000)]
        let run = SampleRun.run([item, SampleRun.plain])
        let text = JUnitWriter(options: Self.options).text(run)
        #expect(text.utf8.count < 200_000)
        let cases = try cases(consumer, run)
        #expect(cases.count == 2)
        #expect(["failed", "failure", "Failed"].contains(cases[0].status))
        #expect(cases[0].body.hasPrefix("step 4 read FILE_2: expected SW 9000, got 6982"))
        #expect(cases[0].body.utf8.count <= 65_536)
        if !cases[0].output.isEmpty {
            #expect(cases[0].output.contains("step 4001 last > 00B0000004 < 6982"))
            #expect(cases[0].output.utf8.count <= 65_536)
        }
        if consumer == .gitlab {
            let link = "Reports/latest/traces/nbt.led/led-reads-back-protocol-T1.jsonl"
            #expect(cases[0].extras == [link])
        }
    }

    @Test("a run in which all is skipped: no reader takes it for a pass", arguments: Consumer.allCases)
    func allSkipped(consumer: Consumer) throws {
        let cases = try cases(consumer, HostileRun.skipped)
        #expect(cases.count == 2)
        #expect(cases.allSatisfy { ["skipped", "NotExecuted"].contains($0.status) })
        let root = try #require(XMLNode.parse(JUnitWriter().text(HostileRun.skipped)))
        for node in [root] + root.all("testsuite") {
            #expect(node.attributes["tests"] == "2")
            #expect(node.attributes["skipped"] == "2")
            #expect(node.attributes["failures"] == "0" && node.attributes["errors"] == "0")
        }
    }
}
