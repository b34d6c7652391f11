// SPDX-License-Identifier: MIT

/// Why a text is no JSON document.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// Line, from 1.
    public let line: Int
    /// Byte in the line, from 1.
    public let column: Int

    /// Position and cause.
    public var description: String { "line \(line), column \(column): \(message)" }
}
