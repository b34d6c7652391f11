// SPDX-License-Identifier: MIT

import RunRecord

/// Steps as lines of text, one a step, the failing one last with all its exchanges that were kept.
///
/// A line is made when it is asked for: a case may have a million steps, and a report shows some.
struct StepLines {
    private let steps: [StepRecord]
    /// Index of the step that failed.
    private let failing: Int?
    private let lastLines: [String]

    /// The lines of an attempt.
    init(_ attempt: AttemptRecord) {
        steps = attempt.steps
        failing = Self.failingIndex(of: attempt)
        lastLines = failing.map { Self.detailedLines(of: attempt.steps[$0]) } ?? []
    }

    /// The step that a problem names, or the last one that did not hold.
    static func failingIndex(of attempt: AttemptRecord) -> Int? {
        if let label = attempt.problem?.step, !label.isEmpty,
            let index = attempt.steps.lastIndex(where: { $0.label == label })
        {
            return index
        }
        return attempt.steps.lastIndex { $0.verdict == .failed || $0.verdict == .error }
    }

    /// Number of lines.
    var count: Int { steps.count - (failing == nil ? 0 : 1) + lastLines.count }

    /// The line of an index, from 0.
    func line(_ index: Int) -> String {
        let others = count - lastLines.count
        guard index < others else { return OutputLine.plain(lastLines[index - others]) }
        if let failing, index >= failing { return OutputLine.plain(Self.line(of: steps[index + 1])) }
        return OutputLine.plain(Self.line(of: steps[index]))
    }

    /// `step.3` as people read it: `step 3`.
    static func place(_ label: String) -> String {
        guard let dot = label.firstIndex(of: ".") else { return label }
        return label[..<dot] + " " + label[label.index(after: dot)...]
    }

    private static func line(of step: StepRecord) -> String {
        let start = head(of: step)
        if step.verdict == .skipped {
            return start + " skipped" + (step.detail.isEmpty ? "" : ": \(step.detail)")
        }
        let note = step.detail.isEmpty ? "" : " (\(step.detail))"
        guard let exchange = step.exchanges.last else {
            return "\(start) \(milliseconds(step.duration)) ms\(note)"
        }
        let more = step.exchangeCount > 1 ? " (last of \(step.exchangeCount))" : ""
        return start + text(of: exchange) + more + note
    }

    private static func detailedLines(of step: StepRecord) -> [String] {
        guard step.exchanges.count > 1 else { return [line(of: step)] }
        var out = step.exchanges.map { head(of: step) + text(of: $0) }
        let missing = step.exchangeCount - step.exchanges.count
        if missing > 0 {
            out.insert("\(head(of: step)) (\(missing) of \(step.exchangeCount) exchanges not shown)", at: 0)
        }
        if !step.detail.isEmpty { out.append("\(head(of: step)) (\(step.detail))") }
        return out
    }

    private static func head(of step: StepRecord) -> String {
        let tries = step.tries > 1 ? " [\(step.tries) tries]" : ""
        return place(step.label) + (step.title.isEmpty ? "" : " " + step.title) + tries
    }

    private static func text(of exchange: ExchangeSummary) -> String {
        " > \(exchange.command) < \(exchange.response) \(JUnitTime.milliseconds(exchange.milliseconds)) ms"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return JUnitTime.milliseconds(Double(seconds) * 1000 + Double(attoseconds) / 1e15)
    }
}
