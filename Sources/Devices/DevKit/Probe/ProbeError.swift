// SPDX-License-Identifier: MIT

/// Why a debug probe could not be used: never a fault of the product under test.
public struct ProbeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// No such probe is there.
        case absent
        /// It was there and is not any more, or does not answer.
        case gone
        /// Another program holds it.
        case busy
        /// This user may not open it.
        case notPermitted = "not-permitted"
        /// It is no probe that can be used.
        case unsupported
        /// Its answer does not belong to the request.
        case outOfStep = "out-of-step"
        /// The chip behind the probe does not answer, or refuses.
        case target
        /// What was asked for is wrong, or never done to a device under test.
        case refused
    }

    /// What kind of trouble it is.
    public let kind: Kind
    /// One sentence: what happened, at which probe, and what to do.
    public let description: String
    /// How the chip acknowledged the access that failed; nil when that is not what failed.
    let acknowledge: DAPOutcome.Acknowledge?

    /// Makes an error.
    public init(_ description: String, kind: Kind = .gone) {
        self.init(description, kind: kind, acknowledge: nil)
    }

    init(_ description: String, kind: Kind, acknowledge: DAPOutcome.Acknowledge?) {
        self.kind = kind
        self.description = description
        self.acknowledge = acknowledge
    }

    /// True when the link is of no use any more and has to be opened anew.
    public var endsLink: Bool { [.gone, .outOfStep, .busy].contains(kind) }
}
