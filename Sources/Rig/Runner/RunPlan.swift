// SPDX-License-Identifier: MIT

public import RunRecord
public import Scenario

/// One case with one row of its matrix, ready to be run.
public struct PlannedCase: Sendable {
    /// The suite.
    public let suite: Suite
    /// The case as the file has it.
    public let testCase: TestCase
    /// The row of its matrix.
    public let row: MatrixRow
    /// Number of the repetition, from 1; 0 when each case is run once.
    public let repetition: Int
    /// Name with the matrix values in brackets; unique among all cases of the suite's name.
    public let name: String
    /// Name of its files, without suffix; unique among all cases of the suite's name.
    public let slug: String
    /// Place among all cases that were selected, from 1; nil in a run that is whole, where the order tells it.
    public internal(set) var number: Int?

    /// The name without its brackets.
    var title: String { CaseNaming.title(testCase.name, row: row.values.map { ($0.key, $0.text) }) }

    /// What is known of it, with the values of its row filled in; nil when nothing is.
    var known: KnownFailure? {
        testCase.known.map { known in
            KnownFailure(
                issue: CaseNaming.title(known.issue, row: row.values.map { ($0.key, $0.text) }),
                until: known.until,
                position: known.position
            )
        }
    }

    /// The case's and the suite's tags.
    public var tags: [String] {
        testCase.tags + suite.tags.filter { !testCase.tags.contains($0) }
    }

    /// What tells the case from all others, also in another run.
    public var key: CaseKey {
        CaseKey(suite: suite.name, name: CaseNaming.name(name, withoutRepetition: repetition))
    }

    /// True when the case may do lasting harm to a real card.
    public var isDestructive: Bool { tags.contains("destructive") }
}

/// The cases that a run is going to do, in the order of the files.
public struct RunPlan: Sendable {
    /// The cases of each suite; suites without a selected case are left out.
    public internal(set) var suites: [(suite: Suite, cases: [PlannedCase])]
    /// What the run is called: its first suite, also when that is in another shard; nil without cases.
    public let name: String?
    /// Which part of a larger run this is; nil when it is whole.
    public internal(set) var shard: RunShard?

    /// Number of cases.
    public var caseCount: Int { suites.reduce(0) { $0 + $1.cases.count } }

    /// Multiplies the matrices out and selects by tag and name.
    public init(suites: [Suite], options: RunOptions) {
        // Two files may give their suites one name; reports and traces tell cases apart by the suite's name and theirs.
        var taken: [String: TakenNames] = [:]
        self.suites = suites.compactMap { suite in
            let cases = Self.cases(
                of: suite,
                options: options,
                taken: &taken[suite.name, default: TakenNames()]
            )
            return cases.isEmpty ? nil : (suite, cases)
        }
        name = self.suites.first?.suite.name
    }

    private struct TakenNames {
        var names: Set<String> = []
        var slugs: Set<String> = []
    }

    private static func cases(of suite: Suite, options: RunOptions, taken: inout TakenNames) -> [PlannedCase]
    {
        var out: [PlannedCase] = []
        for testCase in suite.cases {
            for row in testCase.rows {
                for repetition in options.repetitions > 1 ? 1...options.repetitions : 0...0 {
                    let name = CaseNaming.unique(
                        CaseNaming.fullName(
                            testCase.name,
                            row: row.values.map { ($0.key, $0.text) },
                            repetition: repetition > 0 ? repetition : nil
                        ),
                        among: &taken.names
                    ) { " (\($0))" }
                    let slug = CaseNaming.unique(CaseNaming.slug(name), among: &taken.slugs) { "-\($0)" }
                    let planned = PlannedCase(
                        suite: suite,
                        testCase: testCase,
                        row: row,
                        repetition: repetition,
                        name: name,
                        slug: slug
                    )
                    if isSelected(planned, options: options) { out.append(planned) }
                }
            }
        }
        return out
    }

    private static func isSelected(_ planned: PlannedCase, options: RunOptions) -> Bool {
        if let only = options.onlyCases, !only.contains(planned) { return false }
        let tags = planned.tags
        let wanted = options.tags.filter { !$0.hasPrefix("!") }
        guard wanted.isEmpty || wanted.contains(where: tags.contains) else { return false }
        guard !tags.contains(where: { options.tags.contains("!\($0)") }) else { return false }
        guard !options.caseGlobs.isEmpty else { return true }
        // All rows of a matrix are named by what stands before the brackets.
        let names = [planned.name, planned.title]
        return options.caseGlobs.contains { glob in
            names.contains { Glob.matches(glob, $0) || Glob.matches(glob, "\(planned.suite.name)/\($0)") }
                || planned.testCase.id.map { $0 == glob } == true
        }
    }
}
