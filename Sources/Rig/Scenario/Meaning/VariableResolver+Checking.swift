// SPDX-License-Identifier: MIT

extension VariableResolver {
    /// The values of variables, secrets and matrices that the steps of cases would not take: one mistake for each.
    ///
    /// Of a suite with very many steps and rows only the first are looked at; the others are judged when they run.
    ///
    /// - Parameters:
    ///   - suite: The suite with its variables and secrets.
    ///   - cases: Those of its cases that are looked at, each with the rows of its matrix.
    ///   - dictionary: The names of the suite's target.
    /// - Returns: The mistakes; none shows the value of a secret.
    public func wrongValues(
        of suite: Suite,
        cases: [(testCase: TestCase, rows: [MatrixRow])],
        dictionary: DeviceDictionary?
    ) -> [ScenarioMistake] {
        var check = KnownValueCheck()
        return wrongValues(
            of: suite,
            cases: cases,
            dictionary: dictionary,
            mostLooks: Self.mostLooks,
            check: &check
        )
    }

    /// The values that steps would not take, and in the check how much was looked at.
    func wrongValues(
        of suite: Suite,
        cases: [(testCase: TestCase, rows: [MatrixRow])],
        dictionary: DeviceDictionary?,
        mostLooks: Int,
        check: inout KnownValueCheck
    ) -> [ScenarioMistake] {
        var told: Set<ScenarioMistake> = []
        var out: [ScenarioMistake] = []
        for (testCase, rows) in cases {
            let needed = NameUse(of: [testCase], in: suite).mentioned
            let variables = suite.variables.filter { needed.contains($0.name) }
            var found: [(mistake: ScenarioMistake, label: String)] = []
            var counts: [ScenarioMistake: Int] = [:]
            var wholeRows = 0
            // A large case takes nothing from those behind it.
            check.mostLooks = max(mostLooks, check.looks + Self.fewestLooks)
            for row in Self.distinct(rows, keys: needed) {
                check.beginRow()
                var frame = knownNames(variables, of: suite, testCase, row, dictionary, &out)
                for steps in [suite.setup, testCase.steps, suite.teardown] { check.follow(steps, in: &frame) }
                for mistake in Set(check.mistakes) { counts[mistake, default: 0] += 1 }
                for mistake in check.mistakes where counts[mistake] == 1 {
                    found.append((mistake, row.label))
                }
                if check.isExhausted { break }
                wholeRows += 1
                if found.count > Self.mostMistakes { break }
            }
            for (mistake, label) in found where told.insert(mistake).inserted {
                // What is wrong in each row is not the row's doing.
                let isOfRow = counts[mistake, default: 0] < wholeRows
                let text = isOfRow ? "\(mistake.message) (with \(label))" : mistake.message
                out.append(ScenarioMistake(mistake.position, text, hint: mistake.hint))
            }
        }
        var seen: Set<ScenarioMistake> = []
        return out.filter { seen.insert($0).inserted }
    }

    /// The names of a case before its first step; those without a value are unknown, not wrong.
    private func knownNames(
        _ variables: [Variable],
        of suite: Suite,
        _ testCase: TestCase,
        _ row: MatrixRow,
        _ dictionary: DeviceDictionary?,
        _ mistakes: inout [ScenarioMistake]
    ) -> KnownValueCheck.Frame {
        let scope = Scope(dictionary: dictionary, environment: environment)
        var frame = KnownValueCheck.Frame(scope: scope, unknown: [])
        for (name, text) in overrides { scope.define(name, .text(text)) }
        for secret in suite.secrets {
            if let value = try? value(ofSecret: secret) {
                scope.define(secret.name, value, isSecret: true)
            } else {
                frame.unknown.insert(secret.name)
            }
        }
        for cell in row.values { scope.define(cell.key, .text(cell.text)) }
        let fixed = Set(row.values.map(\.key)).union(overrides.keys)
        for variable in variables where !fixed.contains(variable.name) {
            guard frame.knows(variable.references) else {
                frame.unknown.insert(variable.name)
                continue
            }
            do throws(ScenarioMistake) {
                try define(variable, suite: suite.name, case: testCase.name, repetition: 0, in: scope)
            } catch {
                mistakes.append(error)
                frame.unknown.insert(variable.name)
            }
        }
        return frame
    }

    /// The rows as far as some keys tell them apart.
    ///
    /// Of a large matrix it is the first rows, and of the others those with a value that none before them has.
    private static func distinct(_ rows: [MatrixRow], keys: Set<String>) -> [MatrixRow] {
        var seen: Set<MatrixRow> = []
        var cells: Set<MatrixRow.Cell> = []
        var out: [MatrixRow] = []
        for row in rows {
            let part = MatrixRow(values: row.values.filter { keys.contains($0.key) })
            guard seen.insert(part).inserted else { continue }
            let brings = part.values.contains { !cells.contains($0) }
            guard out.count < mostRows || brings else { continue }
            cells.formUnion(part.values)
            out.append(part)
        }
        return out
    }

    /// How many steps are looked at in a suite, those of each row counted.
    static let mostLooks = 200_000
    /// How many steps of a case are looked at in any case.
    private static let fewestLooks = 1000
    private static let mostRows = 2000
    private static let mostMistakes = 200
}

extension Variable {
    /// The names that its value is made of.
    var references: [(name: String, position: SourcePosition)] {
        switch source {
        case .template(let template), .sha256(let template): template.references
        case .random, .file, .environment: []
        }
    }
}
