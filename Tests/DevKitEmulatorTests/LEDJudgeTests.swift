// SPDX-License-Identifier: MIT

import CardConnection
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("LED judge")
struct LEDJudgeTests {
    private let clock = ModelClock()

    /// A LED that changes at the given times, in milliseconds.
    private func led(_ first: LEDState, changingAt times: [Int] = []) -> () -> LEDState {
        let clock = clock
        return {
            let passed = times.count { .milliseconds($0) <= clock.now }
            return passed.isMultiple(of: 2) ? first : first.other
        }
    }

    @Test("tells when the LED changed")
    func change() throws {
        let verdict = try LEDJudge(clock: clock).judge(
            was: .dark,
            is: .lit,
            sample: led(.dark, changingAt: [25])
        )
        #expect(verdict.holds)
        #expect(verdict.lastOld == LEDSample(.dark, at: .milliseconds(20)))
        #expect(verdict.firstNew == LEDSample(.lit, at: .milliseconds(40)))
        #expect(verdict.text == "the LED turned lit between 20.0 ms and 40.0 ms")
        #expect(verdict.sampleCount == 6)
        #expect(clock.now == .milliseconds(60))
    }

    @Test("says what did not happen")
    func noChange() throws {
        let judge = LEDJudge(clock: clock)
        let verdict = try judge.judge(
            was: .dark,
            is: .lit,
            within: .seconds(1),
            after: "the button was pressed",
            sample: led(.dark)
        )
        #expect(!verdict.holds)
        #expect(verdict.text == "the LED stayed dark for 1.0 s after the button was pressed, expected lit")
        #expect(verdict.lastOld?.state == .dark)
        #expect(verdict.firstNew == nil)
    }

    @Test("a change after the limit is too late")
    func tooLate() throws {
        let verdict = try LEDJudge(clock: clock).judge(
            is: .lit,
            within: .milliseconds(500),
            sample: led(.dark, changingAt: [600])
        )
        #expect(verdict.text == "the LED stayed dark for 500.0 ms, expected lit")
        #expect(clock.now < .milliseconds(530))
    }

    @Test("a blinking LED does not hold, and a fast one never comes to rest", arguments: [5, 10, 13, 20, 40])
    func blinking(period: Int) throws {
        let times = Array(stride(from: period, to: 3000, by: period))
        let judge = LEDJudge(clock: clock)
        let lit = try judge.judge(is: .lit, sample: led(.dark, changingAt: times))
        // Three looks span at least 20 ms; a LED that changes more slowly than every 10 ms can agree by chance.
        if period <= 10 { #expect(!lit.holds, "\(lit.text)") }
        let hold = try judge.judgeHold(is: .dark, for: .seconds(1), sample: led(.dark, changingAt: times))
        #expect(!hold.holds)
    }

    @Test("a change that was not seen is no change")
    func unseenChange() throws {
        let judge = LEDJudge(clock: clock)
        let verdict = try judge.judge(was: .dark, is: .lit, sample: led(.lit))
        #expect(!verdict.holds)
        #expect(verdict.text == "the LED was lit from the first look on, so a change from dark was not seen")
        let seenBefore = try judge.judge(
            was: .dark,
            is: .lit,
            before: LEDSample(.dark, at: .zero),
            sample: led(.lit)
        )
        #expect(seenBefore.holds)
        let wrongBefore = try judge.judge(
            was: .dark,
            is: .lit,
            before: LEDSample(.lit, at: .zero),
            sample: led(.lit)
        )
        #expect(wrongBefore.text == "the LED was lit before, expected a change from dark")
        #expect(try judge.judge(is: .lit, sample: led(.lit)).holds)
    }

    @Test("a LED that keeps its state holds, one that changes does not")
    func hold() throws {
        let judge = LEDJudge(clock: clock)
        let holds = try judge.judgeHold(is: .dark, for: .seconds(2), sample: led(.dark))
        #expect(holds.holds)
        #expect(holds.text.hasPrefix("the LED stayed dark for 2.0 s ("))
        #expect(clock.now == .seconds(2))
        let broken = try judge.judgeHold(is: .dark, for: .seconds(2), sample: led(.dark, changingAt: [2990]))
        #expect(!broken.holds)
        #expect(broken.firstNew?.state == .lit)
        let wrong = try judge.judgeHold(is: .dark, for: .seconds(1), sample: led(.lit))
        #expect(wrong.text == "the LED was lit from the first look on, expected dark for 1.0 s")
    }

    @Test(
        "series of samples get the verdicts that they deserve",
        arguments: [
            ([0, 0, 0, 1, 1, 1, 1], 5), ([0, 1, 0, 1, 1, 0, 1, 1, 1], 8),
            ([Int](repeating: 0, count: 50), nil),
            ([0, 0, 1, 0, 0, 0], nil),
        ] as [([Int], Int?)]
    )
    func series(samples: [Int], index: Int?) throws {
        let judge = LEDJudge(clock: clock, gaps: [.milliseconds(20)])
        var next = 0
        let verdict = try judge.judge(is: .lit) {
            defer { next += 1 }
            return next < samples.count && samples[next] == 1 ? .lit : .dark
        }
        #expect(verdict.holds == (index != nil))
        if let index { #expect(verdict.sampleCount == index + 1) }
    }

    @Test("a probe that fails is a fault, not a verdict")
    func probeFault() {
        let fault = TransportFault(.probe, "the probe was unplugged")
        #expect(throws: fault) {
            try LEDJudge(clock: clock).judge(is: .lit) { () throws(TransportFault) in throw fault }
        }
    }

    @Test("sees the emulated kit's LED follow the button")
    func onKit() throws {
        let bench = try KitBench()
        let judge = LEDJudge(clock: bench.clock)
        for (byte, was) in [("01", LEDState.dark), ("00", LEDState.lit)] {
            try bench.fieldOn()
            #expect(try bench.write(byte, to: "E1A1") == "9000")
            bench.fieldOff()
            bench.kit.pressButton()
            let verdict = try judge.judge(was: was, is: was.other) { bench.kit.led() }
            #expect(verdict.holds, "\(verdict.text)")
        }
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        bench.kit.pressButton()
        #expect(try judge.judgeHold(is: .dark, for: .seconds(2)) { bench.kit.led() }.holds)
    }
}
