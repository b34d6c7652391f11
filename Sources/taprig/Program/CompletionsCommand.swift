// SPDX-License-Identifier: MIT

import CardConnection
import CommandLineKit
import HostSystem
import PCSC
import Routes
import Scenario
import Verbs

/// `taprig completions`: completion scripts for shells, and the lists that they ask for.
enum CompletionsCommand {
    static let spec = CommandSpec(
        path: ["completions"],
        summary: "Prints the completion script for a shell.",
        discussion: """
            The script knows commands, options, choices and files by itself, and asks the program for what depends on
            the host or the version: readers, options of emulators, capabilities, verbs.
            """,
        positionals: [
            PositionalSpec(
                "SHELL",
                isRequired: false,
                summary: "bash, zsh or fish; with --words emulator-options the device: nbt, tangem or script."
            )
        ],
        options: [
            OptionSpec(
                "--words",
                value: "LIST",
                choices: Lists.names,
                summary: "Print the words of a list instead, one a line."
            )
        ],
        examples: [
            "source <(taprig completions bash)",
            "taprig completions fish > ~/.config/fish/completions/taprig.fish",
        ]
    )

    static func run(_ command: ParsedCommand) throws(CommandFailure) -> ExitCode {
        if let list = command.value("--words") {
            // Of the options of emulators, a device's word narrows the list; a script hands on whatever stands there.
            guard command.positionals.isEmpty || list == "emulator-options" else {
                throw .usage("name a shell or --words, not both")
            }
            for word in Lists.words(of: list, for: command.positionals.first) { Console.say(word) }
            return .held
        }
        let known = CompletionPlan.shells.joined(separator: ", ")
        guard let shell = command.positionals.first else {
            throw .usage("no shell is named; there are scripts for \(known)")
        }
        guard let script = plan.script(for: shell) else {
            throw .usage("there is no script for '\(shell)'; there are \(known)")
        }
        StandardStream.output.write(script)
        return .held
    }

    /// What stands behind the words for values in help.
    static let plan = CompletionPlan(
        table: Commands.table,
        values: [
            "SPEC": .asked("ways"),
            "NAME=VALUE": .askedOfArgument("emulator-options"),
            "CAPABILITY": .asked("capabilities"),
            "WORD": .asked("verbs"),
            "VERB": .asked("verbs"),
            "DEVICE": .words(["nbt", "tangem", "script"]),
            "--target": .asked("targets"),
            "SHELL": .words(CompletionPlan.shells),
            "RUN.json": .file,
            "F": .file,
            "TRACE": .file,
        ],
        askWith: "completions --words"
    )

    /// Lists that depend on the host or the version.
    enum Lists {
        static let names = ["ways", "emulator-options", "capabilities", "verbs", "targets"]

        /// The words of a list, for the first argument of the command line where they depend on it.
        static func words(of list: String, for argument: String? = nil) -> [String] {
            switch list {
            case "ways": ["emulator", "virtual"] + readers
            case "emulator-options": emulatorOptions(of: argument)
            case "capabilities": CapabilityList.words
            case "verbs": VerbTable.shipped.specs.map(\.name)
            case "targets": EmulatorCatalog.targets
            default: []
            }
        }

        /// `pcsc:` with each reader's name; a service that hangs must not hang the shell.
        private static var readers: [String] {
            let ending = SupervisedWorker.perform { watch -> [String] in
                watch.arm(.milliseconds(500), "pcscd did not answer")
                defer { watch.disarm() }
                return ((try? ReaderList.current(withDetails: false)) ?? []).map { "pcsc:\($0.name.text)" }
            }
            guard case .finished(let names) = ending, !names.isEmpty else { return ["pcsc:"] }
            return names
        }

        /// `name=` for an option whose value is free, `name=word` for each word of a choice.
        ///
        /// Of one device where its word is given, else of all.
        private static func emulatorOptions(of device: String?) -> [String] {
            let targets =
                device.flatMap { EmulateCommand.targets[$0] }.map { [$0] } ?? EmulatorCatalog.targets
            let options = targets.flatMap { EmulatorCatalog.options(of: $0) }
            let words = options.flatMap { option in
                guard case .choice(let words) = option.kind else { return ["\(option.name)="] }
                return words.map { "\(option.name)=\($0)" }
            }
            var seen: Set<String> = []
            return words.filter { seen.insert($0).inserted }
        }
    }
}
