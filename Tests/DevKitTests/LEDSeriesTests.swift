// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import Testing

@testable import DevKit

/// Field case S43: when a series of looks makes a verdict.
@Suite struct LEDSeriesTests {
    struct Series: Sendable, CustomTestStringConvertible {
        let folder: String
        let name: String
        let samples: [Int]
        let deciding: Int?
        let period: Int
        let stable: Int
        let limit: Int
        let expected: Int

        var testDescription: String { "\(folder): \(name)" }

        static func all() throws -> [Series] {
            let root = try #require(Bundle.module.resourceURL)
            return try ["S43", "S43-fast", "S43-other-way"].flatMap { folder -> [Series] in
                func json(_ name: String) throws -> JSON {
                    let url = root.appendingPathComponent("Fixtures/\(folder)/\(name).json")
                    return try JSON(parsing: String(contentsOf: url, encoding: .utf8))
                }
                let expect = try json("expect")
                func number(_ key: String) throws -> Int { try #require(expect[key]?.integer) }
                return try #require(try json("samples").members).map { member in
                    let verdict = try #require(expect["verdicts"]?[member.key])
                    return Series(
                        folder: folder,
                        name: member.key,
                        samples: try #require(member.value.array).compactMap(\.integer),
                        deciding: verdict["ok"]?.boolean == true
                            ? try #require(verdict["at_index"]?.integer) : nil,
                        period: try number("period_ms"),
                        stable: try number("stable"),
                        limit: try number("limit_ms"),
                        expected: try number("expected")
                    )
                }
            }
        }
    }

    @Test(arguments: try Series.all())
    func `A series gets the verdict that it deserves, at the look that decides`(series: Series) throws {
        let judge = LEDJudge(
            clock: ModelClock(),
            steadyCount: series.stable,
            gaps: [.milliseconds(series.period)],
            spread: []
        )
        // Lit low: the pin's level is the other one, which the board's profile turns round.
        let led = BoardProfile.prototypingBoard.led
        var next = 0
        let verdict = try judge.judge(
            is: series.expected == 1 ? .lit : .dark,
            within: .milliseconds(series.limit)
        ) {
            defer { next += 1 }
            let isLit = series.samples[min(next, series.samples.count - 1)] == 1
            return led.state(output: isLit ? 0 : led.pin.mask)
        }
        #expect(verdict.holds == (series.deciding != nil), "\(verdict.text)")
        if let deciding = series.deciding { #expect(next == deciding + 1) }
    }
}
