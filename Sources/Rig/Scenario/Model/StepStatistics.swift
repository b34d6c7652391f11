// SPDX-License-Identifier: MIT

/// A figure of a series of times.
public enum StatisticsFigure: String, Hashable, Sendable, CaseIterable {
    case min
    case p50
    case p90
    case p95
    case p99
    case max
    case mean

    /// The percentile, by nearest rank; nil for figures that are none.
    public var percent: Double? {
        switch self {
        case .p50: 50
        case .p90: 90
        case .p95: 95
        case .p99: 99
        case .min, .max, .mean: nil
        }
    }
}

/// What must hold of the times of a repeated step: `stats: {p95: "<40ms", samples: 50, warmup: 1}`.
///
/// A sample is the time of all exchanges of one repetition; of a verb that exchanges nothing, its whole time.
public struct StepStatistics: Hashable, Sendable {
    /// A figure and what must hold of it.
    struct Demand: Hashable, Sendable {
        let figure: StatisticsFigure
        let check: ValueCheck
        let position: SourcePosition
    }

    /// Where it stands.
    public let position: SourcePosition
    /// Repetitions that count.
    public let samples: Int
    /// Repetitions before them that do not count.
    public let warmup: Int
    /// What must hold, in the order of the file.
    let demands: [Demand]

    /// The variables that it refers to, each with its place.
    var references: [(name: String, position: SourcePosition)] { demands.flatMap(\.check.references) }

    /// All figures in one line.
    public static func text(of value: (StatisticsFigure) -> Duration) -> String {
        StatisticsFigure.allCases.map { "\($0.rawValue) \(DurationText.text(value($0)))" }
            .joined(separator: ", ")
    }

    /// Judges a series.
    ///
    /// - Parameters:
    ///   - scope: The variables.
    ///   - place: Gives the repetition that a figure comes from, counted from 1 with the warm-up; nil where it comes
    ///     from no single one.
    ///   - value: Gives each figure of the samples, the warm-up left out.
    /// - Returns: What did not hold, and how much was looked at.
    /// - Throws: ``ScenarioMistake`` when a variable has no value.
    public func judge(
        in scope: Scope,
        place: (StatisticsFigure) -> Int? = { _ in nil },
        _ value: (StatisticsFigure) -> Duration
    ) throws(ScenarioMistake) -> Judgement {
        var out = Judgement()
        for demand in demands {
            out.assertions += 1
            let time = value(demand.figure)
            guard try !demand.check.holds(.duration(time), at: demand.position, in: scope) else { continue }
            let wanted = demand.check.text(in: scope)
            let name = demand.figure.rawValue
            let count = samples + warmup
            let took =
                DurationText.text(time)
                + (place(demand.figure).map { " (repetition \($0) of \(count))" } ?? "")
            out.mismatches.append(
                Mismatch(
                    .timingExceeded,
                    "expected \(name) \(wanted) of \(samples) samples, took \(took)",
                    expected: "\(name) \(wanted)",
                    received: "\(name) \(took)",
                    // All figures once, however many of them did not hold.
                    decoded: out.mismatches.isEmpty ? [Self.text(of: value)] : [],
                    at: demand.position
                )
            )
        }
        return out
    }
}
