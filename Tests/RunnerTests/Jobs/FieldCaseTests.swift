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

    @Test(
        arguments: [
            ("a r1 0 2, b r1 2 3, c r2 0 9", nil), ("a r1 0 2, b r2 1 3, c r1 1.9 4", "a c"),
            ("a r1 5 6, b r1 0 1, c r1 0.5 5.5", "a c"), ("a r1 0 9, b r1 3 4", "a b"),
        ] as [(String, String?)]
    )
    func `Schedules in any order, touching or nested, are told apart (S18)`(text: String, pair: String?) {
        let entries = text.split(separator: ",").map { item in
            let words = item.split(separator: " ").map(String.init)
            return ScheduleEntry(
                scenario: words[0],
                reader: words[1],
                start: Double(words[2]) ?? 0,
                end: Double(words[3]) ?? 0
            )
        }
        #expect(ScheduleEntry.overlap(in: entries)?.joined(separator: " ") == pair)
    }

    @Test(
        arguments: [("AAABBB", nil), ("ABA", 2), ("AABCCBB", 4), ("ABBBBA", 2), ("ABCD", nil)]
            as [(String, Int?)]
    )
    func `Logs of two and more clients are told apart (S17)`(clients: String, place: Int?) {
        let entries = clients.map { WireEntry(who: String($0), command: "00B0000001") }
        #expect(WireEntry.violation(in: entries) == place)
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
