// SPDX-License-Identifier: MIT

/// One option of a command: a flag, or a name with a value.
public struct OptionSpec: Hashable, Sendable {
    /// All spellings with their dashes; the first one stands for the option.
    public let names: [String]
    /// The word for the value in help; nil for a flag.
    public let value: String?
    /// True when it may be given more than once.
    public let repeats: Bool
    /// The values that are allowed; nil for any.
    public let choices: [String]?
    /// What it does, in one sentence.
    public let summary: String

    /// Describes an option.
    ///
    /// - Parameters:
    ///   - names: Spellings such as `-f` and `--file`.
    ///   - value: The word for the value, for example `FILE`; nil makes a flag.
    ///   - repeats: Whether it may be given more than once.
    ///   - choices: The values that are allowed.
    ///   - summary: What it does, in one sentence.
    public init(
        _ names: String...,
        value: String? = nil,
        repeats: Bool = false,
        choices: [String]? = nil,
        summary: String
    ) {
        precondition(
            !names.isEmpty && names.allSatisfy { $0.hasPrefix("-") },
            "an option needs a name with a dash"
        )
        self.names = names
        self.value = value
        self.repeats = repeats
        self.choices = choices
        self.summary = summary
    }

    /// The spelling that stands for the option in messages: the first long one.
    public var displayName: String { names.first { $0.hasPrefix("--") } ?? names[0] }

    /// The first column of help: `-f, --file FILE`.
    var synopsis: String {
        names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
    }

    /// `--help`, which every command has.
    static let help = OptionSpec("-h", "--help", summary: "Show this help.")
    /// `--version`, which stands before any command.
    static let version = OptionSpec("--version", summary: "Show the version.")
}

/// One argument that is told by its place.
public struct PositionalSpec: Hashable, Sendable {
    /// The word for it in help, for example `PATH`.
    public let name: String
    /// True when one or more may follow each other; only for the last one.
    public let repeats: Bool
    /// True when it must be given.
    public let isRequired: Bool
    /// What it is, in one sentence.
    public let summary: String

    /// Describes an argument.
    public init(_ name: String, repeats: Bool = false, isRequired: Bool = true, summary: String) {
        self.name = name
        self.repeats = repeats
        self.isRequired = isRequired
        self.summary = summary
    }

    /// How it stands in the usage line: `[PATH...]`.
    var synopsis: String {
        let word = name + (repeats ? "..." : "")
        return isRequired ? word : "[\(word)]"
    }
}
