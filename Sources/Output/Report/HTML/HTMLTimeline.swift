// SPDX-License-Identifier: MIT

import RunRecord

/// The time of an attempt as a picture: set-up, steps and teardown as bars on three lanes, exchanges as ticks below.
///
/// It stretches with the page, so its words stand beside it and not inside.
struct HTMLTimeline {
    private struct Bar {
        let lane: Int
        let start: Int
        let width: Int
        let isTrouble: Bool
        let step: StepRecord
    }

    private static let laneHeight = 14
    private static let height = 56
    private static let columns = TraceDigest.columns

    private let attempt: AttemptRecord
    private let digest: TraceDigest?
    /// Seconds.
    private let total: Double
    private let barLimit: Int
    private let hasTitles: Bool

    /// The picture of an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - digest: Its trace, for the ticks.
    ///   - total: Length in seconds.
    ///   - limit: About how many bytes it may have.
    init(_ attempt: AttemptRecord, digest: TraceDigest?, total: Double, limit: Int) {
        self.attempt = attempt
        self.digest = digest
        self.total = total
        hasTitles = limit >= 6000
        barLimit = min(max(limit / (hasTitles ? 150 : 45), 8), 400)
    }

    /// Length of the picture of an attempt in seconds.
    static func length(of attempt: AttemptRecord) -> Double {
        var end = attempt.duration
        for step in attempt.steps.indices {
            end = max(end, attempt.steps[step].start + attempt.steps[step].duration)
        }
        return HTMLNumber.seconds(end)
    }

    /// Writes the picture with its words; nothing where no time passed.
    func write(to html: inout HTMLText) {
        guard total > 0, !attempt.steps.isEmpty else { return }
        let bars = bars
        html.markup("<div class=\"tl\"><div class=\"ln\" aria-hidden=\"true\">")
        html.markup("<span>set-up</span><span>steps</span><span>teardown</span><span>APDUs</span></div>")
        html.markup("<div class=\"pl\"><svg width=\"100%\" height=\"56\" viewBox=\"0 0 1000 56\"")
        html.markup(" preserveAspectRatio=\"none\" role=\"img\"")
        html.attribute("aria-label", description)
        html.markup(">")
        writeGrid(to: &html)
        writeTicks(to: &html)
        writeBars(bars, to: &html)
        html.markup("</svg>")
        writeAxis(to: &html)
        html.markup("</div></div>")
    }

    private var description: String {
        var out = "Timing: \(attempt.steps.count) steps in \(HTMLNumber.text(attempt.duration))"
        if attempt.exchangeCount > 0 { out += ", \(attempt.exchangeCount) exchanges" }
        if let index = StepLines.failingIndex(of: attempt) {
            let step = attempt.steps[index]
            out += "; \(StepLines.place(step.label)) did not hold at \(HTMLNumber.text(step.start))"
        }
        return out
    }

    /// The longest steps, and the one that did not hold.
    private var bars: [Bar] {
        var chosen = Array(attempt.steps.indices)
        let failing = StepLines.failingIndex(of: attempt)
        if chosen.count > barLimit {
            let durations = attempt.steps.map(\.duration)
            chosen = Array(
                chosen.sorted { durations[$0] > durations[$1] }[..<barLimit]
            )
            if let failing, !chosen.contains(failing) { chosen.append(failing) }
            chosen.sort()
        }
        return chosen.map { index in
            let step = attempt.steps[index]
            let start = column(HTMLNumber.seconds(step.start))
            let end = column(HTMLNumber.seconds(step.start + step.duration))
            let lane = step.label.hasPrefix("setup") ? 0 : step.label.hasPrefix("teardown") ? 2 : 1
            return Bar(
                lane: lane,
                start: min(start, Self.columns - 2),
                // A gap between neighbours, so that each can be seen.
                width: max(end - start - 1, 2),
                isTrouble: index == failing || step.verdict == .failed || step.verdict == .error,
                step: step
            )
        }
    }

    private func column(_ seconds: Double) -> Int {
        Int(min(max(seconds / total, 0), 1) * Double(Self.columns))
    }

    private func writeGrid(to html: inout HTMLText) {
        html.markup("<path class=\"g\" d=\"")
        for value in HTMLNumber.axis(total) {
            html.markup("M")
            html.number(min(column(value), Self.columns - 1))
            html.markup(" 0v56h1v-56z")
        }
        html.markup("\"/>")
    }

    private func writeBars(_ bars: [Bar], to html: inout HTMLText) {
        if hasTitles {
            for bar in bars where !bar.isTrouble { writeTitled(bar, to: &html) }
        } else {
            html.markup("<path class=\"b\" d=\"")
            for bar in bars where !bar.isTrouble { writeBox(bar, to: &html) }
            html.markup("\"/>")
        }
        for bar in bars where bar.isTrouble {
            // A line across all lanes, so that nobody needs the colour to find it.
            html.markup("<path class=\"f\" d=\"M")
            html.number(bar.start)
            html.markup(" 0v56h2v-56z\"/>")
            writeTitled(bar, to: &html)
        }
    }

    private func writeTitled(_ bar: Bar, to html: inout HTMLText) {
        html.markup(bar.isTrouble ? "<path class=\"f\" d=\"" : "<path class=\"b\" d=\"")
        writeBox(bar, to: &html)
        html.markup("\"><title>")
        let title = LimitedText.shortened(bar.step.title, limit: 80)
        html.text("\(bar.step.label) \(title), \(HTMLNumber.text(bar.step.duration))")
        html.markup("</title></path>")
    }

    private func writeBox(_ bar: Bar, to html: inout HTMLText) {
        html.markup("M")
        html.number(bar.start)
        html.markup(" ")
        html.number(bar.lane * Self.laneHeight + 1)
        html.markup("h")
        html.number(bar.width)
        html.markup("v12h-")
        html.number(bar.width)
        html.markup("z")
    }

    private func writeTicks(to html: inout HTMLText) {
        guard let digest else { return }
        let starts = digest.widths.indices.filter { digest.widths[$0] > 0 }
        // Of many ticks some, evenly: it is the density that people see.
        let every = max((starts.count + barLimit - 1) / max(barLimit, 1), 1)
        html.markup("<path class=\"x\" d=\"")
        for (index, start) in starts.enumerated() where index % every == 0 {
            writeTick(start, digest.widths[start], to: &html)
        }
        html.markup("\"/>")
        guard !digest.faults.isEmpty else { return }
        html.markup("<path class=\"f\" d=\"")
        for start in digest.faults.sorted().prefix(barLimit) {
            writeTick(start, digest.widths[start], to: &html)
        }
        html.markup("\"/>")
    }

    private func writeTick(_ start: Int, _ width: Int, to html: inout HTMLText) {
        html.markup("M")
        html.number(start)
        html.markup(" 44v12h")
        html.number(width)
        html.markup("v-12z")
    }

    private func writeAxis(to html: inout HTMLText) {
        html.markup("<div class=\"ax\">")
        for value in HTMLNumber.axis(total) {
            let permille = column(value)
            html.markup("<span")
            if permille > 930 { html.markup(" class=\"la\"") }
            html.markup(" style=\"left:")
            html.number(permille / 10)
            html.markup(".")
            html.number(permille % 10)
            html.markup("%\">")
            html.text(HTMLNumber.axisText(value))
            html.markup("</span> ")
        }
        html.markup("</div>")
    }
}
