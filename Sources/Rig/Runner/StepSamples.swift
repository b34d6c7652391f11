// SPDX-License-Identifier: MIT

import RunRecord
import Scenario
import Trace

/// The times of a repeated step, of which its `stats` speak.
struct StepSamples {
    let statistics: StepStatistics
    private var series = DurationSeries()
    private var count = 0
    /// The first times of the warm-up.
    private var warmup: [Duration] = []
    /// The repetitions that had the shortest and the longest time, counted from 1 with the warm-up.
    private var places: [StatisticsFigure: Int] = [:]

    private static let shownWarmup = 3

    init(_ statistics: StepStatistics) {
        self.statistics = statistics
    }

    /// Adds a repetition; those of the warm-up are kept apart.
    mutating func add(_ observation: Observation) {
        count += 1
        var time = observation.exchanges.isEmpty ? observation.duration : .zero
        for exchange in observation.exchanges { time += exchange.duration }
        guard count > statistics.warmup else {
            if warmup.count < Self.shownWarmup { warmup.append(time) }
            return
        }
        let nanoseconds = time.nanoseconds
        if series.count == 0 || nanoseconds < series.minimum { places[.min] = count }
        if series.count == 0 || nanoseconds > series.maximum { places[.max] = count }
        series.add(nanoseconds: nanoseconds)
    }

    /// The repetition that a figure comes from; nil where it comes from no single one.
    func place(of figure: StatisticsFigure) -> Int? { places[figure] }

    /// The times of the warm-up in words; empty without one.
    var warmupText: String {
        guard !warmup.isEmpty else { return "" }
        let times = warmup.map { DurationText.text($0) }.joined(separator: ", ")
        return "; warm-up \(times)" + (statistics.warmup > warmup.count ? " and more" : "")
    }

    /// The figures of all samples.
    func figures() -> [StatisticsFigure: Duration] {
        var series = series
        var out: [StatisticsFigure: Duration] = [:]
        for figure in StatisticsFigure.allCases {
            let value: Int64
            switch figure {
            case .min: value = series.minimum
            case .max: value = series.maximum
            case .mean: value = series.count == 0 ? 0 : Int64((series.sum / Double(series.count)).rounded())
            default: value = figure.percent.flatMap { series.percentile($0) } ?? 0
            }
            out[figure] = .nanoseconds(value)
        }
        return out
    }
}

extension StepRunner {
    /// Judges the times of all repetitions.
    func judge(_ samples: StepSamples, record: inout StepRecord, scope: Scope) throws {
        let figures = samples.figures()
        let statistics = samples.statistics
        let judgement = try mistakes(record) { () throws(ScenarioMistake) in
            try statistics.judge(in: scope, place: samples.place) { figures[$0] ?? .zero }
        }
        record.assertions += judgement.assertions
        let list = StepStatistics.text { figures[$0] ?? .zero }
        record.detail = "\(statistics.samples) samples: \(list)\(samples.warmupText)"
        if !judgement.mismatches.isEmpty {
            throw StepEnd(problem: .mismatches(judgement.mismatches, record: record))
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
