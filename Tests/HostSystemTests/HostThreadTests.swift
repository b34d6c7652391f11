// SPDX-License-Identifier: MIT

import Glibc
import HostSystem
import Testing

@Suite struct HostThreadTests {
    /// What a thread that was started so blocks of SIGINT; nil when it never ran.
    private func blocksInterrupt(takingSignals: Bool) -> Bool? {
        let answer = Guarded<Bool?>(nil)
        let refusal = HostThread.start(takesSignals: takingSignals) {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isBlocked = sigismember(&mask, SIGINT) == 1
            answer.change { $0 = isBlocked }
        }
        #expect(refusal == nil)
        answer.wait(timeout: .seconds(60)) { $0 != nil }
        return answer.withLock { $0 }
    }

    @Test func `Work runs on a thread of its own, which leaves signals to others when it is told to`() {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        #expect(blocksInterrupt(takingSignals: false) == true)
        #expect(blocksInterrupt(takingSignals: true) == (sigismember(&before, SIGINT) == 1))
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        #expect(sigismember(&after, SIGINT) == sigismember(&before, SIGINT))
    }

    @Test func `A thread that the host refuses is told with the reason, and its work is let go`() {
        var owner: Owner? = Owner()
        weak let left = owner
        let refusal = HostThread.start(stackBytes: 1 << 60) { [owner] in owner?.use() }
        owner = nil
        #expect(refusal?.isEmpty == false)
        #expect(left == nil)
    }

    private final class Owner: Sendable {
        func use() {}
    }
}
