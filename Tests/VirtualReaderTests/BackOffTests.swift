// SPDX-License-Identifier: MIT

import Testing

@testable import VirtualReader

@Suite("Back-off between two dials")
struct BackOffTests {
    @Test("starts at 100 ms or less, grows, and never passes 2 s")
    func grows() {
        var backOff = BackOff()
        let waits = (0..<12).map { _ in backOff.next() }
        #expect(waits[0] <= .milliseconds(100))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.max() == BackOff.longest)
        #expect(BackOff.longest <= .seconds(2))
        backOff.reset()
        #expect(backOff.next() == BackOff.first)
    }
}
