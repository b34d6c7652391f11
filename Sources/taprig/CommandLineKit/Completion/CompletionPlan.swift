// SPDX-License-Identifier: MIT

/// A table of commands with what shells may offer for each value: the source of completion scripts.
///
/// What a value is, is told by the word that stands for it in help, so a new option with a known word is completed
/// without more ado.
public struct CompletionPlan: Sendable {
    /// The shells for which there are scripts.
    public static let shells = ["bash", "zsh", "fish"]

    let table: CommandTable
    private let values: [String: ValueCompletion]
    /// The words after the program's name that print a list, the list's name left out.
    let askWith: String

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - table: The commands.
    ///   - values: What to offer, by the word for the value in help (`DIR`) or by the option (`--target`), which wins.
    ///     `FILE`, `PATH` and `DIR` are known.
    ///   - askWith: The words that make the program print a list, the list's name left out.
    public init(table: CommandTable, values: [String: ValueCompletion], askWith: String) {
        self.table = table
        self.askWith = askWith
        self.values = values.merging(["FILE": .file, "PATH": .file, "DIR": .folder]) { given, _ in given }
    }

    /// The script for a shell; nil for one that is not known.
    public func script(for shell: String) -> String? {
        switch shell {
        case "bash": BashCompletion(plan: self).text
        case "zsh": ZshCompletion(plan: self).text
        case "fish": FishCompletion(plan: self).text
        default: nil
        }
    }

    /// What to offer for an option's value.
    func completion(of option: OptionSpec) -> ValueCompletion {
        if let choices = option.choices { return .words(choices) }
        for name in option.names { if let found = values[name] { return found } }
        return option.value.flatMap { values[$0] } ?? .nothing
    }

    /// What to offer for an argument.
    func completion(of positional: PositionalSpec) -> ValueCompletion {
        values[positional.name] ?? .nothing
    }

    /// A place in the tree of commands: the program itself, a group, or a command.
    struct Place {
        /// The words that lead there.
        let path: [String]
        /// The words that may follow, each with a sentence.
        let words: [(word: String, summary: String)]
        /// Options, those of every command included.
        let options: [OptionSpec]
        /// Arguments.
        let positionals: [PositionalSpec]

        /// The words with blanks between; empty for the program.
        var name: String { path.joined(separator: " ") }
    }

    /// All places, the program first.
    var places: [Place] {
        var paths: [[String]] = [[]]
        for command in table.commands {
            for length in 1...command.path.count {
                let path = Array(command.path.prefix(length))
                if !paths.contains(path) { paths.append(path) }
            }
        }
        var out = paths.map(place)
        // `help` has no entry of its own in the table.
        if table.command(["help"]) == nil {
            let topics = table.words(after: []).map { (word: $0, summary: "") }
            out.append(Place(path: ["help"], words: topics, options: [], positionals: []))
        }
        return out
    }

    private func place(_ path: [String]) -> Place {
        let command = table.command(path)
        var words = table.words(after: path).map { (word: $0, summary: summary(of: path + [$0])) }
        if path.isEmpty, table.command(["help"]) == nil { words.append(("help", "Explains a command.")) }
        let builtIn = path.isEmpty ? [OptionSpec.help, .version] : [.help]
        return Place(
            path: path,
            words: words,
            options: (command?.options ?? []) + table.globalOptions + builtIn,
            positionals: command?.positionals ?? []
        )
    }

    private func summary(of path: [String]) -> String {
        table.command(path)?.summary ?? table.groups.first { $0.path == path }?.summary ?? ""
    }
}
