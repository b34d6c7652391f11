// SPDX-License-Identifier: MIT

import RunRecord
import Testing

@testable import Report

@Suite("Terminal report")
struct TerminalReporterTests {
    private final class Sink {
        var text = ""
    }

    /// A clock that moves on whenever it is looked at.
    private final class Time {
        private let pace: Duration
        private var now = Duration.zero

        init(pace: Duration) {
            self.pace = pace
        }

        func next() -> Duration {
            now += pace
            return now
        }
    }

    @Test(
        "tells what a run waits for where it is seen, in a line of its own",
        arguments: [
            TerminalStyle.plain, TerminalStyle(rewritesLine: true, usesColour: false),
            TerminalStyle(rewritesLine: true, usesColour: true),
        ]
    )
    func waiting(style: TerminalStyle) {
        let rest = Sink()
        let urgent = Sink()
        let reporter = TerminalReporter(style: style, now: { .seconds(1) }) { rest.text += $0 }
        reporter.urgentOutput = { urgent.text += $0 }
        reporter.observe(.caseStarted(suite: "s", name: "c", index: 1))
        reporter.observe(.waiting("waiting up to 10min for 'R\u{1B}[2J'"))
        #expect(urgent.text == "waiting up to 10min for 'R\\u001B[2J'\n")
        // The line of progress is cleared, or the sentence would stand behind it.
        #expect(rest.text.hasSuffix("\r\u{1B}[K") == style.rewritesLine)
        reporter.urgentOutput = nil
        reporter.observe(.waiting("waiting"))
        #expect(rest.text.hasSuffix("waiting\n"))
    }

    private func play(
        _ run: RunRecord,
        style: TerminalStyle,
        closing: [String] = ["report: Reports/latest/junit.xml"],
        pace: Duration = .seconds(1)
    ) -> String {
        let sink = Sink()
        let time = Time(pace: pace)
        let reporter = TerminalReporter(style: style, now: { time.next() }) { sink.text += $0 }
        let cases = run.suites.reduce(0) { $0 + $1.cases.count }
        reporter.observe(.runStarted(run, cases: cases))
        var index = 0
        for suite in run.suites {
            reporter.observe(.suiteStarted(suite))
            for item in suite.cases {
                index += 1
                reporter.observe(.caseStarted(suite: suite.name, name: item.name, index: index))
                for attempt in item.attempts {
                    for step in attempt.steps {
                        reporter.observe(.stepEnded(suite: suite.name, name: item.name, step))
                    }
                    if attempt.number < item.attempts.count {
                        reporter.observe(.attemptEnded(suite: suite.name, name: item.name, attempt))
                    }
                }
                reporter.observe(.caseEnded(suite: suite.name, item))
            }
            reporter.observe(.suiteEnded(suite))
        }
        reporter.observe(.runEnded(run))
        reporter.close(with: closing)
        return sink.text
    }

    @Test("has plain lines in a log")
    func plain() throws {
        let text = play(SampleRun.mixed, style: .plain)
        #expect(!text.contains("\u{1B}"))
        #expect(!text.contains("\r"))
        try Fixture.expect(text, equals: "terminal-plain.txt")
    }

