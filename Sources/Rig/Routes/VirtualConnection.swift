// SPDX-License-Identifier: MIT

public import CardConnection
import PCSC
public import VirtualReader

/// The way `virtual`: a card of the rig's own behind the real PC/SC service, reached over PC/SC.
///
/// The reader driver listens on all interfaces, and any program may have dialled first. The connection therefore
/// begins with a power-on of its own, and is refused unless the rig's card saw it. The client stays the caller's: it is
/// started here, and goes on after `close()`.
public final class VirtualConnection: Connection {
    /// How to connect.
    public struct Options: Hashable, Sendable {
        /// Name of the driver's reader; nil takes the slot that the client's port belongs to.
        public var readerName: String?
        /// Whether other programs are kept from the card for the life of the connection.
        public var holdsTransaction = true
        /// How long one exchange may take; the card is then taken off the link, which frees the reader.
        public var exchangeDeadline = Duration.seconds(30)
        /// How long service, reader and card may take to come up, at the start and after a fault.
        public var startTimeout = Duration.seconds(5)

        /// Makes the default options.
        public init() {}
    }

    /// The rig's side of the card: other threads may pull it out in the middle of an exchange.
    public let client: VirtualCardClient

    /// What is known of reader and card.
    public var facts: ConnectionFacts {
        var facts = inner.facts
        facts.largestCommand = VirtualCardClient.largestMessage
        facts.largestResponse = VirtualCardClient.largestMessage
        facts.capabilities = [.fieldControl, .fieldCut, .extendedLength]
        return facts
    }

    /// How long one exchange may take.
    public var exchangeDeadline: Duration {
        didSet {
            client.patience = exchangeDeadline
            inner.exchangeDeadline = exchangeDeadline
        }
    }

    /// How long the service may take to see the card come, before it is put in anew.
    private static let arrivalLimit = Duration.seconds(1)
    /// How long the card is out, so that the service has looked.
    private static let absence = Duration.milliseconds(800)
    /// How long the service may take to see the card leave: it looks every 0.4 s.
    private static let departureLimit = Duration.seconds(3)

    private let options: Options
    private let inner: PCSCConnection
    private var isFieldOff = false
    private var isClosed = false
    /// How many links of the client had gone down when all was well.
    private var knownLosses = 0

    /// Puts the card into the virtual reader and connects to it.
    ///
    /// - Parameters:
    ///   - client: The card; it is started and inserted.
    ///   - options: How to connect.
    /// - Throws: A `busy` fault when another program's card answers, else what is missing: service, reader, card.
    public init(client: VirtualCardClient, options: Options = Options()) throws(TransportFault) {
        self.client = client
        self.options = options
        exchangeDeadline = options.exchangeDeadline
        client.patience = options.exchangeDeadline
        // A socket-activated service starts, and with it the port, when somebody asks it something.
        _ = try ReaderList.current(withDetails: false)
        client.insert()
        client.start()
        guard client.waitUntilConnected(timeout: options.startTimeout) else {
            throw TransportFault(
                .noReader,
                "no virtual reader listens at \(client.host):\(client.port)",
                hint: "install vsmartcard-vpcd and restart pcscd"
            )
        }
        var settings = PCSCConnection.Options()
        settings.holdsTransaction = options.holdsTransaction
        settings.exchangeDeadline = options.exchangeDeadline
        settings.cardTimeout = options.startTimeout
        settings.recoveryTimeout = options.startTimeout
        settings.fieldControl = .none
        inner = try Self.connect(
            client,
            to: options.readerName ?? Self.readerName(forPort: client.port),
            settings
        )
        do throws(TransportFault) {
            try powerAnew()
        } catch {
            inner.close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Connects to the card, and puts it in anew where the service does not see it.
    ///
    /// A program that was killed leaves a reader that the service holds for empty, since its reset of the card failed. A
    /// card that is in the reader again before the service looks for the next time is no change to it.
    private static func connect(
        _ client: VirtualCardClient,
        to reader: String,
        _ settings: PCSCConnection.Options
    ) throws(TransportFault) -> PCSCConnection {
        var first = settings
        first.cardTimeout = min(settings.cardTimeout, arrivalLimit)
        do throws(TransportFault) {
            return try PCSCConnection(readerName: reader, options: first)
        } catch {
            guard error.kind == .noCard else { throw error }
        }
        client.remove()
        client.wait(timeout: absence) { _ in false }
        client.insert()
        return try PCSCConnection(readerName: reader, options: settings)
    }

    /// The name of the driver's reader whose slot listens on a port.
    static func readerName(forPort port: UInt16) -> String {
        let slot = max(Int(port) - Int(VirtualCardClient.firstPort), 0)
        let digits = String(slot, radix: 16, uppercase: true)
        return "Virtual PCD 00 " + (digits.count < 2 ? "0" + digits : digits)
    }

    /// Sends a command and waits for the answer, at most for the exchange deadline.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        // The driver takes a message of one byte for a control byte and waits for ever behind an empty one.
        guard command.count >= 2 else {
            throw TransportFault(
                .protocol,
                "a command of \(command.count) byte\(command.count == 1 ? "" : "s") cannot pass the virtual reader",
                hint: "it would be taken for a signal to the card; send at least 2 bytes"
            )
        }
        // A longer one throws the card out of the reader.
        guard command.count <= VirtualCardClient.largestMessage else {
            throw TransportFault(
                .limit,
                "needs \(command.count) bytes, reader accepts \(VirtualCardClient.largestMessage)",
                hint: "send the data in pieces"
            )
        }
        guard !isFieldOff else { throw fieldIsOff }
        do throws(TransportFault) {
            return try inner.transmit(command)
        } catch {
            throw explained(error)
        }
    }

    /// Resets the card.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        guard !isFieldOff else { throw fieldIsOff }
        do throws(TransportFault) {
            switch kind {
            case .warm: try inner.reset(.warm)
            case .cold: try powerAnew()
            }
        } catch {
            throw explained(error)
        }
    }

