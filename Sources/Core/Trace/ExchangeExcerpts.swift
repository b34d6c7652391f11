// SPDX-License-Identifier: MIT

/// The exchanges of a step that reports show: the first and the last ones.
public struct ExchangeExcerpts: Hashable, Sendable {
    /// One exchange in text, masked, long data cut in the middle.
    public struct Excerpt: Hashable, Sendable {
        /// The command in hex.
        public let command: String
        /// The answer in hex, or the fault word.
        public let response: String
        /// Milliseconds.
        public let milliseconds: Double
    }

    /// How many exchanges there were.
    public let count: Int
    /// The first ones, then the last ones.
    public let shown: [Excerpt]
}

/// Keeps the first and last exchanges of a step; they become text only when somebody asks.
struct RecentExchanges {
    private struct Entry {
        let command: TracedBytes
        let outcome: TraceExchange.Outcome
        let duration: Duration
    }

    private static let firstLimit = 4
    private static let lastLimit = 12

    private var first: [Entry] = []
    private var last: [Entry] = []
    private var nextPlace = 0
    private var count = 0

    /// Adds an exchange.
    mutating func add(
        _ command: [UInt8],
        _ hidden: [Range<Int>],
        _ outcome: TraceExchange.Outcome,
        _ duration: Duration
    ) {
        count += 1
        let entry = Entry(command: TracedBytes(command, hidden: hidden), outcome: outcome, duration: duration)
        if first.count < Self.firstLimit {
            first.append(entry)
        } else if last.count < Self.lastLimit {
            last.append(entry)
        } else {
            last[nextPlace] = entry
            nextPlace = (nextPlace + 1) % Self.lastLimit
        }
    }

    /// The exchanges since the last call.
    mutating func take() -> ExchangeExcerpts {
        let entries = first + last[nextPlace...] + last[..<nextPlace]
        let out = ExchangeExcerpts(count: count, shown: entries.map(Self.excerpt))
        self = RecentExchanges()
        return out
    }

    private static func excerpt(_ entry: Entry) -> ExchangeExcerpts.Excerpt {
        let response =
            switch entry.outcome {
            case .response(let bytes): shortened(bytes)
            case .fault(let word, _): word
            }
        return ExchangeExcerpts.Excerpt(
            command: shortened(entry.command),
            response: response,
            milliseconds: Double(TraceLine.tenths(of: entry.duration)) / 10_000
        )
    }

    /// Hex text of at most 48 bytes.
    private static func shortened(_ bytes: TracedBytes) -> String {
        let limit = 48
        let text = bytes.text
        guard bytes.bytes.count > limit else { return text }
        let tail = 8
        let head = limit - tail
        let cut = bytes.bytes.count - limit
        return "\(text.prefix(2 * head))..[\(cut) bytes]..\(text.suffix(2 * tail))"
    }
}
