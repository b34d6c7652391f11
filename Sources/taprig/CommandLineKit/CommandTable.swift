// SPDX-License-Identifier: MIT

/// All commands of a program: the one source of parsing, help and suggestions.
public struct CommandTable: Sendable {
    /// The program's name as it is typed.
    public let program: String
    /// The program's version.
    public let version: String
    /// What the program is, in one sentence.
    public let summary: String
    /// The commands, in the order of help.
    public let commands: [CommandSpec]
    /// Sentences about groups of commands; a group without one is described by its commands.
    public let groups: [GroupSpec]
    /// Options of every command, which may stand before it too.
    public let globalOptions: [OptionSpec]
    /// What words for values mean, each explained once below the options that take it.
    public let valueNotes: [ValueNote]

    /// Describes a program.
    ///
    /// - Parameters:
    ///   - program: The name as it is typed.
    ///   - version: The version.
    ///   - summary: What it is, in one sentence.
    ///   - commands: The commands, in the order of help.
    ///   - groups: Sentences about groups of commands.
    ///   - globalOptions: Options of every command; `--help` and `--version` are there by themselves.
    ///   - valueNotes: What words for values mean.
    public init(
        program: String,
        version: String,
        summary: String,
        commands: [CommandSpec],
        groups: [GroupSpec] = [],
        globalOptions: [OptionSpec] = [],
        valueNotes: [ValueNote] = []
    ) {
        self.program = program
        self.version = version
        self.summary = summary
        self.commands = commands
        self.groups = groups
        self.globalOptions = globalOptions
        self.valueNotes = valueNotes
    }

    /// Reads the arguments of a call.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - width: Columns for help.
    /// - Returns: What the caller asked for.
    /// - Throws: ``UsageError`` with a sentence on the first argument that does not fit.
    public func parse(_ arguments: [String], width: Int = 80) throws(UsageError) -> Invocation {
        var parser = ArgumentParser(table: self, arguments: arguments, width: width)
        return try parser.invocation()
    }

    /// The command of exactly these words.
    public func command(_ path: [String]) -> CommandSpec? { commands.first { $0.path == path } }

    /// The commands whose words begin with these.
    func commands(under prefix: [String]) -> [CommandSpec] {
        commands.filter { $0.path.count > prefix.count && $0.path.starts(with: prefix) }
    }

    /// The words that may follow these, each once, in the order of help.
    func words(after prefix: [String]) -> [String] {
        var out: [String] = []
        for command in commands(under: prefix) where !out.contains(command.path[prefix.count]) {
            out.append(command.path[prefix.count])
        }
        return out
    }

    /// The program and words after it, as they are typed.
    func typed(_ path: [String], _ more: String...) -> String {
        ([program] + path + more).joined(separator: " ")
    }
}
