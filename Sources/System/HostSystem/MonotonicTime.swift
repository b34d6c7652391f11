// SPDX-License-Identifier: MIT

import Glibc

/// The host's monotonic clock.
public enum MonotonicTime {
    /// Time since the host started.
    public static var now: Duration { .nanoseconds(nanoseconds) }

    /// Nanoseconds since the host started.
    public static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Sleeps for the whole duration, whatever signals arrive.
    public static func sleep(_ duration: Duration) {
        guard duration > .zero else { return }
        let (seconds, attoseconds) = duration.components
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var rest = timespec()
        while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
    }
}
