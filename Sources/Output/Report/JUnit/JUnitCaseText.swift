// SPDX-License-Identifier: MIT

import HostSystem
import RunRecord

/// One `testcase` of a JUnit report.
struct JUnitCaseText {
    let options: JUnitOptions
    /// The most bytes of `system-out` and of a body in a case that did not pass.
    let failingLimit: Int

    private static let messageLimit = 2000
    private static let attachmentLimit = 4

    /// Writes a case.
    ///
    /// - Parameters:
    ///   - item: The case.
    ///   - name: Its name, unique in the report.
    ///   - suite: The suite.
    ///   - className: The suite's name as the report has it.
    ///   - xml: Takes the text.
    func write(
        _ item: CaseRecord,
        named name: String,
        suite: SuiteRecord,
        className: String,
        to xml: inout XMLText
    ) {
        let flavor = options.flavor
        xml.markup("    <testcase")
        xml.attribute("name", name)
        xml.attribute("classname", className)
        xml.attribute("time", JUnitTime.seconds(item.duration))
        if flavor.hasCaseStamps, let stamp = item.started.flatMap(JUnitTime.stamp) {
            xml.attribute("timestamp", stamp)
        }
        if flavor.hasPlaces {
            let file = item.file.isEmpty ? suite.file : item.file
            xml.attribute("file", CaseNames.clean(ProblemText.slashed(file), fallback: "unknown"))
            xml.attribute("line", max(item.line, 1))
            xml.attribute("assertions", item.assertionCount)
        }
        xml.markup(">\n")
        let start = xml.bytes.count
        let links = flavor.hasCaseOutput ? attachments(of: item) : []
        let properties = flavor.caseProperties == .nowhere ? [] : properties(of: item)
        let outcome = item.outcome
        if flavor.caseProperties == .elements {
            Self.write(properties + links.map { ("attachment", $0) }, indent: "      ", to: &xml)
        }
        writeOutcome(outcome, of: item, to: &xml)
        if flavor.hasCaseOutput {
            writeOutput(
                of: item,
                verdict: outcome.verdict,
                links: links,
                properties: flavor.caseProperties == .lines ? properties : [],
                to: &xml
            )
            writeWarnings(of: item, to: &xml)
        }
        guard xml.bytes.count > start else {
            xml.removeLast(2)
            xml.markup("/>\n")
            return
        }
        xml.markup("    </testcase>\n")
    }

    /// Writes the output of a case for the output of its suite.
    func writeLooseOutput(of item: CaseRecord, named name: String, to xml: inout XMLText) {
        let text = output(
            of: item,
            verdict: item.countedVerdict,
            links: attachments(of: item),
            properties: []
        )
        guard !text.isEmpty else { return }
        xml.text("\(OutputLine.plain(name)):\n")
        xml.text(text)
    }

    /// The output of a case for a file of plain text; empty when it said nothing.
    func plainOutput(of item: CaseRecord, named name: String) -> String {
        let text = output(
            of: item,
            verdict: item.countedVerdict,
            links: attachments(of: item),
            properties: []
        )
        guard !text.isEmpty || !item.warnings.isEmpty else { return "" }
        let lines = ([name + ":"] + item.warnings.map { "warning: \($0)" }).map(OutputLine.plain)
        return VisibleText.escaped(lines.joined(separator: "\n") + "\n" + text, keeping: ["\n", "\t"])
            + (text.isEmpty || text.hasSuffix("\n") ? "\n" : "\n\n")
    }

    /// Writes the warnings of a case for the output of its suite.
    func writeLooseWarnings(of item: CaseRecord, named name: String, to xml: inout XMLText) {
        guard !item.warnings.isEmpty else { return }
        xml.text("\(OutputLine.plain(name)):\n")
        xml.text(warnings(of: item))
    }

    private func writeWarnings(of item: CaseRecord, to xml: inout XMLText) {
        guard !item.warnings.isEmpty else { return }
        xml.markup("      <system-err>")
        xml.text(warnings(of: item))
        xml.markup("</system-err>\n")
    }

    private func warnings(of item: CaseRecord) -> String {
        LimitedText.joined(
            item.warnings.map { OutputLine.plain("warning: \($0)") },
            limit: options.passingLimit,
            cutNotice: "cut, all warnings in run.json"
        )
    }

