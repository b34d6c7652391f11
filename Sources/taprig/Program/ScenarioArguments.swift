// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Routes
import Scenario

/// The scenarios that a command line names.
enum ScenarioArguments {
    static let paths = PositionalSpec(
        "PATH",
        repeats: true,
        summary: "Scenario file, or a folder that is searched for *.yaml."
    )

    /// Reads and checks all files.
    static func load(_ command: ParsedCommand, variables: Set<String> = []) -> LoadedSuites {
        let fromEnvironment = HostEnvironment.all.keys.compactMap { name in
            name.hasPrefix("RIG_VAR_") ? String(name.dropFirst("RIG_VAR_".count)).lowercased() : nil
        }
        let loader = SuiteLoader(
            vocabulary: .shipped,
            projectFolder: nil,
            externalNames: variables.union(fromEnvironment)
        )
        return loader.load(paths: command.positionals)
    }

    /// Tells mistakes to people, not more than they can read.
    static func tell(_ mistakes: [ScenarioMistake], limit: Int = 200, to write: (String) -> Void) {
        for mistake in mistakes.prefix(limit) { write("\(mistake)") }
        if mistakes.count > limit { write("... and \(mistakes.count - limit) more mistakes") }
    }
}