    /// Takes the card out of the reader, or puts it back, and waits until the service has seen it.
    public func setField(_ state: FieldState) throws(TransportFault) {
        guard isFieldOff != (state == .off) else { return }
        switch state {
        case .off:
            client.remove()
            isFieldOff = true
            try inner.waitUntilEmpty(timeout: Self.departureLimit)
        case .on:
            isFieldOff = false
            try reconnect()
        }
    }

    /// Puts the card back where it has left, and connects anew.
    public func reconnect() throws(TransportFault) {
        guard !isFieldOff else { throw fieldIsOff }
        // Nobody else is there to present the card again.
        if !client.state.isInserted { client.insert() }
        let end = ContinuousClock.now + options.startTimeout
        while true {
            // A link that broke dials again before the service looks; what counts is that the driver has taken it.
            let isServed = client.wait(timeout: end - .now) { $0.isServed }
            do throws(TransportFault) {
                guard isServed else { throw foreignCard }
                try inner.reconnect()
                try powerAnew()
                return
            } catch {
                // The service may be in the middle of noticing that the card was gone.
                let isPassing: Set<FaultKind> = [.cardRemoved, .noCard, .cardMute, .transport, .cardReset]
                guard isPassing.contains(error.kind), ContinuousClock.now < end else {
                    throw explained(error)
                }
                client.wait(timeout: .milliseconds(100)) { _ in false }
            }
        }
    }

    /// Lets go of the card; the client goes on.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        inner.close()
    }

    // MARK: Whose card it is

    /// Takes the card's power and gives it again; the rig's own card must have seen it.
    private func powerAnew() throws(TransportFault) {
        let before = client.powerOnCount
        try inner.reset(.cold)
        // The service has read the answer to reset since, which the client gives after it has counted.
        guard client.powerOnCount > before else { throw foreignCard }
        knownLosses = client.state.lossCount
    }

    private var foreignCard: TransportFault {
        TransportFault(
            .busy,
            "another program's card answered on the virtual reader '\(inner.facts.readerName)'",
            hint: "end the program that dialled \(client.host):\(client.port) first"
        )
    }

    private var fieldIsOff: TransportFault {
        TransportFault(
            .noCard,
            "the card is out of the virtual reader: its field is off",
            hint: "switch it on first"
        )
    }

    /// The fault as the rig's side of the link knows it.
    private func explained(_ fault: TransportFault) -> TransportFault {
        let state = client.state
        guard state.lossCount > knownLosses, let loss = state.lastLoss,
            fault.kind == .transport || fault.kind == .cardRemoved
        else { return fault }
        // Told once: what the service says of later exchanges is then the news.
        knownLosses = state.lossCount
        switch loss {
        case .silent:
            let milliseconds = Int((exchangeDeadline / .milliseconds(1)).rounded())
            return TransportFault(
                .timeout,
                "no answer in \(milliseconds) ms",
                hint: "the card was taken off the link to free the reader"
            )
        case .cardLeft, .withdrawn:
            return TransportFault(.cardRemoved, "card was removed: \(loss)", code: fault.code)
        case .emptyAnswer:
            return fault
        case .answerTooLong:
            return TransportFault(.limit, "\(loss)", hint: "read in pieces", code: fault.code)
        case .closedByService, .stopped, .emptyATR, .socket:
            return TransportFault(fault.kind, "\(fault.detail): \(loss)", hint: fault.hint, code: fault.code)
        }
    }
}
