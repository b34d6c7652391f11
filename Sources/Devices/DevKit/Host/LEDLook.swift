// SPDX-License-Identifier: MIT

/// One look at a LED: samples taken at once, and whether they tell anything.
public struct LEDLook: Hashable, Sendable {
    /// The samples in order; at least one.
    public let samples: [LEDState]
    /// Why the samples do not tell whether the LED gives light, in one sentence; nil when they do.
    public let doubt: String?

    /// Makes a look of one sample that is beyond doubt.
    public init(_ state: LEDState) {
        samples = [state]
        doubt = nil
    }

    /// Makes a look.
    public init(samples: [LEDState], doubt: String? = nil) {
        self.samples = samples
        self.doubt = doubt
    }

    /// The state when all samples agree and nothing is in doubt, else nil.
    public var steady: LEDState? {
        guard doubt == nil, let first = samples.first, samples.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}
