// SPDX-License-Identifier: MIT

public import HostSystem
public import RunRecord

/// Writes the outcome of a run as one page that needs nothing else: no script, no other file, no network.
///
/// The same record and traces give the same bytes. Text goes out in pieces; cases that passed keep the first and the
/// last of their steps and exchanges, so that a page of thousands of cases still opens.
public struct HTMLWriter: Sendable {
    private static let pieceSize = 1 << 16

    private let options: HTMLOptions

    /// Makes a writer.
    public init(options: HTMLOptions = HTMLOptions()) {
        self.options = options
    }

    /// Writes a page piece by piece.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - sink: Takes each piece of UTF-8.
    /// - Throws: What the sink throws.
    public func write<Failure: Error>(
        _ run: RunRecord,
        to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let run = run.tellingOfInterruption
        let suiteCounts = run.suites.map { RunCounts($0) }
        var counts = RunCounts()
        for part in suiteCounts { counts.add(part) }
        let summary = HTMLSummary(run: run, counts: counts, suiteCounts: suiteCounts)
        var html = HTMLText()
        start(run, summary, to: &html)
        let passing = max(counts.passed, 1)
        let troubled = max(counts.failed + counts.errors, 1)
        var reading = HTMLCaseText.Reading(byteLimit: options.traceBudget)
        for (index, suite) in run.suites.enumerated() {
            let text = HTMLCaseText(
                options: options,
                suite: suite,
                passingLimit: min(options.passingBudget / passing, 48_000),
                troubledLimit: min(options.troubledBudget / troubled, 400_000)
            )
            reading.startSuite()
            start(suite, index: index, to: &html)
            var names = CaseNames()
            for (number, item) in suite.cases.enumerated() {
                text.write(
                    item,
                    named: names.unique(item.name, in: ""),
                    id: HTMLSummary.anchor(suite: index, item: number),
                    reading: &reading,
                    to: &html
                )
                if html.bytes.count >= Self.pieceSize {
                    try sink(html.bytes)
                    html.removeAll()
                }
            }
            HTMLStatistics.write(reading.statistics, title: "Times per command in this suite", to: &html)
            html.markup("</section>\n")
        }
        html.markup("</main><footer><p>")
        html.text(
            "Made by TapRig \(run.rigVersion). Times are those of the device or of its model, not of the host."
        )
        html.markup("</p></footer></body></html>\n")
        try sink(html.bytes)
    }

    /// Writes a page into a file: all of it or nothing appears under the name.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - path: The file.
    /// - Throws: ``FileError`` when the file cannot be written.
    public func write(_ run: RunRecord, toFile path: String) throws(FileError) {
        try DraftFile.write(path) { (draft) throws(FileError) in
            try write(run) { (piece) throws(FileError) in try draft.write(piece) }
        }
    }

    /// The whole page as text.
    public func text(_ run: RunRecord) -> String {
        var bytes: [UInt8] = []
        write(run) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func start(_ run: RunRecord, _ summary: HTMLSummary, to html: inout HTMLText) {
        html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        html.markup("<meta name=\"color-scheme\" content=\"light dark\">\n")
        // Nothing on this page may load or run anything, whatever a name in it says.
        html.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        html.markup("style-src 'unsafe-inline'\">\n<title>")
        html.text(CaseNames.clean("\(summary.title): \(summary.verdict)", fallback: "taprig"))
        html.markup("</title>\n<style>\n")
        html.markup(HTMLStyle.sheet)
        html.markup("</style></head><body>\n")
        html.markup(HTMLMark.sprites)
        summary.writeHeader(to: &html)
        html.markup("<main>\n")
        summary.writeTroubles(to: &html)
        summary.writeSuites(to: &html)
        summary.writeEnvironment(to: &html)
        if run.duration > .zero { writeLegend(to: &html) }
        if summary.counts.passed > 0, summary.counts.passed < summary.counts.total {
            html.markup(
                "<p class=\"fl\"><label><input type=\"checkbox\" id=\"np\"> hide cases that passed</label></p>\n"
            )
        }
    }

    private func writeLegend(to html: inout HTMLText) {
        html.markup("<p class=\"le\">In the pictures of time: <i class=\"b\"></i> a step")
        html.markup("<i class=\"f\"></i> what did not hold, with a line through all lanes where it began")
        html.markup("<i class=\"t\"></i> an exchange with the card</p>\n")
    }

    private func start(_ suite: SuiteRecord, index: Int, to html: inout HTMLText) {
        html.markup("<section class=\"suite\" id=\"s")
        html.number(index + 1)
        html.markup("\">")
        html.element(
            "h2",
            LimitedText.shortened(CaseNames.clean(suite.name, fallback: "unnamed-suite"), limit: 300)
        )
        if !suite.title.isEmpty {
            html.element("p", class: "su2", LimitedText.shortened(suite.title, limit: 500))
        }
        html.markup("<p class=\"fa\"><code>")
        html.text(LimitedText.shortened(ProblemText.slashed(suite.file), limit: 300))
        html.markup("</code>")
        let facts = [
            ("", suite.via.isEmpty ? suite.target : "\(suite.target) by \(suite.via)"),
            ("reader", suite.reader),
            ("ATR", suite.atr), ("protocol", suite.protocolName), ("firmware", suite.firmware),
        ]
        for (name, value) in facts where !value.isEmpty {
            html.text(name.isEmpty ? " · \(value)" : " · \(name) \(LimitedText.shortened(value, limit: 200))")
        }
        html.markup("</p>\n")
    }
}
