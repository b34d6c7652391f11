// SPDX-License-Identifier: MIT

import Glibc

/// A thread of the operating system, for work that waits in the kernel.
public enum HostThread {
    /// Runs work on a thread of its own that nobody waits for; the thread ends with the work.
    ///
    /// - Parameters:
    ///   - stackBytes: Size of its stack; nil takes what the host gives a thread.
    ///   - takesSignals: False leaves all signals to the other threads of the program.
    ///   - work: What it does.
    /// - Returns: Why the host refuses a thread; nil when it runs.
    public static func start(
        stackBytes: Int? = nil,
        takesSignals: Bool = true,
        _ work: @escaping @Sendable () -> Void
    ) -> String? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // A thread inherits the mask of the one that makes it.
        var before = sigset_t()
        if !takesSignals {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, &before)
        }
        defer {
            if !takesSignals { pthread_sigmask(SIG_SETMASK, &before, nil) }
        }
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
        guard result != 0 else { return nil }
        reference.release()
        return String(cString: strerror(result))
    }

    /// Work on its way to a new thread.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
