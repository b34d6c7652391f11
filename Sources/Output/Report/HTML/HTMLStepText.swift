// SPDX-License-Identifier: MIT

import RunRecord

/// A step of a page with its exchanges.
struct HTMLStepText {
    let words: ExchangeWords
    let target: String
    /// The scenario file of the case: steps of another file show its whole path.
    let caseFile: String
    /// The most bytes of data and of explanation that an exchange shows.
    let dataLimit: Int
    let lineLimit: Int

    /// Writes a step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - exchanges: Its exchanges from the trace; nil takes those of the record.
    ///   - isFailing: It is the one that did not hold.
    ///   - limit: About how many bytes its exchanges may have.
    /// - Returns: The markup.
    func bytes(
        _ step: StepRecord,
        exchanges: TraceDigest.StepExchanges?,
        isFailing: Bool,
        limit: Int
    ) -> [UInt8] {
        var html = HTMLText()
        let hasMore =
            step.exchangeCount > 0 || exchanges != nil || !step.exchanges.isEmpty || !step.detail.isEmpty
        let mark = HTMLMark(isFailing && step.verdict == .passed ? .failed : step.verdict)
        html.markup(hasMore ? "<details class=\"st " : "<div class=\"st ")
        html.markup(mark.name)
        html.markup(hasMore ? (isFailing ? "\" open><summary>" : "\"><summary>") : "\">")
        mark.writePicture(to: &html, isAlone: true)
        html.element("code", class: "lb", step.label)
        html.element("span", class: "ti", LimitedText.shortened(step.title, limit: 200))
        html.element("span", class: "lo", LimitedText.shortened(place(of: step), limit: 200))
        var facts: [String] = []
        if step.tries > 1 { facts.append("\(step.tries) tries") }
        if step.assertions > 0 {
            facts.append("\(step.assertions) \(step.assertions == 1 ? "check" : "checks")")
        }
        if step.exchangeCount > 0 {
            facts.append("\(step.exchangeCount) APDU\(step.exchangeCount == 1 ? "" : "s")")
        }
        if mark == .skipped { facts.append("skipped") }
        facts.append(HTMLNumber.text(step.duration))
        html.element("span", class: "ms", facts.joined(separator: ", "))
        guard hasMore else {
            html.markup("</div>\n")
            return html.bytes
        }
        html.markup("</summary>")
        if !step.detail.isEmpty {
            html.element("p", class: "de", LimitedText.shortened(step.detail, limit: 2000))
        }
        writeExchanges(of: step, exchanges, limit: limit, to: &html)
        html.markup("</details>\n")
        return html.bytes
    }

    /// The device's own name of a command.
    private func name(of command: [UInt8]) -> String? { words.name(target, command) }

    private func place(of step: StepRecord) -> String {
        let file = ProblemText.slashed(step.file)
        guard !file.isEmpty else { return "" }
        let shown = file == caseFile ? String(file.split(separator: "/").last ?? "") : file
        return step.line > 0 ? "\(shown):\(step.line)" : shown
    }

    private func writeExchanges(
        of step: StepRecord,
        _ exchanges: TraceDigest.StepExchanges?,
        limit: Int,
        to html: inout HTMLText
    ) {
        let views: [ExchangeView]
        let missing: Int
        let splitAt: Int
        if let exchanges {
            let tail = exchanges.tail
            views = (exchanges.head + tail).map { ExchangeView($0, namer: name(of:)) }
            missing = exchanges.count - views.count
            splitAt = exchanges.head.count
        } else {
            views = step.exchanges.map { ExchangeView($0, namer: name(of:)) }
            missing = max(step.exchangeCount - views.count, 0)
            // The record keeps the first four and the last ones.
            splitAt = min(4, views.count)
        }
        HTMLExcerpt.write(
            count: views.count,
            limit: limit,
            split: missing > 0 ? (splitAt, missing) : nil,
            to: &html,
            piece: { bytes(of: views[$0]) },
            gap: { Self.gap($0, "exchanges", to: &$1) }
        )
    }

    /// Says that some were left out.
    static func gap(_ count: Int, _ what: String, to html: inout HTMLText) {
        html.element("p", class: "gp", "… \(count) \(what) left out; the trace has them all …")
        html.markup("\n")
    }

    private func bytes(of view: ExchangeView) -> [UInt8] {
        var html = HTMLText()
        html.markup("<div class=\"x\"><span class=\"a\">&gt;</span><code>")
        html.text(shortened(view.command))
        html.markup("</code><span class=\"m\">")
        html.text(view.name)
        html.markup("</span>")
        let command = view.commandBytes ?? []
        write(view.commandBytes.map { words.command(target, $0) } ?? [], to: &html)
        html.markup("<span class=\"a\">&lt;</span><code>")
        if view.fault.isEmpty {
            if !view.data.isEmpty {
                html.text(shortened(view.data))
                html.markup(" ")
            }
            html.element("b", view.status)
        } else {
            html.element("b", LimitedText.shortened(view.fault, limit: 400))
        }
        html.markup("</code><span class=\"m\">")
        var notes: [String] = []
        let meaning = view.statusWord.map { words.meaning(target, command, $0) } ?? ""
        if !meaning.isEmpty { notes.append(meaning) }
        if let milliseconds = view.milliseconds {
            notes.append("\(HTMLNumber.milliseconds(milliseconds * 1000)) ms")
        }
        html.text(notes.joined(separator: ", "))
        html.markup("</span>")
        write(view.dataBytes.map { words.answer(target, command, $0) } ?? [], to: &html)
        html.markup("</div>\n")
        return html.bytes
    }

    private func write(_ lines: [String], to html: inout HTMLText) {
        guard !lines.isEmpty else { return }
        let kept = lines.prefix(lineLimit).map { LimitedText.shortened($0, limit: max(dataLimit, 160)) }
        let more = lines.count - kept.count
        let text = kept.joined(separator: "\n") + (more > 0 ? "\n… \(more) lines more" : "")
        html.element("pre", text)
    }

    private func shortened(_ hex: String) -> String {
        LimitedText.shortened(hex, limit: dataLimit * 2)
    }
}
