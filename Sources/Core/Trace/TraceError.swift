// SPDX-License-Identifier: MIT

import HostSystem

/// Why a trace file could not be read.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// Line, from 1; nil when the file as a whole is meant.
    public let line: Int?
    /// Byte in the line, from 1.
    public let column: Int
    /// What is wrong, and what would be right.
    public let message: String

    /// Makes an error.
    public init(file: String, line: Int?, column: Int = 1, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// One sentence with the place.
    public var description: String {
        line.map { "\(VisibleText.escaped(file)):\($0):\(column): \(message)" } ?? message
    }
}
