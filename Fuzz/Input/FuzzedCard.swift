// SPDX-License-Identifier: MIT

public import CardConnection
import Synchronization

/// A card whose answers the fuzzer makes, one after the other, whatever is asked.
///
/// An empty answer is the card leaving the reader; behind the last answer the card is mute.
public final class FuzzedCard: Card {
    private let answers: Mutex<ArraySlice<[UInt8]>>

    /// Makes a card with these answers.
    public init(_ answers: [[UInt8]]) {
        self.answers = Mutex(answers[...])
    }

    /// A plain contactless card's.
    public var atr: [UInt8] { [0x3B, 0x80, 0x80, 0x01, 0x01] }

    /// Nothing: the answers go on where they were.
    public func powerOn() {}

    /// Nothing: the answers go on where they were.
    public func powerOff() {}

    /// The next answer.
    public func respond(to command: [UInt8]) -> CardAnswer {
        guard let next = answers.withLock({ $0.popFirst() }) else { return CardAnswer([], ending: .mute) }
        return next.isEmpty ? CardAnswer([], ending: .removed) : CardAnswer(next)
    }

    /// A connection to such a card, on a clock that stands still unless somebody waits.
    public static func connection(answering answers: [[UInt8]], clock: any RigClock = ModelClock())
        -> InProcessConnection
    {
        InProcessConnection(card: FuzzedCard(answers), clock: clock)
    }
}
