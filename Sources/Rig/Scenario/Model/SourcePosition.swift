// SPDX-License-Identifier: MIT

/// A place in a scenario file.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file as it is shown to people: relative to the project where it can be.
    public let file: String
    /// Line, from 1.
    public let line: Int
    /// Column in characters, from 1.
    public let column: Int

    /// Makes a position.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}
