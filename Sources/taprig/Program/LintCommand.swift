// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Scenario

/// `taprig lint`: checks scenarios, sends nothing.
enum LintCommand {
    static let spec = CommandSpec(
        path: ["lint"],
        summary: "Checks scenarios and tells all mistakes at once.",
        discussion:
            "Each mistake has file:line:column, what is wrong, and the word that was meant. Nothing is sent.",
        positionals: [ScenarioArguments.paths],
        options: [SharedOptions.json, SharedOptions.option],
        examples: ["taprig lint Scenarios", "taprig lint --json Scenarios/nbt/led.yaml"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let loaded = ScenarioArguments.load(command)
        if command.flag("--json") {
            StandardStream.output.write(json(loaded.mistakes).prettyText)
        } else if loaded.mistakes.isEmpty {
            let cases = loaded.suites.reduce(0) { $0 + $1.cases.count }
            Console.say("\(loaded.suites.count) suites with \(cases) cases: no mistakes")
        } else {
            ScenarioArguments.tell(loaded.mistakes) { Console.say($0) }
        }
        return loaded.mistakes.isEmpty ? .held : .usage
    }

    private static func json(_ mistakes: [ScenarioMistake]) -> JSON {
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
