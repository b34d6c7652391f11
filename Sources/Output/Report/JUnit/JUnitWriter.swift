// SPDX-License-Identifier: MIT

public import HostSystem
public import RunRecord

/// Writes the outcome of a run as JUnit XML.
///
/// The same record gives the same bytes. Text goes out in pieces of some 64 KiB, so that the number of cases does not
/// matter for memory.
public struct JUnitWriter: Sendable {
    private static let pieceSize = 1 << 16
    /// The most bytes that the cases of a suite put into its output in dialects where they have none of their own.
    private static let looseLimit = 4_000_000

    let options: JUnitOptions

    /// Makes a writer.
    public init(options: JUnitOptions = JUnitOptions()) {
        self.options = options
    }

    /// True when the dialect has no room for the run in one file.
    public func needsSplit(_ run: RunRecord) -> Bool {
        options.flavor == .surefire && run.tellingOfInterruption.suites.count != 1
    }

    /// Writes a report piece by piece.
    ///
    /// The Surefire dialect knows one suite a file; a run of several is put into one root element all the same, which
    /// its readers refuse: use ``writeSplit(_:folder:stem:)`` for it.
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
        let run = run.tellingOfInterruption
        let counts = run.suites.map { RunCounts($0) }
        var names = CaseNames()
        return try write(run, counts: counts, failingLimit: failingLimit(counts), names: &names, to: sink)
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
        try DraftFile.write(path) { (draft) throws(FileError) in
            try write(run) { (piece) throws(FileError) in try draft.write(piece) }
        }
    }

    /// Writes a file for each suite: `STEM-<suite>.xml`, for Surefire `TEST-<suite>.xml`.
    ///
    /// Names of cases are unique over all of them, since servers put the files of a job together.
    ///
    /// - Parameters:
    ///   - run: The outcome.
    ///   - folder: Where the files go; empty for the working folder.
    ///   - stem: The start of the names.
    /// - Returns: The files, in the order of the suites.
    /// - Throws: ``FileError`` when a file cannot be written; those before it stay.
    public func writeSplit(
        _ run: RunRecord,
        folder: String,
        stem: String = "junit"
    ) throws(FileError) -> [JUnitFile] {
        let run = run.tellingOfInterruption
        let counts = run.suites.map { RunCounts($0) }
        let limit = failingLimit(counts)
        let prefix = options.flavor == .surefire ? "TEST" : stem
        var names = CaseNames()
        var slugs = FileSlugs()
        var files: [JUnitFile] = []
        for (index, suite) in run.suites.enumerated() {
            var part = run
            part.suites = [suite]
            part.duration = suite.duration
            // Remarks stand once.
            if index > 0 { part.notes = [] }
            let name = "\(prefix)-\(slugs.unique(suite.name)).xml"
            let path = folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            let summary = try DraftFile.write(path) { (draft) throws(FileError) in
                try write(part, counts: [counts[index]], failingLimit: limit, names: &names) {
                    (piece) throws(FileError) in try draft.write(piece)
                }
            }
            files.append(
                JUnitFile(path: path, summary: JUnitSummary(byteCount: summary.byteCount, isSplit: true))
            )
        }
        return files
    }

    /// The whole report as text.
    public func text(_ run: RunRecord) -> String {
        var bytes: [UInt8] = []
        write(run) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write<Failure: Error>(
        _ run: RunRecord,
        counts: [RunCounts],
        failingLimit: Int,
        names: inout CaseNames,
        to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> JUnitSummary {
        var xml = XMLText()
        var count = 0
        let frame = JUnitSuiteText(run: run, options: options)
        let body = JUnitCaseText(options: options, failingLimit: failingLimit)
        let hasRoot = options.flavor != .surefire || run.suites.count != 1
        xml.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        if hasRoot {
            var sum = RunCounts()
            for part in counts { sum.add(part) }
            frame.startRoot(sum, to: &xml)
        }
        for (index, record) in run.suites.enumerated() {
            let suite = record.seenFromWorkspace
            let name = CaseNames.clean(suite.name, fallback: "unnamed-suite")
            frame.start(suite, named: name, index: index, counts: counts[index], to: &xml)
            var caseNames: [String] = []
            for item in suite.cases {
                let caseName = names.unique(item.name, in: name)
                if !options.flavor.hasCaseOutput { caseNames.append(caseName) }
                body.write(item, named: caseName, suite: suite, className: name, to: &xml)
                if xml.bytes.count >= Self.pieceSize {
                    count += xml.bytes.count
                    try sink(xml.bytes)
                    xml.removeAll()
                }
            }
            frame.finish(suite, index: index, to: &xml) { xml in
                Self.writeLoose(suite.cases, caseNames, to: &xml) {
                    body.writeLooseOutput(of: $0, named: $1, to: &$2)
                }
            } casesWarnings: { xml in
                Self.writeLoose(suite.cases, caseNames, to: &xml) {
                    body.writeLooseWarnings(of: $0, named: $1, to: &$2)
                }
            }
        }
        if hasRoot { xml.markup("</testsuites>\n") }
        try sink(xml.bytes)
        return JUnitSummary(byteCount: count + xml.bytes.count)
    }

    /// Writes what the cases say into the output of their suite, as far as there is room.
    private static func writeLoose(
        _ cases: [CaseRecord],
        _ names: [String],
        to xml: inout XMLText,
        write: (CaseRecord, String, inout XMLText) -> Void
    ) {
        let end = xml.bytes.count + looseLimit
        for (item, name) in zip(cases, names) {
            guard xml.bytes.count < end else {
                xml.text("cut, all of it in run.json\n")
                return
            }
            write(item, name, &xml)
        }
    }

    /// Cases that did not pass share a budget, so that a lab where everything fails still gets a report through.
    private func failingLimit(_ counts: [RunCounts]) -> Int {
        let failing = max(counts.reduce(0) { $0 + $1.failed + $1.errors }, 1)
        return max(options.passingLimit, min(options.failingLimit, options.failingBudget / failing))
    }
}
