// SPDX-License-Identifier: MIT

import HostSystem
import Testing

@Suite("Times of the host")
struct WallTimeTests {
    @Test(
        "a moment is written in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z", "19700101T000000Z"),
            (1_796_026_502_011, "2026-11-30T08:15:02.011Z", "20261130T081502Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z", "20000229T000000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z", "21000228T235959Z"),
            (-1, "1969-12-31T23:59:59.999Z", "19691231T235959Z"),
            (-1000, "1969-12-31T23:59:59.000Z", "19691231T235959Z"),
        ] as [(Int64, String, String)]
    )
    func formats(_ milliseconds: Int64, _ iso: String, _ compact: String) {
        let time = WallTime(milliseconds: milliseconds)
        #expect(time.iso == iso)
        #expect(time.compact == compact)
        #expect(time.day == String(iso.prefix(10)))
    }

    @Test("a duration is added to the millisecond")
    func advanced() {
        let start = WallTime(milliseconds: 1_000)
        #expect(start.advanced(by: .milliseconds(1)).milliseconds == 1_001)
        #expect(start.advanced(by: .microseconds(2_999)).milliseconds == 1_002)
        #expect(start.advanced(by: .seconds(-2)).milliseconds == -1_000)
        #expect(start.advanced(by: .seconds(86_400)).day == "1970-01-02")
    }

    @Test("the monotonic clock does not go back, and no sleep is asked of it for nothing")
    func monotonic() {
        let first = MonotonicTime.nanoseconds
        MonotonicTime.sleep(.zero)
        MonotonicTime.sleep(.seconds(-5))
        #expect(MonotonicTime.nanoseconds >= first)
        #expect(MonotonicTime.now > .zero)
        #expect(WallTime.now.milliseconds > 1_700_000_000_000)
    }

    @Test("the environment can be asked for one name or all")
    func environment() {
        #expect(HostEnvironment.value("TAPRIG_NO_SUCH_NAME") == nil)
        #expect(HostEnvironment.all["PATH"] == HostEnvironment.value("PATH"))
        #expect(HostEnvironment.value("PATH") != nil)
        #expect(!HostEnvironment.hostName.isEmpty)
    }
}
