// SPDX-License-Identifier: MIT

/// A day of the calendar: `2027-01-31`.
public struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Year, from 1970 to 9999.
    public let year: Int
    /// Month, from 1.
    public let month: Int
    /// Day, from 1.
    public let day: Int

    /// Makes a date; nil when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads a date.
    ///
    /// - Parameter text: Year, month and day with dashes between, as ISO 8601 has them.
    /// - Returns: The day.
    /// - Throws: ``TextError`` when it is none, or there is no such day.
    public static func parse(_ text: String) throws(TextError) -> CalendarDate {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { throw TextError("'\(text)' is no date; write it like 2027-01-31") }
        guard let date = CalendarDate(year: year, month: month, day: day) else {
            throw TextError("'\(text)' is no day of the calendar")
        }
        return date
    }

    /// The date at the start of a text such as `2026-11-30T08:15:02.011Z`; nil when none stands there.
    public init?(timestamp: String) {
        guard let date = try? CalendarDate.parse(String(timestamp.prefix(10))) else { return nil }
        self = date
    }

    /// Seconds from the start of 1970 to the start of the day, in UTC.
    public var secondsSince1970: Int64 {
        // Days before the year, leap days counted by the rules of the calendar.
        let past = year - 1
        var days = (year - 1970) * 365 + past / 4 - past / 100 + past / 400 - 477
        for other in 1..<month { days += Self.days(in: other, of: year) }
        return Int64(days + day - 1) * 86_400
    }

    /// Compares by time.
    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Year, month and day with dashes between.
    public var description: String {
        "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
