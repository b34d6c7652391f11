// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import RunRecord
import Testing

@testable import Report

@Suite("Field cases of reports")
struct FieldCaseTests {
    private func check(_ report: ReportFile, _ expectation: JSON) throws {
        #expect(try report.complaints() == "")
        for pair in expectation["xpath"]?.array ?? [] {
            let words = pair.array?.compactMap(\.string) ?? []
            #expect(try report.value(words[0]) == words[1], "\(words[0])")
        }
    }

    @Test(
        "S19: shows forbidden characters",
        arguments: ["", "\u{7}\u{1B}]0;title\u{7}", "\u{FFFF}\u{1F}]]>\r\n\t\u{85}\u{1F511}"]
    )
    func controlCharacters(more: String) throws {
        let expectation = try Fixture.json("s19-expect.json")
        let test = try Fixture.json("s19-run.json")["suites"]?.array?.first?["tests"]?.array?.first
        let message = try #require(test?["message"]?.string) + more
        let report = try ReportFile(SampleRun.run([SampleRun.failing(message)]))
        try check(report, expectation)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: report.path)))
        for hex in expectation["bytes_absent"]?.array?.compactMap(\.string) ?? [] {
            let absent = stride(from: 0, to: hex.count, by: 2).compactMap {
                UInt8(hex.dropFirst($0).prefix(2), radix: 16)
            }
            #expect(!bytes.contains(absent), "\(hex)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for word in expectation["text_absent"]?.array?.compactMap(\.string) ?? [] {
            #expect(!text.contains(word))
        }
        #expect(try report.value("contains(//failure/@message,'é🔑')") == "true")
        for scalar in more.unicodeScalars where scalar.value < 9 || (0x0E..<0x20).contains(scalar.value) {
            let escape = "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
            #expect(text.contains(escape + String(scalar.value, radix: 16, uppercase: true)))
        }
    }

    @Test("S20: writes times as plain seconds")
    func durations() throws {
        let expectation = try Fixture.json("s20-expect.json")
        let more = [-5, Int(Int64.max), 499_999, 500_000]
        let nanoseconds =
            (try Fixture.json("s20-durations.json")["nanoseconds"]?.array?.compactMap(\.integer) ?? []) + more
        let seconds =
            (expectation["seconds"]?.array?.compactMap(\.double) ?? []) + [
                0, Double(Int64.max) / 1e9, 0.0005, 0.0005,
            ]
        let pattern = try Regex(try #require(expectation["pattern"]?.string))
        let tolerance = try #require(expectation["tolerance"]?.double)
        #expect(nanoseconds.count == seconds.count)
        var run = SampleRun.run([])
        run.suites[0].duration = .zero
        for (number, value) in nanoseconds.enumerated() {
            var item = SampleRun.plain
            item.name = "case \(number)"
            item.duration = .nanoseconds(value)
            run.suites[0].cases.append(item)
        }
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        for (number, expected) in seconds.enumerated() {
            let text = try report.value("string(//testcase[\(number + 1)]/@time)")
            #expect(text.wholeMatch(of: pattern) != nil)
            #expect(abs(try #require(Double(text)) - expected) <= tolerance, "\(text)")
        }
        let suite = try #require(Double(try report.value("string(//testsuite/@time)")))
        #expect(suite >= (seconds.max() ?? 0) - tolerance)
    }

    @Test("S20: takes no notice of the locale")
    func locale() {
        let before = setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "C"
        let plain = JUnitWriter().text(SampleRun.mixed)
        setlocale(LC_ALL, "de_DE.UTF-8")
        defer { setlocale(LC_ALL, before) }
        #expect(JUnitWriter().text(SampleRun.mixed) == plain)
    }

    @Test("S21: stays small, passed or failed", arguments: [Verdict.passed, .failed, .error])
    func size(verdict: Verdict) throws {
        let expectation = try Fixture.json("s21-expect.json")
        func number(_ key: String) -> Int {
            expectation[key]?.integer ?? expectation["generate"]?[key]?.integer ?? 0
        }
        let exchange = String(repeating: "AB", count: number("bytes_per_exchange"))
        var attempt = SampleRun.attempt(1, "t.jsonl")
        attempt.verdict = verdict
        attempt.problem = verdict == .passed ? nil : SampleRun.failed.problem
        attempt.exchangeCount = number("exchanges")
        attempt.timing = .init(p50: 1, p95: 2, max: 3)
        attempt.traceSHA256 = String(repeating: "0", count: 64)
        attempt.steps = (1...number("exchanges")).map { SampleRun.step($0, "read", "00B0", exchange, 1) }
        attempt.steps[0].title = "first"
        attempt.steps[attempt.steps.count - 1].title = "last"
        var item = SampleRun.plain
        item.verdict = verdict
        item.problem = attempt.problem
        item.attempts = [attempt]
        var run = SampleRun.run([])
        for index in 0..<number("scenarios") {
            item.name = "case \(index)"
            run.suites[0].cases.append(item)
        }
        let text = JUnitWriter(options: JUnitOptions(runFolder: "Reports/latest")).text(run)
        #expect(text.utf8.count < number("max_file_bytes"))
        let report = try ReportFile(text)
        let objects = Int(Double(try report.value("count(//*) + count(//@*)")) ?? .infinity)
        #expect(objects < number("max_xml_objects"))
        let output = try report.value("string(//testcase[1]/system-out)")
        #expect(output.utf8.count <= number("max_system_out_bytes"))
        if verdict == .passed { #expect(output.utf8.count < 2048) }
        let lines = output.split(separator: "\n")
        #expect(lines.last == "cut, full log in Reports/latest/traces/nbt.led/t.jsonl")
        #expect(lines.first?.hasPrefix("step 1 first > 00B0 < ABAB") == true)
        #expect(output.contains(" last > 00B0 < "))
        #expect(output.contains("lines left out ..."))
    }

    @Test("S21: a single case that failed keeps up to 64 KiB")
    func sizeOfOne() throws {
        var item = SampleRun.failed
        item.attempts[0].steps = (1...2000).map {
            SampleRun.step($0, "read", "00B0", String(repeating: "AB", count: 300), 1)
        }
        item.problem?.details = [String(repeating: "x", count: 10_000_000)]
        let report = try ReportFile(SampleRun.run([item]))
        #expect(try report.complaints() == "")
        let output = try report.value("string(//testcase/system-out)").utf8.count
        #expect((50_000...65_536).contains(output))
        let body = try report.value("string(//failure)")
        #expect(body.utf8.count <= 65_536)
        #expect(body.hasSuffix("cut, the whole text in run.json"))
    }

    @Test("S22: gives every case of a matrix its own name")
    func names() throws {
        let expectation = try Fixture.json("s22-expect.json")
        let source = try Fixture.json("s22-run.json")
        var run = SampleRun.run([], name: "nbt.read-cc")
        for card in source["matrix"]?["card"]?.array?.compactMap(\.string) ?? [] {
            for reader in source["matrix"]?["reader"]?.array?.compactMap(\.string) ?? [] {
                var item = SampleRun.plain
                item.name = "read-cc [card=\(card), reader=\(reader)]"
                item.file = source["file"]?.string ?? ""
                item.line = source["line"]?.integer ?? 0
                run.suites[0].cases.append(item)
            }
        }
        let report = try ReportFile(run)
        try check(report, expectation)
        let keys = try (1...6).map {
            try report.value("concat(//testcase[\($0)]/@classname,'#',//testcase[\($0)]/@name)")
        }
        #expect(Set(keys).count == 6)
    }

    @Test("S22: numbers what would collide: same names, white space, escapes, two files with one suite name")
    func collisions() throws {
        let names = ["a", "a", "a (2)", " a", "a\n", "b  c", "b c", "x\u{1B}", "x\\u001B", "", "\u{3000}"]
        var run = SampleRun.run(
            names.map { name in
                var item = SampleRun.plain
                item.name = name
                return item
            }
        )
        run.suites.append(run.suites[0])
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        let count = names.count * 2
        let keys = try (1...count).map {
            try report.value("concat((//testcase)[\($0)]/@classname,'#',(//testcase)[\($0)]/@name)")
        }
        #expect(Set(keys).count == count)
        #expect(keys[0] == "demo#a")
        #expect(keys[1] == "demo#a (2)")
        #expect(keys[2] == "demo#a (2) (2)")
        #expect(JUnitWriter().text(run) == JUnitWriter().text(run))
    }

    @Test("S24: tells failure, error and skipped apart")
    func outcomes() throws {
        let types = [
            "SW 6A82 where 9000 was expected": "UnexpectedStatus", "data byte differs": "UnexpectedData",
            "time limit of a step exceeded but answer right": "TimingExceeded",
            "reader unplugged": "ReaderGone",
            "no answer before the deadline": "RigTimeout", "set-up step failed": "SetupFailed",
            "teardown failed after a pass": "TeardownFailed",
            "scenario file does not parse": "ScenarioInvalid",
            "capability missing (no LED probe)": "",
        ]
        let rows = try #require(try Fixture.json("s24-expect.json")["rows"]?.array)
        var run = SampleRun.run([])
        for row in rows {
            let what = try #require(row["what"]?.string)
            let type = try #require(types[what])
            let isRigError = ProblemType.errors.contains(type)
            let problem = Problem(type: type, isRigError: isRigError, message: what, file: "a.yaml", line: 3)
            var item = CaseRecord(name: what, file: "a.yaml", line: 1, tags: [])
            item.problem = problem
            item.verdict = type.isEmpty ? .skipped : isRigError ? .error : .failed
            if type == "TeardownFailed" {
                // The case itself passed; the attempt tells of the teardown.
                item.verdict = .passed
                item.problem = nil
                var attempt = SampleRun.attempt(1, "t.jsonl")
                attempt.teardownProblem = problem
                item.attempts = [attempt]
            }
            run.suites[0].cases.append(item)
        }
        let report = try ReportFile(run)
        #expect(try report.complaints() == "")
        for (index, row) in rows.enumerated() {
            let element = try #require(row["element"]?.string)
            let place = "//testcase[\(index + 1)]"
            #expect(try report.value("count(\(place)/failure | \(place)/error | \(place)/skipped)") == "1")
            #expect(try report.value("count(\(place)/\(element))") == "1", "\(row["what"]?.string ?? "")")
        }
        #expect(
            try report.value("concat(//testsuite/@failures,' ',//testsuite/@errors,' ',//testsuite/@skipped)")
                == "3 5 1"
        )
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
