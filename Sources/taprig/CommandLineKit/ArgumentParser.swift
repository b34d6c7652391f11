// SPDX-License-Identifier: MIT

import Wording

/// One walk over the arguments of a call.
struct ArgumentParser {
    private let table: CommandTable
    private let arguments: [String]
    private let width: Int
    private var index = 0
    private var path: [String] = []
    private var positionals: [String] = []
    private var given: [String: [String]] = [:]
    private var optionsEnded = false

    init(table: CommandTable, arguments: [String], width: Int) {
        self.table = table
        self.arguments = arguments
        self.width = width
    }

    mutating func invocation() throws(UsageError) -> Invocation {
        if let special = try readCommandName() { return special }
        guard let command = table.command(path) else { throw missingCommand() }
        while let argument = next() {
            if argument == "--", !optionsEnded {
                optionsEnded = true
            } else if isOption(argument) {
                if OptionSpec.help.names.contains(argument) {
                    return .help(table.help(for: path, width: width))
                }
                try readOption(argument, of: command)
            } else {
                positionals.append(argument)
            }
        }
        try checkPositionals(of: command)
        let options = command.options + table.globalOptions
        return .command(ParsedCommand(path: path, positionals: positionals, given: given, options: options))
    }

    // MARK: Command name

    /// Reads the words of the command; gives help or the version when that is what was asked for.
    private mutating func readCommandName() throws(UsageError) -> Invocation? {
        while table.command(path) == nil || isNextWordOfCommand {
            guard let argument = next() else { throw missingCommand() }
            if argument == "--" {
                optionsEnded = true
            } else if OptionSpec.help.names.contains(argument) {
                return .help(table.help(for: path, width: width))
            } else if OptionSpec.version.names.contains(argument), path.isEmpty {
                return .version("\(table.program) \(table.version)")
            } else if isOption(argument) {
                try readOption(argument, of: nil)
            } else if argument == "help", path.isEmpty, table.command(["help"]) == nil {
                return try help()
            } else if table.words(after: path).contains(argument) {
                path.append(argument)
            } else {
                throw unknownCommand(path + [argument])
            }
        }
        return nil
    }

    /// True when a command is complete but the next word makes it a longer one.
    private var isNextWordOfCommand: Bool {
        index < arguments.count && table.words(after: path).contains(arguments[index])
    }

    /// The help that `help WORD...` asks for.
    private mutating func help() throws(UsageError) -> Invocation {
        var wanted: [String] = []
        while let word = next() {
            // `help --help` and the like mean help in general.
            if isOption(word) { continue }
            guard table.words(after: wanted).contains(word) else { throw unknownCommand(wanted + [word]) }
            wanted.append(word)
        }
        return .help(table.help(for: wanted, width: width))
    }

    private func unknownCommand(_ words: [String]) -> UsageError {
        let parent = Array(words.dropLast())
        var message = "unknown command '\(words.joined(separator: " "))'"
        let known = table.words(after: parent) + (parent.isEmpty ? ["help"] : [])
        if let near = Suggestion.nearest(to: words[words.count - 1], among: known) {
            message += "; did you mean '\((parent + [near]).joined(separator: " "))'?"
        } else if let whole = table.commands.first(where: { $0.path.count > 1 && $0.path.last == words.last })
        {
            // `show` typed for `trace show`.
            message += "; did you mean '\(whole.name)'?"
        } else if known.isEmpty {
            message += "; '\(parent.joined(separator: " "))' has no subcommands"
        }
        return UsageError(message: message, helpCall: table.typed(parent, "--help"))
    }

    private func missingCommand() -> UsageError {
        let message =
            path.isEmpty
            ? "a command is missing" : "a subcommand is missing after '\(path.joined(separator: " "))'"
        let listing = table.commandList(under: path, width: width)
        return UsageError(message: message, listing: listing, helpCall: table.typed(path, "--help"))
    }

    // MARK: Options

    /// A single dash is a name for standard input, so it is an argument.
    private func isOption(_ argument: String) -> Bool {
        !optionsEnded && argument.hasPrefix("-") && argument.count > 1
    }

