// SPDX-License-Identifier: MIT

/// What a call of the program asks for.
public enum Invocation: Hashable, Sendable {
    /// This help text, to be printed on standard output.
    case help(String)
    /// This version line, to be printed on standard output.
    case version(String)
    /// A command to be run.
    case command(ParsedCommand)
}

/// A command with its options and arguments, checked against the table.
public struct ParsedCommand: Hashable, Sendable {
    /// The words that name the command.
    public let path: [String]
    /// Arguments in their order.
    public let positionals: [String]
    /// Values by the first spelling of the option; a flag has an empty list.
    private let given: [String: [String]]
    /// The first spelling for each spelling that this command knows.
    private let spellings: [String: String]

    init(path: [String], positionals: [String], given: [String: [String]], options: [OptionSpec]) {
        self.path = path
        self.positionals = positionals
        self.given = given
        let pairs = options.flatMap { option in option.names.map { ($0, option.names[0]) } }
        spellings = Dictionary(pairs) { first, _ in first }
    }

    /// The words that name the command, with blanks between.
    public var name: String { path.joined(separator: " ") }

    /// True when the option was given, under any of its names.
    public func flag(_ name: String) -> Bool { given[key(name)] != nil }

    /// The value of an option, the last one if it repeats; nil when it was not given.
    public func value(_ name: String) -> String? { given[key(name)]?.last }

    /// All values of an option, in their order.
    public func values(_ name: String) -> [String] { given[key(name)] ?? [] }

    private func key(_ name: String) -> String {
        assert(spellings[name] != nil, "the table gives no option \(name) to '\(self.name)'")
        return spellings[name] ?? name
    }
}
