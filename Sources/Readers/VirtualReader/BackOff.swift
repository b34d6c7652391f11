// SPDX-License-Identifier: MIT

/// How long to wait before the next try: doubling from a short first wait up to a limit.
///
/// The service may be gone for a minute (a socket-activated one ends when idle); a virtual card that then redials at
/// once is there before the reader's next presence poll, and one that waits costs no processor time.
struct BackOff {
    /// The first wait.
    static let first = Duration.milliseconds(50)
    /// No wait is longer.
    static let longest = Duration.milliseconds(1600)

    private var upcoming = BackOff.first

    /// The wait before the next try.
    mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }

    /// Starts again with the short wait.
    mutating func reset() {
        upcoming = Self.first
    }
}
