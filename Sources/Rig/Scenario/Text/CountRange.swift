// SPDX-License-Identifier: MIT

/// Which whole numbers will do: `6`, `1..3`, `>=2`.
public struct CountRange: Hashable, Sendable, CustomStringConvertible {
    /// The numbers that will do.
    public let range: ClosedRange<Int>
    /// The text as the file has it.
    public let description: String

    /// Takes one number and no other.
    public init(_ number: Int) {
        range = number...number
        description = "\(number)"
    }

    private init(_ range: ClosedRange<Int>, description: String) {
        self.range = range
        self.description = description
    }

    /// True when the number will do.
    public func contains(_ number: Int) -> Bool { range.contains(number) }

    /// Reads a range.
    ///
    /// - Parameters:
    ///   - text: A number, two numbers with `..` between them (ends included), or `<`, `<=`, `>`, `>=` and a number.
    ///   - bounds: The numbers that are possible here.
    /// - Returns: The range.
    /// - Throws: ``TextError`` when it is none of that, or nothing lies in it.
    public static func parse(
        _ text: String,
        in bounds: ClosedRange<Int> = .min ... .max
    ) throws(TextError) -> CountRange {
        var cursor = TextCursor(text)
        cursor.skipBlanks()
        let start = cursor
        let range: ClosedRange<Int>?
        if let comparison = Comparison.take(&cursor) {
            cursor.skipBlanks()
            range = bounded(comparison, try NumberText.parse(&cursor))
        } else {
            let low = try NumberText.parse(&cursor)
            let high = cursor.take("..") ? try NumberText.parse(&cursor) : low
            range = low <= high ? low...high : nil
        }
        cursor.skipBlanks()
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a number or range such as 1..3",
                column: cursor.column
            )
        }
        guard let range, range.overlaps(bounds) else {
            throw TextError("no number that is possible here lies in '\(text.trimmed)'", column: start.column)
        }
        return CountRange(range, description: text.trimmed)
    }

    private static func bounded(_ comparison: Comparison, _ number: Int) -> ClosedRange<Int>? {
        switch comparison {
        case .less: number == .min ? nil : .min...(number - 1)
        case .lessOrEqual: .min...number
        case .greater: number == .max ? nil : (number + 1) ... .max
        case .greaterOrEqual: number ... .max
        case .equal, .notEqual: number...number
        }
    }
}
