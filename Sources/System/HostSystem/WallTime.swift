// SPDX-License-Identifier: MIT

import Glibc

/// A moment of the calendar, in UTC.
public struct WallTime: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Makes a moment.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The present moment.
    public static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// This moment and a duration later, to the millisecond.
    public func advanced(by duration: Duration) -> WallTime {
        let (seconds, attoseconds) = duration.components
        return WallTime(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// ISO 8601 with milliseconds and `Z`: `2026-11-30T08:15:02.011Z`.
    public var iso: String {
        let parts = calendar
        return "\(date(parts))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
            + ".\(padded(Int(millisecondPart), 3))Z"
    }

    /// For names of folders: `20261130T081502Z`.
    public var compact: String {
        let parts = calendar
        return "\(padded(Int(parts.tm_year) + 1900, 4))\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }

    /// The day: `2026-11-30`.
    public var day: String { date(calendar) }

    private var millisecondPart: Int64 { (milliseconds % 1000 + 1000) % 1000 }

    private var calendar: tm {
        var seconds = time_t((milliseconds - millisecondPart) / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return parts
    }

    private func date(_ parts: tm) -> String {
        "\(padded(Int(parts.tm_year) + 1900, 4))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    private func two(_ value: Int32) -> String { padded(Int(value), 2) }

    private func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
