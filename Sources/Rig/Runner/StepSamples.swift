// SPDX-License-Identifier: MIT

import RunRecord
import Scenario
import Trace

/// The times of a repeated step, of which its `stats` speak.
struct StepSamples {
    let statistics: StepStatistics
    private var series = DurationSeries()
    private var count = 0

    init(_ statistics: StepStatistics) {
        self.statistics = statistics
    }

    /// Adds a repetition; those of the warm-up only count.
    mutating func add(_ observation: Observation) {
        count += 1
        guard count > statistics.warmup else { return }
        var time = observation.exchanges.isEmpty ? observation.total : .zero
        for exchange in observation.exchanges { time += exchange.duration }
        series.add(nanoseconds: time.nanoseconds)
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
            try statistics.judge(in: scope) { figures[$0] ?? .zero }
        }
        record.assertions += judgement.assertions
        let list = StepStatistics.text { figures[$0] ?? .zero }
        record.detail = "\(statistics.samples) samples: \(list)"
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
