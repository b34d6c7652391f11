// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import RunRecord

/// Which scenario was on which reader when.
struct ScheduleEntry: Equatable {
    let scenario: String
    let reader: String
    let start: Double
    let end: Double

    /// Two scenarios that held one reader at the same time; nil when there are none.
    static func overlap(in entries: [ScheduleEntry]) -> [String]? {
        for (index, one) in entries.enumerated() {
            for other in entries.dropFirst(index + 1)
            where one.reader == other.reader && one.start < other.end && other.start < one.end {
                return [one.scenario, other.scenario]
            }
        }
        return nil
    }

    /// The entries of a fixture.
    static func all(in document: JSON) -> [ScheduleEntry] {
        (document.array ?? []).map {
            ScheduleEntry(
                scenario: $0["scenario"]?.string ?? "",
                reader: $0["reader"]?.string ?? "",
                start: $0["start"]?.double ?? 0,
                end: $0["end"]?.double ?? 0
            )
        }
    }
}

/// A command that came over one wire, and from whom.
struct WireEntry {
    let who: String
    let command: String

    /// The number, from 1, of the first command that came between two of another client's scenario; nil when none did.
    ///
    /// A client's scenario lasts from its first to its last command.
    static func violation(in entries: [WireEntry]) -> Int? {
        entries.indices.first { index in
            let others = Set(entries[..<index].map(\.who)).subtracting([entries[index].who])
            return entries[index...].contains { others.contains($0.who) }
        }.map { $0 + 1 }
    }

    /// The entries of a fixture.
    static func all(in document: JSON) -> [WireEntry] {
        (document.array ?? []).map {
            WireEntry(who: $0["who"]?.string ?? "", command: $0["c"]?.string ?? "")
        }
    }
}

/// A field case among the fixtures.
enum JobsFixture {
    static func json(_ path: String) throws -> JSON {
        let folder = Bundle.module.resourceURL?.appendingPathComponent("Fixtures").path ?? ""
        return try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)"))))
    }
}
