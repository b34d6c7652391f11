// SPDX-License-Identifier: MIT

/// One setting of an emulator, as `--option NAME=VALUE` and a suite's `options` give it.
public struct EmulatorOption: Hashable, Sendable {
    /// What values it takes.
    public enum Kind: Hashable, Sendable {
        /// One of these words.
        case choice([String])
        /// A whole number in a range.
        case number(ClosedRange<Int>)
        /// A time, for example `200ms`.
        case duration
        /// Hex text.
        case hex
        /// A file's path, relative to the file that names it.
        case file
    }

    /// The option's name, in words joined by dashes.
    public let name: String
    /// What values it takes.
    public let kind: Kind
    /// The value when nothing is said.
    public let defaultText: String
    /// What it does, in one line.
    public let summary: String

    /// Makes an option.
    public init(_ name: String, _ kind: Kind, default defaultText: String, _ summary: String) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.summary = summary
    }
}

/// Why an emulator could not be made.
public struct EmulatorOptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
