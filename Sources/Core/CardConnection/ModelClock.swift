// SPDX-License-Identifier: MIT

import Synchronization

/// A modelled clock: it stands still until somebody lets time pass.
///
/// Emulators add the time that a real part would have taken, waits add theirs, so a delay of 15 s costs nothing and
/// a seeded run has the same times again.
public final class ModelClock: RigClock {
    private let time = Mutex(Duration.zero)

    /// Makes a clock that stands at zero.
    public init() {}

    /// The modelled time since the clock was made.
    public var now: Duration { time.withLock { $0 } }

    /// True: waiting is free.
    public var isVirtual: Bool { true }

    /// Moves the clock on.
    public func wait(_ duration: Duration) {
        time.withLock { $0 += max(duration, .zero) }
    }
}
