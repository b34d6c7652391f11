// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import Synchronization

/// Runs something that may block for ever on a thread of its own.
///
/// - Returns: Nil when it was not done in time; the thread is then left alone.
func bounded<Value: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () -> Value) -> Value? {
    Pending(body).wait(limit)
}

/// Work on a thread of its own.
final class Pending<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Value) {
        let thread = Thread { [self] in
            let value = body()
            self.value.withLock { $0 = value }
            done.signal()
        }
        thread.start()
    }

    /// Waits for the result; may be called until it is there.
    func wait(_ limit: Duration) -> Value? {
        guard done.wait(timeout: .now() + limit / .seconds(1)) == .success else { return nil }
        done.signal()
        return value.withLock { $0 }
    }
}

/// Looks again and again until something holds.
///
/// - Returns: How long it took, or nil when the time was over.
@discardableResult
func eventually(_ limit: Duration, _ holds: () -> Bool) -> Duration? {
    let begin = MonotonicTime.now
    while MonotonicTime.now - begin < limit {
        if holds() { return MonotonicTime.now - begin }
        MonotonicTime.sleep(.milliseconds(5))
    }
    return holds() ? MonotonicTime.now - begin : nil
}
