// SPDX-License-Identifier: MIT

internal import Cryptography
internal import HostSystem

/// Gives the variables of a suite their values for one case.
///
/// The first of these that has a value wins: the matrix, `--var`, the environment (`RIG_VAR_NAME`), `vars` of the file.
/// Names under `secrets` come from the environment or a file and from nowhere else.
public struct VariableResolver: Sendable {
    /// The run's seed.
    public let seed: UInt64
    /// Values of `--var`.
    public let overrides: [String: String]
    /// Variables of the host.
    public let environment: [String: String]

    /// Makes a resolver for a run.
    public init(seed: UInt64, overrides: [String: String] = [:], environment: [String: String] = [:]) {
        self.seed = seed
        self.overrides = overrides
        self.environment = environment.filter { $0.key.hasPrefix(Self.prefix) }
    }

    /// The scope of one case of a suite.
    ///
    /// - Parameters:
    ///   - suite: The suite with its variables and secrets.
    ///   - caseName: The case's name without its brackets.
    ///   - row: The row of the case's matrix.
    ///   - repetition: Which repeat of the case, from 0.
    ///   - dictionary: The names of the suite's target.
    /// - Returns: The scope, ready for captures.
    /// - Throws: ``ScenarioMistake`` when a variable cannot be filled. A secret without a value is told when it is used;
    ///   ``missingSecrets(of:cases:)`` tells it before.
    public func scope(
        for suite: Suite,
        case caseName: String,
        row: MatrixRow = MatrixRow(values: []),
        repetition: Int = 0,
        dictionary: DeviceDictionary?
    ) throws(ScenarioMistake) -> Scope {
        try scope(
            variables: suite.variables,
            secrets: suite.secrets,
            suite: suite.name,
            case: caseName,
            row: row,
            repetition: repetition,
            dictionary: dictionary
        )
    }

    /// The scope of one case, from the parts of its suite.
    public func scope(
        variables: [Variable],
        secrets: [Variable] = [],
        suite: String,
        case caseName: String,
        row: MatrixRow = MatrixRow(values: []),
        repetition: Int = 0,
        dictionary: DeviceDictionary?
    ) throws(ScenarioMistake) -> Scope {
        let scope = Scope(dictionary: dictionary, environment: environment)
        for (name, text) in overrides { scope.define(name, .text(text)) }
        for secret in secrets {
            guard overrides[secret.name] == nil else {
                throw ScenarioMistake(
                    secret.position,
                    "'\(secret.name)' is a secret and may not come from --var; set \(Self.environmentName(of: secret.name))"
                )
            }
            defineSecret(secret, in: scope)
        }
        for cell in row.values { scope.define(cell.key, .text(cell.text)) }
        let fixed = Set(row.values.map(\.key)).union(overrides.keys)
        for variable in variables where !fixed.contains(variable.name) {
            try define(variable, suite: suite, case: caseName, repetition: repetition, in: scope)
        }
        return scope
    }

    /// Gives a variable its value, from the environment or from where the file says.
    ///
    /// What is made of a secret is one too.
    func define(
        _ variable: Variable,
        suite: String,
        case caseName: String,
        repetition: Int,
        in scope: Scope
    ) throws(ScenarioMistake) {
        if let text = Self.environmentValue(of: variable.name, in: environment) {
            return scope.define(variable.name, .text(text))
        }
        let stream = RandomStream(
            seed: seed,
            suite: suite,
            testCase: caseName,
            variable: variable.name,
            repetition: repetition
        )
        let isSecret = variable.references.contains { scope.secretNames.contains($0.name) }
        scope.define(variable.name, try value(of: variable, stream, in: scope), isSecret: isSecret)
    }

    /// The names that `--var` and the environment define, for the check of undefined variables.
    ///
    /// A name of the environment is there as it is written behind `RIG_VAR_` and in lower case.
    public static func externalNames(overrides: [String: String], environment: [String: String]) -> Set<
        String
    > {
        var names = Set(overrides.keys)
        for key in environment.keys where key.hasPrefix(prefix) {
            let name = String(key.dropFirst(prefix.count))
            names.insert(name)
            names.insert(name.lowercased())
        }
        return names
    }

    /// The variable of the host that a name is taken from: `RIG_VAR_` and the name in capitals, `-` as `_`.
    public static func environmentName(of name: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }

    static func environmentValue(of name: String, in environment: [String: String]) -> String? {
        environment[environmentName(of: name)] ?? environment[prefix + name]
    }

    private func defineSecret(_ secret: Variable, in scope: Scope) {
        do throws(ScenarioMistake) {
            scope.define(secret.name, try value(ofSecret: secret), isSecret: true)
        } catch {
            scope.defineMissing(secret.name, error)
        }
    }

    private func value(
        of variable: Variable,
        _ stream: RandomStream,
        in scope: Scope
    ) throws(ScenarioMistake) -> Value {
        switch variable.source {
        case .template(let template): return try template.value(in: scope)
        case .random(let length, let count):
            let (total, isTooLong) = length.multipliedReportingOverflow(by: count ?? 1)
            guard length >= 0, total >= 0, !isTooLong, total <= Self.longest else {
                throw ScenarioMistake(
                    variable.position,
                    "'\(variable.name)' asks for too many random bytes; \(Self.longest) are the most"
                )
            }
            let bytes = stream.bytes(total)
            guard let count else { return .bytes(bytes) }
            return .list((0..<count).map { .bytes(Array(bytes[$0 * length..<($0 + 1) * length])) })
        case .sha256(let template):
            return .bytes(SHA256.digest(Array(try template.value(in: scope).text.utf8)))
        case .file(let path): return .bytes(try Self.contents(of: path, at: variable.position))
        case .environment:
            throw ScenarioMistake(
                variable.position,
                "'\(variable.name)' has no value; set \(Self.environmentName(of: variable.name)) in the environment"
            )
        }
    }

    static func contents(of path: String, at position: SourcePosition) throws(ScenarioMistake)
        -> [UInt8]
    {
        do {
            return try HostFile.read(path, limit: longest)
        } catch {
            throw ScenarioMistake(position, "\(error)")
        }
    }

    static let prefix = "RIG_VAR_"
    private static let longest = 16 * 1024 * 1024
}
