// SPDX-License-Identifier: MIT

import RunRecord

/// The parts of a page before its suites: outcome, what did not pass, where it ran.
struct HTMLSummary {
    let run: RunRecord
    let counts: RunCounts
    let suiteCounts: [RunCounts]

    private static let troubleLimit = 200
    private static let suiteLimit = 2000

    /// The anchor of a case.
    static func anchor(suite: Int, item: Int) -> String { "s\(suite + 1)c\(item + 1)" }

    /// One sentence on how the run went.
    var verdict: String {
        if let signal = run.interruptedBy { return "Interrupted by \(signal)" }
        guard counts.total > 0 else { return "No case was run" }
        if counts.failed > 0 || counts.errors > 0 {
            var parts: [String] = []
            if counts.failed > 0 { parts.append("\(counts.failed) failed") }
            if counts.errors > 0 { parts.append("\(counts.errors) could not be judged") }
            return "Not passed: \(parts.joined(separator: ", ")) of \(counts.total) \(cases(counts.total))"
        }
        if counts.skipped == counts.total { return "Nothing was tested: every case was skipped" }
        let skipped = counts.skipped > 0 ? ", \(counts.skipped) skipped" : ""
        return "Passed: \(counts.passed) of \(counts.total) \(cases(counts.total))\(skipped)"
    }

    /// The name of the run, which is that of its first suite, and how many suites came besides.
    var title: String {
        let name = CaseNames.clean(LimitedText.shortened(run.name, limit: 300), fallback: "taprig")
        let others = run.suites.count - 1
        guard others > 0, run.name == run.suites[0].name else { return name }
        return "\(name) and \(others) more \(others == 1 ? "suite" : "suites")"
    }

    /// The mark of the whole run.
    var mark: HTMLMark {
        if counts.failed > 0 { return .failed }
        if counts.errors > 0 || run.interruptedBy != nil { return .error }
        if counts.skipped == counts.total { return .skipped }
        return counts.flaky > 0 ? .flaky : .passed
    }

    private func cases(_ count: Int) -> String { count == 1 ? "case" : "cases" }

    /// Writes the head of the page.
    func writeHeader(to html: inout HTMLText) {
        html.markup("<header>")
        html.element("h1", title)
        html.markup("<p class=\"ve ")
        html.markup(mark.name)
        html.markup("\">")
        mark.writePicture(to: &html, isAlone: false)
        html.text(" \(verdict)")
        html.markup("</p>\n")
        if run.showsSecrets {
            html.element("p", class: "wa", "This page shows secrets: do not hand it out.")
        }
        writeBar(to: &html)
        html.markup("<ul class=\"co\">")
        for (mark, _) in parts {
            html.markup("<li class=\"")
            html.markup(mark.name)
            html.markup("\">")
            mark.writePicture(to: &html, isAlone: false)
            html.element("b", String(count(mark)))
            html.text(" \(word(mark))")
            html.markup("</li>")
        }
        html.markup("</ul></header>\n")
    }

    /// The count of an outcome: flaky cases count among those that passed, as in every report.
    private func count(_ mark: HTMLMark) -> Int {
        mark == .passed ? counts.passed : parts.first { $0.0 == mark }?.1 ?? 0
    }

    /// The word behind a count.
    private func word(_ mark: HTMLMark) -> String {
        mark == .flaky && counts.flaky > 0 ? "of them flaky" : "\(mark.word)"
    }

    /// What the bar is made of: each case in one part.
    private var parts: [(HTMLMark, Int)] {
        [
            (.passed, counts.passed - counts.flaky), (.flaky, counts.flaky), (.failed, counts.failed),
            (.error, counts.errors), (.skipped, counts.skipped),
        ]
    }

    private func writeBar(to html: inout HTMLText) {
        guard counts.total > 0 else { return }
        html.markup("<svg class=\"bar\" width=\"100%\" height=\"14\" viewBox=\"0 0 1000 14\"")
        html.markup(" preserveAspectRatio=\"none\" role=\"img\"")
        let words = parts.map(\.0).filter { count($0) > 0 }.map { "\(count($0)) \(word($0))" }
        html.attribute("aria-label", words.joined(separator: ", "))
        html.markup(">")
        var before = 0
        for (mark, count) in parts where count > 0 {
            let start = before * 1000 / counts.total
            before += count
            let end = before * 1000 / counts.total
            html.markup("<path class=\"")
            html.markup(mark.name)
            html.markup("\" d=\"M")
            html.number(start)
            html.markup(" 0h")
            // A gap between the parts; one case of many is still seen.
            html.number(max(end - start - (end < 1000 ? 3 : 0), 3))
            html.markup("v14H")
            html.number(start)
            html.markup("z\"/>")
        }
        html.markup("</svg>\n")
    }

