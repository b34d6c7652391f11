// SPDX-License-Identifier: MIT

extension CommandTable {
    /// Help on the program, on a group of commands, or on one command.
    ///
    /// - Parameters:
    ///   - path: The words of the command or group; empty for the program.
    ///   - width: Columns to fill.
    /// - Returns: Lines, the last one ended too.
    public func help(for path: [String] = [], width: Int = 80) -> String {
        let sections: [String]
        if let command = command(path) {
            sections = commandSections(command, width: width)
        } else {
            sections = groupSections(path, width: width)
        }
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// The commands below a group, in two columns.
    func commandList(under path: [String], width: Int) -> String {
        let rows = words(after: path).map { word in
            (word, commandListText(path + [word]))
        }
        return HelpLayout.columns("Commands", rows, width: width)
    }

    private func commandListText(_ path: [String]) -> String {
        let own = command(path)?.summary ?? groups.first { $0.path == path }?.summary
        let below = words(after: path)
        guard !below.isEmpty else { return own ?? "" }
        let list = below.joined(separator: ", ")
        return own.map { "\($0) (\(list))" } ?? list
    }

    private func groupSections(_ path: [String], width: Int) -> [String] {
        let text = path.isEmpty ? summary : groups.first { $0.path == path }?.summary ?? ""
        let builtIn = path.isEmpty ? [OptionSpec.help, .version] : [.help]
        let choice = words(after: path).joined(separator: "|")
        let fits = !path.isEmpty && "Usage: \(typed(path)) \(choice) ...".count <= width
        return [
            HelpLayout.usage(typed(path), [fits ? choice : "COMMAND", "..."], width: width),
            HelpLayout.paragraphs(text, width: width),
            commandList(under: path, width: width),
            HelpLayout.columns("Options", rows(globalOptions + builtIn), width: width),
            HelpLayout.wrapped("'\(typed(["help"] + path)) COMMAND' tells more.", width: width, indent: 0),
        ]
    }

    private func commandSections(_ command: CommandSpec, width: Int) -> [String] {
        let words = (command.options.isEmpty ? [] : ["[OPTION...]"]) + command.positionals.map(\.synopsis)
        let arguments = command.positionals.map { ($0.name + ($0.repeats ? "..." : ""), $0.summary) }
        let examples = command.examples.map { "  \($0)" }.joined(separator: "\n")
        return [
            HelpLayout.usage(typed(command.path), words, width: width),
            HelpLayout.paragraphs(command.summary, width: width),
            HelpLayout.paragraphs(command.discussion, width: width),
            HelpLayout.columns("Arguments", arguments, width: width),
            HelpLayout.columns("Options", rows(command.options), width: width),
            HelpLayout.columns("Values", notes(on: command.options), width: width),
            HelpLayout.columns("Options of every command", rows(globalOptions + [.help]), width: width),
            self.words(after: command.path).isEmpty ? "" : commandList(under: command.path, width: width),
            examples.isEmpty ? "" : "Examples:\n" + examples,
        ]
    }

    /// The words for values that these options take and that need a word of explanation.
    private func notes(on options: [OptionSpec]) -> [(String, String)] {
        valueNotes.filter { note in options.contains { $0.value == note.value } }.map { ($0.value, $0.text) }
    }

    private func rows(_ options: [OptionSpec]) -> [(String, String)] {
        options.map { option in
            var text = option.summary
            if let choices = option.choices { text += " One of \(choices.joined(separator: ", "))." }
            if option.repeats { text += " May be repeated." }
            return (option.synopsis, text)
        }
    }
}
