// SPDX-License-Identifier: MIT

/// A place in a scenario file.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file as it is shown to people: relative to the project where it can be.
    public let file: String
    // A tree of a file has a place for each node and key: half the width is felt.
    private let storedLine: UInt32
    private let storedColumn: UInt32

    /// Line, from 1.
    public var line: Int { Int(storedLine) }
    /// Column in characters, from 1.
    public var column: Int { Int(storedColumn) }

    /// Makes a position.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}
