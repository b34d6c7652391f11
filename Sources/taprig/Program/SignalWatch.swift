// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Runner

/// Turns SIGINT and SIGTERM into a flag.
///
/// The signals are blocked in all threads and taken by one that waits for them, so no call into a reader is cut short
/// and nothing runs in a handler.
enum SignalWatch {
    /// Starts watching; to be called before any other thread exists.
    static func start(_ interruption: Interruption, onSignal: @escaping @Sendable (String) -> Void = { _ in })
    {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let waiter = Waiter(set: set, interruption: interruption, onSignal: onSignal)
        _ = HostThread.start { waiter.run() }
    }

    private final class Waiter: Sendable {
        let set: sigset_t
        let interruption: Interruption
        let onSignal: @Sendable (String) -> Void

        init(set: sigset_t, interruption: Interruption, onSignal: @escaping @Sendable (String) -> Void) {
            self.set = set
            self.interruption = interruption
            self.onSignal = onSignal
        }

        func run() {
            var set = set
            while true {
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { return }
                let name = number == SIGTERM ? "SIGTERM" : "SIGINT"
                interruption.request(name)
                onSignal(name)
            }
        }
    }
}
