// SPDX-License-Identifier: MIT

import CommandLineKit
import HostSystem
import Routes
import Scenario

/// `taprig fmt`: writes scenarios in their canonical form.
enum FmtCommand {
    static let spec = CommandSpec(
        path: ["fmt"],
        summary: "Writes scenarios in their canonical form.",
        discussion: """
            Indents by two blanks, keeps short lists and mappings in their brackets, puts hex in quotes where other \
            readers of YAML would take it for a number, and keeps every comment. The meaning never changes: what was \
            written is read again and compared before a file is replaced.

            The names of the files that were changed are printed; with --check, of those that would be.
            """,
        positionals: [
            PositionalSpec(
                "PATH",
                repeats: true,
                summary: "Scenario, folder of scenarios, or - for standard input to standard output."
            )
        ],
        options: [
            OptionSpec("--check", summary: "Change nothing; end with 1 when something would change.")
        ],
        examples: ["taprig fmt Scenarios", "taprig fmt --check Scenarios", "taprig fmt - < draft.yaml"]
    )

    private static let longestFile = 1 << 20

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        let formatter = ScenarioFormatter(vocabulary: .shipped)
        let isCheck = command.flag("--check")
        var mistakes: [ScenarioMistake] = []
        var changed = false
        for path in try files(command.positionals) {
            let bytes = try read(path)
            switch formatter.format(bytes, path: path == "-" ? "standard input" : path) {
            case .refused(let found): mistakes += found
            case .formatted(let text):
                let isSame = text == bytes
                changed = changed || !isSame
                if path == "-", !isCheck {
                    StandardStream.output.write(String(decoding: text, as: UTF8.self))
                    continue
                }
                guard !isSame else { continue }
                if !isCheck { try write(text, to: path) }
                Console.say(path == "-" ? "standard input" : path)
            }
        }
        ScenarioArguments.tell(mistakes) { Console.note($0) }
        if !mistakes.isEmpty { return .usage }
        return isCheck && changed ? .notHeld : .held
    }

    /// The files that the command line names, each once; those of folders are looked for.
    private static func files(_ paths: [String]) throws(CommandFailure) -> [String] {
        var out: [String] = []
        var seen: Set<String> = []
        for path in paths {
            var found = [path]
            if path != "-", HostFile.isFolder(path) {
                do {
                    found = try ScenarioFormatter.scenarios(below: path)
                } catch {
                    throw .usage("\(error)")
                }
                guard !found.isEmpty else {
                    throw .usage("there is no scenario in '\(path)'; scenarios end with .yaml")
                }
            }
            for file in found where seen.insert(HostFile.resolved(file) ?? file).inserted { out.append(file) }
        }
        return out
    }

    private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FileError) {
            return path == "-"
                ? try HostFile.readStandardInput(limit: longestFile)
                : try HostFile.read(path, limit: longestFile)
        } catch {
            throw .usage("\(error)")
        }
    }

    private static func write(_ text: [UInt8], to path: String) throws(CommandFailure) {
        do throws(FileError) {
            try HostFile.write(text, to: path)
        } catch {
            throw .rig("\(error)")
        }
    }
}
