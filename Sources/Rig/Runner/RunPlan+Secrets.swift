// SPDX-License-Identifier: MIT

public import Scenario

extension RunPlan {
    /// The suites that cannot run because a secret that a case of the plan asks for has no value.
    ///
    /// - Parameter options: What gives variables and secrets their values.
    /// - Returns: One for each such suite, in the order of the plan.
    public func suitesWithoutSecrets(_ options: RunOptions) -> [LoadedSuites.BrokenSuite] {
        let resolver = options.resolver
        return suites.compactMap { suite, planned in
            guard !suite.secrets.isEmpty else { return nil }
            var cases: [TestCase] = []
            // The rows of a matrix and repetitions stand side by side and ask for the same names.
            for item in planned where cases.last?.position != item.testCase.position {
                cases.append(item.testCase)
            }
            let mistakes = resolver.missingSecrets(of: suite, cases: cases)
            guard !mistakes.isEmpty else { return nil }
            return LoadedSuites.BrokenSuite(
                file: suite.file,
                suiteName: suite.name,
                mistakes: mistakes,
                advice: "the value of a secret comes from the environment or from a file, never from --var"
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
