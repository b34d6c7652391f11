// SPDX-License-Identifier: MIT

import Glibc
import Trace

/// What a page shows of a trace, read in bounded memory.
struct TraceDigest {
    /// Number of columns that a picture of the time has.
    static let columns = 1000

    /// The exchanges of a step: the first and the last ones.
    struct StepExchanges {
        private(set) var head: [TraceExchange] = []
        private(set) var count = 0
        private var ring: [TraceExchange] = []
        private var next = 0

        /// The last ones, in order.
        var tail: [TraceExchange] { Array(ring[next...] + ring[..<next]) }

        mutating func add(_ exchange: TraceExchange, limit: Int) {
            count += 1
            if head.count < limit {
                head.append(exchange)
            } else if ring.count < limit {
                ring.append(exchange)
            } else {
                ring[next] = exchange
                next = (next + 1) % limit
            }
        }
    }

    /// Exchanges by the label of their step.
    private(set) var steps: [String: StepExchanges] = [:]
    /// Width of the exchange that starts in a column, 0 for none.
    private(set) var widths = [Int](repeating: 0, count: TraceDigest.columns + 1)
    /// Columns in which an exchange had a fault.
    private(set) var faults: Set<Int> = []
    /// Number of exchanges.
    private(set) var count = 0

    /// Size of a file in bytes; nil when there is none.
    static func size(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads a trace.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - wanted: Labels of the steps whose exchanges are kept.
    ///   - limit: How many first and how many last exchanges of a step are kept.
    ///   - total: Length of the picture in microseconds.
    ///   - take: Gets every exchange.
    /// - Returns: nil when the file is no trace; one that breaks off gives what it has.
    static func read(
        _ path: String,
        wanted: Set<String>,
        limit: Int,
        total: Double,
        take: (TraceExchange) -> Void
    ) -> TraceDigest? {
        guard let reader = try? TraceReader(path: path) else { return nil }
        var out = TraceDigest()
        while let record = try? reader.next() {
            guard case .exchange(let exchange) = record else { continue }
            take(exchange)
            out.count += 1
            let label = String(exchange.step.prefix { $0 != " " })
            if wanted.contains(label) {
                out.steps[label, default: StepExchanges()].add(exchange, limit: limit)
            }
            out.mark(exchange, total: total)
        }
        return out
    }

    private mutating func mark(_ exchange: TraceExchange, total: Double) {
        guard let start = exchange.start, total > 0, start.isFinite else { return }
        let scale = Double(Self.columns) / total
        let column = Int(min(max(start * scale, 0), Double(Self.columns)))
        let width = Int(min(max((exchange.microseconds ?? 0) * scale, 2), Double(Self.columns - column) + 2))
        widths[column] = max(widths[column], width)
        if exchange.response == nil { faults.insert(column) }
    }
}
