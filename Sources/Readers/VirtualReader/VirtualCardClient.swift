// SPDX-License-Identifier: MIT

public import CardConnection

/// A card put behind the PC/SC service: it dials the vpcd reader driver and serves a ``Card``.
///
/// All calls may come from any thread; the card is served on a thread of the client's own. A client that is let go of
/// stops by itself.
///
///     let client = VirtualCardClient(card: emulator)
///     client.start()
///     client.waitUntilConnected(timeout: .seconds(2))
///
/// What the driver cannot express is said here:
/// - a mute card keeps the reader, and everybody who waits for it, until `remove()`, `stop()` or ``patience``;
/// - an empty answer closes the link, which PC/SC reports as a success with 0 bytes;
/// - a card that leaves stays out until `insert()`;
/// - a card that resets itself loses its volatile state, but the reader is not told: no service can see that.
public final class VirtualCardClient: Sendable {
    /// The port of the driver's first slot; the second one listens on the next port.
    public static let firstPort: UInt16 = 35_963
    /// Longest command and longest answer in bytes: a message has a two-byte length.
    public static let largestMessage = 65_535

    /// The host that the driver runs on.
    public var host: String { link.host }
    /// The port of the driver's slot.
    public var port: UInt16 { link.port }

    private let link: CardLink

    /// Makes a client; it dials when it is started.
    ///
    /// - Parameters:
    ///   - card: The card to serve.
    ///   - host: Name or address of the host that the driver runs on.
    ///   - port: Port of the driver's slot.
    ///   - paces: Whether an answer is held back for as long as a real card would have taken.
    ///   - onExchange: Called on the client's thread with each command, its answer and the time between them, before
    ///     the answer leaves; an answer that is never sent is empty.
    public init(
        card: any Card,
        host: String = "localhost",
        port: UInt16 = VirtualCardClient.firstPort,
        paces: Bool = true,
        onExchange: (@Sendable (_ command: [UInt8], _ answer: [UInt8], _ time: Duration) -> Void)? = nil
    ) {
        link = CardLink(card: card, host: host, port: port, paces: paces, onExchange: onExchange)
    }

    deinit {
        link.stop()
    }

    /// Where the card stands now.
    public var state: VirtualCardState { link.state }

    /// True while the TCP link to the driver is up.
    public var isConnected: Bool { link.state.isConnected }

    /// How often the driver has switched the power on.
    public var powerOnCount: Int { link.state.powerOnCount }

    /// When it did so last, on the host's monotonic clock.
    public var lastPowerOn: Duration? { link.state.lastPowerOn }

    /// How long the card may be silent before the client cuts the link; nil, the default, waits for ever.
    ///
    /// The one way to free a reader, and every program that waits for it, from a card that does not answer.
    public var patience: Duration? {
        get { link.patience }
        set { link.patience = newValue }
    }

    /// Starts to dial; does nothing when it already does.
    public func start() {
        link.start()
    }

    /// Closes the link at once and ends the client's thread; it may be started again.
    public func stop() {
        link.stop()
    }

    /// Puts the card into the reader; it dials at once.
    public func insert() {
        link.insert()
    }

    /// Takes the card out of the reader, in the middle of an exchange too; it stays out until `insert()`.
    ///
    /// The service notices within one presence poll (0.4 s), or at once when it waits for an answer.
    public func remove() {
        link.remove()
    }

    /// Puts another card in the place of this one; the old one loses power.
    ///
    /// Each command is answered by one of the two. The reader does not notice: it keeps the answer to reset of the old
    /// card until it powers the new one anew.
    public func replace(card: any Card) {
        link.replace(card: card)
    }

    /// Waits until the TCP link to the driver is up.
    ///
    /// - Returns: False when the time was over first.
    @discardableResult
    public func waitUntilConnected(timeout: Duration) -> Bool {
        link.wait(timeout: timeout) { $0.isConnected }
    }

    /// Waits until the state is as asked.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait at most.
    ///   - isDone: Looks at a copy of the state; must not call the client.
    /// - Returns: False when the time was over first.
    @discardableResult
    public func wait(timeout: Duration, until isDone: (VirtualCardState) -> Bool) -> Bool {
        link.wait(timeout: timeout, until: isDone)
    }
}
