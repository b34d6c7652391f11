// SPDX-License-Identifier: MIT

/// Which part of a larger run a run is.
public struct RunShard: Hashable, Sendable {
    /// Number of the part, from 1.
    public let index: Int
    /// Number of parts.
    public let count: Int
    /// Number of cases in all parts together.
    public let caseCount: Int
    /// A digest of how the cases were divided: parts with the same one make a whole.
    public let cut: String

    /// Makes a part.
    public init(index: Int, count: Int, caseCount: Int, cut: String) {
        self.index = index
        self.count = count
        self.caseCount = caseCount
        self.cut = cut
    }
}
