// SPDX-License-Identifier: MIT

import Synchronization

/// Counts from 1, on any thread.
final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
