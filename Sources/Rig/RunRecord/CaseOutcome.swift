// SPDX-License-Identifier: MIT

/// How a case counts, once its teardown has been looked at too.
public struct CaseOutcome: Hashable, Sendable {
    /// How it ended.
    public let verdict: Verdict
    /// What did not hold, or why it was skipped; nil when it passed.
    public let problem: Problem?
    /// A teardown problem beside the case's own; nil when there is none, or when it is `problem` itself.
    public let teardownProblem: Problem?
}

extension CaseRecord {
    /// How the case counts: a teardown that failed makes an error of a case that passed.
    public var outcome: CaseOutcome {
        let teardown = attempts.last?.teardownProblem
        if verdict == .passed, let teardown {
            return CaseOutcome(verdict: .error, problem: teardown, teardownProblem: nil)
        }
        let isSame = teardown == problem
        return CaseOutcome(verdict: verdict, problem: problem, teardownProblem: isSame ? nil : teardown)
    }

    /// How the case counts, without what did not hold.
    public var countedVerdict: Verdict {
        verdict == .passed && attempts.last?.teardownProblem != nil ? .error : verdict
    }

    /// Number of expectations that were judged in the last attempt.
    public var assertionCount: Int {
        guard let attempt = attempts.indices.last else { return 0 }
        var count = 0
        // By index: a loop over the values would copy every step with all its texts.
        for step in attempts[attempt].steps.indices { count &+= attempts[attempt].steps[step].assertions }
        return count
    }
}

/// How many cases ended in which way.
public struct RunCounts: Hashable, Sendable {
    /// All cases.
    public private(set) var total = 0
    /// All held, flaky ones included.
    public private(set) var passed = 0
    /// The product was wrong.
    public private(set) var failed = 0
    /// The rig could not judge.
    public private(set) var errors = 0
    /// Not tried.
    public private(set) var skipped = 0
    /// Passed, but not at once.
    public private(set) var flaky = 0
    /// Expectations that were judged.
    public private(set) var assertions = 0

    /// Counts nothing yet.
    public init() {}

    /// Counts the cases of a suite.
    public init(_ suite: SuiteRecord) {
        for item in suite.cases { add(item) }
    }

    /// Counts the cases of a run.
    public init(_ run: RunRecord) {
        for suite in run.suites {
            for item in suite.cases { add(item) }
        }
    }

    /// Adds the numbers of other cases.
    public mutating func add(_ other: RunCounts) {
        total += other.total
        passed += other.passed
        failed += other.failed
        errors += other.errors
        skipped += other.skipped
        flaky += other.flaky
        assertions += other.assertions
    }

    /// Counts a case.
    public mutating func add(_ item: CaseRecord) {
        total += 1
        assertions += item.assertionCount
        switch item.countedVerdict {
        case .passed:
            passed += 1
            if item.isFlaky { flaky += 1 }
        case .failed: failed += 1
        case .error: errors += 1
        case .skipped: skipped += 1
        }
    }
}
