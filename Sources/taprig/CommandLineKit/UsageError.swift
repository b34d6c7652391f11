// SPDX-License-Identifier: MIT

/// Why the arguments of a call do not fit.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what was meant, without a full stop.
    public let message: String
    /// Lines to show below: the commands to choose from; empty in most cases.
    public let listing: String
    /// The call that shows help, for example `taprig run --help`.
    public let helpCall: String

    /// Makes an error; for a check that a command makes by itself, too.
    public init(message: String, listing: String = "", helpCall: String) {
        self.message = message
        self.listing = listing
        self.helpCall = helpCall
    }

    /// The message and how to get help.
    public var description: String {
        guard listing.isEmpty else { return "\(message)\n\n\(listing)\n\nsee '\(helpCall)'" }
        return message + (message.hasSuffix("?") ? " " : "; ") + "see '\(helpCall)'"
    }
}
