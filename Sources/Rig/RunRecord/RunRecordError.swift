// SPDX-License-Identifier: MIT

import JSONText

/// Why a document is no record of a run.
public struct RunRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, as a path of keys: `suites[2].cases[0].verdict`; empty for the whole document.
    public let path: String
    /// What is wrong and what would be right.
    public let message: String
    /// Line in the text, from 1; 0 when the text is a document of JSON.
    public let line: Int
    /// Byte in the line, from 1; 0 when the text is a document of JSON.
    public let column: Int

    /// Makes an error.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
        line = 0
        column = 0
    }

    init(_ error: JSONError) {
        path = ""
        message = error.message
        line = error.line
        column = error.column
    }

    /// One sentence with the place.
    public var description: String {
        let place = line > 0 ? "line \(line), column \(column): " : ""
        return path.isEmpty ? "this is no record of a run: \(place)\(message)" : "\(path): \(message)"
    }

    /// One sentence with the file, the place in it, and what to do.
    public func description(of file: String) -> String {
        let place = line > 0 ? "\(file):\(line):\(column)" : path.isEmpty ? file : "\(file): \(path)"
        return "\(place): \(message); name the run.json that a run has left"
    }
}
