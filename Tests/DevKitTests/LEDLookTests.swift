// SPDX-License-Identifier: MIT

import CardConnection
import Testing

@testable import DevKit

/// The judge, given looks of several samples, doubts, and LEDs that blink.
@Suite struct LEDLookTests {
    private let clock = ModelClock()
    private var judge: LEDJudge { LEDJudge(clock: clock) }

    private func blinking(every period: Duration) -> () -> LEDLook {
        let clock = clock
        return { LEDLook(clock.now * 2 / period.scaled % 2 == 0 ? .lit : .dark) }
    }

    @Test func `A look whose samples differ agrees with nothing`() throws {
        let mixed = LEDLook(samples: [.lit, .dark, .lit])
        let verdict = try judge.watch(is: .lit) { mixed }
        #expect(!verdict.holds)
        #expect(verdict.text.hasPrefix("the LED was not steadily lit within 1.0 s; it changed "))
        #expect(try !judge.watchHold(is: .lit, for: .milliseconds(100)) { mixed }.holds)
    }

    @Test func `A pin that is not set up yet counts for neither state until the firmware runs`() throws {
        let clock = clock
        let verdict = try judge.watch(is: .lit) {
            clock.now < .milliseconds(300)
                ? LEDLook(samples: [.dark], doubt: "the pin is not driven") : LEDLook(.lit)
        }
        #expect(verdict.holds)
        #expect((verdict.firstNew?.time ?? .zero) >= .milliseconds(300))
        #expect(verdict.lastOld == nil)
    }

    @Test func `Doubt that stays is no verdict, whichever state was wanted`() {
        let look = LEDLook(samples: [.dark], doubt: "the pin is not driven")
        let fault = TransportFault(.probe, "cannot judge the LED: the pin is not driven")
        #expect(throws: fault) { try judge.watch(is: .dark) { look } }
        #expect(throws: fault) { try judge.watchHold(is: .dark, for: .seconds(1)) { look } }
        #expect(throws: fault) { try judge.watchBlinking(period: .milliseconds(100)) { look } }
    }

    @Test(arguments: [100, 500, 1000])
    func `A LED that blinks has a period`(milliseconds: Int) throws {
        let period = Duration.milliseconds(milliseconds)
        let verdict = try judge.watchBlinking(period: period, look: blinking(every: period))
        #expect(verdict.holds, "\(verdict.text)")
        let measured = try #require(verdict.period)
        #expect(measured > period * 95 / 100 && measured < period * 105 / 100)
    }

    @Test func `A LED that blinks at another rate, or not at all, is told with what was seen`() throws {
        let fast = try judge.watchBlinking(
            period: .milliseconds(500),
            look: blinking(every: .milliseconds(250))
        )
        #expect(!fast.holds)
        #expect(fast.text.contains("expected to blink every 500.0 ms, 20 % off at most"))
        let still = try judge.watchBlinking(period: .milliseconds(500)) { LEDLook(.lit) }
        #expect(
            still.text == "the LED lit 0 times in 1.8 s, it is lit now; expected to blink every 500.0 ms"
        )
        #expect(still.period == nil)
    }
}

extension Duration {
    /// Nanoseconds, for the arithmetic of a model.
    fileprivate var scaled: Int { Int(self / .nanoseconds(1)) }
}

private func * (duration: Duration, factor: Int) -> Int { duration.scaled * factor }
