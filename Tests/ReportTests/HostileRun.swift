// SPDX-License-Identifier: MIT

import RunRecord

/// Runs made to break reports.
enum HostileRun {
    /// Names that try to be markup, control a terminal, turn text around or leave their cell.
    static let names = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>",
        "' onmouseover='alert(1)", "a | b || c", "`code` *bold* _it_ [x](javascript:alert(1)) #1 @you $x$",
        "\u{1B}[31mred\u{1B}[0m", "evil\u{202E}txt.exe", "\u{2066}x\u{2069}", "]]>", "&amp;&#60;", "{{7*7}}",
        "line\nbreak\r\n\ttab", "\u{0}\u{FFFE}\u{FFFF}", "https://example.org www.example.org", "<!-- -->",
        "\u{85}\u{2028}\u{2029}\u{FEFF}", "🔑 é 漢字", "", " ", String(repeating: "long ", count: 500),
    ]

    /// A run of many cases, a tenth of them not passed, each with many exchanges.
    static func run(cases: Int, exchanges: Int) -> RunRecord {
        var run = SampleRun.run([])
        let data = String(repeating: "6F23840E", count: 8)
        for number in 0..<cases {
            let name = names[number % names.count]
            var item = CaseRecord(
                name: name,
                file: name.isEmpty ? "a.yaml" : name,
                line: number,
                tags: [name]
            )
            item.verdict = number % 20 == 3 ? .failed : number % 20 == 7 ? .error : .passed
            item.started = "2026-11-30T08:15:02.011Z"
            item.duration = .milliseconds(exchanges)
            item.warnings = number % 50 == 0 ? [name] : []
            var attempt = SampleRun.attempt(1, name)
            attempt.duration = item.duration
            attempt.exchangeCount = exchanges
            attempt.timing = .init(p50: 900, p95: 1000, max: 1200)
            for index in 0..<exchanges {
                var step = SampleRun.step(index + 1, name, "00B0000020", data + "9000", 1)
                step.start = .milliseconds(index)
                step.duration = .milliseconds(1)
                attempt.steps.append(step)
            }
            if item.verdict != .passed {
                let middle = exchanges / 2
                attempt.verdict = item.verdict
                attempt.steps[middle].verdict = item.verdict
                item.problem = Problem(
                    type: name,
                    isRigError: item.verdict == .error,
                    message: name,
                    file: name,
                    line: number,
                    step: attempt.steps[middle].label,
                    details: ["expected  \(name)", "received  \(name)", name],
                    hint: name
                )
                attempt.problem = item.problem
            }
            item.attempts = [attempt]
            run.suites[0].cases.append(item)
        }
        return run
    }

    /// A run in which nothing was tried.
    static var skipped: RunRecord {
        SampleRun.run([SampleRun.skipped, SampleRun.skipped])
    }
}
