// SPDX-License-Identifier: MIT

/// A mistake in a scenario: where, what is wrong, and what was meant.
public struct ScenarioMistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    public let position: SourcePosition
    /// What is wrong, and what would be right.
    public let message: String
    /// The word that was probably meant; nil when none is near.
    public let hint: String?

    /// Makes a mistake.
    public init(_ position: SourcePosition, _ message: String, hint: String? = nil) {
        self.position = position
        self.message = message
        self.hint = hint
    }

    /// `file:line:column: what is wrong; did you mean 'word'?`.
    public var description: String {
        "\(position): \(message)" + (hint.map { "; did you mean '\($0)'?" } ?? "")
    }
}

/// Collects mistakes while a file is read, so that all of them are told at once.
public final class MistakeCollector {
    /// The mistakes so far, in the order found.
    public private(set) var mistakes: [ScenarioMistake] = []

    /// Makes an empty collector.
    public init() {}

    /// Notes a mistake.
    public func add(_ position: SourcePosition, _ message: String, hint: String? = nil) {
        mistakes.append(ScenarioMistake(position, message, hint: hint))
    }

    /// Notes a mistake.
    public func add(_ mistake: ScenarioMistake) {
        mistakes.append(mistake)
    }
}
