// SPDX-License-Identifier: MIT

import Glibc

/// Hands one value from a thread to another that waits for it with a time limit.
// Safe to share: `value` is only touched with `mutex` held, and the two pthread objects live at fixed addresses
// from init to deinit, which runs when neither thread has a reference any more.
final class Handoff<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        // The monotonic clock: setting the host's date must neither end nor prolong a wait.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deinitialize(count: 1)
        mutex.deinitialize(count: 1)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Puts the value there and wakes the one who waits.
    func put(_ newValue: Value) {
        pthread_mutex_lock(mutex)
        value = newValue
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for the value.
    ///
    /// - Parameter nanoseconds: How long at most.
    /// - Returns: The value, or nil when it did not come in time.
    func take(waiting nanoseconds: Int64) -> Value? {
        var until = timespec()
        clock_gettime(CLOCK_MONOTONIC, &until)
        let total = Int64(until.tv_nsec) + max(nanoseconds, 0)
        until.tv_sec += Int(total / 1_000_000_000)
        until.tv_nsec = Int(total % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while value == nil {
            guard pthread_cond_timedwait(condition, mutex, &until) == 0 else { break }
        }
        return value
    }
}
