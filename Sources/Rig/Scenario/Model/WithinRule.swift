// SPDX-License-Identifier: MIT

/// What the `within` of an expectation must be, for a verb that needs some time to judge at all.
public struct WithinRule: Hashable, Sendable {
    /// The shortest time in which it can judge.
    public let shortest: Duration
    /// What takes that time, for the sentence: `judging a LED takes`.
    public let reason: String
    /// Arguments beside which `within` means nothing.
    public let excludedBy: [String]

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - shortest: The shortest time in which the verb can judge.
    ///   - reason: What takes that time, such that a time may follow.
    ///   - excludedBy: Arguments beside which `within` means nothing.
    public init(shortest: Duration, reason: String, excludedBy: [String] = []) {
        self.shortest = shortest
        self.reason = reason
        self.excludedBy = excludedBy
    }
}
