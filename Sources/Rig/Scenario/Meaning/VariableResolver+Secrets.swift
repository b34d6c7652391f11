// SPDX-License-Identifier: MIT

extension VariableResolver {
    /// The secrets that cases ask for and that nobody gave a value: one mistake for each, where the suite names it.
    ///
    /// What stands behind `if: present` need not have a value.
    ///
    /// - Parameters:
    ///   - suite: The suite with its secrets.
    ///   - cases: Those of its cases that are to run.
    /// - Returns: The mistakes, in the order of the suite's secrets.
    public func missingSecrets(of suite: Suite, cases: [TestCase]) -> [ScenarioMistake] {
        var missing: [(secret: Variable, mistake: ScenarioMistake)] = []
        for secret in suite.secrets {
            do throws(ScenarioMistake) { _ = try value(ofSecret: secret) } catch {
                missing.append((secret, error))
            }
        }
        guard !missing.isEmpty else { return [] }
        let given = suite.variables.map(\.name).filter {
            overrides[$0] != nil || Self.environmentValue(of: $0, in: environment) != nil
        }
        let use = NameUse(of: cases, in: suite, overridden: Set(given))
        return missing.compactMap { secret, mistake in
            guard let place = use.asked[secret.name] else { return nil }
            let asker = place.file == secret.position.file ? "line \(place.line)" : "\(place)"
            return ScenarioMistake(mistake.position, "\(mistake.message) (\(asker) asks for it)")
        }
    }

    /// The value of a secret, from the environment or its file.
    ///
    /// An empty variable counts as none: it is what a CI system makes of a secret that it does not have.
    func value(ofSecret secret: Variable) throws(ScenarioMistake) -> Value {
        if case .file(let path) = secret.source {
            do throws(ScenarioMistake) {
                return .bytes(try Self.contents(of: path, at: secret.position))
            } catch {
                throw ScenarioMistake(
                    secret.position,
                    "the secret '\(secret.name)' has no value: \(error.message); put the value into that file"
                )
            }
        }
        let name = Self.environmentName(of: secret.name)
        guard let text = Self.environmentValue(of: secret.name, in: environment) else {
            throw ScenarioMistake(
                secret.position,
                "the secret '\(secret.name)' has no value; set \(name) in the environment"
            )
        }
        guard !text.isEmpty else {
            throw ScenarioMistake(
                secret.position,
                "the secret '\(secret.name)' has no value: \(name) is set, but empty; put the value there"
            )
        }
        return .text(text)
    }
}
