// SPDX-License-Identifier: MIT

/// Why a probe cannot be served over TCP.
public struct ProbeServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
