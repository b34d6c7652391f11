// SPDX-License-Identifier: MIT

import JSONText
import Testing

@testable import Trace

@Suite("Exchange statistics")
struct StatisticsTests {
    @Test("has the figures of field case S40")
    func fieldCase() throws {
        let expectation = try Fixture.json("s40-expect.json")
        let samples = try Fixture.json("s40-ms.json").array?.compactMap(\.double) ?? []
        var statistics = ExchangeStatistics(warmup: try #require(expectation["warmup"]?.integer))
        for sample in samples { statistics.add(name: "SELECT", microseconds: sample * 1000) }
        let row = try #require(statistics.rows.first)
        #expect(row.count == expectation["n"]?.integer)
        #expect(row.minimum / 1000 == expectation["min"]?.double)
        #expect(row.p50 / 1000 == expectation["p50"]?.double)
        #expect(row.p90 / 1000 == expectation["p90"]?.double)
        #expect(row.p95 / 1000 == expectation["p95"]?.double)
        #expect(row.maximum / 1000 == expectation["max"]?.double)
        #expect(row.maximumAt == expectation["max_at_sample"]?.integer)
        #expect(row.outliers == [8])
        #expect(row.warmup == [480_200])
    }

    @Test(
        "uses the nearest rank, whatever the count",
        arguments: [
            (1, 50.0, 1), (2, 50, 1), (100, 7, 7), (100, 99, 99), (19, 95, 19), (20, 95, 19), (10, 100, 10),
        ]
    )
    func nearestRank(count: Int, percent: Double, value: Int64) {
        var series = DurationSeries()
        for sample in (1...Int64(count)).reversed() { series.add(nanoseconds: sample) }
        let found = series.percentile(percent)
        #expect(found == value)
    }

    @Test("stays within 1 % beyond the exact values")
    func histogram() throws {
        var series = DurationSeries()
        let count = 3 * DurationSeries.exactLimit
        for sample in 1...count { series.add(nanoseconds: Int64(sample) * 997) }
        for percent in [1.0, 25, 50, 90, 95, 99, 99.9] {
            let exact = (percent * Double(count) / 100).rounded(.up) * 997
            let found = series.percentile(percent)
            let value = Double(try #require(found))
            #expect(abs(value - exact) / exact < 0.01)
        }
        let largest = series.percentile(100)
        #expect(largest == Int64(count) * 997)
        #expect(series.maximum == Int64(count) * 997)
        #expect(series.count == count)
    }

    @Test("takes the extremes")
    func extremes() {
        var series = DurationSeries()
        let nothing = series.percentile(50)
        #expect(nothing == nil)
        for _ in 0...DurationSeries.exactLimit { series.add(nanoseconds: .max) }
        series.add(nanoseconds: -5)
        let median = series.percentile(50)
        #expect(median == .max)
        #expect(series.minimum == 0)
    }

    @Test("names commands, leaves out faults, and finds no outlier in a quiet series")
    func rows() throws {
        var statistics = ExchangeStatistics()
        for number in 1...50 {
            var exchange = TraceExchange(
                number: number,
                command: TracedBytes([0, 0xB0, 0, 0, 2]),
                outcome: .response(TracedBytes([0x90, 0]))
            )
            exchange.microseconds = number == 8 ? 90 : 10 + Double(number % 3)
            statistics.add(exchange)
        }
        var lost = TraceExchange(
            number: 51,
            command: TracedBytes([0x80, 1, 0, 0]),
            outcome: .fault("timeout", detail: "")
        )
        lost.microseconds = 5e6
        statistics.add(lost)
        var odd = TraceExchange(
            number: 52,
            command: TracedBytes([0x80, 1, 0, 0]),
            outcome: .response(TracedBytes([0x90, 0]))
        )
        odd.microseconds = 1
        statistics.add(odd)
        let commands = try #require(statistics.json["commands"]?.array)
        #expect(commands.map { $0["name"]?.string } == ["READ BINARY", "8001"])
        #expect(commands[0]["count"] == 50)
        #expect(commands[0]["outliers"] == [8])
        #expect(commands[1]["outliers"] == [])
        #expect(commands[0]["p50_us"]?.double == 11)
        #expect(
            statistics.table == """
                command      count  min ms  p50 ms  p95 ms  p99 ms  max ms  outliers
                READ BINARY     50   0.010   0.011   0.012   0.090   0.090  #8
                8001             1   0.001   0.001   0.001   0.001   0.001  -

                """
        )
    }
}