    /// Reads one option; without a command, only global ones are known.
    private mutating func readOption(_ argument: String, of command: CommandSpec?) throws(UsageError) {
        let known = (command?.options ?? []) + table.globalOptions
        let (name, attached) = Self.split(argument, known: known)
        guard let option = known.first(where: { $0.names.contains(name) }) else {
            throw unknownOption(name, of: command)
        }
        let key = option.names[0]
        if given[key] != nil, !option.repeats { throw failure("option '\(name)' is given twice") }
        guard let valueWord = option.value else {
            if attached != nil { throw failure("option '\(name)' takes no value") }
            given[key] = given[key] ?? []
            return
        }
        let value: String
        if let attached { value = attached } else { value = try separateValue(of: name, valueWord) }
        guard !value.isEmpty else {
            throw failure("option '\(name)' needs a value, \(valueWord), and it is empty")
        }
        if let choices = option.choices, !choices.contains(value) {
            let near = Suggestion.nearest(to: value, among: choices).map { "; did you mean '\($0)'?" }
            let list = Self.alternatives(choices)
            throw failure("'\(value)' is no value for '\(name)', which takes \(list)\(near ?? "")")
        }
        given[key, default: []].append(value)
    }

    /// Parts `--name=value`, and `-fVALUE` where `-f` takes a value.
    private static func split(_ argument: String, known: [OptionSpec]) -> (name: String, value: String?) {
        if argument.hasPrefix("--") {
            guard let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
            return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
        }
        let short = String(argument.prefix(2))
        let takesValue = known.contains { $0.value != nil && $0.names.contains(short) }
        return takesValue && argument.count > 2 ? (short, String(argument.dropFirst(2))) : (argument, nil)
    }

    /// The argument after an option; one that looks like an option is rather a forgotten value.
    private mutating func separateValue(of name: String, _ valueWord: String) throws(UsageError) -> String {
        let message = "option '\(name)' needs a value, \(valueWord)"
        guard let value = next() else { throw failure(message) }
        let isNegativeNumber = value.dropFirst().first?.isNumber == true
        guard !value.hasPrefix("-") || value == "-" || isNegativeNumber else {
            let joined = name.hasPrefix("--") ? "\(name)=\(value)" : name + value
            throw failure("\(message); if '\(value)' is meant as such, write '\(joined)'")
        }
        return value
    }

    private func unknownOption(_ name: String, of command: CommandSpec?) -> UsageError {
        var message = "unknown option '\(name)'"
        let builtIn = OptionSpec.help.names + (command == nil ? OptionSpec.version.names : [])
        let local = ((command?.options ?? []) + table.globalOptions).flatMap(\.names) + builtIn
        if let command {
            message += " for '\(command.name)'"
        } else if table.commands(under: path).contains(where: {
            $0.options.contains { $0.names.contains(name) }
        }) {
            return failure(
                "option '\(name)' stands before the command that it belongs to; write it after the command"
            )
        }
        if let near = Suggestion.nearest(to: name, among: local) {
            message += "; did you mean '\(near)'?"
        }
        return failure(message)
    }

    // MARK: Positionals

    private func checkPositionals(of command: CommandSpec) throws(UsageError) {
        if positionals.count < command.fewestPositionals {
            let missing = command.positionals[positionals.count]
            throw failure("'\(command.name)' needs \(missing.synopsis)")
        }
        if let most = command.mostPositionals, positionals.count > most {
            let taken = most == 0 ? "no arguments" : most == 1 ? "one argument" : "\(most) arguments"
            throw failure("unexpected argument '\(positionals[most])'; '\(command.name)' takes \(taken)")
        }
    }

    // MARK: Words

    private mutating func next() -> String? {
        guard index < arguments.count else { return nil }
        defer { index += 1 }
        return arguments[index]
    }

    private func failure(_ message: String) -> UsageError {
        UsageError(message: message, helpCall: table.typed(path, "--help"))
    }

    /// `a`, `a or b`, `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
