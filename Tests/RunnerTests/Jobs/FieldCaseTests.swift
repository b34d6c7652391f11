// SPDX-License-Identifier: MIT

import JSONText
import Testing

/// The checkers themselves, on good and bad logs of the field.
@Suite struct SharingCheckTests {
    @Test func `Schedules with an overlap on a reader are told from those without (S18)`() throws {
        let folder = "S18-eight-scenarios-two-readers-run-in"
        let expect = try JobsFixture.json("\(folder)/expect.json")
        let good = ScheduleEntry.all(in: try JobsFixture.json("\(folder)/schedule-ok.json"))
        let bad = ScheduleEntry.all(in: try JobsFixture.json("\(folder)/schedule-bad.json"))
        #expect(good.count == 8)
        #expect(ScheduleEntry.overlap(in: good) == nil)
        let wanted = expect["schedule-bad.json"]?["overlap"]?.array?.compactMap(\.string)
        #expect(wanted != nil)
        #expect(ScheduleEntry.overlap(in: bad) == wanted)
    }

    @Test func `A command between those of another scenario is found on the wire (S17)`() throws {
        let folder = "S17-two-processes-share-one-reader"
        let expect = try JobsFixture.json("\(folder)/expect.json")
        let good = WireEntry.all(in: try JobsFixture.json("\(folder)/wire-good.json"))
        let bad = WireEntry.all(in: try JobsFixture.json("\(folder)/wire-bad.json"))
        #expect(good.count == 8)
        #expect(WireEntry.violation(in: good) == nil)
        let wanted = expect["wire-bad.json"]?["violation_at"]?.integer
        #expect(wanted != nil)
        #expect(WireEntry.violation(in: bad) == wanted)
    }
}
