// SPDX-License-Identifier: MIT

import CardConnection
import Testing

@testable import DevKit

/// What is wanted of a LED: which words go together, and what each of them adds.
@Suite struct LEDExpectationTests {
    private let clock = ModelClock()
    private var judge: LEDJudge { LEDJudge(clock: clock) }

    /// A LED that changes at the given times, in milliseconds.
    private func led(_ first: LEDState, changingAt times: [Int] = []) -> () -> LEDLook {
        let clock = clock
        return {
            let passed = times.count { .milliseconds($0) <= clock.now }
            return LEDLook(passed.isMultiple(of: 2) ? first : first.other)
        }
    }

    @Test func `A change that must last is judged for both`() throws {
        let wanted = LEDExpectation(was: .dark, is: .lit, for: .milliseconds(500))
        let verdict = try judge.watch(wanted, look: led(.dark, changingAt: [25]))
        #expect(verdict.holds, "\(verdict.text)")
        #expect(verdict.firstNew?.time == .milliseconds(28))
        #expect(
            verdict.text.contains("turned lit between 24.5 ms and 28.0 ms; the LED stayed lit for 500.0 ms")
        )
        // The time counts from the change.
        #expect(clock.now == .milliseconds(528))
    }

    @Test func `A LED that was there all along has not changed, whatever it does afterwards`() throws {
        let wanted = LEDExpectation(was: .lit, is: .dark, for: .milliseconds(100))
        let verdict = try judge.watch(wanted, look: led(.dark))
        #expect(!verdict.holds)
        #expect(verdict.text == "the LED was dark from the first look on, so a change from lit was not seen")
    }

    @Test func `A change that does not last is told with how long it did`() throws {
        let wanted = LEDExpectation(was: .dark, is: .lit, for: .milliseconds(500))
        let verdict = try judge.watch(wanted, look: led(.dark, changingAt: [25, 300]))
        #expect(!verdict.holds)
        #expect(
            verdict.text.contains(
                "turned lit between 24.5 ms and 28.0 ms, but then the LED was dark after 28"
            )
        )
        #expect(verdict.lastSeen == .dark)
    }

    @Test func `Beside within a state may come first and then has to stay`() throws {
        let wanted = LEDExpectation(is: .lit, within: .milliseconds(200), for: .milliseconds(300))
        #expect(try judge.watch(wanted, look: led(.dark, changingAt: [100])).holds)
        let late = try LEDJudge(clock: ModelClock()).watch(wanted) { LEDLook(.dark) }
        #expect(late.text == "the LED stayed dark for 200.0 ms, expected lit")
        // Without it, the state has to be there already.
        let now = LEDExpectation(is: .lit, for: .milliseconds(300))
        #expect(try !LEDJudge(clock: ModelClock()).watch(now) { LEDLook(.dark) }.holds)
    }

    @Test(arguments: [
        (LEDExpectation(), "is"), (LEDExpectation(was: .dark), "is"),
        (LEDExpectation(within: .seconds(1)), "is"),
        (LEDExpectation(for: .seconds(1)), "is"),
        (LEDExpectation(is: .lit, within: .milliseconds(19)), "within"),
        (LEDExpectation(is: .lit, for: .milliseconds(59)), "for"),
        (LEDExpectation(was: .dark, is: .lit, for: .zero), "for"),
        (LEDExpectation(is: .lit, blink: .seconds(1)), "blink"),
        (LEDExpectation(was: .lit, blink: .seconds(1)), "blink"),
        (LEDExpectation(within: .seconds(1), blink: .milliseconds(500)), "blink"),
        (LEDExpectation(blink: .milliseconds(1)), "blink"),
    ])
    func `Words that do not go together are named`(wanted: LEDExpectation, part: String) {
        #expect(wanted.objection { "--\($0)" }?.part == part)
    }

    @Test func `The advice for a LED that blinks is not to say a state`() {
        let wanted = LEDExpectation(within: .seconds(1), blink: .milliseconds(500))
        let text = wanted.objection { "--\($0)" }?.text ?? ""
        #expect(text.contains("leave --within out") && !text.contains("--is"))
        #expect(LEDExpectation(is: .lit, within: .milliseconds(60), for: .seconds(1)).objection { $0 } == nil)
        #expect(LEDExpectation(for: .seconds(1), blink: .milliseconds(500)).objection { $0 } == nil)
    }
}
