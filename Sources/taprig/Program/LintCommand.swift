// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Routes
import Runner
import Scenario
import Wording

/// `taprig lint`: checks scenarios, sends nothing.
enum LintCommand {
    static let spec = CommandSpec(
        path: ["lint"],
        summary: "Checks scenarios and tells all mistakes at once.",
        discussion:
            "Each mistake has file:line:column, what is wrong, and the word that was meant. Nothing is sent.",
        positionals: [ScenarioArguments.paths],
        options: [SharedOptions.json, SharedOptions.variable],
        examples: ["taprig lint Scenarios", "taprig lint --json Scenarios/nbt/led.yaml"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let variables = try SharedOptions.pairs(command.values("--var"), option: "--var")
        var loaded = ScenarioArguments.load(command, variables: Set(variables.map { $0.key }))
        let options = RunOptions(outputFolder: "", rigVersion: Program.version, hostName: "")
        try VariableArguments.check(variables, against: loaded, options: options)
        loaded.refuseCards()
        loaded.refuseValues(
            VariableResolver(
                seed: 0,
                overrides: Dictionary(variables) { _, last in last },
                environment: HostEnvironment.all
            )
        )
        if command.flag("--json") {
            StandardStream.output.write(json(loaded.mistakes).prettyText)
        } else if loaded.mistakes.isEmpty {
            let cases = loaded.suites.reduce(0) { $0 + $1.cases.count }
            let isLibrary = loaded.suites.isEmpty && !loaded.libraries.isEmpty
            Console.say(
                isLibrary
                    ? "\(Amount.text(loaded.libraries.count, "library")) of steps: no mistakes"
                    : "\(Amount.text(loaded.suites.count, "suite")) with \(Amount.text(cases, "case")): no mistakes"
            )
        } else {
            ScenarioArguments.tell(loaded.mistakes) { Console.saySentence($0) }
        }
        return loaded.mistakes.isEmpty ? .held : .usage
    }

    /// The document of `lint --json`.
    static func json(_ mistakes: [ScenarioMistake]) -> JSON {
        .object([
            "mistakes": .array(
                mistakes.map { mistake in
                    .object([
                        "file": .string(mistake.position.file), "line": .integer(mistake.position.line),
                        "column": .integer(mistake.position.column), "message": .string(mistake.message),
                        "hint": mistake.hint.map { .string($0) },
                    ])
                }
            )
        ])
    }
}

extension LoadedSuites {
    /// Takes out the suites whose variables, matrices or secrets hold what their steps would not take.
    fileprivate mutating func refuseValues(_ resolver: VariableResolver) {
        suites.removeAll { suite in
            let wrong = resolver.wrongValues(
                of: suite,
                cases: suite.cases.map { ($0, $0.rows) },
                dictionary: Vocabulary.shipped.dictionaries[suite.target]
            )
            mistakes += wrong.map { suite.asGiven($0) }
            return !wrong.isEmpty
        }
    }
}
