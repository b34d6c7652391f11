// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem

/// A connection to a card through the PC/SC service.
///
/// It has a context of its own and belongs to one thread. PC/SC can neither bound nor cancel an exchange: a call may
/// block for ever, so a supervisor must watch the thread. An answer that comes after ``exchangeDeadline`` counts as none.
public final class PCSCConnection: Connection {
    /// How to connect.
    public struct Options: Hashable, Sendable {
        /// Whether no other program may connect.
        public var isExclusive = false
        /// Whether other programs are kept from the card for the life of the connection.
        public var holdsTransaction = true
        /// How long one exchange may take.
        public var exchangeDeadline = Duration.seconds(30)
        /// How long to wait for the reader and for a card in it; zero looks once.
        public var cardTimeout = Duration.zero
        /// How long a reconnect waits for reader and card to come back.
        public var recoveryTimeout = Duration.seconds(3)
        /// How the field is switched.
        public var fieldControl = FieldControl.automatic

        /// Makes the default options.
        public init() {}
    }

    /// What is known of reader and card; the answer to reset is that of the latest connect or reset.
    public private(set) var facts: ConnectionFacts

    /// How long one exchange may take before its answer counts as none.
    public var exchangeDeadline: Duration {
        didSet { deadlineNanoseconds = exchangeDeadline.nanoseconds }
    }

    /// Reader driver of the virtual reader; commands to the reader itself would reach the card.
    static let virtualModel = "Virtual PCD"

    let options: Options
    private var deadlineNanoseconds: Int64
    private let buffer: UnsafeMutablePointer<UInt8>
    var context: PCSCContext?
    var card: CardHandle?
    /// The kind of the fault that stands since the last good call.
    private var standing: FaultKind?
    private(set) var isFieldOff = false
    var isClosed = false

    /// Connects to the card in the reader that fits.
    ///
    /// - Parameters:
    ///   - selector: Which reader.
    ///   - options: How to connect.
    /// - Throws: A fault that says what is missing: service, reader, card, protocol, or a free reader.
    public init(_ selector: ReaderSelector, options: Options = Options()) throws(TransportFault) {
        self.options = options
        exchangeDeadline = options.exchangeDeadline
        deadlineNanoseconds = options.exchangeDeadline.nanoseconds
        facts = ConnectionFacts(readerName: "", atr: [], protocolName: "")
        buffer = .allocate(capacity: CardHandle.answerCapacity)
        let status = try open(selector, timeout: options.cardTimeout)
        try learn(from: status)
    }

    /// Connects to the card in a reader by its exact name.
    public convenience init(readerName: String, options: Options = Options()) throws(TransportFault) {
        try self.init(ReaderSelector(exactName: readerName), options: options)
    }

    deinit {
        close()
        buffer.deallocate()
    }

