// SPDX-License-Identifier: MIT

import Glibc

/// A thread that works beside others, and that is waited for.
final class WorkerThread: Sendable {
    private let thread: pthread_t
    /// That of the program's first thread.
    private static let stackBytes = 8 << 20

    private init(_ thread: pthread_t) {
        self.thread = thread
    }

    /// Starts a thread; nil when the host refuses one.
    static func start(_ work: @escaping @Sendable () -> Void) -> WorkerThread? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        var thread = pthread_t()
        let reference = Unmanaged.passRetained(Work(work))
        let result = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            reference.toOpaque()
        )
        guard result == 0 else {
            reference.release()
            return nil
        }
        return WorkerThread(thread)
    }

    /// Waits for its end; to be called once.
    func join() {
        pthread_join(thread, nil)
    }

    /// Work on its way to a new thread.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
