// SPDX-License-Identifier: MIT

import HostSystem

/// A thread of the operating system, for work that blocks.
enum LinkThread {
    /// Runs the body on a new thread that takes no signals: interrupts belong to the program's main thread.
    ///
    /// - Returns: False when the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let refusal = HostThread.start(takesSignals: false) {
            LinkThread.$isCurrent.withValue(true) { body() }
        }
        return refusal == nil
    }

    /// True on a thread that was started here.
    @TaskLocal static var isCurrent = false
}
