// SPDX-License-Identifier: MIT

/// A failure that is known and waits to be mended: `known: {issue: TEXT, until: 2027-01-31}`.
public struct KnownFailure: Hashable, Sendable {
    /// How a case ended, without what was known of it.
    public enum Outcome: Hashable, Sendable {
        case passed
        case failed
        /// The rig could not judge.
        case error
        case skipped
    }

    /// What the outcome counts as.
    public enum Ruling: Hashable, Sendable {
        /// As it is.
        case unchanged
        /// The case is skipped, with this reason.
        case skip(reason: String)
        /// The case has failed with the type `KnownFailurePassed`.
        case fail(message: String, hint: String)
    }

    /// The type word of a failure that is known no longer.
    public static let problemType = "KnownFailurePassed"

    /// What is known: an issue's number, an address, a sentence; with `${...}` of the matrix where the file has them.
    public let issue: String
    /// The last day on which the failure is expected.
    public let until: CalendarDate
    /// Where it stands.
    public let position: SourcePosition

    /// Makes a known failure.
    public init(issue: String, until: CalendarDate, position: SourcePosition) {
        self.issue = issue
        self.until = until
        self.position = position
    }

    /// Judges a case's outcome: an expected failure is a skip, a pass or a passed date is a failure.
    ///
    /// Errors of the rig and skips stay what they are, since they tell nothing about the product.
    ///
    /// - Parameters:
    ///   - outcome: How the case ended.
    ///   - message: The failure's sentence; empty for other outcomes.
    ///   - today: The day of the run.
    /// - Returns: What the case counts as.
    public func ruling(on outcome: Outcome, message: String = "", today: CalendarDate) -> Ruling {
        switch outcome {
        case .error, .skipped: return .unchanged
        case .passed:
            return .fail(
                message: "the case passes, but a failure is known (\(issue))",
                hint: "remove 'known' from the case if the issue is settled"
            )
        case .failed where today > until:
            return .fail(
                message: "the failure was known until \(until) and is still there (\(issue)): \(message)",
                hint: "mend it, or give 'until' another date"
            )
        case .failed:
            return .skip(reason: "known until \(until) (\(issue)): \(message)")
        }
    }
}
