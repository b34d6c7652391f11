// SPDX-License-Identifier: MIT

/// What came out when a step's result was compared with what was expected.
public struct Judgement: Hashable, Sendable {
    /// What did not hold, in the order of the file.
    public var mismatches: [Mismatch]
    /// How many things were looked at.
    public var assertions: Int

    /// Makes a judgement.
    public init(mismatches: [Mismatch] = [], assertions: Int = 0) {
        self.mismatches = mismatches
        self.assertions = assertions
    }

    /// True when all held.
    public var holds: Bool { mismatches.isEmpty }
}
