// SPDX-License-Identifier: MIT

import HostSystem
import Synchronization

/// A place in a scenario file.
///
/// A tree of a file has one for each node and key, so it is three small numbers: names of files are kept once, in a
/// table of the process.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    private let fileNumber: UInt32
    private let storedLine: UInt32
    private let storedColumn: UInt32

    /// The file as it is shown to people: relative to the project where it can be.
    public var file: String { FileNames.name(of: fileNumber) }
    /// Line, from 1.
    public var line: Int { Int(storedLine) }
    /// Column in characters, from 1.
    public var column: Int { Int(storedColumn) }

    /// Makes a position.
    public init(file: String, line: Int, column: Int) {
        fileNumber = FileNames.number(of: file)
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    private init(fileNumber: UInt32, line: Int, column: Int) {
        self.fileNumber = fileNumber
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    /// Another place of the same file.
    func at(line: Int, column: Int) -> SourcePosition {
        SourcePosition(fileNumber: fileNumber, line: line, column: column)
    }

    /// The same place under another name of the file.
    func named(_ file: String) -> SourcePosition {
        SourcePosition(file: file, line: line, column: column)
    }

    /// `file:line:column`.
    public var description: String { "\(VisibleText.escaped(file)):\(line):\(column)" }
}

/// The names of files that places speak of.
///
/// A process reads few files, so none is ever forgotten.
private enum FileNames {
    private struct Table {
        var names: [String] = []
        var numbers: [String: UInt32] = [:]
    }

    private static let table = Mutex(Table())

    static func number(of name: String) -> UInt32 {
        table.withLock { table in
            if let known = table.numbers[name] { return known }
            let number = UInt32(clamping: table.names.count)
            table.names.append(name)
            table.numbers[name] = number
            return number
        }
    }

    static func name(of number: UInt32) -> String {
        table.withLock { $0.names[Int(number)] }
    }
}
