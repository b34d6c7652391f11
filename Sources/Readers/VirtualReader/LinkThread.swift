// SPDX-License-Identifier: MIT

import Glibc

/// A thread of the operating system, for work that blocks.
enum LinkThread {
    /// Runs the body on a new thread that takes no signals.
    ///
    /// - Returns: False when the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        // The thread inherits this mask: interrupts belong to the program's main thread.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                LinkThread.$isCurrent.withValue(true) {
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            },
            box.toOpaque()
        )
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// True on a thread that was started here.
    @TaskLocal static var isCurrent = false

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