    @Test("rewrites one line on a terminal and shows failures at once")
    func terminal() throws {
        let text = play(
            SampleRun.mixed,
            style: TerminalStyle(rewritesLine: true, usesColour: true, columns: 60)
        )
        try Fixture.expect(
            text.replacing("\u{1B}", with: "<ESC>").replacing("\r", with: "<CR>"),
            equals: "terminal-colour.txt"
        )
        for piece in text.split(separator: "\r\u{1B}[K").dropFirst() {
            let line = piece.split(separator: "\n", omittingEmptySubsequences: false)[0]
            if line.hasPrefix("[") { #expect(line.count < 60) }
        }
    }

    @Test("rewrites its line no more than twenty times a second")
    func pace() {
        let style = TerminalStyle(rewritesLine: true, usesColour: false)
        let text = play(
            SampleRun.run((0..<100).map { _ in SampleRun.plain }),
            style: style,
            pace: .milliseconds(1)
        )
        // 100 cases at two or three looks at the clock each take some 250 ms.
        #expect(text.split(separator: "\r\u{1B}[K[").count < 10)
    }

    @Test("names the one failure of a run once only")
    func oneFailure() {
        let text = play(SampleRun.run([SampleRun.failed, SampleRun.plain]), style: .plain)
        #expect(text.split(separator: "FAIL ").count == 2)
        #expect(text.hasSuffix("2 cases: 1 passed, 1 failed in 3.019 s\nreport: Reports/latest/junit.xml\n"))
    }

    @Test("cannot be steered by names and card data")
    func controlCharacters() {
        var item = SampleRun.failing("a\u{1B}[2Jb\nc\u{202E}", details: ["\u{9B}31m\u{7}"])
        item.name = "x\r\ny\u{1B}]0;t\u{7}"
        var run = SampleRun.run([item])
        run.notes = ["\u{8}"]
        let text = play(run, style: TerminalStyle(rewritesLine: true, usesColour: false, columns: 40))
        let rest = text.replacing("\r\u{1B}[K", with: "")
        #expect(
            !rest.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
            }
        )
        #expect(rest.contains("  a\\u001B[2Jb\n  c\\u202E\n"))
    }

    @Test("tells of an interruption, a teardown and secrets that are shown")
    func special() {
        var item = SampleRun.plain
        var attempt = SampleRun.attempt(1, "t.jsonl")
        attempt.teardownProblem = Problem(
            type: "TeardownFailed",
            isRigError: true,
            message: "teardown 1: the field stays on",
            file: "t.yaml",
            line: 4
        )
        item.attempts = [attempt]
        var run = SampleRun.run([item, SampleRun.failed])
        run.suites[0].cases[1].attempts[0].teardownProblem = attempt.teardownProblem
        run.interruptedBy = "SIGINT"
        run.showsSecrets = true
        let text = play(run, style: .plain)
        #expect(text.contains("warning: secrets are shown"))
        #expect(
            text.contains(
                "ERROR demo: led off after reset (0.600 s)\n  teardown 1: the field stays on\n  at t.yaml:4\n"
            )
        )
        #expect(text.contains("  teardown: teardown 1: the field stays on\n"))
        #expect(text.contains("interrupted by SIGINT\n"))
        #expect(text.contains("2 cases: 0 passed, 1 failed, 1 error in"))
    }

    @Test("counts troubles beyond a hundred")
    func manyFailures() {
        let text = play(SampleRun.run((0..<150).map { _ in SampleRun.failed }), style: .plain)
        #expect(text.contains("and 50 more; the report has them all\n"))
    }

    @Test(
        "chooses its style by the environment",
        arguments: [
            (["TERM": "xterm"], true, true), (["TERM": "dumb"], false, false), ([:], false, false),
            (["TERM": "xterm", "NO_COLOR": "1"], true, false),
            (["TERM": "xterm", "NO_COLOR": ""], true, true),
            (["TERM": "xterm", "CI": "true"], false, true),
        ] as [([String: String], Bool, Bool)]
    )
    func style(environment: [String: String], rewrites: Bool, colours: Bool) {
        let style = TerminalStyle.of(columns: 100, environment: environment)
        #expect(style == TerminalStyle(rewritesLine: rewrites, usesColour: colours, columns: 100))
    }

    @Test(
        "cuts a line to the columns that it has",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc..."), ("日本語日本語", 8, "日本..."), ("🔑🔑🔑", 6, "🔑🔑🔑"),
            ("é\u{301}ab", 3, "é\u{301}ab"),
        ]
    )
    func width(text: String, columns: Int, fitted: String) {
        #expect(TextWidth.fitted(text, columns: columns) == fitted)
    }
}
