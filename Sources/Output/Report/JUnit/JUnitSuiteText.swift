// SPDX-License-Identifier: MIT

import RunRecord

/// The elements around the cases of a JUnit report.
struct JUnitSuiteText {
    let run: RunRecord
    let options: JUnitOptions

    private var flavor: JUnitFlavor { options.flavor }

    /// Writes the start of the root element.
    func startRoot(_ counts: RunCounts, to xml: inout XMLText) {
        xml.markup("<testsuites")
        if flavor == .rich || flavor == .xunit10 {
            let longest = run.suites.map { Self.time(of: $0) }.max() ?? .zero
            let time = JUnitTime.seconds(max(run.duration, longest))
            xml.attribute("name", CaseNames.clean(run.name, fallback: "taprig"))
            xml.attribute("tests", counts.total)
            xml.attribute("failures", counts.failed)
            xml.attribute("errors", counts.errors)
            if flavor == .rich {
                xml.attribute("skipped", counts.skipped)
                xml.attribute("assertions", counts.assertions)
            }
            xml.attribute("time", time)
            if flavor == .rich { xml.attribute("timestamp", Self.stamp(run.started)) }
        }
        xml.markup(">\n")
    }

    /// Writes the start of a suite with its properties.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - name: Its name as the report has it.
    ///   - index: Its number, from 0.
    ///   - counts: How its cases ended.
    ///   - xml: Takes the text.
    func start(
        _ suite: SuiteRecord,
        named name: String,
        index: Int,
        counts: RunCounts,
        to xml: inout XMLText
    ) {
        xml.markup("  <testsuite")
        // Ant keeps the package apart from the name, as of a class.
        let dot = flavor == .ant ? name.lastIndex(of: ".") : nil
        let last = dot.map { String(name[name.index(after: $0)...]) } ?? name
        xml.attribute("name", last.isEmpty ? name : last)
        xml.attribute("tests", counts.total)
        xml.attribute("failures", counts.failed)
        xml.attribute("errors", counts.errors)
        xml.attribute("skipped", counts.skipped)
        if flavor.hasPlaces { xml.attribute("assertions", counts.assertions) }
        xml.attribute("time", JUnitTime.seconds(Self.time(of: suite)))
        let stamp = JUnitTime.stamp(suite.started) ?? Self.stamp(run.started)
        xml.attribute("timestamp", flavor == .ant ? String(stamp.prefix(19)) : stamp)
        if flavor.hasSuiteHost {
            xml.attribute("hostname", CaseNames.clean(run.hostName, fallback: "localhost"))
            xml.attribute("id", index)
        }
        if flavor == .ant { xml.attribute("package", dot.map { String(name[..<$0]) } ?? "") }
        if flavor.hasSuiteFile {
            xml.attribute("file", CaseNames.clean(ProblemText.slashed(suite.file), fallback: "unknown"))
        }
        xml.markup(">\n")
        JUnitCaseText.write(properties(of: suite), indent: "    ", to: &xml)
    }

    private func properties(of suite: SuiteRecord) -> [(String, String)] {
        var properties: [(String, String)] = [
            // The target of a file that cannot be read is not known.
            ("rig.target", [suite.target, suite.via].filter { !$0.isEmpty }.joined(separator: "@")),
            ("rig.firmware", suite.firmware), ("rig.reader", suite.reader), ("rig.atr", suite.atr),
            ("rig.protocol", suite.protocolName), ("rig.seed", String(run.seed)),
            ("rig.version", run.rigVersion),
        ]
        if run.showsSecrets { properties.append(("rig.secrets", "shown")) }
        properties += run.labels.map { ("rig.label.\($0.key)", $0.value) }
        if let link = AttachmentPath.joined(options.runFolder, "run.json") {
            properties.append(("attachment", link))
        }
        return properties.filter { !$0.1.isEmpty }
    }

    /// Writes what a suite says of itself: a line on the run, its title, and for the first one the remarks.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - index: Its number, from 0.
    ///   - xml: Takes the text.
    ///   - casesOutput: Writes the output of the cases where they have none of their own.
    ///   - casesWarnings: Writes the warnings of the cases where they have none of their own.
    func finish(
        _ suite: SuiteRecord,
        index: Int,
        to xml: inout XMLText,
        casesOutput: (inout XMLText) -> Void,
        casesWarnings: (inout XMLText) -> Void
    ) {
        defer { xml.markup("  </testsuite>\n") }
        guard flavor.hasSuiteOutput else { return }
        xml.markup("    <system-out>")
        xml.text(OutputLine.plain("run \(run.name) seed \(run.seed)") + "\n")
        if !suite.title.isEmpty { xml.text(OutputLine.plain(suite.title) + "\n") }
        casesOutput(&xml)
        xml.markup("</system-out>\n")
        // Remarks on the run have no place of their own; they stand once, in the first suite.
        var notes = index == 0 ? run.notes : []
        notes += suite.notes.filter { !notes.contains($0) }
        guard !notes.isEmpty || flavor == .ant else { return }
        xml.markup("    <system-err>")
        if !notes.isEmpty {
            let cut = "cut, all notes in run.json"
            let lines = notes.map(OutputLine.plain)
            xml.text(LimitedText.joined(lines, limit: options.failingLimit, cutNotice: cut))
        }
        casesWarnings(&xml)
        xml.markup("</system-err>\n")
    }

    private static func stamp(_ text: String) -> String {
        JUnitTime.stamp(text) ?? "1970-01-01T00:00:00Z"
    }

    /// Time of a suite, never less than that of its longest case.
    private static func time(of suite: SuiteRecord) -> Duration {
        var longest = suite.duration
        for index in suite.cases.indices { longest = max(longest, suite.cases[index].duration) }
        return longest
    }
}
