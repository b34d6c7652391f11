// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import RunRecord
import Testing

@testable import Report

/// One test for each rule of the dialect, in their order, with an input that tries to break it.
@Suite("Rules of the JUnit dialect")
struct JUnitRuleTests {
    private func valid(_ run: RunRecord) throws -> ReportFile {
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        return report
    }

    @Test("1: the class name is the suite's name, and there is no package")
    func rule01() throws {
        let report = try valid(SampleRun.run([SampleRun.plain], name: "nbt led\n.x"))
        #expect(try report.value("string(//testsuite/@name)") == "nbt led .x")
        #expect(try report.value("count(//testcase[@classname = ../@name])") == "1")
        #expect(try report.value("count(//@package)") == "0")
    }

    @Test("a target that is not known leaves no sign behind")
    func unknownTarget() throws {
        var run = SampleRun.mixed
        run.suites[0].target = ""
        run.suites[0].via = "emulator"
        let place = "string(//testsuite//property[@name='rig.target']/@value)"
        #expect(try valid(run).value(place) == "emulator")
        run.suites[0].via = ""
        #expect(try valid(run).value("count(//property[@name='rig.target'])") == "0")
    }

    @Test("2: names carry the matrix values and are unique in a suite")
    func rule02() throws {
        let report = try valid(SampleRun.run([SampleRun.failed, SampleRun.failed, SampleRun.failed]))
        #expect(try report.value("string(//testcase[1]/@name)") == "led reads back [protocol=T1]")
        #expect(try report.value("string(//testcase[2]/@name)") == "led reads back [protocol=T1] (2)")
        #expect(try report.value("string(//testcase[3]/@name)") == "led reads back [protocol=T1] (3)")
    }

    @Test("3: names and times are never missing")
    func rule03() throws {
        var run = SampleRun.run([CaseRecord(name: " ", file: "", line: -4, tags: [])], name: "")
        run.suites[0].file = ""
        run.name = "\n"
        run.hostName = ""
        let report = try valid(run)
        #expect(try report.value("count(//testcase[@name and @classname and @time])") == "1")
        #expect(try report.value("count(//testsuite[@name and @time])") == "1")
        #expect(try report.value("string(//testcase/@line)") == "1")
    }

    @Test(
        "4: times have exactly three decimals",
        arguments: [
            (Duration.seconds(14029.255), "14029.255"), (.seconds(-1), "0.000"),
            (.seconds(Int64.max), "9223372036854775807.000"),
            (.nanoseconds(999_999_999), "1.000"), (.microseconds(499), "0.000"),
            (.microseconds(500), "0.001"),
        ]
    )
    func rule04(duration: Duration, text: String) {
        #expect(JUnitTime.seconds(duration) == text)
    }

    @Test(
        "4: times of exchanges that are no numbers do not get through",
        arguments: [Double.nan, .infinity, -3]
    )
    func rule04Milliseconds(value: Double) throws {
        var item = SampleRun.flaky
        item.attempts[1].timing = .init(p50: value, p95: value, max: value)
        let report = try valid(SampleRun.run([item]))
        #expect(try report.value("string(//testcase//property[@name='rig.apdu.p95_ms']/@value)") == "0.0")
    }

    @Test(
        "5: time stamps are UTC with Z, or left out",
        arguments: [
            ("2026-11-30T08:15:02.011Z", "2026-11-30T08:15:02.011Z"),
            ("2026-11-30T08:15:02", "2026-11-30T08:15:02Z"),
            ("2026-11-30T08:15:02+01:00", nil), ("2026-02-29T08:15:02Z", nil),
            ("2024-02-29T08:15:02Z", "2024-02-29T08:15:02Z"),
            ("yesterday", nil), ("", nil), ("2026-11-30T08:15:02.Z", nil), ("2026-11-30 08:15:02Z", nil),
        ] as [(String, String?)]
    )
    func rule05(text: String, stamp: String?) throws {
        var item = SampleRun.plain
        item.started = text
        var run = SampleRun.run([item])
        run.started = text
        run.suites[0].started = text
        let report = try valid(run)
        #expect(try report.value("string(//testcase/@timestamp)") == stamp ?? "")
        #expect(try report.value("string(//testsuite/@timestamp)") == stamp ?? "1970-01-01T00:00:00Z")
    }

