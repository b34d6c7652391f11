// SPDX-License-Identifier: MIT

/// Where a virtual card stands: a copy, taken at one moment.
public struct VirtualCardState: Hashable, Sendable {
    /// True between `start()` and `stop()`.
    public internal(set) var isRunning = false
    /// True while the card lies in the reader, or would if a reader were there.
    public internal(set) var isInserted = true
    /// True while the TCP link to the reader driver is up.
    public internal(set) var isConnected = false
    /// True once the driver has said something on this link.
    ///
    /// A second card on the same port is connected too, yet hears nothing until the first one is gone.
    public internal(set) var isServed = false
    /// True once the reader has given power on this link: the service has seen the card.
    ///
    /// A service that has not noticed that an earlier card left only polls, and may tell nobody of this one.
    public internal(set) var isTaken = false
    /// True while the reader gives power.
    public internal(set) var isPowered = false
    /// How often the driver has switched the power on.
    public internal(set) var powerOnCount = 0
    /// When it did so last, on the host's monotonic clock.
    public internal(set) var lastPowerOn: Duration?
    /// How often the driver has reset the card while power stayed.
    public internal(set) var resetCount = 0
    /// How often the card has reset itself behind the reader's back.
    public internal(set) var ownResetCount = 0
    /// How many commands have reached the card.
    public internal(set) var exchangeCount = 0
    /// How many links have come up.
    public internal(set) var connectionCount = 0
    /// How many links have gone down.
    public internal(set) var lossCount = 0
    /// Why the latest link went down; nil when none has.
    public internal(set) var lastLoss: LinkLoss?
}

/// Why a link to the reader driver went down.
public enum LinkLoss: Hashable, Sendable, CustomStringConvertible {
    /// The driver closed it: the service ended or was stopped.
    case closedByService
    /// `remove()` took the card out.
    case withdrawn
    /// `stop()` ended the client.
    case stopped
    /// The card left by itself before it answered, and stays out until `insert()`.
    case cardLeft
    /// The card had no answer bytes; the driver would wait for more for ever.
    case emptyAnswer
    /// The answer is longer than a message can be.
    case answerTooLong(count: Int)
    /// The card has no answer to reset.
    case emptyATR
    /// The card was silent for longer than the client's patience.
    case silent
    /// The socket failed with this `errno`.
    case socket(Int32)

    /// What happened, in a few words.
    public var description: String {
        switch self {
        case .closedByService: "the reader service closed the link"
        case .withdrawn: "the card was taken out of the reader"
        case .stopped: "the virtual card was stopped"
        case .cardLeft: "the card left the reader before it answered"
        case .emptyAnswer: "the card answered with no bytes"
        case .answerTooLong(let count):
            "the card answered with \(count) bytes; the virtual reader passes \(VirtualCardClient.largestMessage)"
        case .emptyATR: "the card has no answer to reset"
        case .silent: "the card did not answer in time"
        case .socket(let number): "the link to the reader service failed (errno \(number))"
        }
    }
}