    /// Writes properties; no element when there are none.
    static func write(_ properties: [(String, String)], indent: StaticString, to xml: inout XMLText) {
        guard !properties.isEmpty else { return }
        xml.markup(indent)
        xml.markup("<properties>\n")
        for (name, value) in properties {
            xml.markup(indent)
            xml.markup("  <property")
            xml.attribute("name", CaseNames.clean(name, fallback: "unnamed"))
            xml.attribute("value", value)
            xml.markup("/>\n")
        }
        xml.markup(indent)
        xml.markup("</properties>\n")
    }

    /// Elements in the order of the schema: failure, retries, skipped, error.
    private func writeOutcome(_ outcome: CaseOutcome, of item: CaseRecord, to xml: inout XMLText) {
        let earlier = options.flavor.hasRetries ? item.attempts.dropLast() : []
        switch outcome.verdict {
        case .passed:
            for attempt in earlier { write(attempt, as: "flakyFailure", to: &xml) }
            if options.flavor.hasRetries, item.resentCommands > 0, item.attempts.count < 2 {
                writeResent(item, to: &xml)
            }
        case .failed:
            writeProblem(outcome, as: "failure", to: &xml)
            for attempt in earlier { write(attempt, as: "rerunFailure", to: &xml) }
        case .error:
            for attempt in earlier { write(attempt, as: "rerunFailure", to: &xml) }
            writeProblem(outcome, as: "error", to: &xml)
        case .skipped:
            let message = message(outcome.problem)
            xml.markup("      <skipped")
            xml.attribute("message", message)
            xml.markup(">")
            xml.text(message)
            xml.markup("</skipped>\n")
        }
    }

    private func writeProblem(_ outcome: CaseOutcome, as element: StaticString, to xml: inout XMLText) {
        let message = message(outcome.problem)
        xml.markup("      <")
        xml.markup(element)
        xml.attribute("type", Self.type(outcome.problem, isError: outcome.verdict == .error))
        xml.attribute("message", message)
        xml.markup(">")
        var lines = ProblemText.lines(outcome.problem, message: message)
        if let teardown = outcome.teardownProblem {
            lines.append("teardown:")
            lines += ProblemText.lines(teardown, message: self.message(teardown)).map { "  \($0)" }
        }
        xml.text(body(lines))
        xml.markup("</")
        xml.markup(element)
        xml.markup(">\n")
    }

    /// The first line is the message in full: some readers show the body alone.
    private func body(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        guard text.utf8.count > failingLimit else { return text }
        let rest = Array(lines.dropFirst())
        let limit = failingLimit - lines[0].utf8.count - 1
        return lines[0] + "\n"
            + LimitedText.joined(rest, limit: limit, cutNotice: "cut, the whole text in run.json")
    }

    /// Retries of any cause take the `...Failure` form: the `...Error` form is not read by Jenkins.
    private func write(_ attempt: AttemptRecord, as element: StaticString, to xml: inout XMLText) {
        let problem = attempt.problem ?? attempt.teardownProblem
        let message = message(problem)
        var trace = "attempt \(attempt.number)"
        if let problem, !problem.file.isEmpty { trace = ProblemText.place(problem) }
        trace = ([trace + " " + message] + (problem?.details ?? [])).joined(separator: "\n")
        writeAttempt(
            element,
            type: Self.type(problem, isError: attempt.verdict == .error),
            message: "attempt \(attempt.number): \(message)",
            trace: LimitedText.shortened(trace, limit: options.passingLimit),
            lines: StepLines(attempt),
            log: AttachmentPath.joined(options.runFolder, attempt.trace) ?? attempt.trace,
            to: &xml
        )
    }

    /// A case that passed only because lost commands were sent again is flaky too.
    private func writeResent(_ item: CaseRecord, to xml: inout XMLText) {
        let count = item.resentCommands
        let message = "\(count) lost \(count == 1 ? "command was" : "commands were") sent again"
        writeAttempt(
            "flakyFailure",
            type: item.resentTypes.first ?? "LinkLost",
            message: message,
            trace: message,
            lines: nil,
            log: "",
            to: &xml
        )
    }

