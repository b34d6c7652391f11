// SPDX-License-Identifier: MIT

/// How long something may take: `<60ms`, `<=1s`, `>5ms`, `40ms..60ms`.
public struct TimeBound: Hashable, Sendable, CustomStringConvertible {
    private let lower: Duration?
    private let upper: Duration?
    private let includesLower: Bool
    private let includesUpper: Bool
    /// The text as the file has it.
    public let description: String

    init(_ comparison: Comparison, _ duration: Duration, description: String) {
        lower = comparison.isLowerBound ? duration : nil
        upper = comparison.isUpperBound ? duration : nil
        includesLower = comparison.includesEqual
        includesUpper = comparison.includesEqual
        self.description = description
    }

    init(_ range: ClosedRange<Duration>, description: String) {
        lower = range.lowerBound
        upper = range.upperBound
        includesLower = true
        includesUpper = true
        self.description = description
    }

    /// True when a time lies within the bound.
    public func contains(_ duration: Duration) -> Bool {
        if let lower, duration < lower || (!includesLower && duration == lower) { return false }
        if let upper, duration > upper || (!includesUpper && duration == upper) { return false }
        return true
    }

    /// Reads a bound.
    ///
    /// - Parameter text: `<`, `<=`, `>` or `>=` and a time, or two times with `..` between them, ends included.
    /// - Returns: The bound.
    /// - Throws: ``TextError`` when it is a bare time, has no unit, or is an empty range.
    public static func parse(_ text: String) throws(TextError) -> TimeBound {
        var cursor = TextCursor(text)
        cursor.skipBlanks()
        if let comparison = Comparison.take(&cursor) {
            cursor.skipBlanks()
            let duration = try DurationText.parse(&cursor)
            try end(&cursor)
            return TimeBound(comparison, duration, description: text.trimmed)
        }
        let start = cursor
        let low = try DurationText.parse(&cursor)
        guard cursor.take("..") else {
            let plain = start.rest.trimmed
            throw TextError(
                "'\(plain)' is no bound; write \"<\(plain)\" in quotes, or a range such as 40ms..60ms",
                column: start.column
            )
        }
        let high = try DurationText.parse(&cursor)
        try end(&cursor)
        guard low <= high else {
            throw TextError("the range is empty: its start lies above its end", column: start.column)
        }
        return TimeBound(low...high, description: text.trimmed)
    }

    private static func end(_ cursor: inout TextCursor) throws(TextError) {
        cursor.skipBlanks()
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a bound such as <60ms",
                column: cursor.column
            )
        }
    }
}

/// The signs that a bound may begin with.
enum Comparison: String, Hashable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="

    var isLowerBound: Bool { self == .greater || self == .greaterOrEqual || self == .equal }
    var isUpperBound: Bool { self == .less || self == .lessOrEqual || self == .equal }
    var includesEqual: Bool { self == .lessOrEqual || self == .greaterOrEqual || self == .equal }

    /// Takes `<`, `<=`, `>` or `>=` when one comes next.
    static func take(_ cursor: inout TextCursor) -> Comparison? {
        if cursor.take("<=") { return .lessOrEqual }
        if cursor.take(">=") { return .greaterOrEqual }
        if cursor.take("<") { return .less }
        if cursor.take(">") { return .greater }
        return nil
    }

    /// True when two values stand in this order.
    func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
        switch self {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .equal: left == right
        case .notEqual: left != right
        }
    }
}
