// SPDX-License-Identifier: MIT

import CommandLineKit
import ForeignScript
import HostSystem
import Routes
import Scenario
import Wording

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
            externalNames: variables.union(fromEnvironment),
            tellsPathsAsGiven: true
        )
        let scripts = command.positionals.filter(isScript)
        var loaded = loader.load(paths: command.positionals.filter { !scripts.contains($0) })
        // With scripts alone there is no path left to complain about.
        if scripts.count == command.positionals.count { loaded = LoadedSuites() }
        for path in scripts { loaded.add(foreign: path, target: target(of: command)) }
        for note in loaded.notes { Console.note(note) }
        return loaded
    }

    /// True for a script or log of another tool, told by its suffix, else by its words; a scenario says what it is.
    private static func isScript(_ path: String) -> Bool {
        guard HostFile.isPlainFile(path) else { return false }
        if ScriptFormat.ofSuffix(path) != nil { return true }
        guard ![".yaml", ".yml"].contains(where: path.lowercased().hasSuffix),
            let bytes = try? HostFile.read(path, limit: ForeignScript.sizeLimit)
        else { return false }
        return ScriptFormat.detect(bytes, name: path) != nil
    }

    /// The device that another tool's script is for; such a script names none.
    private static func target(of command: ParsedCommand) -> String {
        let hasOptions = Commands.table.command(command.path)?.options.contains {
            $0.names.contains("--option")
        }
        guard hasOptions == true else { return "nbt" }
        return command.values("--option").contains { $0.hasPrefix("card=") } ? "iso7816" : "nbt"
    }

    /// Tells mistakes to people, not more than they can read.
    static func tell(_ mistakes: [ScenarioMistake], limit: Int = 200, to write: (String) -> Void) {
        for mistake in mistakes.prefix(limit) { write("\(mistake)") }
        if mistakes.count > limit { write("... and \(Amount.text(mistakes.count - limit, "more mistake"))") }
    }
}
