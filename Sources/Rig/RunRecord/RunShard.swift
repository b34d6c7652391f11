// SPDX-License-Identifier: MIT

/// Which part of a larger run a run is: a shard, or several that were merged while others were missing.
public struct RunShard: Hashable, Sendable {
    /// Numbers of the parts that are in it, from 1, in order; one at least.
    public let indexes: [Int]
    /// Number of parts.
    public let count: Int
    /// Number of cases in all parts together.
    public let caseCount: Int
    /// A digest of how the cases were divided: parts with the same one make a whole.
    public let cut: String

    /// The most parts that make sense.
    public static let countLimit = 10_000

    /// Makes one part.
    public init(index: Int, count: Int, caseCount: Int, cut: String) {
        self.init(indexes: [index], count: count, caseCount: caseCount, cut: cut)
    }

    /// Makes a run of several parts.
    ///
    /// - Precondition: There is one at least.
    init(indexes: [Int], count: Int, caseCount: Int, cut: String) {
        precondition(!indexes.isEmpty, "a part of a run has a number")
        self.indexes = indexes.sorted()
        self.count = count
        self.caseCount = caseCount
        self.cut = cut
    }

    /// Number of the first part that is in it.
    public var index: Int { indexes[0] }

    /// What it is called: `shard 2 of 3`, `shards 1, 3 of 4`.
    public var title: String { Self.title(of: indexes, count: count) }

    static func title(of indexes: [Int], count: Int) -> String {
        "\(indexes.count == 1 ? "shard" : "shards") \(indexes.map(String.init).joined(separator: ", ")) of \(count)"
    }

    /// The parts that are not in it.
    var missing: [Int] {
        let own = Set(indexes)
        return (1...max(count, 1)).filter { !own.contains($0) }
    }

    /// The remark on a part that is missing in a merged run.
    static func missingNote(_ index: Int, of count: Int) -> String { "shard \(index) of \(count) is missing" }
}
