// SPDX-License-Identifier: MIT

import Runner
import Scenario
import Wording

/// The variables that a command line gives, held against what the scenarios do with their names.
enum VariableArguments {
    /// Refuses what no scenario would take: a secret, a name with values of its own, a name that nobody asks for.
    ///
    /// - Parameters:
    ///   - variables: Names and values of `--var`.
    ///   - loaded: The scenarios.
    ///   - options: Which cases of them are selected.
    /// - Throws: A usage failure for the first variable that nobody would take.
    static func check(
        _ variables: [(key: String, value: String)],
        against loaded: LoadedSuites,
        options: RunOptions
    ) throws(CommandFailure) {
        guard !variables.isEmpty else { return }
        let names = variables.map(\.key)
        for name in names { try refuseSecret(name, suites: loaded.suites) }
        // What stands in a file that cannot be read, nobody knows.
        guard loaded.broken.isEmpty else { return }
        let uses = loaded.suites.map { NameUse(of: $0.cases, in: $0) }
        let taken = taken(of: Set(names), suites: loaded.suites, options: options)
        for name in names where !taken.contains(name) {
            try refuseMatrixKey(name, suites: loaded.suites)
            try refuseCapture(name, suites: loaded.suites, uses: uses)
        }
        var known = Set(loaded.suites.flatMap(\.variables).map(\.name))
        for use in uses { known.formUnion(use.asked.keys) }
        for use in uses { known.formUnion(use.guarded) }
        let foreign = loaded.suites.flatMap { suite in
            suite.secrets.map(\.name) + suite.cases.flatMap { $0.rows.first?.values.map(\.key) ?? [] }
        }
        for name in names where !known.contains(name) {
            let possible = known.subtracting(foreign).subtracting(uses.flatMap(\.captured.keys)).sorted()
            throw .usage(
                "--var \(name): no scenario of this run has a variable '\(name)'\(advice(name, possible))"
            )
        }
    }

    /// The names that a selected case would take from outside, whatever other cases do with them.
    private static func taken(of names: Set<String>, suites: [Suite], options: RunOptions) -> Set<String> {
        var plan = RunPlan(suites: suites, options: options)
        // That nothing is selected is told elsewhere.
        if plan.caseCount == 0 {
            plan = RunPlan(
                suites: suites,
                options: RunOptions(outputFolder: "", rigVersion: "", hostName: "")
            )
        }
        var out: Set<String> = []
        for (suite, cases) in plan.suites {
            let own = Set(suite.variables.map(\.name))
            var asked: [SourcePosition: Set<String>] = [:]
            for planned in cases where !names.isSubset(of: out) {
                let testCase = planned.testCase
                let wanted =
                    asked[testCase.position] ?? NameUse(of: [testCase], in: suite).fromOutside.union(own)
                asked[testCase.position] = wanted
                out.formUnion(names.intersection(wanted).subtracting(planned.row.values.map(\.key)))
            }
        }
        return out
    }

    private static let longestList = 12

    private static func advice(_ name: String, _ possible: [String]) -> String {
        if let hint = Suggestion.nearest(to: name, among: possible) { return "; did you mean '\(hint)'?" }
        if possible.isEmpty { return "; there are no variables in it that could be given" }
        guard possible.count <= longestList else { return "" }
        return "; possible are \(possible.joined(separator: ", "))"
    }

    private static func refuseSecret(_ name: String, suites: [Suite]) throws(CommandFailure) {
        guard suites.contains(where: { $0.secrets.contains { $0.name == name } }) else { return }
        throw .usage(
            "--var \(name): it is a secret, and arguments are seen by everybody on the host; "
                + "set \(VariableResolver.environmentName(of: name)) instead"
        )
    }

    private static func refuseMatrixKey(_ name: String, suites: [Suite]) throws(CommandFailure) {
        for suite in suites {
            for testCase in suite.cases {
                guard let cell = testCase.rows.lazy.compactMap({ $0.values.first { $0.key == name } }).first
                else { continue }
                throw .usage(
                    "--var \(name): the case at \(testCase.position) has '\(name)' in its matrix, which says its "
                        + "values; choose rows with --case '*\(name)=\(cell.text)*', or change the matrix"
                )
            }
        }
    }

    private static func refuseCapture(
        _ name: String,
        suites: [Suite],
        uses: [NameUse]
    ) throws(CommandFailure) {
        for (suite, use) in zip(suites, uses) {
            guard let place = use.captured[name], !suite.variables.contains(where: { $0.name == name }) else {
                continue
            }
            throw .usage(
                "--var \(name): '\(name)' gets its value from a capture at \(place); leave it out, or rename one"
            )
        }
    }
}