    /// Sends a command and waits for the answer, for as long as the service does.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard let card else { throw notConnected }
        guard !command.isEmpty else {
            throw TransportFault(
                .protocol,
                "an empty command cannot be sent",
                hint: "a command has at least one byte"
            )
        }
        let begin = MonotonicTime.nanoseconds
        var code: UInt32 = 0
        let count = card.transmit(command, into: buffer, code: &code)
        guard code == 0 else {
            throw booked(PCSCError(call: "SCardTransmit", code: code, reader: facts.readerName))
        }
        guard count >= 2 else { throw tooShort(count) }
        guard MonotonicTime.nanoseconds - begin <= deadlineNanoseconds else { throw tooLate }
        return Array(UnsafeBufferPointer(start: buffer, count: count))
    }

    /// Resets the card: warm by the reset line, cold by taking its power.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        guard let card else { throw notConnected }
        do throws(PCSCError) {
            try reconnect(card, kind == .warm ? .reset : .unpower)
            facts.atr = try card.atr()
        } catch {
            throw booked(error)
        }
        facts.protocolName = card.protocols.name
        standing = nil
    }

    /// Switches the reader's field.
    ///
    /// - Throws: A `control` fault when the reader cannot, or must not.
    public func setField(_ state: FieldState) throws(TransportFault) {
        guard !isClosed else { throw notConnected }
        guard isFieldOff != (state == .off) else { return }
        try switchField(state)
        isFieldOff = state == .off
        if state == .on { try reconnect() }
    }

    /// Connects anew: on the old context after a reset or a removal, on a new one after anything worse.
    public func reconnect() throws(TransportFault) {
        guard !isClosed else { throw notConnected }
        guard !isFieldOff else { throw fieldIsOff }
        let selector = ReaderSelector(exactName: facts.readerName)
        let mayKeep: Set<FaultKind?> = [nil, .cardReset, .cardRemoved, .noCard]
        if mayKeep.contains(standing), let context, let card {
            let watch = ReaderWatch(context: context, selector: selector)
            do throws(TransportFault) {
                let status = try watch.waitForCard(timeout: options.recoveryTimeout)
                try rejoin(card, atr: status.atr)
                return
            } catch {
                guard error.kind == .service || error.kind == .transport else { throw error }
            }
        }
        drop(.unpower)
        let status = try open(selector, timeout: options.recoveryTimeout)
        if let card, standing != nil {
            // What the card last did is unknown: it starts from its reset.
            do throws(PCSCError) { try reconnect(card, .reset) } catch { throw booked(error) }
        }
        try learn(from: status)
    }

    /// Waits until the service has seen the card leave.
    ///
    /// - Throws: A `control` fault when the card was still there at the end of the time.
    public func waitUntilEmpty(timeout: Duration) throws(TransportFault) {
        guard let context else { throw notConnected }
        let watch = ReaderWatch(context: context, selector: ReaderSelector(exactName: facts.readerName))
        try watch.waitForNoCard(timeout: timeout)
    }

    /// Lets go of the card, which keeps its power.
    public func close() {
        isClosed = true
        drop(.leave)
    }

    // MARK: Steps

    /// Takes a context, waits for the card and connects to it.
    private func open(_ selector: ReaderSelector, timeout: Duration) throws(TransportFault) -> ReaderStatus {
        do throws(PCSCError) { context = try PCSCContext() } catch { throw error.faultOnHost() }
        guard let context else { throw notConnected }
        let status = try ReaderWatch(context: context, selector: selector).waitForCard(timeout: timeout)
        facts.readerName = status.name
        let share = options.isExclusive ? ShareMode.exclusive : .shared
        do throws(PCSCError) {
            let handle = try ProtocolFallback.connect(atr: status.atr) { protocols throws(PCSCError) in
                try CardHandle(context, reader: status.name, share: share, protocols: protocols)
            }
            if options.holdsTransaction { try handle.beginTransaction() }
            card = handle
        } catch {
            throw booked(error)
        }
        return status
    }

    /// Fills in the facts after a connect.
    private func learn(from status: ReaderStatus) throws(TransportFault) {
        guard let card else { throw notConnected }
        facts.atr = (try? card.atr()) ?? status.atr
        facts.protocolName = card.protocols.name
        let isVirtual = ReaderName(status.name).model == Self.virtualModel
        let properties = ReaderProperties(of: card)
        if let command = properties.largestCommand, let response = properties.largestResponse {
            facts.largestCommand = command
            facts.largestResponse = response
        } else if isVirtual {
            facts.largestCommand = 65_535
            facts.largestResponse = 65_535
        }
        if isVirtual || properties.largestData.map({ $0 >= 256 }) ?? false {
            facts.capabilities.insert(.extendedLength)
        }
        try learnFieldControl(isVirtual: isVirtual)
        standing = nil
    }

    private func learnFieldControl(isVirtual: Bool) throws(TransportFault) {
        guard let card else { throw notConnected }
        switch options.fieldControl {
        case .none:
            break
        case .unpower:
            facts.capabilities.insert(.fieldUnpower)
        case .manageSession:
            facts.capabilities.insert(.fieldControl)
        case .automatic:
            // A reader without sessions hands the probe to the card; a contact card may take its class byte for PPS.
            guard !isVirtual, FieldSwitch.isContactless(facts.atr),
                !facts.capabilities.contains(.fieldControl)
            else { return }
            let isSupported = FieldSwitch.isSupported { try? card.transmit($0) }
            if isSupported { facts.capabilities.insert(.fieldControl) }
            // The probe may have reached the card, or have left it deselected.
            do throws(PCSCError) { try reconnect(card, .reset) } catch { throw booked(error) }
        }
    }

    /// Connects anew on the handle that there is.
    private func rejoin(_ card: CardHandle, atr: [UInt8]) throws(TransportFault) {
        do throws(PCSCError) {
            // A removal may or may not have ended the transaction; ending one that is not there does no harm.
            if options.holdsTransaction { card.endTransaction() }
            try reconnect(card, .leave, atr: atr)
            if options.holdsTransaction { try card.beginTransaction() }
            facts.atr = try card.atr()
        } catch {
            throw booked(error)
        }
        facts.protocolName = card.protocols.name
        standing = nil
    }

    private func reconnect(
        _ card: CardHandle,
        _ disposition: CardDisposition,
        atr: [UInt8]? = nil
    ) throws(PCSCError) {
        try ProtocolFallback.connect(atr: atr ?? facts.atr) { protocols throws(PCSCError) in
            try card.reconnect(disposition, protocols: protocols)
        }
    }

    /// Lets go of handle and context.
    func drop(_ disposition: CardDisposition) {
        if let card {
            if options.holdsTransaction { card.endTransaction() }
            card.disconnect(disposition)
        }
        card = nil
        context = nil
    }

    // MARK: Faults

    /// Remembers what stands, and makes the fault of an error.
    func booked(_ error: PCSCError) -> TransportFault {
        standing = error.kind
        return error.faultOnHost()
    }

    private func tooShort(_ count: Int) -> TransportFault {
        standing = .transport
        return TransportFault(
            .transport,
            "response too short (\(count) bytes)",
            hint: "the card left the reader or the link broke; PC/SC called it a success"
        )
    }

    private var tooLate: TransportFault {
        standing = .timeout
        return TransportFault(
            .timeout,
            "no answer in \(exchangeDeadline.milliseconds) ms",
            hint: "the answer came later and is not used"
        )
    }

    private var fieldIsOff: TransportFault {
        TransportFault(.noCard, "the field of '\(facts.readerName)' is off", hint: "switch it on first")
    }

    private var notConnected: TransportFault {
        if isFieldOff { return fieldIsOff }
        return TransportFault(
            .transport,
            isClosed ? "the connection is closed" : "there is no connection to the card",
            hint: isClosed ? "open another one" : "connect anew"
        )
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }

    /// Whole nanoseconds, at most 292 years.
    var nanoseconds: Int64 {
        let nanoseconds = self / .nanoseconds(1)
        return nanoseconds < 9e18 ? Int64(nanoseconds) : .max
    }
}
