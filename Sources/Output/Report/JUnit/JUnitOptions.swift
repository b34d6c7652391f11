// SPDX-License-Identifier: MIT

/// What a JUnit report needs to know besides the record of the run.
public struct JUnitOptions: Hashable, Sendable {
    /// The run folder as a path relative to the workspace, for links to traces; nil writes no links.
    public var runFolder: String?
    /// The most bytes of `system-out` in a passing case.
    public var passingLimit = 2 * 1024
    /// The most bytes of `system-out` and of a body in a case that did not pass.
    public var failingLimit = 64 * 1024
    /// The most bytes of `system-out` of all cases that did not pass; many of them share it.
    public var failingBudget = 6_000_000

    /// Makes options.
    public init(runFolder: String? = nil) {
        self.runFolder = runFolder
    }
}

/// What was written.
public struct JUnitSummary: Hashable, Sendable {
    /// From this size on servers begin to refuse a report.
    public static let sizeWarningLimit = 20_000_000

    /// Number of bytes.
    public let byteCount: Int

    /// A sentence for people when the report is larger than servers take; else nil.
    public var warning: String? {
        guard byteCount > Self.sizeWarningLimit else { return nil }
        return "the JUnit report has \(byteCount / 1_000_000) MB, and some servers refuse more than 30 MB; "
            + "split it by suite with --junit-split"
    }
}
