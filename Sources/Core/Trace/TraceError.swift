// SPDX-License-Identifier: MIT

/// Why a trace file could not be read.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// Line, from 1; nil when the file as a whole is meant.
    public let line: Int?
    /// What is wrong, and what would be right.
    public let message: String

    /// Makes an error.
    public init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// One sentence with the place.
    public var description: String {
        line.map { "\(file):\($0): \(message)" } ?? message
    }
}
