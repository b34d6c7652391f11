// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import RunRecord
import Testing

@testable import Report

@Suite("Page of a run")
struct HTMLWriterTests {
    /// The page as XML: elements that HTML does not close are closed, so that a parser can judge the nesting.
    private func nestingComplaints(_ page: String) throws -> String {
        var text = page.replacingOccurrences(of: "<!DOCTYPE html>", with: "")
        text = text.replacingOccurrences(of: " open>", with: " open=\"\">")
        for pattern in ["<meta[^>]*", "<input[^>]*", "<br"] {
            text = text.replacingOccurrences(of: pattern, with: "$0/", options: .regularExpression)
        }
        return try ReportFile(text).nestingComplaints()
    }

    /// Nothing on the page loads or runs anything: of all attributes only these occur, and links lead nowhere else.
    private func expectHarmless(_ page: String) throws {
        let allowed: Set<String> = [
            "aria-hidden", "aria-label", "charset", "class", "content", "d", "height", "href", "http-equiv",
            "id",
            "lang", "name", "open", "preserveAspectRatio", "role", "scope", "style", "tabindex", "type",
            "viewBox",
            "width",
        ]
        var elements: Set<String> = []
        for match in page.matches(of: /<([a-zA-Z0-9]+)((?:\s[^<>]*)?)>/) {
            elements.insert(String(match.1))
            for attribute in match.2.matches(of: /\s([a-zA-Z-]+)(?:="([^"]*)")?/) {
                #expect(allowed.contains(String(attribute.1)), "\(attribute.0)")
                if attribute.1 == "href", let link = attribute.2 {
                    let isLocal = link.wholeMatch(of: /#[a-z0-9-]+|[A-Za-z0-9.\/%_-]+/) != nil
                    #expect(isLocal && !link.hasPrefix("/"), "\(link)")
                }
            }
        }
        #expect(
            elements.isDisjoint(with: ["script", "img", "link", "iframe", "object", "embed", "form", "base"])
        )
        let sheet = page.prefix { _ in true }.components(separatedBy: "</style>")[0]
        #expect(!sheet.contains("url(") && !sheet.contains("@import"))
    }

    private func page(_ run: RunRecord, _ options: HTMLOptions = HTMLOptions(linkPrefix: "")) -> String {
        HTMLWriter(options: options).text(run)
    }

    @Test("shows every kind of outcome")
    func golden() throws {
        let page = page(SampleRun.mixed)
        try Fixture.expect(page, equals: "report-sample.html")
        #expect(try nestingComplaints(page) == "")
        try expectHarmless(page)
        for words in [
            "Not passed: 1 failed, 1 could not be judged of 5 cases",
            "step 4 read FILE_2: expected SW 9000, got 6982",
            "Scenarios/nbt/led.yaml:38", "<b>expected</b><code>SW 9000</code>",
            "security status not satisfied",
            "Attempt 1 of 2: error", "needs capability kit.led", "does the file policy want a password?",
            "<dt>Seed</dt><dd>42</dd>", "3B8A80010031C173C8400090007D", "median 2.200 ms",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }

    @Test("opens what failed and nothing else")
    func open() {
        let page = page(SampleRun.mixed)
        #expect(page.contains("<details class=\"case f\" id=\"s1c2\" open>"))
        #expect(page.contains("<details class=\"case e\" id=\"s1c3\" open>"))
        #expect(page.contains("<details class=\"case y\" id=\"s1c1\"><summary>"))
        #expect(page.contains("<details class=\"st f\" open>"))
    }

    @Test("is the same for the same record, also from run.json")
    func stable() throws {
        let again = try RunRecord(json: Array(SampleRun.mixed.jsonText.utf8))
        #expect(page(again) == page(SampleRun.mixed))
    }

    @Test("takes names for text, whatever they say")
    func hostile() throws {
        var run = HostileRun.run(cases: HostileRun.names.count * 2, exchanges: 3)
        run.name = HostileRun.names[0]
        run.hostName = HostileRun.names[1]
        run.notes = HostileRun.names
        run.labels = HostileRun.names.map { .init(key: $0, value: $0) }
        run.suites[0].title = HostileRun.names[2]
        run.suites[0].reader = HostileRun.names[3]
        let page = page(run)
        #expect(try nestingComplaints(page) == "")
        try expectHarmless(page)
        #expect(page.contains("&lt;/script&gt;&lt;script&gt;"))
        #expect(page.contains("\\u001B[31mred"))
        #expect(page.contains("evil\\u202Etxt.exe"))
        let isVisible = page.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A: true
            case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029,
                0xFEFF,
                0xFFFE, 0xFFFF:
                false
            default: true
            }
        }
        #expect(isVisible)
    }

    @Test("of 2 000 cases with 200 exchanges each stays under 10 MB")
    func size() throws {
        let run = HostileRun.run(cases: 2000, exchanges: 200)
        var count = 0
        HTMLWriter(options: HTMLOptions(linkPrefix: "")).write(run) { piece in
            count += piece.count
            #expect(piece.count < 1 << 20)
        }
        #expect((2_000_000..<10_000_000).contains(count), "\(count)")
    }

    @Test("of very many cases has a line for each")
    func manyCases() throws {
        var run = SampleRun.run([])
        var item = SampleRun.plain
        item.attempts = [SampleRun.flaky.attempts[1]]
        run.suites[0].cases = Array(repeating: item, count: 20_000)
        let page = page(run)
        #expect(page.utf8.count < 8_000_000)
        #expect(page.contains("id=\"s1c20000\""))
    }

    @Test("counts what was flaky among what has passed, at its top as in its table")
    func flaky() {
        let page = page(SampleRun.run([SampleRun.flaky, SampleRun.failed, SampleRun.skipped]))
        #expect(page.contains("<b>1</b> passed</li>"))
        #expect(page.contains("<b>1</b> of them flaky</li>"))
        #expect(page.contains("aria-label=\"1 passed, 1 of them flaky, 1 failed, 1 skipped\""))
        #expect(page.contains("<td class=\"n\">3</td><td class=\"n\">1</td><td class=\"n\">1</td>"))
    }

    @Test("of skipped cases alone says that nothing was tested")
    func skipped() throws {
        let page = page(HostileRun.skipped)
        #expect(try nestingComplaints(page) == "")
        #expect(page.contains("Nothing was tested: every case was skipped"))
        #expect(!page.contains("What did not pass"))
        #expect(page.contains("needs capability kit.led; target nbt@pcsc does not offer it"))
    }

    @Test("of a run without suites or cases is whole")
    func empty() throws {
        var run = SampleRun.mixed
        run.suites = []
        #expect(try nestingComplaints(page(run)) == "")
        #expect(try nestingComplaints(page(SampleRun.run([]))) == "")
        #expect(page(run).contains("No case was run"))
    }

    @Test("tells of an interruption and of shown secrets")
    func banners() {
        var run = SampleRun.mixed
        run.interruptedBy = "SIGINT"
        run.showsSecrets = true
        let page = page(run)
        #expect(page.contains("Interrupted by SIGINT"))
        #expect(page.contains("This page shows secrets"))
    }

    @Test("is written as a whole, or not at all")
    func file() throws {
        let folder = try TemporaryFolder()
        try HTMLWriter().write(SampleRun.mixed, toFile: "\(folder.path)/report.html")
        #expect(try HostFile.names(in: folder.path) == ["report.html"])
        #expect(throws: FileError.self) {
            try HTMLWriter().write(SampleRun.mixed, toFile: "\(folder.path)/no/report.html")
        }
    }
}
