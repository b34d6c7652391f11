// SPDX-License-Identifier: MIT

public import JSONText

/// Times per command, as `trace stats` shows them.
public struct ExchangeStatistics: Sendable {
    /// The figures of one command, in microseconds.
    public struct Row: Hashable, Sendable {
        /// Name of the command.
        public let name: String
        /// Number of samples, without the warm-up.
        public let count: Int
        /// The smallest.
        public let minimum: Double
        /// Median.
        public let p50: Double
        /// 90th percentile.
        public let p90: Double
        /// 95th percentile.
        public let p95: Double
        /// 99th percentile.
        public let p99: Double
        /// The largest.
        public let maximum: Double
        /// Number of the largest sample in its series, from 1, the warm-up included.
        public let maximumAt: Int
        /// Numbers of the samples that lie far beyond the rest, in ascending order; at most 20.
        public let outliers: [Int]
        /// The warm-up samples, which no figure contains.
        public let warmup: [Double]
    }

    private struct Series {
        var times = DurationSeries()
        var warmup: [Int64] = []
        /// The largest samples, the largest first.
        var largest: [(time: Int64, sample: Int)] = []
        var samples = 0

        private static let largestCount = 20

        mutating func add(_ nanoseconds: Int64, warmup count: Int) {
            samples += 1
            guard samples > count else {
                warmup.append(nanoseconds)
                return
            }
            times.add(nanoseconds: nanoseconds)
            if largest.count == Self.largestCount, let last = largest.last, last.time >= nanoseconds {
                return
            }
            let place = largest.firstIndex { $0.time < nanoseconds } ?? largest.count
            largest.insert((nanoseconds, samples), at: place)
            if largest.count > Self.largestCount { largest.removeLast() }
        }
    }

    private let warmupCount: Int
    private var order: [String] = []
    private var series: [String: Series] = [:]

    /// Makes empty statistics.
    ///
    /// - Parameter warmup: So many first samples of each command are kept apart.
    public init(warmup: Int = 0) {
        warmupCount = max(warmup, 0)
    }

    /// Adds an exchange of a trace; one without a time is left out.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - namer: The device's own name of a command, for a line that tells none; nil leaves it to the standard.
    public mutating func add(
        _ exchange: TraceExchange,
        namer: (_ command: [UInt8]) -> String? = { _ in nil }
    ) {
        guard let microseconds = exchange.microseconds, exchange.response != nil else { return }
        let known = exchange.name.isEmpty ? namer(exchange.command.bytes) : exchange.name
        let name =
            known ?? CommandNames.name(of: exchange.command.bytes) ?? Self.header(exchange.command.bytes)
        add(name: name, microseconds: microseconds)
    }

    /// Adds a sample.
    public mutating func add(name: String, microseconds: Double) {
        guard microseconds.isFinite else { return }
        let nanoseconds = Int64(min(max(microseconds * 1000, 0), 9e18).rounded())
        if series[name] == nil { order.append(name) }
        series[name, default: Series()].add(nanoseconds, warmup: warmupCount)
    }

    /// The figures, in the order in which the commands came first.
    public var rows: [Row] {
        order.compactMap { name in series[name].map { Self.row(name, $0) } }
    }

    /// The document of `trace stats --json`.
    public var json: JSON {
        let commands = rows.map { row in
            JSON.object([
                "name": .string(row.name), "count": .integer(row.count), "min_us": .number(row.minimum),
                "p50_us": .number(row.p50), "p90_us": .number(row.p90), "p95_us": .number(row.p95),
                "p99_us": .number(row.p99), "max_us": .number(row.maximum), "max_at": .integer(row.maximumAt),
                "outliers": .array(row.outliers.map { .integer($0) }),
                "warmup_us": row.warmup.isEmpty ? nil : .array(row.warmup.map { .number($0) }),
            ])
        }
        return .object(["commands": .array(commands)])
    }

    /// The table for people, in milliseconds.
    public var table: String {
        let rows = rows
        guard !rows.isEmpty else { return "no exchange with a time\n" }
        var lines = [["command", "count", "min ms", "p50 ms", "p95 ms", "p99 ms", "max ms", "outliers"]]
        for row in rows {
            let times = [row.minimum, row.p50, row.p95, row.p99, row.maximum].map(DecimalText.milliseconds)
            let outliers = row.outliers.map { "#\($0)" }.joined(separator: " ")
            lines.append([row.name, String(row.count)] + times + [outliers.isEmpty ? "-" : outliers])
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let text = lines.map { cells in
            cells.enumerated().map { index, cell in
                let space = String(repeating: " ", count: widths[index] - cell.count)
                if index == cells.count - 1 { return cell }
                return index == 0 ? cell + space : space + cell
            }.joined(separator: "  ")
        }
        return text.joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ series: Series) -> Row {
        var times = series.times
        func microseconds(_ value: Int64?) -> Double { Double(value ?? 0) / 1000 }
        let median = times.percentile(50) ?? 0
        let quartiles = (times.percentile(25) ?? 0, times.percentile(75) ?? 0)
        // Far out by Tukey's outer fence, and at least twice the median, so that a quiet series has none.
        let fence = max(2 * Double(median), Double(quartiles.1) + 3 * Double(quartiles.1 - quartiles.0))
        let outliers = series.largest.filter { Double($0.time) > fence }.map(\.sample).sorted()
        return Row(
            name: name,
            count: times.count,
            minimum: microseconds(times.minimum),
            p50: microseconds(median),
            p90: microseconds(times.percentile(90)),
            p95: microseconds(times.percentile(95)),
            p99: microseconds(times.percentile(99)),
            maximum: microseconds(times.maximum),
            maximumAt: series.largest.first?.sample ?? 0,
            outliers: outliers,
            warmup: series.warmup.map { microseconds($0) }
        )
    }

    private static func header(_ command: [UInt8]) -> String {
        TracedBytes(Array(command.prefix(2))).text
    }
}
