// SPDX-License-Identifier: MIT

public import RunRecord

/// Writes a short outcome of a run as Markdown, for the summary page of a CI job.
///
/// What comes from outside is text in it: no name makes a link, a heading or a cell of its own.
public struct MarkdownWriter: Sendable {
    /// What GitHub takes of a step at most, in bytes.
    public static let serverLimit = 1 << 20

    private let byteLimit: Int

    private static let suiteLimit = 500
    private static let bodyLimit = 4000

    /// Makes a writer.
    ///
    /// - Parameter byteLimit: The most bytes of the text; failures beyond it are counted only.
    public init(byteLimit: Int = 900_000) {
        self.byteLimit = max(byteLimit, 1000)
    }

    /// The text.
    public func text(_ run: RunRecord) -> String {
        let run = run.tellingOfInterruption
        let suiteCounts = run.suites.map { RunCounts($0) }
        var counts = RunCounts()
        for part in suiteCounts { counts.add(part) }
        let summary = HTMLSummary(run: run, counts: counts, suiteCounts: suiteCounts)
        var out = "## \(MarkdownText.inline(run.name, limit: 200))\n\n"
        out += "**\(MarkdownText.inline(summary.verdict, limit: 400))**"
        out += " in \(HTMLNumber.text(run.duration)), seed \(run.seed)\n\n"
        if run.showsSecrets { out += "⚠️ Secrets are shown in the reports of this run.\n\n" }
        for note in run.notes.prefix(10) { out += "> \(MarkdownText.inline(note, limit: 500))\n\n" }
        let room = byteLimit - 200
        var table = "| suite | cases | passed | flaky | failed | errors | skipped | time |\n"
        table += "|---|--:|--:|--:|--:|--:|--:|--:|\n"
        // Suites take half of it at most: failures are what people look for.
        var rows = 0
        for (index, suite) in run.suites.enumerated() {
            let counts = suiteCounts[index]
            let mark = counts.failed + counts.errors > 0 ? "❌ " : counts.total == counts.skipped ? "" : "✅ "
            let cells = [
                counts.total, counts.passed, counts.flaky, counts.failed, counts.errors, counts.skipped,
            ].map(String.init)
            let row =
                "| \(mark)\(MarkdownText.inline(suite.name, limit: 200)) | \(cells.joined(separator: " | ")) | "
                + "\(HTMLNumber.text(suite.duration)) |\n"
            guard rows < Self.suiteLimit, out.utf8.count + table.utf8.count + row.utf8.count < room / 2 else {
                break
            }
            rows += 1
            table += row
        }
        if rows > 0 { out += table + "\n" }
        if rows < run.suites.count {
            out += "\(run.suites.count - rows) suites more; the report has them all.\n\n"
        }
        writeTroubles(of: run, count: counts.failed + counts.errors, room: room, to: &out)
        return out
    }

    private func writeTroubles(of run: RunRecord, count: Int, room: Int, to out: inout String) {
        guard count > 0 else { return }
        out += "### What did not pass\n\n"
        var written = 0
        search: for suite in run.suites {
            for item in suite.cases {
                guard item.countedVerdict == .failed || item.countedVerdict == .error else { continue }
                let block = block(item, suite: suite)
                guard out.utf8.count + block.utf8.count < room else { break search }
                out += block
                written += 1
            }
        }
        if written < count { out += "\(count - written) more; the report has them all.\n" }
    }

    private func block(_ item: CaseRecord, suite: SuiteRecord) -> String {
        let outcome = item.outcome
        let word = outcome.verdict == .failed ? "failed" : "error"
        let problem = outcome.problem
        let name = MarkdownText.html(
            CaseNames.clean("\(suite.name): \(item.name)", fallback: "unnamed"),
            limit: 300
        )
        var lines = ProblemText.lines(problem, message: ProblemText.message(problem))
        if problem?.file.isEmpty ?? true {
            lines.insert("at \(ProblemText.slashed(item.file)):\(max(item.line, 1))", at: 1)
        }
        if let teardown = outcome.teardownProblem {
            lines.append("teardown: \(ProblemText.message(teardown))")
        }
        let body = MarkdownText.html(lines.joined(separator: "\n"), limit: Self.bodyLimit)
        return
            "<details open><summary>❌ <b>\(word)</b> \(name)</summary>\n\n<pre>\(body)</pre>\n\n</details>\n\n"
    }
}
