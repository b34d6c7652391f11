// SPDX-License-Identifier: MIT

import HostSystem

/// The time that a run lives in: the host's, or a modelled one.
public protocol RigClock: AnyObject, Sendable {
    /// Time since some fixed moment; never goes back.
    var now: Duration { get }

    /// True when time passes only where the model says so, and costs nothing.
    var isVirtual: Bool { get }

    /// Lets time pass.
    func wait(_ duration: Duration)
}

/// The host's monotonic clock.
public final class SystemClock: RigClock {
    /// Makes a clock; all of them tell the same time.
    public init() {}

    /// Time since the host started.
    public var now: Duration { MonotonicTime.now }

    /// False: waiting takes real time.
    public var isVirtual: Bool { false }

    /// Sleeps.
    public func wait(_ duration: Duration) {
        MonotonicTime.sleep(duration)
    }
}