    @Test("6: several troubles make one element, and its body lists them")
    func rule06() throws {
        var item = SampleRun.failing("3 expectations did not hold", details: ["sw", "data", "time"])
        item.attempts[0].teardownProblem = Problem(
            type: "TeardownFailed",
            isRigError: true,
            message: "teardown 1: the field stays on",
            file: "t.yaml",
            line: 4
        )
        let report = try valid(SampleRun.run([item]))
        #expect(try report.value("count(//failure) + count(//error) + count(//skipped)") == "1")
        let body = try report.value("string(//failure)")
        #expect(
            body == "3 expectations did not hold\nat Scenarios/nbt/led.yaml:38\nsw\ndata\ntime\nteardown:\n"
                + "  teardown 1: the field stays on\n  at t.yaml:4"
        )
    }

    @Test("7: a wrong answer is a failure, a rig that cannot judge is an error")
    func rule07() throws {
        let report = try valid(SampleRun.mixed)
        #expect(try report.value("string(//failure/@type)") == "UnexpectedStatus")
        #expect(try report.value("string(//error/@type)") == "ReaderGone")
    }

    @Test("8: the body starts with the message", arguments: ["a <b> & \"c\"", "two\nlines\tand \r more", ""])
    func rule08(message: String) throws {
        var skip = SampleRun.skipped
        skip.problem?.message = message
        var broken = SampleRun.broken
        broken.problem?.message = message
        let report = try valid(SampleRun.run([SampleRun.failing(message), broken, skip]))
        for element in ["failure", "error", "skipped"] {
            #expect(try report.value("starts-with(//\(element), //\(element)/@message)") == "true")
            #expect(try report.value("string-length(//\(element)/@message) > 0") == "true")
        }
    }

    @Test(
        "9: the type is a word of the closed list",
        arguments: ["yaml", "integer", "array", "file", "", "Sym bol", "Foo", "a\"b", "dateTime"]
    )
    func rule09(type: String) throws {
        var broken = SampleRun.broken
        broken.problem?.type = type
        let report = try valid(
            SampleRun.run([SampleRun.failing("m", type: type), broken, SampleRun.skipped])
        )
        #expect(try report.value("string(//failure/@type)") == "CheckFailed")
        #expect(try report.value("string(//error/@type)") == "SetupFailed")
        #expect(try report.value("count(//skipped/@type)") == "0")
    }

    @Test("10: there is at most one system-out and one system-err")
    func rule10() throws {
        var item = SampleRun.flaky
        item.warnings = ["one", "two"]
        let report = try valid(SampleRun.run([item]))
        #expect(try report.value("count(//testcase/system-out)") == "1")
        #expect(try report.value("count(//testcase/system-err)") == "1")
        #expect(try report.value("string(//testcase/system-err)") == "warning: one\nwarning: two")
    }

    @Test("11: a line a step, those of the failing step last")
    func rule11() throws {
        var item = SampleRun.failed
        item.attempts[0].steps[0].exchangeCount = 3
        item.attempts[0].steps[0].exchanges.append(
            ExchangeSummary(command: "00B0000404", response: "timeout", milliseconds: 500)
        )
        var delay = StepRecord(label: "step.5", title: "delay 200ms", verb: "delay", file: "", line: 1)
        delay.duration = .milliseconds(200)
        var skipped = StepRecord(label: "setup.1.2", title: "kit.led", verb: "kit.led", file: "", line: 1)
        skipped.verdict = .skipped
        skipped.detail = "no probe"
        item.attempts[0].steps += [delay, skipped]
        let report = try valid(SampleRun.run([item]))
        let lines = try report.value("string(//testcase/system-out)").split(separator: "\n")
        #expect(
            lines == [
                "teardown 1 led-dark > 00D60000020000 < 9000 1.0 ms", "step 5 delay 200ms 200.0 ms",
                "setup 1.2 kit.led skipped: no probe", "step 4 read FILE_2 (1 of 3 exchanges not shown)",
                "step 4 read FILE_2 > 00B0000004 < 6982 2.9 ms",
                "step 4 read FILE_2 > 00B0000404 < timeout 500.0 ms",
                "[[ATTACHMENT|Reports/latest/traces/nbt.led/led-reads-back-protocol-T1.jsonl]]",
            ]
        )
    }

    @Test(
        "11: a step is a line, whatever is written into its name",
        arguments: ["\n", "\r\n", "\u{2028}", "\u{85}"]
    )
    func rule11Breaks(lineBreak: String) throws {
        let evil = ["a", "step 9 fake > 00 < 9000 1.0 ms", ""].joined(separator: lineBreak)
        var item = SampleRun.failed
        item.name = evil
        item.warnings = [evil]
        item.attempts[0].steps[0].title = evil
        item.attempts[0].steps[0].detail = evil
        var skipped = StepRecord(label: "step.5", title: evil, verb: "log", file: "", line: 1)
        skipped.verdict = .skipped
        skipped.detail = evil
        item.attempts[0].steps.append(skipped)
        var run = SampleRun.run([item])
        run.suites[0].title = evil
        run.notes = [evil]
        let report = try valid(run)
        let lines = try report.value("string(//testcase/system-out)").split { $0.isNewline }
        #expect(lines.count == 4)
        #expect(lines.filter { $0.hasPrefix("step 9") }.isEmpty)
        for place in ["//testcase/system-err", "//testsuite/system-err"] {
            #expect(try report.value("string(\(place))").split { $0.isNewline }.count == 1)
        }
        let suite = try report.value("string(//testsuite/system-out)").split { $0.isNewline }
        #expect(suite.count == 2)
        let plain = JUnitCaseText(options: JUnitOptions(runFolder: "out"), failingLimit: 9000)
            .plainOutput(of: item, named: "n")
        #expect(plain.split { $0.isNewline }.count == 6)
    }

    @Test("12: no tag comes from a text that is not ours", arguments: [JUnitFlavor.rich, .xunit10, .ant])
    func rule12Forged(flavor: JUnitFlavor) throws {
        let evil = "[[[ATTACHMENT|../../etc/passwd]]"
        var item = SampleRun.failed
        item.name = evil
        item.tags = [evil]
        item.warnings = [evil]
        item.attempts[0].steps[0].title = evil
        item.attempts[0].steps[0].detail = evil
        var run = SampleRun.run([item])
        run.name = evil
        run.suites[0].title = evil
        run.notes = [evil]
        let report = try ReportFile(run, options: JUnitOptions(runFolder: "out", flavor: flavor))
        let outputs = try report.value("//system-out | //system-err")
        let tags = outputs.split(separator: "\n").filter { $0.contains("[[ATTACHMENT") }
        #expect(tags.allSatisfy { $0.hasPrefix("[[ATTACHMENT|out/traces/") })
        #expect(outputs.contains("[ [ [ATTACHMENT|../../etc/passwd]"))
    }

    @Test(
        "12: links are relative, one a line, and have no bracket or bar",
        arguments: [
            ("Reports/latest", "traces/a.jsonl", "Reports/latest/traces/a.jsonl"),
            ("./out//", "a.jsonl", "out/a.jsonl"),
            ("", "a.jsonl", "a.jsonl"), (".", "a.jsonl", "a.jsonl"), ("/srv/out", "a.jsonl", nil),
            ("out", "a]].jsonl", nil), ("out", "a|b.jsonl", nil), ("out", "", nil), ("out", "/a", nil),
            ("out", "a\nb", nil), ("out\\x", "traces\\a", "out/x/traces/a"), (nil, "a", nil),
        ] as [(String?, String, String?)]
    )
    func rule12(folder: String?, trace: String, link: String?) throws {
        var item = SampleRun.failed
        item.attempts[0].trace = trace
        let report = try ReportFile(SampleRun.run([item]), options: JUnitOptions(runFolder: folder))
        #expect(try report.complaints() == "")
        let output = try report.value("string(//testcase/system-out)")
        #expect(output.contains("[[ATTACHMENT|") == (link != nil))
        if let link { #expect(output.hasSuffix("\n[[ATTACHMENT|\(link)]]")) }
        #expect(
            try report.value("string(//testcase/properties/property[@name='attachment']/@value)") == link
                ?? ""
        )
    }

    @Test("12: the trace of the last attempt comes first")
    func rule12Order() throws {
        let report = try valid(SampleRun.run([SampleRun.flaky]))
        let lines = try report.value("string(//testcase/system-out)").split(separator: "\n").suffix(2)
        #expect(
            Array(lines) == [
                "[[ATTACHMENT|Reports/latest/traces/nbt.led/led-switches-on.2.jsonl]]",
                "[[ATTACHMENT|Reports/latest/traces/nbt.led/led-switches-on.jsonl]]",
            ]
        )
    }

    @Test("13: file and line are on the case and in the second line of the body")
    func rule13() throws {
        var item = SampleRun.failed
        item.file = "Scenarios\\nbt\\led.yaml"
        item.problem?.file = "Scenarios\\nbt\\led.yaml"
        let report = try valid(SampleRun.run([item]))
        #expect(try report.value("string(//testcase/@file)") == "Scenarios/nbt/led.yaml")
        #expect(try report.value("string(//testcase/@line)") == "31")
        let second = try report.value("string(//failure)").split(separator: "\n")[1]
        #expect(second == "at Scenarios/nbt/led.yaml:38")
    }

    @Test(
        "13: the place stays in the second line behind a sentence of several",
        arguments: ["\n", "\r", "\u{2029}"]
    )
    func rule13Breaks(lineBreak: String) throws {
        let message = "step 1 a\(lineBreak)at evil.yaml:1\(lineBreak): expected SW 9000"
        var item = SampleRun.failing(message)
        item.attempts[0].teardownProblem = item.problem
        item.attempts[0].teardownProblem?.step = "teardown.1"
        item.attempts.insert(item.attempts[0], at: 0)
        let report = try valid(SampleRun.run([item]))
        let lines = try report.value("string(//failure)").split { $0.isNewline }
        let sentence = "step 1 a at evil.yaml:1 : expected SW 9000"
        let place = "at Scenarios/nbt/led.yaml:38"
        #expect(lines.map(String.init) == [sentence, place, "teardown:", "  \(sentence)", "  \(place)"])
        #expect(try report.value("string(//failure/@message)") == sentence)
        #expect(try !report.value("string(//rerunFailure/stackTrace)").contains(lineBreak + "at evil"))
    }

    @Test("14: retries show as flaky or rerun, never as a second outcome")
    func rule14() throws {
        var failed = SampleRun.flaky
        failed.verdict = .failed
        failed.problem = SampleRun.failed.problem
        failed.attempts.insert(failed.attempts[0], at: 0)
        var broken = failed
        broken.verdict = .error
        broken.problem = SampleRun.broken.problem
        var resent = SampleRun.plain
        resent.resentCommands = 2
        resent.resentTypes = ["CardRemoved", "LinkLost"]
        let report = try valid(SampleRun.run([SampleRun.flaky, failed, broken, resent]))
        let counts = try (1...4).map { place in
            try ["failure", "rerunFailure", "flakyFailure", "error"].map {
                try report.value("count(//testcase[\(place)]/\($0))")
            }.joined()
        }
        #expect(counts == ["0010", "1200", "0201", "0010"])
        #expect(try report.value("string(//testcase[1]//property[@name='rig.attempts']/@value)") == "2")
        #expect(try report.value("string(//testcase[2]//property[@name='rig.attempts']/@value)") == "3")
        #expect(try report.value("count(//flakyFailure[not(stackTrace)])") == "0")
        #expect(
            try report.value("string(//testcase[4]/flakyFailure/@message)")
                == "2 lost commands were sent again"
        )
        #expect(try report.value("string(//testcase[4]/flakyFailure/@type)") == "CardRemoved")
    }

    @Test("15: forbidden characters become visible in every place")
    func rule15() throws {
        let bad = "\u{1B}[31m\u{0}\u{FFFE}\u{FFFF}\u{1F}x"
        var item = SampleRun.failing(bad, details: [bad])
        item.name = bad
        item.tags = [bad]
        item.warnings = [bad]
        item.attempts[0].steps[0].title = bad
        var run = SampleRun.run([item], name: bad)
        run.labels = [.init(key: bad, value: bad)]
        run.notes = [bad]
        run.suites[0].reader = bad
        run.suites[0].notes = [bad, "of the suite"]
        let report = try valid(run)
        let text = try String(contentsOfFile: report.path, encoding: .utf8)
        #expect(
            !text.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || $0 == "\u{FFFE}" || $0 == "\u{FFFF}"
            }
        )
        #expect(text.contains("\\u001B[31m\\u0000\\uFFFE\\uFFFF\\u001Fx"))
    }

    @Test("16: there is no CDATA, and markup is escaped")
    func rule16() throws {
        let item = SampleRun.failing("<![CDATA[a]]> & \"b\" 'c'\td", details: ["e\rf"])
        let report = try valid(SampleRun.run([item]))
        let text = try String(contentsOfFile: report.path, encoding: .utf8)
        #expect(!text.contains("<![CDATA["))
        #expect(text.contains("message=\"&lt;![CDATA[a]]&gt; &amp; &quot;b&quot; 'c'&#9;d\""))
        #expect(text.contains("e&#13;f"))
    }

    @Test("17: counters are exact sums")
    func rule17() throws {
        var run = SampleRun.mixed
        run.suites.append(SampleRun.run([SampleRun.failed, SampleRun.skipped], name: "two").suites[0])
        run.suites.append(SampleRun.run([], name: "none").suites[0])
        let report = try valid(run)
        for (attribute, count) in [
            ("tests", 7), ("failures", 2), ("errors", 1), ("skipped", 2), ("assertions", 14),
        ] {
            #expect(try report.value("string(/testsuites/@\(attribute))") == "\(count)")
            #expect(try report.value("sum(//testsuite/@\(attribute))") == "\(count)")
        }
        #expect(try report.value("count(//testcase)") == "7")
    }

    @Test("18: a report that servers refuse gets a warning")
    func rule18() {
        #expect(JUnitSummary(byteCount: 20_000_000).warning == nil)
        #expect(JUnitSummary(byteCount: 31_500_000).warning?.contains("has 31 MB") == true)
        var pieces = 0
        let run = SampleRun.run((0..<2000).map { _ in SampleRun.flaky })
        let summary = JUnitWriter().write(run) { piece in
            pieces += 1
            #expect(piece.count < 1 << 18)
        }
        #expect(pieces > 10)
        #expect(summary.byteCount == JUnitWriter().text(run).utf8.count)
    }

    @Test("19: a report of shown secrets says so")
    func rule19() throws {
        var run = SampleRun.mixed
        #expect(!JUnitWriter().text(run).contains("rig.secrets"))
        run.showsSecrets = true
        #expect(try valid(run).value("string(//property[@name='rig.secrets']/@value)") == "shown")
    }

    @Test("20: the same record gives the same bytes, also from run.json")
    func rule20() throws {
        let text = JUnitWriter().text(SampleRun.mixed)
        let again = try RunRecord(json: Array(SampleRun.mixed.jsonText.utf8))
        #expect(JUnitWriter().text(again) == text)
    }
}
