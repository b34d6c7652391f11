// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import JSONText
import Routes
import Scenario

/// `taprig schema`: the JSON Schema of scenarios.
enum SchemaCommand {
    static let spec = CommandSpec(
        path: ["schema"],
        summary: "Prints a JSON Schema of scenarios, for editors.",
        discussion: """
            Draft 2020-12, made from the same table as the checks of lint. An editor that knows it completes keys \
            and verbs and marks what is misspelt; lint says more.
            """,
        examples: ["taprig schema > scenario.schema.json"]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        StandardStream.output.write(ScenarioSchema(vocabulary: .shipped).json.text + "\n")
        return .held
    }
}