    private func writeAttempt(
        _ element: StaticString,
        type: String,
        message: String,
        trace: String,
        lines: StepLines?,
        log: String,
        to xml: inout XMLText
    ) {
        xml.markup("      <")
        xml.markup(element)
        xml.attribute("type", type)
        xml.attribute("message", message)
        xml.markup(">\n        <stackTrace>")
        xml.text(trace)
        xml.markup("</stackTrace>\n")
        if let lines, lines.count > 0 {
            let limit = options.passingLimit
            xml.markup("        <system-out>")
            xml.text(
                LimitedText.joined(
                    count: lines.count,
                    limit: limit,
                    cutNotice: cutNotice(log),
                    line: lines.line
                )
            )
            xml.markup("</system-out>\n")
        }
        xml.markup("      </")
        xml.markup(element)
        xml.markup(">\n")
    }

    private func writeOutput(
        of item: CaseRecord,
        verdict: Verdict,
        links: [String],
        properties: [(String, String)],
        to xml: inout XMLText
    ) {
        let text = output(of: item, verdict: verdict, links: links, properties: properties)
        guard !text.isEmpty else { return }
        xml.markup("      <system-out>")
        xml.text(text)
        xml.markup("</system-out>\n")
    }

    /// The lines of the steps, then those that readers look for.
    private func output(
        of item: CaseRecord,
        verdict: Verdict,
        links: [String],
        properties: [(String, String)]
    ) -> String {
        let lines = item.attempts.last.map(StepLines.init)
        let count = lines?.count ?? 0
        let closing =
            properties.map {
                "[[PROPERTY|\(CaseNames.clean($0.0, fallback: "unnamed"))=\(Self.oneLine($0.1))]]"
            }
            + links.map { "[[ATTACHMENT|\($0)]]" }
        guard count > 0 || !closing.isEmpty else { return "" }
        let log = links.first ?? item.attempts.last?.trace ?? ""
        // A pass stays under the smaller limit, a retried one included.
        let limit = verdict == .passed ? options.passingLimit : failingLimit
        return LimitedText.joined(count: count, limit: limit, closing: closing, cutNotice: cutNotice(log)) {
            lines?.line($0) ?? ""
        }
    }

    /// A value for a line that ends in two brackets.
    private static func oneLine(_ value: String) -> String {
        var text = LimitedText.shortened(OutputLine.plain(CaseNames.clean(value, fallback: "")), limit: 200)
        guard text.utf8.contains(UInt8(ascii: "]")) else { return text }
        while let range = text.firstRange(of: "]]") { text.replaceSubrange(range, with: "] ]") }
        return text
    }

    private func cutNotice(_ log: String) -> String {
        "cut, full log in \(log.isEmpty ? "run.json" : log)"
    }

    private func properties(of item: CaseRecord) -> [(String, String)] {
        var out: [(String, String)] = []
        if item.attempts.count > 1 { out.append(("rig.attempts", String(item.attempts.count))) }
        if item.resentCommands > 0 { out.append(("rig.resent", String(item.resentCommands))) }
        if let attempt = item.attempts.last, attempt.exchangeCount > 0 {
            out.append(("rig.apdu.count", String(attempt.exchangeCount)))
            if let timing = attempt.timing {
                out.append(("rig.apdu.p50_ms", JUnitTime.milliseconds(timing.p50 / 1000)))
                out.append(("rig.apdu.p95_ms", JUnitTime.milliseconds(timing.p95 / 1000)))
                out.append(("rig.apdu.max_ms", JUnitTime.milliseconds(timing.max / 1000)))
            }
        }
        if !item.tags.isEmpty { out.append(("rig.tags", item.tags.joined(separator: ","))) }
        if let digest = item.attempts.last?.traceSHA256, !digest.isEmpty {
            out.append(("rig.trace.sha256", digest))
        }
        return out
    }

    /// Traces of the attempts, the last first: it is the one that the result comes from.
    private func attachments(of item: CaseRecord) -> [String] {
        item.attempts.reversed().prefix(Self.attachmentLimit).compactMap {
            AttachmentPath.joined(options.runFolder, $0.trace)
        }
    }

    /// One line, since the one behind it in a body is the place.
    private func message(_ problem: Problem?) -> String {
        LimitedText.shortened(OutputLine.folded(ProblemText.message(problem)), limit: Self.messageLimit)
    }

    /// A word of the closed list; some readers take other words for the type of the text.
    private static func type(_ problem: Problem?, isError: Bool) -> String {
        if let word = problem?.type, ProblemType.isKnown(word) { return word }
        return isError || problem?.isRigError == true ? "SetupFailed" : "CheckFailed"
    }
}
