// SPDX-License-Identifier: MIT

import Foundation
import HostSystem
import Testing

@Suite struct GuardedTests {
    @Test func `A change wakes who waits for it`() {
        let shared = Guarded(0)
        let thread = Thread { for _ in 0..<3 { shared.change { $0 += 1 } } }
        thread.start()
        #expect(shared.wait(timeout: .seconds(60)) { $0 == 3 })
        #expect(shared.withLock { $0 } == 3)
    }

    @Test func `A wait ends with its time, and a time that is over still looks once`() {
        let shared = Guarded(1)
        #expect(!shared.wait(timeout: .milliseconds(1)) { $0 == 2 })
        #expect(!shared.wait(timeout: .seconds(-1)) { $0 == 2 })
        #expect(shared.wait(timeout: .zero) { $0 == 1 })
    }

    @Test func `Counts of four threads are not lost`() {
        let shared = Guarded((count: 0, done: 0))
        for _ in 0..<4 {
            Thread {
                for _ in 0..<1000 { shared.withLock { $0.count += 1 } }
                shared.change { $0.done += 1 }
            }.start()
        }
        #expect(shared.wait(timeout: .seconds(60)) { $0.done == 4 })
        #expect(shared.withLock { $0.count } == 4000)
    }
}
