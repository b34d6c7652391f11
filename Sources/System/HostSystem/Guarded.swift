// SPDX-License-Identifier: MIT

public import Glibc

// Safe to share: `value` is touched only between lock and unlock of the mutex, and the two pointers never change.
/// A value behind a lock, with a condition to wait on.
///
/// The lock is held for a few instructions only: nothing that may block runs inside.
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline var value: Value

    /// Puts a value behind a lock.
    public init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the host's date must not shorten or lengthen a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the value, waking nobody.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Changes the value and wakes everybody who waits for a change.
    @inlinable
    public func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until the value is as asked.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait at most; nil waits as long as it takes.
    ///   - isDone: Looks at the value, under the lock.
    /// - Returns: False when the time was over first.
    @discardableResult
    public func wait(timeout: Duration?, until isDone: (Value) -> Bool) -> Bool {
        var moment = timespec()
        if let timeout {
            let (seconds, attoseconds) = (MonotonicTime.now + max(timeout, .zero)).components
            moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isDone(value) {
            let result =
                timeout == nil
                ? pthread_cond_wait(condition, mutex) : pthread_cond_timedwait(condition, mutex, &moment)
            if result == ETIMEDOUT { return isDone(value) }
        }
        return true
    }
}
