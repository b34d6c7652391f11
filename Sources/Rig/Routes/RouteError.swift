// SPDX-License-Identifier: MIT

/// Why the words behind `--via` are no way to a card.
public struct RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
