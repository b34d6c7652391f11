// SPDX-License-Identifier: MIT

public import SmartCard

/// A fault that a case asks for: where it strikes, when in the exchange, and what it is.
public struct InjectedFault: Hashable, Sendable {
    /// Where a fault strikes.
    public enum Trigger: Hashable, Sendable {
        /// From this exchange of the case's steps on, counted from 1.
        case exchange(Int)
        /// The exchanges of the step of this name.
        case step(String)
        /// The exchanges of steps with this verb; its name space may be left out.
        case verb(String)
        /// The exchanges of steps that have this name or this verb.
        case word(String)
    }

    /// When in the exchange a fault strikes.
    public enum Moment: String, Hashable, Sendable, CaseIterable {
        /// The command never reaches the card.
        case before
        /// The card has the command and has not done with it.
        case during
        /// The card has carried the command out; its answer is lost.
        case afterAnswerLost = "after-answer-lost"
    }

    /// What happens.
    public enum Kind: Hashable, Sendable {
        /// The card leaves the reader.
        case remove
        /// The card loses its power.
        case powerLoss
        /// No answer comes.
        case mute
        /// This status word comes in place of the answer.
        case sw(StatusWord)
        /// The exchange takes this much longer.
        case delay(Duration)
        /// Only so many of the first bytes of the answer arrive, whatever the moment.
        case truncate(Int)
        /// The first byte of the answer is inverted, whatever the moment.
        case corrupt
        /// Somebody else resets the card.
        case reset
    }

    /// Where it strikes.
    public let trigger: Trigger
    /// When in the exchange it strikes.
    public let when: Moment
    /// What happens.
    public let kind: Kind
    /// How many exchanges it strikes.
    public let times: Int

    /// Makes a fault.
    public init(at trigger: Trigger, when: Moment, kind: Kind, times: Int = 1) {
        self.trigger = trigger
        self.when = when
        self.kind = kind
        self.times = times
    }

    /// Whether the fault needs a connection that can take the card's power in the middle of an exchange.
    public var needsFieldCut: Bool {
        switch kind {
        case .remove, .powerLoss, .reset: when == .during
        case .mute, .sw, .delay, .truncate, .corrupt: false
        }
    }
}
