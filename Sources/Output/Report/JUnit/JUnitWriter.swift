// SPDX-License-Identifier: MIT

public import HostSystem
public import RunRecord

/// Writes the outcome of a run as JUnit XML in the rich dialect.
///
/// The same record gives the same bytes. Text goes out in pieces of some 64 KiB, so that the number of cases does not
/// matter for memory.
public struct JUnitWriter: Sendable {
    private static let pieceSize = 1 << 16

    private let options: JUnitOptions

    /// Makes a writer.
    public init(options: JUnitOptions = JUnitOptions()) {
        self.options = options
    }

    /// Writes a report piece by piece.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - sink: Takes each piece of UTF-8.
    /// - Returns: What was written.
    /// - Throws: What the sink throws.
    @discardableResult
    public func write<Failure: Error>(
        _ run: RunRecord,
        to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> JUnitSummary {
        let run = Self.withInterruption(run)
        var xml = XMLText()
        var names = CaseNames()
        var count = 0
        let body = JUnitCaseText(options: options, failingLimit: failingLimit(run))
        start(run, to: &xml)
        for (index, suite) in run.suites.enumerated() {
            let name = CaseNames.clean(suite.name, fallback: "unnamed-suite")
            start(suite, named: name, index: index, of: run, to: &xml)
            for item in suite.cases {
                body.write(
                    item,
                    named: names.unique(item.name, in: name),
                    suite: suite,
                    className: name,
                    to: &xml
                )
                if xml.bytes.count >= Self.pieceSize {
                    count += xml.bytes.count
                    try sink(xml.bytes)
                    xml.removeAll()
                }
            }
            finish(suite, index: index, of: run, to: &xml)
        }
        xml.markup("</testsuites>\n")
        try sink(xml.bytes)
        return JUnitSummary(byteCount: count + xml.bytes.count)
    }

    /// Writes a report into a file: all of it or nothing appears under the name.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - path: The file.
    /// - Returns: What was written.
    /// - Throws: ``FileError`` when the file cannot be written.
    @discardableResult
    public func write(_ run: RunRecord, toFile path: String) throws(FileError) -> JUnitSummary {
        let draft = try DraftFile(path: path)
        let summary: JUnitSummary
        do {
            summary = try write(run) { (piece) throws(FileError) in try draft.write(piece) }
        } catch {
            draft.discard()
            throw error
        }
        try draft.publish()
        return summary
    }

    /// The whole report as text.
    public func text(_ run: RunRecord) -> String {
        var bytes: [UInt8] = []
        write(run) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Cases that did not pass share a budget, so that a lab where everything fails still gets a report through.
    private func failingLimit(_ run: RunRecord) -> Int {
        let counts = RunCounts(run)
        let failing = max(counts.failed + counts.errors, 1)
        return max(options.passingLimit, min(options.failingLimit, options.failingBudget / failing))
    }

    private func start(_ run: RunRecord, to xml: inout XMLText) {
        xml.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites")
        xml.attribute("name", CaseNames.clean(run.name, fallback: "taprig"))
        counters(RunCounts(run), to: &xml)
        let longest = run.suites.map { Self.time(of: $0) }.max() ?? .zero
        xml.attribute("time", JUnitTime.seconds(max(run.duration, longest)))
        xml.attribute("timestamp", Self.stamp(run.started))
        xml.markup(">\n")
    }

    private func start(
        _ suite: SuiteRecord,
        named name: String,
        index: Int,
        of run: RunRecord,
        to xml: inout XMLText
    ) {
        xml.markup("  <testsuite")
        xml.attribute("name", name)
        counters(RunCounts(suite), to: &xml)
        xml.attribute("time", JUnitTime.seconds(Self.time(of: suite)))
        xml.attribute("timestamp", JUnitTime.stamp(suite.started) ?? Self.stamp(run.started))
        xml.attribute("hostname", CaseNames.clean(run.hostName, fallback: "localhost"))
        xml.attribute("id", index)
        xml.attribute("file", CaseNames.clean(ProblemText.slashed(suite.file), fallback: "unknown"))
        xml.markup(">\n")
        var properties: [(String, String)] = [
            ("rig.target", suite.via.isEmpty ? suite.target : "\(suite.target)@\(suite.via)"),
            ("rig.firmware", suite.firmware), ("rig.reader", suite.reader), ("rig.atr", suite.atr),
            ("rig.protocol", suite.protocolName), ("rig.seed", String(run.seed)),
            ("rig.version", run.rigVersion),
        ]
        if run.showsSecrets { properties.append(("rig.secrets", "shown")) }
        properties += run.labels.map { ("rig.label.\($0.key)", $0.value) }
        if let link = AttachmentPath.joined(options.runFolder, "run.json") {
            properties.append(("attachment", link))
        }
        JUnitCaseText.write(properties.filter { !$0.1.isEmpty }, indent: "    ", to: &xml)
    }

    private func finish(_ suite: SuiteRecord, index: Int, of run: RunRecord, to xml: inout XMLText) {
        xml.markup("    <system-out>")
        xml.text("run \(run.name) seed \(run.seed)\n")
        if !suite.title.isEmpty { xml.text("\(suite.title)\n") }
        xml.markup("</system-out>\n")
        // Remarks on the run have no place of their own; they stand once, in the first suite.
        if index == 0, !run.notes.isEmpty {
            xml.markup("    <system-err>")
            xml.text(
                LimitedText.joined(
                    run.notes,
                    limit: options.failingLimit,
                    cutNotice: "cut, all notes in run.json"
                )
            )
            xml.markup("</system-err>\n")
        }
        xml.markup("  </testsuite>\n")
    }

    private func counters(_ counts: RunCounts, to xml: inout XMLText) {
        xml.attribute("tests", counts.total)
        xml.attribute("failures", counts.failed)
        xml.attribute("errors", counts.errors)
        xml.attribute("skipped", counts.skipped)
        xml.attribute("assertions", counts.assertions)
    }

    private static func stamp(_ text: String) -> String {
        JUnitTime.stamp(text) ?? "1970-01-01T00:00:00Z"
    }

    /// Time of a suite, never less than that of its longest case.
    private static func time(of suite: SuiteRecord) -> Duration {
        max(suite.duration, suite.cases.map(\.duration).max() ?? .zero)
    }

    /// The run, with a case for the interruption when no case tells of it.
    private static func withInterruption(_ run: RunRecord) -> RunRecord {
        guard let signal = run.interruptedBy else { return run }
        let isTold = run.suites.contains { suite in
            suite.cases.contains { $0.outcome.problem?.type == "Interrupted" }
        }
        guard !isTold else { return run }
        let file = run.suites.last?.file ?? ""
        var suite = SuiteRecord(
            name: "rig.run",
            title: "",
            file: file,
            target: "rig",
            via: "",
            started: run.started
        )
        var item = CaseRecord(name: "the run ends in order", file: file, line: 1, tags: [])
        item.verdict = .error
        item.problem = Problem(
            type: "Interrupted",
            isRigError: true,
            message: "the run was ended by \(signal); the cases that are not listed were not tried",
            file: "",
            line: 0
        )
        suite.cases = [item]
        var out = run
        out.suites.append(suite)
        return out
    }
}
