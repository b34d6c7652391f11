// SPDX-License-Identifier: MIT

/// An emulated card, or one face of it (contactless, I2C).
///
/// The card owns a lock of its own: the reader's thread and the bench (button, I2C side) reach it at the same time.
public protocol Card: AnyObject, Sendable {
    /// Answer to reset.
    var atr: [UInt8] { get }

    /// The UID that a contactless reader learned when the card came; nil for a card without contactless interface.
    var contactlessUID: [UInt8]? { get }

    /// The answer to select with which it began; nil where only the ATR tells of it.
    var contactlessATS: [UInt8]? { get }

    /// Power comes: the card starts with fresh volatile state.
    func powerOn()

    /// Power goes: volatile state is lost.
    func powerOff()

    /// Answers a command.
    ///
    /// - Parameter command: The whole command APDU, any bytes at all.
    /// - Returns: What is sent back, and when.
    func respond(to command: [UInt8]) -> CardAnswer
}

extension Card {
    /// nil, unless a card says otherwise.
    public var contactlessUID: [UInt8]? { nil }
    /// nil, unless a card says otherwise.
    public var contactlessATS: [UInt8]? { nil }
}

/// What a card does with a command.
public struct CardAnswer: Hashable, Sendable {
    /// How the exchange ends.
    public enum Ending: Hashable, Sendable {
        /// The bytes are sent.
        case answered
        /// Nothing is ever sent.
        case mute
        /// The card leaves the reader before it answers.
        case removed
        /// The bytes are sent, then the card is reset behind the reader's back.
        case resetAfterwards
    }

    /// Data and status word; scripted cards may send fewer than two bytes.
    public var bytes: [UInt8]
    /// The time a real part would have taken before it answers (or leaves).
    public var time: Duration
    /// How the exchange ends.
    public var ending: Ending

    /// Makes an answer.
    public init(_ bytes: [UInt8], time: Duration = .zero, ending: Ending = .answered) {
        self.bytes = bytes
        self.time = time
        self.ending = ending
    }
}
