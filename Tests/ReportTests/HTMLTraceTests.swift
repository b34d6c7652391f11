// SPDX-License-Identifier: MIT

import Foundation
import RunRecord
import Testing

@testable import Report

@Suite("Traces on the page of a run")
struct HTMLTraceTests {
    private let header =
        #"{"trace":1,"rig":"0.1.0","suite":"nbt.led","case":"a","target":"nbt","via":"emulator"}"# + "\n"

    private func run(_ item: CaseRecord) -> RunRecord {
        SampleRun.run([item])
    }

    private func page(_ run: RunRecord, _ folder: TemporaryFolder?) -> String {
        HTMLWriter(options: HTMLOptions(runFolder: folder?.path, linkPrefix: "")).text(run)
    }

    private func traced(_ trace: String = "traces/nbt.led/led-reads-back-protocol-T1.jsonl") -> CaseRecord {
        var item = SampleRun.failed
        item.attempts[0].trace = trace
        item.attempts[0].duration = .milliseconds(100)
        item.attempts[0].steps[0].duration = .milliseconds(50)
        return item
    }

    @Test("show whole answers with what they mean, and faults")
    func decoded() throws {
        let folder = try TemporaryFolder()
        let lines = [
            #"{"n":1,"t_us":0.0,"c":"00A4040007D276000085010100","r":"6F0A8408A0000001510000009000","us":400.0,"step":"step.4 read FILE_2"}"#,
            #"{"n":2,"t_us":900.0,"c":"00B0000004","r":"48656C6C6F6982","us":2900.0,"step":"step.4 read FILE_2","name":"READ <b>"}"#,
            #"{"event":"field","state":"off","t_us":4000.0}"#,
            #"{"n":3,"t_us":5000.0,"c":"0020008004********","fault":"timeout","detail":"no answer within 500 ms","step":"step.4 read FILE_2"}"#,
        ]
        try folder.write(
            header + lines.joined(separator: "\n"),
            to: "traces/nbt.led/led-reads-back-protocol-T1.jsonl"
        )
        let page = page(run(traced()), folder)
        for words in [
            "SELECT application", "84 8: A000000151000000", "<code>48656C6C6F <b>6982</b></code>",
            "&quot;Hello&quot;",
            "READ &lt;b&gt;", "security status not satisfied, 2.900 ms",
            "<b>timeout: no answer within 500 ms</b>",
            "0020008004********", "Times per command in this suite (2 commands)",
            "href=\"traces/nbt.led/led-reads-back-protocol-T1.jsonl\"",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        // Ticks of the exchanges: at 0, 9 and 50 of 1000, the last one a fault.
        #expect(page.contains("<path class=\"x\" d=\"M0 44v12h4v-12zM9 44v12h29v-12zM50 44"))
        #expect(page.contains("<path class=\"f\" d=\"M50 44v12h2v-12z"))
    }

    @Test("may have 10 MB")
    func long() throws {
        let folder = try TemporaryFolder()
        let data = String(repeating: "AB", count: 30)
        var text = header
        for number in 1...60_000 {
            text +=
                #"{"n":\#(number),"t_us":\#(number).0,"c":"00B0000020","r":"\#(data)9000","us":1.5,"step":"step.4 read FILE_2","name":"READ BINARY"}"#
                + "\n"
        }
        try folder.write(text, to: "traces/nbt.led/led-reads-back-protocol-T1.jsonl")
        #expect(text.utf8.count > 10_000_000)
        var item = traced()
        item.attempts[0].steps[0].exchangeCount = 60_000
        let page = page(run(item), folder)
        #expect(page.utf8.count < 300_000)
        #expect(page.contains("… 59904 exchanges left out; the trace has them all …"))
        #expect(page.contains("<th scope=\"row\">READ BINARY</th><td class=\"n\">60000</td>"))
    }

    @Test(
        "outside of the run folder are neither read nor linked",
        arguments: ["../secret.jsonl", "/etc/passwd", "a/../../secret.jsonl", "..\\secret.jsonl", ""]
    )
    func outside(path: String) throws {
        let folder = try TemporaryFolder()
        let line = #"{"n":1,"t_us":0.0,"c":"00B0000004","r":"C0FFEE9000","us":1.0,"step":"step.4 read"}"#
        try folder.write(header + line, to: "secret.jsonl")
        try folder.write("", to: "run/a/x")
        let inner = HTMLOptions(runFolder: "\(folder.path)/run", linkPrefix: "")
        let page = HTMLWriter(options: inner).text(run(traced(path)))
        #expect(!page.contains("C0FFEE"))
        #expect(!page.contains("<a href=\"\(path)") || path.isEmpty)
    }

    @Test(
        "that are missing, empty, torn or something else cost nothing but their exchanges",
        arguments: 0..<5
    )
    func broken(index: Int) throws {
        let folder = try TemporaryFolder()
        let texts: [String?] = [
            nil, "", "\u{0}\u{1}binary", header + #"{"n":1,"c":"00B0"#,
            header + #"{"n":1,"t_us":-1e300,"c":"00B0000004","r":"90","us":1e300,"step":"step.4"}"#,
        ]
        if let text = texts[index] {
            try folder.write(text, to: "traces/nbt.led/led-reads-back-protocol-T1.jsonl")
        }
        let page = page(run(traced()), folder)
        #expect(page.contains("step 4 read FILE_2: expected SW 9000, got 6982"))
        #expect(page.hasSuffix("</html>\n"))
    }

    @Test(
        "have links that a browser reads as one path",
        arguments: [
            ("", "traces/a b.jsonl", "traces/a%20b.jsonl"), ("../r", "a\"b#c?d", "../r/a%22b%23c%3Fd"),
            ("", "javascript:x", "javascript%3Ax"), ("", "/abs", nil), ("", "a/../b", nil),
            ("x/", "é", "x/%C3%A9"),
        ] as [(String, String, String?)]
    )
    func links(prefix: String, path: String, link: String?) {
        #expect(HTMLText.relativeLink(prefix, path) == link)
    }

    @Test(
        "axis has round numbers",
        arguments: [
            (1.437, ["0", "500 ms", "1 s"]), (0.0029, ["0", "1 ms", "2 ms"]),
            (10, ["0", "2 s", "4 s", "6 s", "8 s", "10 s"]),
            (0, ["0"]), (.nan, ["0"]), (3600, ["0", "1000 s", "2000 s", "3000 s"]),
            (0.000_04, ["0", "10 µs", "20 µs", "30 µs", "40 µs"]),
        ] as [(Double, [String])]
    )
    func axis(length: Double, texts: [String]) {
        #expect(HTMLNumber.axis(length).map(HTMLNumber.axisText) == texts)
    }

    @Test(
        "excerpt keeps the head, the tail and what must stay",
        arguments: [
            (1000, nil, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), (60, nil, [0, 1, 6, 7, 8, 9]),
            (60, 5, [0, 1, 5, 7, 8, 9]),
            (5, 4, [4]), (0, nil, []),
        ] as [(Int, Int?, [Int])]
    )
    func excerpt(limit: Int, always: Int?, kept: [Int]) {
        var html = HTMLText()
        var left = 0
        HTMLExcerpt.write(
            count: 10,
            limit: limit,
            always: always,
            to: &html,
            piece: { Array("piece \($0)  ".utf8) },
            gap: { count, _ in left += count }
        )
        let text = String(decoding: html.bytes, as: UTF8.self)
        #expect(text.matches(of: /piece (\d)/).compactMap { Int($0.1) } == kept)
        #expect(left == 10 - kept.count)
    }
}
