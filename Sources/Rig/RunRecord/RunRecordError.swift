// SPDX-License-Identifier: MIT

/// Why a document is no record of a run.
public struct RunRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, as a path of keys: `suites[2].cases[0].verdict`; empty for the whole document.
    public let path: String
    /// What is wrong and what would be right.
    public let message: String

    /// Makes an error.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// One sentence with the place.
    public var description: String {
        path.isEmpty ? "this is no record of a run: \(message)" : "\(path): \(message)"
    }
}
