// SPDX-License-Identifier: MIT

/// The waist: a connection to a card is bytes to bytes.
///
/// Synchronous, and used by one thread at a time. Everything that stands between a scenario and a card (trace,
/// masks, response following, chaining, injected faults, guards) is a wrapper of this same shape.
public protocol Connection: AnyObject {
    /// What is known of the reader and the card on it.
    var facts: ConnectionFacts { get }

    /// How long one exchange may take before it counts as unanswered.
    var exchangeDeadline: Duration { get set }

    /// Sends a command and waits for the answer.
    ///
    /// - Parameter command: The whole command APDU.
    /// - Returns: Data and status word, always at least two bytes.
    /// - Throws: ``TransportFault`` when there is no usable answer.
    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8]

    /// Resets the card; its volatile state is lost.
    func reset(_ kind: ResetKind) throws(TransportFault)

    /// Switches the reader's field (or the card's power) off or on.
    func setField(_ state: FieldState) throws(TransportFault)

    /// Connects to the card anew on the same reader, after a fault or a removal.
    func reconnect() throws(TransportFault)

    /// Lets go of the card. Never fails, and may be called twice.
    func close()
}

/// How a card is reset.
public enum ResetKind: String, Hashable, Sendable, CaseIterable {
    /// Reset line or deselect, power stays.
    case warm
    /// Power off and on.
    case cold
}

/// Whether a reader's field (or the card's power) is on.
public enum FieldState: String, Hashable, Sendable, CaseIterable {
    /// The card has power.
    case on
    /// The card has none.
    case off
}

/// What a connection can do beyond exchanging APDUs.
///
/// An open set of words; the closed list for scenarios stands with the verbs.
public struct Capability: RawRepresentable, Hashable, Sendable {
    /// The word as scenarios write it under `needs`.
    public let rawValue: String

    /// Makes a capability from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Extended length fields reach the card.
    public static let extendedLength = Capability(rawValue: "extended-length")
    /// The field can be switched off and on.
    public static let fieldControl = Capability(rawValue: "field.control")
    /// The field can be cut in the middle of an exchange.
    public static let fieldCut = Capability(rawValue: "field.cut")
    /// The card can only be unpowered when the connection ends; readers may poll it again.
    public static let fieldUnpower = Capability(rawValue: "field.unpower")
    /// The card's security delay lasts as long as the card says, which an emulated card may cut short.
    public static let securityDelay = Capability(rawValue: "security-delay")
}

/// What is known of a reader and the card on it.
public struct ConnectionFacts: Hashable, Sendable {
    /// Reader name, or the name of the emulator.
    public var readerName: String
    /// Answer to reset, as the reader reports it.
    public var atr: [UInt8]
    /// Protocol in use: `T=0`, `T=1` or `T=CL`.
    public var protocolName: String
    /// Longest command APDU in bytes that passes the reader.
    public var largestCommand: Int
    /// Longest response in bytes, status word included, that passes the reader.
    public var largestResponse: Int
    /// What the reader can do.
    public var capabilities: Set<Capability>

    /// Makes the facts of a connection; the limits default to a reader that passes everything.
    public init(
        readerName: String,
        atr: [UInt8],
        protocolName: String,
        largestCommand: Int = 65_544,
        largestResponse: Int = 65_538,
        capabilities: Set<Capability> = []
    ) {
        self.readerName = readerName
        self.atr = atr
        self.protocolName = protocolName
        self.largestCommand = largestCommand
        self.largestResponse = largestResponse
        self.capabilities = capabilities
    }
}
