// SPDX-License-Identifier: MIT

import Foundation
import RunRecord
import Testing

@testable import Report

@Suite("Summary of a CI job")
struct MarkdownWriterTests {
    @Test("has a table of suites and each failure with its place")
    func golden() throws {
        let text = MarkdownWriter().text(SampleRun.mixed)
        try Fixture.expect(text, equals: "summary-sample.md")
        #expect(text.contains("| ❌ nbt.led | 5 | 2 | 1 | 1 | 1 | 1 | 3.019 s |"))
        #expect(text.contains("at Scenarios/nbt/led.yaml:38"))
        #expect(text.contains("at Scenarios/nbt/led.yaml:5"))
    }

    @Test("takes names for text", arguments: HostileRun.names)
    func hostile(name: String) {
        var run = HostileRun.run(cases: 1, exchanges: 1)
        run.name = name
        run.notes = [name]
        run.suites[0].name = name
        run.suites[0].cases[0] = SampleRun.failing(name, details: [name])
        run.suites[0].cases[0].name = name
        let text = MarkdownWriter().text(run)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 3)
        for row in rows { #expect(row.filter { $0 == "|" }.count == 9, "\(row)") }
        for match in text.matches(of: /<\/?([a-z]+)/) {
            #expect(["details", "summary", "b", "pre"].contains(match.1), "\(match.0)")
        }
        let outside = text.replacing(/<pre>[\s\S]*?<\/pre>/, with: "").replacing(
            /<summary>.*<\/summary>/,
            with: ""
        )
        #expect(!outside.contains("`") && !outside.contains("](") && !outside.contains("://"))
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
    }

    @Test("stays within its limit", arguments: [1000, 20_000, 900_000])
    func limit(bytes: Int) {
        var run = HostileRun.run(cases: 10_000, exchanges: 1)
        run.suites += (0..<2000).map { number in
            var suite = SampleRun.run([SampleRun.failed]).suites[0]
            suite.name = "suite \(number)"
            return suite
        }
        let text = MarkdownWriter(byteLimit: bytes).text(run)
        #expect(text.utf8.count <= bytes)
        #expect(text.contains("more; the report has them all."))
    }

    @Test("of skipped cases alone says that nothing was tested")
    func skipped() {
        let text = MarkdownWriter().text(HostileRun.skipped)
        #expect(text.contains("**Nothing was tested&#58; every case was skipped**"))
        #expect(!text.contains("What did not pass"))
        #expect(!text.contains("✅"))
    }
}
