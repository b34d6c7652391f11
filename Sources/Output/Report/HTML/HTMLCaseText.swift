// SPDX-License-Identifier: MIT

import RunRecord
import Trace

/// A case of a page, with its attempts.
struct HTMLCaseText {
    let options: HTMLOptions
    let suite: SuiteRecord
    /// The most bytes of the details of a case; less than this is none at all.
    let passingLimit: Int
    let troubledLimit: Int

    private static let detailMinimum = 1500
    private static let attemptLimit = 4

    /// What is left to read of traces, and where times of exchanges are collected.
    struct Reading {
        fileprivate var passingBytes: Int
        fileprivate var troubledBytes: Int
        fileprivate(set) var statistics = ExchangeStatistics()

        init(byteLimit: Int) {
            passingBytes = byteLimit
            troubledBytes = byteLimit
        }

        /// Collects anew.
        mutating func startSuite() {
            statistics = ExchangeStatistics()
        }
    }

    /// Writes a case.
    ///
    /// - Parameters:
    ///   - item: The case.
    ///   - name: Its name, unique in its suite.
    ///   - id: Its anchor.
    ///   - reading: What may be read of traces.
    ///   - html: Takes the text.
    func write(
        _ item: CaseRecord,
        named name: String,
        id: String,
        reading: inout Reading,
        to html: inout HTMLText
    ) {
        let outcome = item.outcome
        let mark = HTMLMark(outcome.verdict, isFlaky: item.isFlaky)
        let limit = mark.isTrouble ? troubledLimit : passingLimit
        let hasDetails = mark != .skipped && limit >= Self.detailMinimum
        html.markup(hasDetails ? "<details class=\"case " : "<div class=\"case ")
        html.markup(mark.name)
        html.markup("\"")
        html.attribute("id", id)
        html.markup(hasDetails ? (mark.isTrouble ? " open><summary>" : "><summary>") : "><div class=\"su\">")
        mark.writePicture(to: &html, isAlone: false)
        html.markup("<span class=\"w ")
        html.markup(mark.name)
        html.markup("\">")
        html.markup(mark.word)
        html.markup("</span>")
        html.element("h3", LimitedText.shortened(name, limit: 400))
        if mark != .skipped { html.element("span", class: "ms", HTMLNumber.text(item.duration)) }
        html.markup(hasDetails ? "</summary><div class=\"bo\">\n" : "</div>\n")
        if mark == .skipped || !hasDetails {
            if let problem = outcome.problem { writeReason(problem, isTrouble: mark.isTrouble, to: &html) }
        }
        guard hasDetails else {
            html.markup("</div>\n")
            return
        }
        writeFacts(item, to: &html)
        if let problem = outcome.problem { HTMLProblemText.write(problem, limit: limit / 3, to: &html) }
        if let teardown = outcome.teardownProblem {
            HTMLProblemText.write(teardown, heading: "teardown", limit: limit / 6, to: &html)
        }
        for warning in item.warnings.prefix(20) {
            html.element("p", class: "wa", "Warning: \(LimitedText.shortened(warning, limit: 500))")
        }
        writeAttempts(item, limit: limit, isTrouble: mark.isTrouble, reading: &reading, to: &html)
        html.markup("</div></details>\n")
    }

    private func writeReason(_ problem: Problem, isTrouble: Bool, to html: inout HTMLText) {
        html.element("p", class: "re", LimitedText.shortened(ProblemText.message(problem), limit: 300))
        guard isTrouble, !problem.file.isEmpty else { return }
        html.markup("<p class=\"re\">at ")
        html.element("code", LimitedText.shortened(ProblemText.place(problem), limit: 300))
        html.markup("</p>")
    }

    private func writeFacts(_ item: CaseRecord, to html: inout HTMLText) {
        let file = ProblemText.slashed(item.file.isEmpty ? suite.file : item.file)
        html.markup("<p class=\"fa\"><code>")
        html.text("\(LimitedText.shortened(file, limit: 300)):\(max(item.line, 1))")
        html.markup("</code>")
        if !item.tags.isEmpty {
            let tags = item.tags.prefix(50).joined(separator: ", ")
            html.text(" · tags \(LimitedText.shortened(tags, limit: 300))")
        }
        if let started = item.started { html.text(" · started \(started)") }
        if item.resentCommands > 0 {
            let count = item.resentCommands
            html.text(" · \(count) lost \(count == 1 ? "command was" : "commands were") sent again")
        }
        html.markup("</p>\n")
    }

    private func writeAttempts(
        _ item: CaseRecord,
        limit: Int,
        isTrouble: Bool,
        reading: inout Reading,
        to html: inout HTMLText
    ) {
        let shown = item.attempts.suffix(Self.attemptLimit)
        if shown.count < item.attempts.count {
            html.element(
                "p",
                class: "gp",
                "… \(item.attempts.count - shown.count) earlier attempts: see run.json …"
            )
        }
        // The last one decides; those before it share a third.
        let share = shown.count > 1 ? limit / 3 / (shown.count - 1) : 0
        for (offset, attempt) in shown.enumerated() {
            let isLast = offset == shown.count - 1
            if item.attempts.count > 1 {
                let mark = HTMLMark(attempt.verdict)
                html.markup("<h4>")
                html.text("Attempt \(attempt.number) of \(item.attempts.count): ")
                html.markup(mark.word)
                html.markup("</h4>")
                if !isLast, let problem = attempt.problem ?? attempt.teardownProblem {
                    HTMLProblemText.write(problem, limit: share / 3, to: &html)
                }
            }
            write(
                attempt,
                of: item,
                limit: isLast ? limit - share * (shown.count - 1) : share,
                isTrouble: isTrouble,
                reading: &reading,
                to: &html
            )
        }
    }

