// SPDX-License-Identifier: MIT

public import JSONText
public import Scenario

/// What a check found out about one entry of a bench file.
public struct BenchFinding: Hashable, Sendable {
    /// How it stands with the entry.
    public enum Verdict: String, Hashable, Sendable {
        /// It is as the file says.
        case proved
        /// It is not as the file says.
        case failed
        /// Nobody looked, or nobody can.
        case unproved
    }

    /// The entry, for example `roles.nbt.reader`.
    public var entry: String
    /// Where it stands.
    public var position: SourcePosition
    /// How it stands with it.
    public var verdict: Verdict
    /// What was found, in one sentence.
    public var text: String

    /// Makes a finding.
    public init(_ entry: String, at position: SourcePosition, _ verdict: Verdict, _ text: String) {
        self.entry = entry
        self.position = position
        self.verdict = verdict
        self.text = text
    }
}

/// All that a check found out about a bench.
public struct BenchReport: Hashable, Sendable {
    /// The bench.
    public var bench: TestBench
    /// The findings in the order of the file.
    public var findings: [BenchFinding]

    /// Makes a report.
    public init(bench: TestBench, findings: [BenchFinding]) {
        self.bench = bench
        self.findings = findings
    }

    /// True when nothing was otherwise than the file says.
    public var holds: Bool { count(.failed) == 0 }

    private func count(_ verdict: BenchFinding.Verdict) -> Int {
        findings.count { $0.verdict == verdict }
    }

    /// Lines for people, the last one a summary.
    public var lines: [String] {
        let width = findings.map(\.entry.count).max() ?? 0
        let list = findings.map { finding in
            let mark =
                switch finding.verdict {
                case .proved: "ok  "
                case .failed: "FAIL"
                case .unproved: "-   "
                }
            let gap = String(repeating: " ", count: width - finding.entry.count)
            let place = finding.verdict == .failed ? " (\(finding.position))" : ""
            return "\(mark)  \(finding.entry)\(gap)  \(finding.text)\(place)"
        }
        let summary =
            "bench \(bench.name): \(count(.proved)) proved, \(count(.failed)) failed, \(count(.unproved)) not proved"
        return list + [summary]
    }

    /// One JSON document.
    public var json: JSON {
        .object([
            "bench": .string(bench.name),
            "file": .string(bench.file),
            "verdict": holds ? "ok" : "failed",
            "findings": .array(
                findings.map { finding in
                    .object([
                        "entry": .string(finding.entry),
                        "verdict": .string(finding.verdict.rawValue),
                        "text": .string(finding.text),
                        "line": .integer(finding.position.line),
                        "column": .integer(finding.position.column),
                    ])
                }
            ),
        ])
    }
}
