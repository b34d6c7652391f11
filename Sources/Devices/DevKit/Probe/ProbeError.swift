// SPDX-License-Identifier: MIT

/// Why a debug probe could not be used: never a fault of the product under test.
public struct ProbeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence: what happened, at which probe, and what to do.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
