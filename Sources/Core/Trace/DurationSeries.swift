// SPDX-License-Identifier: MIT

/// Times of a series of exchanges in bounded memory: exact for the first 100 000, then within 1 %.
///
/// Percentiles use the nearest rank: the smallest value that at least p percent of all values do not exceed.
public struct DurationSeries: Sendable {
    /// As many values are kept as they are.
    public static let exactLimit = 100_000

    /// Number of values.
    public private(set) var count = 0
    /// The largest value in nanoseconds; zero without values.
    public private(set) var maximum: Int64 = 0
    /// The smallest value in nanoseconds; zero without values.
    public private(set) var minimum: Int64 = 0
    /// Sum of all values in nanoseconds.
    public private(set) var sum = 0.0

    private var exact: [Int64] = []
    private var isSorted = true
    /// Counters of the histogram; empty while the values are exact.
    private var buckets: [Int] = []

    /// Makes an empty series.
    public init() {}

    /// Adds a value in nanoseconds; negative ones count as zero.
    public mutating func add(nanoseconds: Int64) {
        let value = max(nanoseconds, 0)
        minimum = count == 0 ? value : min(minimum, value)
        maximum = max(maximum, value)
        sum += Double(value)
        count += 1
        if buckets.isEmpty {
            if exact.count < Self.exactLimit {
                isSorted = false
                exact.append(value)
                return
            }
            buckets = [Int](repeating: 0, count: Self.bucketCount)
            for value in exact { buckets[Self.bucket(of: value)] += 1 }
            exact = []
        }
        buckets[Self.bucket(of: value)] += 1
    }

    /// The percentile by nearest rank in nanoseconds; nil without values.
    ///
    /// - Parameter percent: 0 (exclusive) to 100.
    /// - Returns: A value of the series, or one within 1 % of it beyond the exact limit.
    public mutating func percentile(_ percent: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = min(max(Int((percent * Double(count) / 100).rounded(.up)), 1), count)
        guard buckets.isEmpty else { return histogramValue(rank: rank) }
        if !isSorted {
            exact.sort()
            isSorted = true
        }
        return exact[rank - 1]
    }

    private func histogramValue(rank: Int) -> Int64 {
        var seen = 0
        for (bucket, number) in buckets.enumerated() {
            seen += number
            if seen >= rank { return min(max(Self.upperBound(of: bucket), minimum), maximum) }
        }
        return maximum
    }

    // Values below 128 have a bucket each; above, every doubling has 128 of them.
    private static let stepBits = 7
    private static let bucketCount = (64 - stepBits) << stepBits

    private static func bucket(of value: Int64) -> Int {
        guard value >= 1 << stepBits else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - stepBits
        let mantissa = Int(value >> Int64(shift)) - (1 << stepBits)
        return (shift + 1) << stepBits + mantissa
    }

    private static func upperBound(of bucket: Int) -> Int64 {
        guard bucket >= 1 << stepBits else { return Int64(bucket) }
        let shift = (bucket >> stepBits) - 1
        let mantissa = Int64(bucket & ((1 << stepBits) - 1) + 1 << stepBits)
        // The bound of the last bucket is the largest number there is: the sum wraps around on the way to it.
        return ((mantissa + 1) << Int64(shift)) &- 1
    }
}
