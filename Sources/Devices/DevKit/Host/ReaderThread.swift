// SPDX-License-Identifier: MIT

import Glibc

/// A thread of its own for a loop that waits in the kernel.
final class ReaderThread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Starts the loop; the thread ends with it.
    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ReaderThread>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            context
        )
        guard result == 0 else {
            Unmanaged<ReaderThread>.fromOpaque(context).release()
            return
        }
        pthread_detach(thread)
    }
}
