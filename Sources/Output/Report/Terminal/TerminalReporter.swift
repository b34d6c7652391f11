// SPDX-License-Identifier: MIT

public import HostSystem
public import RunRecord

/// Tells people how a run goes: one rewritten line on a terminal, plain lines elsewhere, failures at once and again at
/// the end.
public final class TerminalReporter: RunObserver {
    /// The run folder, which the paths of traces are told with; empty tells them as the record has them.
    public var runFolder = ""

    /// Takes what somebody has to see who keeps the rest in a file; nil writes it with the rest.
    public var urgentOutput: ((String) -> Void)?

    private let style: TerminalStyle
    private let output: (String) -> Void
    private let now: () -> Duration
    private var lastProgress: Duration?
    private var cases = 0
    private var ended = 0
    private var counts = RunCounts()
    private var hasOpenLine = false
    /// Failures and errors so far; more than this are counted only.
    private var troubles: [String] = []
    private var troubleCount = 0

    private static let troubleLimit = 100
    /// A terminal that is written to for every step of an emulator would be what the run waits for.
    private static let progressPause = Duration.milliseconds(50)

    /// Makes a reporter.
    ///
    /// - Parameters:
    ///   - style: What the terminal can show.
    ///   - now: The time, to rewrite the line of progress not too often.
    ///   - output: Takes text; it is never cut inside a line.
    public init(
        style: TerminalStyle,
        now: @escaping () -> Duration = { MonotonicTime.now },
        output: @escaping (String) -> Void
    ) {
        self.style = style
        self.now = now
        self.output = output
    }

    /// Takes an event.
    public func observe(_ event: RunEvent) {
        switch event {
        case .runStarted(let run, let count): start(run, cases: count)
        case .suiteStarted, .suiteEnded: break
        case .caseStarted(let suite, let name, _):
            guard isProgressDue else { break }
            progress(visible("\(suite): \(name)"))
        case .attemptEnded(let suite, let name, let attempt): retry(suite: suite, name: name, attempt)
        case .stepEnded(let suite, let name, let step):
            // Nothing is made into text where nobody sees it: a run has more steps than anything else.
            guard isProgressDue else { break }
            progress(visible("\(suite): \(name)  \(StepLines.place(step.label)) \(step.title)"))
        case .caseEnded(let suite, let item): finish(item, suite: suite)
        case .note(let text): lines([style.painted("note: \(visible(text))", .dim)])
        case .waiting(let text):
            clearLine()
            (urgentOutput ?? output)(visible(text) + "\n")
        case .runEnded(let run): summarise(run)
        }
    }

    private func start(_ run: RunRecord, cases count: Int) {
        cases = count
        ended = 0
        counts = RunCounts()
        troubles = []
        troubleCount = 0
        lines(["\(count) \(count == 1 ? "case" : "cases"), seed \(run.seed)"])
        if run.showsSecrets {
            lines([style.painted("warning: secrets are shown; traces and reports contain them", .yellow)])
        }
    }

    private func retry(suite: String, name: String, _ attempt: AttemptRecord) {
        let message = ProblemText.message(attempt.problem ?? attempt.teardownProblem)
        let text = "attempt \(attempt.number) of \(suite): \(name): \(message); it is tried again"
        lines([style.painted(visible(text), .yellow)])
    }

    private func finish(_ item: CaseRecord, suite: String) {
        ended += 1
        counts.add(item)
        let outcome = item.outcome
        let name = visible("\(suite): \(item.name)")
        let time = "(\(JUnitTime.seconds(item.duration)) s)"
        switch outcome.verdict {
        case .passed:
            if item.isFlaky {
                lines([style.painted("flaky", .yellow) + " \(name) \(time) \(reasonOfFlakiness(item))"])
            } else if !style.rewritesLine {
                lines([style.painted("ok", .green) + "    \(name) \(time)"])
            }
        case .skipped:
            // On a terminal the summary tells how many; in a log each one has its line.
            let text = "\(name): \(visible(ProblemText.message(outcome.problem)))"
            if !style.rewritesLine { lines([style.painted("skip", .dim) + "  \(text)"]) }
        case .failed, .error:
            let block = block(item, outcome, name: name, time: time)
            troubleCount += 1
            if troubles.count < Self.troubleLimit { troubles.append(block) }
            lines([block])
        }
        for warning in item.warnings {
            lines([style.painted("warning: \(name): \(visible(warning))", .yellow)])
        }
        if ended >= cases { clearLine() }
    }

