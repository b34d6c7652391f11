// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
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
        if command.flag("--json") {
            StandardStream.output.write(json(loaded.mistakes).prettyText)
        } else if loaded.mistakes.isEmpty {
            let cases = loaded.suites.reduce(0) { $0 + $1.cases.count }
            Console.say(
                "\(Amount.text(loaded.suites.count, "suite")) with \(Amount.text(cases, "case")): no mistakes"
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
