// SPDX-License-Identifier: MIT

import Wording

/// Times with their unit: `200ms`, `1.5s`, `20us`, `2min`.
public enum DurationText {
    /// Reads a time.
    ///
    /// - Parameter text: A decimal number and one of the units `ns`, `us`, `ms`, `s`, `min`, `h`.
    /// - Returns: The time.
    /// - Throws: ``TextError`` when the number or its unit is missing or unknown.
    public static func parse(_ text: String) throws(TextError) -> Duration {
        var cursor = TextCursor(text)
        let duration = try parse(&cursor)
        guard cursor.isAtEnd else {
            throw TextError(
                "\(cursor.nextCharacter) does not belong to a time such as 200ms",
                column: cursor.column
            )
        }
        return duration
    }

    /// Reads a time at a cursor and stops behind its unit.
    static func parse(_ cursor: inout TextCursor) throws(TextError) -> Duration {
        let start = cursor
        var whole = 0
        var hasDigits = false
        while let digit = cursor.next, digit.isDigit {
            whole = whole * 10 + Int(digit - 0x30)
            hasDigits = true
            cursor.skip()
            guard whole <= longestCount else {
                throw TextError("this time is too long", column: start.column)
            }
        }
        guard hasDigits else {
            throw TextError(
                "\(cursor.nextCharacter) begins no time; write a number and its unit, such as 200ms",
                column: cursor.column
            )
        }
        var fraction = 0
        var scale = 1
        if cursor.next == 0x2E, cursor.index + 1 < cursor.bytes.count, cursor.bytes[cursor.index + 1].isDigit
        {
            cursor.skip()
            while let digit = cursor.next, digit.isDigit {
                if scale < 1_000_000_000 {
                    fraction = fraction * 10 + Int(digit - 0x30)
                    scale *= 10
                }
                cursor.skip()
            }
        }
        let number = String(decoding: cursor.bytes[start.index..<cursor.index], as: UTF8.self)
        let unitColumn = cursor.column
        let unit = cursor.take { $0.isLetter || $0 >= 0x80 }
        guard let nanoseconds = units.first(where: { $0.name == unit })?.nanoseconds else {
            if unit.isEmpty {
                throw TextError(
                    "'\(number)' has no unit; write \(number)ms or \(number)s",
                    column: start.column
                )
            }
            throw TextError(
                "'\(unit)' is no unit of time; possible are us, ms, s, min",
                column: unitColumn,
                hint: Suggestion.nearest(to: unit, among: units.map(\.name))
            )
        }
        let (total, isTooLong) = whole.multipliedReportingOverflow(by: nanoseconds)
        guard !isTooLong, total <= longest else {
            throw TextError("'\(number)\(unit)' is too long; a year is the most", column: start.column)
        }
        let (part, _) = fraction.multipliedReportingOverflow(by: nanoseconds / Swift.min(scale, nanoseconds))
        let rest = scale <= nanoseconds ? part : fraction / (scale / nanoseconds)
        return .nanoseconds(total + rest)
    }

    /// A time for people: `412.3ms`, `1.5s`, `10min`.
    ///
    /// - Parameters:
    ///   - duration: The time.
    ///   - digits: The most digits behind the point; 9 loses nothing.
    /// - Returns: The text in the largest unit that fits.
    public static func text(_ duration: Duration, digits: Int = 3) -> String {
        let (seconds, attoseconds) = duration.components
        let (high, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLong else { return "\(seconds)s" }
        let nanoseconds = high + Int(attoseconds / 1_000_000_000)
        let sign = nanoseconds < 0 ? "-" : ""
        let size = Int(clamping: nanoseconds.magnitude)
        switch size {
        case 0: return "0ms"
        case let size where size % 3_600_000_000_000 == 0: return "\(sign)\(size / 3_600_000_000_000)h"
        case let size where size % 60_000_000_000 == 0: return "\(sign)\(size / 60_000_000_000)min"
        case 1_000_000_000...: return sign + decimal(size, per: 1_000_000_000, digits: digits) + "s"
        case 1_000_000...: return sign + decimal(size, per: 1_000_000, digits: digits) + "ms"
        case 1_000...: return sign + decimal(size, per: 1_000, digits: digits) + "us"
        default: return "\(sign)\(size)ns"
        }
    }

    private static func decimal(_ value: Int, per unit: Int, digits: Int) -> String {
        var step = unit
        for _ in 0..<digits where step % 10 == 0 { step /= 10 }
        let rounded = (value / step + (value % step * 2 >= step ? 1 : 0)) * step
        let whole = rounded / unit
        guard rounded % unit != 0 else { return "\(whole)" }
        // A leading one keeps the zeros behind the point.
        var fraction = String(unit + rounded % unit).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }

    private static let longestCount = 1_000_000_000_000_000
    private static let longest = 366 * 86_400 * 1_000_000_000
    private static let units: [(name: String, nanoseconds: Int)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("us", 1_000), ("µs", 1_000), ("ns", 1),
        ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]
}
