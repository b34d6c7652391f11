// SPDX-License-Identifier: MIT

/// A version such as `1.10` or `4.12r`: numbers between dots, perhaps with letters behind the last.
///
/// Numbers compare as numbers, so `1.10` is above `1.9`; a missing number is 0. The letters name a build for a purpose
/// (`4.45d`, `4.12r`) and decide only where all numbers are equal.
public struct FirmwareVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The numbers between the dots, without zeros at the end.
    private let numbers: [Int]
    /// The letters behind the last number, lower case.
    private let suffix: String
    /// The text as it was given.
    public let description: String

    /// Reads a version; a `v` before it counts for nothing.
    ///
    /// - Throws: ``TextError`` when no number comes first.
    public init(_ text: String) throws(TextError) {
        var cursor = TextCursor(text)
        _ = cursor.take("v") || cursor.take("V")
        var numbers: [Int] = []
        repeat {
            let start = cursor
            guard let next = cursor.next, next.isDigit else {
                throw TextError(
                    "\(cursor.nextCharacter) does not belong to a version such as 4.12 or 4.12r",
                    column: cursor.column
                )
            }
            guard let number = Int(cursor.take(while: \.isDigit)) else {
                throw TextError("a number of this version is too large", column: start.column)
            }
            numbers.append(number)
        } while cursor.take(".")
        suffix = cursor.take { $0.isNamePart || $0 == 0x2B || $0 == 0x20 }.trimmed.lowercased()
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a version such as 4.12 or 4.12r",
                column: cursor.column
            )
        }
        while numbers.last == 0, numbers.count > 1 { numbers.removeLast() }
        self.numbers = numbers
        description = text
    }

    /// True when a bound of `needs` holds: `>=`, `<=`, `>`, `<`, `==` or `!=`, and another version.
    ///
    /// A bound without letters speaks of the numbers only: `4.12r` is `<=4.12` and `>=4.12`.
    public func holds(_ comparison: String, _ bound: FirmwareVersion) -> Bool {
        guard let comparison = Comparison(rawValue: comparison) else { return false }
        let order = bound.suffix.isEmpty ? numberOrder(bound) : order(bound)
        return comparison.holds(order, 0)
    }

    /// Compares the numbers, then the letters.
    public static func < (left: Self, right: Self) -> Bool { left.order(right) < 0 }

    /// True when numbers and letters are equal.
    public static func == (left: Self, right: Self) -> Bool { left.order(right) == 0 }

    /// Feeds numbers and letters, not the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(numbers)
        hasher.combine(suffix)
    }

    private func numberOrder(_ other: Self) -> Int {
        for index in 0..<Swift.max(numbers.count, other.numbers.count) {
            let left = index < numbers.count ? numbers[index] : 0
            let right = index < other.numbers.count ? other.numbers[index] : 0
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private func order(_ other: Self) -> Int {
        let order = numberOrder(other)
        guard order == 0, suffix != other.suffix else { return order }
        return suffix < other.suffix ? -1 : 1
    }
}