    private func reasonOfFlakiness(_ item: CaseRecord) -> String {
        item.attempts.count > 1
            ? "passed at attempt \(item.attempts.count)"
            : item.resentCommands == 1
                ? "a lost command was sent again" : "\(item.resentCommands) lost commands were sent again"
    }

    private func block(_ item: CaseRecord, _ outcome: CaseOutcome, name: String, time: String) -> String {
        let word = outcome.verdict == .failed ? style.painted("FAIL", .red) : style.painted("ERROR", .magenta)
        var out = ["\(word) \(name) \(time)"]
        let problem = outcome.problem
        for line in ProblemText.lines(problem, message: ProblemText.message(problem)) {
            out += line.split(separator: "\n", omittingEmptySubsequences: false).map { "  \(visible($0))" }
        }
        if problem?.file.isEmpty ?? true { out.append("  at \(visible(item.file)):\(item.line)") }
        if let teardown = outcome.teardownProblem {
            out.append("  teardown: \(visible(ProblemText.message(teardown)))")
        }
        if let trace = item.attempts.last?.trace, !trace.isEmpty {
            out.append("  trace: \(visible(runFolder.isEmpty ? trace : "\(runFolder)/\(trace)"))")
        }
        return out.joined(separator: "\n")
    }

    private func summarise(_ run: RunRecord) {
        clearLine()
        if troubleCount > 1 {
            lines(["", "What did not pass:", ""] + troubles)
            let more = troubleCount - troubles.count
            if more > 0 { lines(["and \(more) more; the report has them all"]) }
        }
        for note in run.notes { lines(["note: \(visible(note))"]) }
        if let signal = run.interruptedBy { lines([style.painted("interrupted by \(signal)", .magenta)]) }
        let counts = RunCounts(run)
        var parts = [
            painted(counts.passed, "passed", .green) + (counts.flaky > 0 ? " (\(counts.flaky) flaky)" : "")
        ]
        if counts.failed > 0 { parts.append(painted(counts.failed, "failed", .red)) }
        if counts.errors > 0 {
            parts.append(painted(counts.errors, counts.errors == 1 ? "error" : "errors", .magenta))
        }
        if counts.skipped > 0 { parts.append(painted(counts.skipped, "skipped", .yellow)) }
        let total = "\(counts.total) \(counts.total == 1 ? "case" : "cases")"
        lines(["", "\(total): \(parts.joined(separator: ", ")) in \(JUnitTime.seconds(run.duration)) s"])
    }

    /// Tells the last lines of a run, for example `report: Reports/latest/junit.xml`, once they are true.
    public func close(with lines: [String]) {
        self.lines(lines)
    }

    private func painted(_ count: Int, _ word: String, _ colour: TerminalStyle.Colour) -> String {
        let text = "\(count) \(word)"
        return count > 0 ? style.painted(text, colour) : text
    }

    /// Rewrites the line of progress; nothing where no line can be rewritten.
    private func progress(_ text: String) {
        guard isProgressDue else { return }
        lastProgress = now()
        let troubles = counts.failed + counts.errors
        let state = troubles > 0 ? "[\(ended)/\(cases), \(troubles) not passed]" : "[\(ended)/\(cases)]"
        // A line that fills the last column would wrap, and its rest could not be rewritten.
        let line = TextWidth.fitted("\(state) \(text)", columns: style.columns - 1)
        output("\r\u{1B}[K" + line)
        hasOpenLine = true
    }

    private var isProgressDue: Bool {
        guard style.rewritesLine else { return false }
        return lastProgress.map { now() - $0 >= Self.progressPause } ?? true
    }

    private func clearLine() {
        guard hasOpenLine else { return }
        output("\r\u{1B}[K")
        hasOpenLine = false
    }

    private func lines(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        clearLine()
        output(lines.map(fitted).joined(separator: "\n") + "\n")
    }

    /// Text broken between words for a terminal; a log keeps its lines whole.
    private func fitted(_ text: String) -> String {
        guard style.rewritesLine else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { TextWrap.wrapped(String($0), columns: style.columns) }
            .joined(separator: "\n")
    }

    private func visible(_ text: some StringProtocol) -> String {
        VisibleText.escaped(String(text))
    }
}
