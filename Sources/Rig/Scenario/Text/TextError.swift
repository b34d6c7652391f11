// SPDX-License-Identifier: MIT

/// Why a piece of text says nothing that the language knows.
public struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public let message: String
    /// Where in the text, in characters from 0.
    public let column: Int
    /// The word that was probably meant; nil when none is near.
    public let hint: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - message: What is wrong, and what would be right.
    ///   - column: Where in the text, in characters from 0.
    ///   - hint: The word that was probably meant.
    public init(_ message: String, column: Int = 0, hint: String? = nil) {
        self.message = message
        self.column = column
        self.hint = hint
    }

    /// The message, with the word that was probably meant.
    public var description: String { message + (hint.map { "; did you mean '\($0)'?" } ?? "") }

    /// The same error in a text of which the first `count` characters were cut off before.
    func shifted(by count: Int) -> TextError {
        TextError(message, column: column + count, hint: hint)
    }
}
