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
        // While it is dark it is looked at every 3.5 ms.
        #expect(verdict.lastOld == LEDSample(.dark, at: .microseconds(24_500)))
        #expect(verdict.firstNew == LEDSample(.lit, at: .microseconds(28_000)))
        #expect(verdict.text == "the LED turned lit between 24.5 ms and 28.0 ms")
        #expect(verdict.sampleCount == 8 + 12)
        #expect(clock.now == .microseconds(28_000 + 45_900))
        #expect(verdict.lastSeen == .lit)
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

    /// Half periods of 2 ms to 38 ms, and how long each look takes.
    static let rates: [(half: Duration, cost: Duration)] = [0, 100, 300, 1000, 2000].flatMap { cost in
        stride(from: 2000, through: 38_000, by: 250).map { (.microseconds($0), .microseconds(cost)) }
    }

    @Test("a blinking LED never comes to rest, at whatever moment the looks begin", arguments: rates)
    func blinking(half: Duration, cost: Duration) throws {
        // Enough moments that the shortest stretch without a look is met.
        let moments = 200
        for moment in 0..<moments {
            let clock = ModelClock()
            let judge = LEDJudge(clock: clock)
            let shift = half * 2 * moment / moments
            // As long as one series takes: a second one would begin at another of these moments.
            let verdict = try judge.judge(is: .lit, within: .milliseconds(75)) {
                clock.wait(cost)
                return Int((clock.now + shift) / half).isMultiple(of: 2) ? .lit : .dark
            }
            #expect(!verdict.holds, "begun at \(shift): \(verdict.text)")
            if verdict.holds { return }
        }
    }

    @Test(
        "a blinking LED holds nothing for two seconds",
        arguments: [2, 3, 5, 7, 9, 10, 11, 13, 20, 32, 40, 64, 100, 128, 640]
    )
    func blinkingHold(half: Int) throws {
        for moment in 0..<100 {
            let clock = ModelClock()
            let shift = Duration.milliseconds(half * 2) * moment / 100
            let hold = try LEDJudge(clock: clock).judgeHold(is: .dark, for: .seconds(2)) {
                Int((clock.now + shift) / .milliseconds(half)).isMultiple(of: 2) ? .lit : .dark
            }
            #expect(!hold.holds)
        }
    }

    @Test("a state that came in time is seen through after the limit", arguments: [1, 15, 40, 300])
    func inTime(milliseconds: Int) throws {
        let limit = Duration.milliseconds(milliseconds)
        let change = max(0, milliseconds - 10)
        let verdict = try LEDJudge(clock: clock).judge(
            is: .lit,
            within: limit,
            sample: led(.dark, changingAt: [change])
        )
        #expect(verdict.holds, "\(verdict.text)")
        #expect(try #require(verdict.firstNew?.time) <= limit)
        #expect(clock.now > limit)
        // What does not last is no state that it came to.
        let other = ModelClock()
        let flicker = try LEDJudge(clock: other).judge(is: .lit, within: limit) {
            (.milliseconds(change)..<limit + .milliseconds(20)).contains(other.now) ? .lit : .dark
        }
        #expect(!flicker.holds)
    }

    @Test("an eye too slow for the limit is told as such, whatever the LED did")
    func tooSlow() {
        let clock = clock
        let fault = #expect(throws: TransportFault.self) {
            try LEDJudge(clock: clock).judge(is: .dark, within: .milliseconds(100)) {
                clock.wait(.milliseconds(300))
                return .dark
            }
        }
        #expect(
            fault?.description.hasPrefix(
                "cannot judge the LED: it was dark when it could be seen first, 300.0 ms after the start, and "
                    + "100.0 ms were given"
            ) == true
        )
    }

    @Test("a blinking LED neither rests nor holds for the shortest time", arguments: rates)
    func blinkingShortly(half: Duration, cost: Duration) throws {
        for moment in 0..<100 {
            let clock = ModelClock()
            let shift = half * 2 * moment / 100
            let sample = { () -> LEDState in
                clock.wait(cost)
                return Int((clock.now + shift) / half).isMultiple(of: 2) ? .lit : .dark
            }
            let judge = LEDJudge(clock: clock)
            let hold = try judge.judgeHold(is: .dark, for: LEDJudge.shortestLimit, sample: sample)
            #expect(!hold.holds, "begun at \(shift): \(hold.text)")
            #expect(try judge.restingState { LEDLook(sample()) } == nil, "begun at \(shift)")
            if hold.holds { return }
        }
    }

    @Test("a LED that rests is in one state", arguments: LEDState.allCases)
    func resting(state: LEDState) throws {
        #expect(try LEDJudge(clock: clock).restingState { LEDLook(state) } == state)
        #expect(throws: TransportFault.self) {
            try LEDJudge(clock: clock).restingState {
                LEDLook(samples: [state], doubt: "the pin is not driven")
            }
        }
    }

    @Test("a slow eye looks once in a burst, so that a second is enough for it")
    func slowEye() throws {
        let clock = clock
        let verdict = try LEDJudge(clock: clock).judge(is: .lit) {
            clock.wait(.milliseconds(300))
            return .lit
        }
        #expect(verdict.holds)
        #expect(verdict.sampleCount == 3)
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
        let judge = LEDJudge(clock: clock, gaps: [.milliseconds(20)], spread: [])
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