    /// Writes links to all that did not pass.
    func writeTroubles(to html: inout HTMLText) {
        let count = counts.failed + counts.errors
        guard count > 0 else { return }
        html.markup("<section><h2>What did not pass</h2><ul class=\"tr\">\n")
        var written = 0
        search: for (suiteIndex, suite) in run.suites.enumerated()
        where suiteCounts[suiteIndex].failed + suiteCounts[suiteIndex].errors > 0 {
            for (index, item) in suite.cases.enumerated() {
                let mark = HTMLMark(item.countedVerdict)
                guard mark.isTrouble else { continue }
                guard written < Self.troubleLimit else { break search }
                written += 1
                html.markup("<li class=\"")
                html.markup(mark.name)
                html.markup("\">")
                mark.writePicture(to: &html, isAlone: true)
                html.markup("<a href=\"#")
                html.text(Self.anchor(suite: suiteIndex, item: index))
                html.markup("\">")
                html.text(
                    LimitedText.shortened(
                        CaseNames.clean("\(suite.name): \(item.name)", fallback: "unnamed"),
                        limit: 300
                    )
                )
                html.markup("</a>")
                let problem = item.outcome.problem
                html.markup("<p>")
                html.text(LimitedText.shortened(ProblemText.message(problem), limit: 300))
                if let problem, !problem.file.isEmpty {
                    html.markup("<br><code>")
                    html.text(LimitedText.shortened(ProblemText.place(problem), limit: 300))
                    html.markup("</code>")
                }
                html.markup("</p></li>\n")
            }
        }
        html.markup("</ul>")
        if count > written { html.element("p", class: "gp", "… \(count - written) more below …") }
        html.markup("</section>\n")
    }

    /// Writes where and how the run was made.
    func writeEnvironment(to html: inout HTMLText) {
        html.markup("<section><h2>Environment</h2><dl class=\"en\">\n")
        var rows: [(String, String)] = [
            ("Seed", String(run.seed)), ("Rig", run.rigVersion), ("Host", run.hostName),
            ("Started", isModelled ? "\(run.started) (modelled)" : run.started),
            ("Duration", HTMLNumber.text(run.duration)),
            ("Target", distinct(\.target)), ("Route", distinct(\.via)), ("Reader", distinct(\.reader)),
            ("ATR", distinct(\.atr)), ("Protocol", distinct(\.protocolName)),
            ("Firmware", distinct(\.firmware)),
        ]
        rows += run.labels.prefix(50).map { ("Label \($0.key)", $0.value) }
        for (name, value) in rows where !value.isEmpty {
            html.markup("<div>")
            html.element("dt", LimitedText.shortened(name, limit: 200))
            html.element("dd", LimitedText.shortened(value, limit: 400))
            html.markup("</div>\n")
        }
        html.markup("</dl>\n")
        for note in run.notes.prefix(50) {
            html.element("p", class: "wa", "Note: \(LimitedText.shortened(note, limit: 1000))")
        }
        html.markup("</section>\n")
    }

    /// A run on the emulators' own clock starts at a moment that is the same each time.
    private var isModelled: Bool { run.started.hasPrefix("2000-01-01T") }

    private func distinct(_ key: KeyPath<SuiteRecord, String>) -> String {
        var seen: [String] = []
        for suite in run.suites {
            let value = suite[keyPath: key]
            guard !value.isEmpty, !seen.contains(value) else { continue }
            guard seen.count < 4 else { return seen.joined(separator: ", ") + ", …" }
            seen.append(value)
        }
        return seen.joined(separator: ", ")
    }

    private struct Column {
        let word: String
        var isTrouble = false
        let count: (RunCounts) -> Int
    }

    /// The columns of the table; what no suite has takes no room, which a telephone does not have.
    private var columns: [Column] {
        let rare = [
            Column(word: "flaky") { $0.flaky }, Column(word: "failed", isTrouble: true) { $0.failed },
            Column(word: "error", isTrouble: true) { $0.errors }, Column(word: "skipped") { $0.skipped },
        ]
        return [Column(word: "cases") { $0.total }, Column(word: "passed") { $0.passed }]
            + rare.filter { $0.count(counts) > 0 }
    }

    /// Writes the table of suites.
    func writeSuites(to html: inout HTMLText) {
        guard !run.suites.isEmpty else { return }
        html.markup(
            "<section><h2>Suites</h2><div class=\"sc\" tabindex=\"0\" role=\"region\" aria-label=\"Suites\">"
        )
        html.markup("<table><thead><tr><th scope=\"col\">suite</th>")
        let columns = columns
        for column in columns {
            html.markup("<th scope=\"col\" class=\"n\">")
            html.text(column.word)
            html.markup("</th>")
        }
        html.markup("<th scope=\"col\" class=\"n\">time</th>")
        html.markup("</tr></thead><tbody>\n")
        for (index, suite) in run.suites.enumerated().prefix(Self.suiteLimit) {
            let counts = suiteCounts[index]
            html.markup("<tr><th scope=\"row\"><a href=\"#s")
            html.number(index + 1)
            html.markup("\">")
            html.text(
                LimitedText.shortened(CaseNames.clean(suite.name, fallback: "unnamed-suite"), limit: 200)
            )
            html.markup("</a></th>")
            for column in columns {
                let value = column.count(counts)
                html.markup(value > 0 && column.isTrouble ? "<td class=\"n f\">" : "<td class=\"n\">")
                html.number(value)
                html.markup("</td>")
            }
            html.element("td", class: "n", HTMLNumber.text(suite.duration))
            html.markup("</tr>\n")
        }
        html.markup("</tbody></table></div>")
        if run.suites.count > Self.suiteLimit {
            html.element("p", class: "gp", "… \(run.suites.count - Self.suiteLimit) suites more below …")
        }
        html.markup("</section>\n")
    }
}