    private func write(
        _ attempt: AttemptRecord,
        of item: CaseRecord,
        limit: Int,
        isTrouble: Bool,
        reading: inout Reading,
        to html: inout HTMLText
    ) {
        let failing = StepLines.failingIndex(of: attempt)
        let total = HTMLTimeline.length(of: attempt)
        var own = ExchangeStatistics()
        let digest = digest(
            of: attempt,
            total: total,
            limit: limit,
            isTrouble: isTrouble,
            reading: &reading,
            own: &own
        )
        let pictureLimit = limit * 2 / 5
        HTMLTimeline(attempt, digest: digest, total: total, limit: pictureLimit).write(to: &html)
        writeSteps(
            attempt,
            digest: digest,
            failing: failing,
            limit: limit * 3 / 5,
            isTrouble: isTrouble,
            to: &html
        )
        if limit >= 20_000 { HTMLStatistics.write(own, title: "Times per command", to: &html) }
        writeTrace(of: attempt, digest: digest, to: &html)
    }

    private func writeSteps(
        _ attempt: AttemptRecord,
        digest: TraceDigest?,
        failing: Int?,
        limit: Int,
        isTrouble: Bool,
        to html: inout HTMLText
    ) {
        guard !attempt.steps.isEmpty else { return }
        let text = HTMLStepText(
            words: options.words,
            target: suite.target,
            caseFile: ProblemText.slashed(item(attempt)),
            dataLimit: isTrouble ? 1024 : 64,
            lineLimit: isTrouble ? 60 : 12
        )
        html.markup("<div class=\"steps\">\n")
        HTMLExcerpt.write(
            count: attempt.steps.count,
            limit: limit,
            always: failing,
            to: &html,
            piece: { index in
                let step = attempt.steps[index]
                let isFailing = index == failing
                return text.bytes(
                    step,
                    exchanges: digest?.steps[step.label],
                    isFailing: isFailing,
                    limit: isFailing ? limit / 2 : limit / 4
                )
            },
            gap: { HTMLStepText.gap($0, "steps", to: &$1) }
        )
        html.markup("</div>\n")
    }

    /// The scenario file of the case's own steps.
    private func item(_ attempt: AttemptRecord) -> String {
        attempt.steps.last { $0.label.hasPrefix("step") }?.file ?? suite.file
    }

    private func digest(
        of attempt: AttemptRecord,
        total: Double,
        limit: Int,
        isTrouble: Bool,
        reading: inout Reading,
        own: inout ExchangeStatistics
    ) -> TraceDigest? {
        guard let folder = options.runFolder, HTMLText.relativeLink("", attempt.trace) != nil else {
            return nil
        }
        let path = folder.isEmpty ? attempt.trace : "\(folder)/\(attempt.trace)"
        guard let size = TraceDigest.size(of: path),
            size <= (isTrouble ? reading.troubledBytes : reading.passingBytes)
        else { return nil }
        if isTrouble { reading.troubledBytes -= size } else { reading.passingBytes -= size }
        let edge = limit / 200 + 4
        var wanted = Set(attempt.steps.prefix(edge).map(\.label)).union(
            attempt.steps.suffix(edge).map(\.label)
        )
        if let failing = StepLines.failingIndex(of: attempt) { wanted.insert(attempt.steps[failing].label) }
        return TraceDigest.read(
            path,
            wanted: wanted,
            limit: isTrouble ? 48 : 6,
            total: total * 1_000_000
        ) { exchange in
            reading.statistics.add(exchange)
            own.add(exchange)
        }
    }

    private func writeTrace(of attempt: AttemptRecord, digest: TraceDigest?, to html: inout HTMLText) {
        guard attempt.exchangeCount > 0 || !attempt.trace.isEmpty else { return }
        html.markup("<p class=\"fa\">")
        var parts: [String] = []
        if attempt.exchangeCount > 0 {
            parts.append("\(attempt.exchangeCount) \(attempt.exchangeCount == 1 ? "exchange" : "exchanges")")
            if let timing = attempt.timing {
                parts.append("median \(HTMLNumber.milliseconds(timing.p50)) ms")
                parts.append("95 % within \(HTMLNumber.milliseconds(timing.p95)) ms")
                parts.append("longest \(HTMLNumber.milliseconds(timing.max)) ms")
            }
        }
        html.text(parts.joined(separator: ", "))
        if !attempt.trace.isEmpty {
            html.text(parts.isEmpty ? "trace " : " · trace ")
            if let prefix = options.linkPrefix, let link = HTMLText.relativeLink(prefix, attempt.trace) {
                html.markup("<a")
                html.attribute("href", link)
                html.markup(">")
                html.text(attempt.trace)
                html.markup("</a>")
            } else {
                html.element("code", attempt.trace)
            }
        }
        html.markup("</p>\n")
    }
}
