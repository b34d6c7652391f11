// SPDX-License-Identifier: MIT

/// What a JUnit report needs to know besides the record of the run.
public struct JUnitOptions: Hashable, Sendable {
    /// The run folder as a path relative to the workspace, for links to traces; nil writes no links.
    public var runFolder: String?
    /// The dialect.
    public var flavor: JUnitFlavor
    /// The most bytes of `system-out` in a passing case.
    public var passingLimit = 2 * 1024
    /// The most bytes of `system-out` and of a body in a case that did not pass.
    public var failingLimit = 64 * 1024
    /// The most bytes of `system-out` of all cases that did not pass; many of them share it.
    public var failingBudget = 6_000_000

    /// Makes options.
    public init(runFolder: String? = nil, flavor: JUnitFlavor = .rich) {
        self.runFolder = runFolder
        self.flavor = flavor
    }
}

/// What was written.
public struct JUnitSummary: Hashable, Sendable {
    /// From this size on servers begin to refuse a report.
    public static let sizeWarningLimit = 20_000_000

    /// Number of bytes.
    public let byteCount: Int
    /// True for a file of a single suite, which cannot be split any further.
    public let isSplit: Bool

    init(byteCount: Int, isSplit: Bool = false) {
        self.byteCount = byteCount
        self.isSplit = isSplit
    }

    /// A sentence for people when the report is larger than servers take; else nil.
    public var warning: String? {
        guard byteCount > Self.sizeWarningLimit else { return nil }
        let size = "\(byteCount / 1_000_000) MB, and some servers refuse more than 30 MB"
        return isSplit
            ? "the JUnit report of one suite has \(size); split the suite"
            : "the JUnit report has \(size); split it by suite with --junit-split"
    }
}

/// A report of one suite that was written into a file of its own.
public struct JUnitFile: Hashable, Sendable {
    /// The file.
    public let path: String
    /// What was written.
    public let summary: JUnitSummary
}
