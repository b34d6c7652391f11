// SPDX-License-Identifier: MIT

/// One command of a program, with all that may follow it.
public struct CommandSpec: Hashable, Sendable {
    /// The words that name it: `["run"]`, or `["trace", "show"]` for one of a group.
    public let path: [String]
    /// What it does, in one sentence.
    public let summary: String
    /// More about it; an empty line parts paragraphs.
    public let discussion: String
    /// Arguments in their order.
    public let positionals: [PositionalSpec]
    /// Options besides the global ones.
    public let options: [OptionSpec]
    /// Command lines that show how it is used.
    public let examples: [String]

    /// Describes a command.
    ///
    /// - Parameters:
    ///   - path: The words that name it.
    ///   - summary: What it does, in one sentence.
    ///   - discussion: More about it; an empty line parts paragraphs.
    ///   - positionals: Arguments in their order; only the last may repeat, none follows an optional one.
    ///   - options: Options besides the global ones.
    ///   - examples: Command lines that show how it is used.
    public init(
        path: [String],
        summary: String,
        discussion: String = "",
        positionals: [PositionalSpec] = [],
        options: [OptionSpec] = [],
        examples: [String] = []
    ) {
        precondition(!path.isEmpty, "a command needs a name")
        self.path = path
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.options = options
        self.examples = examples
    }

    /// The words with blanks between.
    public var name: String { path.joined(separator: " ") }

    /// The fewest arguments that it takes.
    var fewestPositionals: Int { positionals.count { $0.isRequired } }

    /// The most arguments that it takes; nil when there is no limit.
    var mostPositionals: Int? { positionals.contains { $0.repeats } ? nil : positionals.count }
}

/// A sentence about the commands that share their first words.
public struct GroupSpec: Hashable, Sendable {
    /// The shared words.
    public let path: [String]
    /// What the group is for, in one sentence.
    public let summary: String

    /// Describes a group.
    public init(path: [String], summary: String) {
        self.path = path
        self.summary = summary
    }
}
