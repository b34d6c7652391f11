// SPDX-License-Identifier: MIT

public import Scenario
internal import Verbs

extension RunPlan {
    /// The suites that cannot run because of a value from outside of their steps: a secret that a case of the plan asks
    /// for has none, or one that is known before the run is nothing that a step would take.
    ///
    /// - Parameter options: What gives variables and secrets their values.
    /// - Returns: One for each such suite, in the order of the plan.
    public func suitesWithoutValues(_ options: RunOptions) -> [LoadedSuites.BrokenSuite] {
        let resolver = options.resolver
        return suites.compactMap { suite, planned in
            var cases: [(testCase: TestCase, rows: [MatrixRow])] = []
            // The rows of a matrix and repetitions stand side by side and ask for the same names.
            for item in planned {
                if cases.last?.testCase.position != item.testCase.position {
                    cases.append((item.testCase, []))
                }
                cases[cases.count - 1].rows.append(item.row)
            }
            let missing = resolver.missingSecrets(of: suite, cases: cases.map(\.testCase))
            let wrong = resolver.wrongValues(
                of: suite,
                cases: cases,
                dictionary: Dictionaries.of(suite.target)
            )
            guard !missing.isEmpty || !wrong.isEmpty else { return nil }
            return LoadedSuites.BrokenSuite(
                file: suite.file,
                suiteName: suite.name,
                mistakes: missing + wrong,
                advice: missing.isEmpty
                    ? "the value comes from vars, a matrix, --var or the environment"
                    : "the value of a secret comes from the environment or from a file, never from --var"
            )
        }
    }
}

extension RunOptions {
    /// Where the variables get their values from.
    var resolver: VariableResolver {
        VariableResolver(seed: seed, overrides: variables, environment: environment)
    }
}
