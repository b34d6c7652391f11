// SPDX-License-Identifier: MIT

/// Where the characters of a scalar stand in its file, when they do not simply follow one another there.
///
/// Escapes, folded lines and indentation make the text that is read shorter than what the file has.
public struct TextMap: Hashable, Sendable {
    /// Characters that follow one another in one line of the file.
    struct Run: Hashable, Sendable {
        /// The first of them in the text, from 0.
        let offset: Int
        /// Its line, from 1.
        let line: Int
        /// Its column, from 1.
        let column: Int
        /// How many they are.
        var count: Int
    }

    private(set) var runs: [Run] = []

    /// Number of characters.
    var count: Int { runs.last.map { $0.offset + $0.count } ?? 0 }

    /// Adds a character of the text that stands at a place of the file.
    mutating func add(line: Int, column: Int) {
        if let last = runs.last, last.line == line, last.column + last.count == column {
            runs[runs.count - 1].count += 1
            return
        }
        runs.append(Run(offset: count, line: line, column: column, count: 1))
    }

    /// Line and column of a character of the text, from 0; one behind the end stands behind the last one.
    func place(of offset: Int) -> (line: Int, column: Int)? {
        var low = 0
        var high = runs.count - 1
        guard high >= 0 else { return nil }
        while low < high {
            let middle = (low + high + 1) / 2
            if runs[middle].offset <= offset { low = middle } else { high = middle - 1 }
        }
        return (runs[low].line, runs[low].column + offset - runs[low].offset)
    }
}

/// Where a text begins in its file, and where the characters behind that stand.
public struct TextPlace: Hashable, Sendable {
    /// The place of the first character.
    public let start: SourcePosition
    private let map: TextMap?

    /// Makes the place of a text whose characters follow one another.
    public init(_ start: SourcePosition) {
        self.start = start
        map = nil
    }

    init(_ start: SourcePosition, map: TextMap?) {
        self.map = map
        guard let first = map?.place(of: 0) else {
            self.start = start
            return
        }
        self.start = start.at(line: first.line, column: first.column)
    }

    /// The place of a character, from 0.
    public func position(_ column: Int) -> SourcePosition {
        guard let place = map?.place(of: column) else {
            return start.at(line: start.line, column: start.column + column)
        }
        return start.at(line: place.line, column: place.column)
    }
}

extension YAMLNode {
    /// Where the text of a scalar begins, behind its quotation mark.
    public var textPlace: TextPlace {
        guard case .scalar(_, isQuoted: true) = content else { return TextPlace(position, map: map) }
        return TextPlace(position.at(line: position.line, column: position.column + 1), map: map)
    }

    /// The place of a character of a scalar's text, from 0; the quotation mark before it counts.
    public func textPosition(_ column: Int) -> SourcePosition {
        guard case .scalar = content else { return position }
        return textPlace.position(column)
    }
}

extension YAMLNode.Entry {
    /// The place of a character of the key's text, from 0; the quotation mark before it counts.
    func keyTextPosition(_ column: Int) -> SourcePosition {
        let start = keyPosition.at(
            line: keyPosition.line,
            column: keyPosition.column + (isKeyQuoted ? 1 : 0)
        )
        return TextPlace(start, map: keyMap).position(column)
    }
}
