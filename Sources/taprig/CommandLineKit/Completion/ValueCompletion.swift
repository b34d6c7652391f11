// SPDX-License-Identifier: MIT

/// What a shell may offer for a value.
public enum ValueCompletion: Hashable, Sendable {
    /// Nothing: the value is the user's own.
    case nothing
    /// Files and folders.
    case file
    /// Folders.
    case folder
    /// These words.
    case words([String])
    /// The lines that the program prints when it is asked for a list of this name.
    case asked(String)
    /// The same for lists that depend on the command's first argument, which is handed on when it is there.
    case askedOfArgument(String)
}
