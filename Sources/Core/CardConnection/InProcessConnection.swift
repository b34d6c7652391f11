// SPDX-License-Identifier: MIT

/// A connection to an emulated card in this process.
///
/// It behaves as a good reader does: the card's own time passes on the clock, a card that is silent costs the
/// deadline, a removal or a foreign reset sticks until the connection is made anew.
public final class InProcessConnection: Connection {
    /// What is known of the reader and the card on it.
    public private(set) var facts: ConnectionFacts
    /// How long one exchange may take before it counts as unanswered.
    public var exchangeDeadline: Duration

    private let card: any Card
    private let clock: any RigClock
    private let readerPatience: Duration?
    private var link = Link.ready

    private enum Link {
        case ready
        case fieldOff
        case removed
        case resetByOther
        case lost
        case closed
    }

    /// Powers the card on and connects to it.
    ///
    /// - Parameters:
    ///   - card: The card; it belongs to this connection until that is closed.
    ///   - clock: Where the card's time passes.
    ///   - facts: What the reader claims of itself; nil stands for a reader that passes everything and can switch
    ///     and cut its field, with the protocol that the card's ATR offers.
    ///   - deadline: How long one exchange may take.
    ///   - readerPatience: After this time the reader itself gives up, as one without waiting time extension does;
    ///     nil never.
    public init(
        card: any Card,
        clock: any RigClock,
        facts: ConnectionFacts? = nil,
        deadline: Duration = .seconds(30),
        readerPatience: Duration? = nil
    ) {
        self.card = card
        self.clock = clock
        self.exchangeDeadline = deadline
        self.readerPatience = readerPatience
        card.powerOn()
        self.facts =
            facts
            ?? ConnectionFacts(
                readerName: "Emulator",
                atr: card.atr,
                protocolName: ATRProtocol.name(of: card.atr),
                capabilities: [.extendedLength, .fieldControl, .fieldCut]
            )
    }

    deinit {
        close()
    }

    /// Sends a command to the card and lets its time pass.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        if link != .ready { throw linkFault }
        guard command.count <= facts.largestCommand else {
            throw .commandTooLong(
                needs: command.count,
                accepts: facts.largestCommand,
                hint: "send it in parts, or use a reader that passes extended length"
            )
        }
        if let answer = ReaderCommand.answer(to: command, of: card) { return answer }
        let answer = card.respond(to: command)
        let isMute = answer.ending == .mute
        if let readerPatience, readerPatience < exchangeDeadline, isMute || answer.time > readerPatience {
            clock.wait(readerPatience)
            link = .lost
            throw .readerTimeout(after: readerPatience, allowed: exchangeDeadline)
        }
        guard !isMute, answer.time <= exchangeDeadline else {
            clock.wait(exchangeDeadline)
            link = .lost
            throw .noAnswer(in: exchangeDeadline)
        }
        clock.wait(answer.time)
        switch answer.ending {
        case .answered, .mute:
            break
        case .removed:
            card.powerOff()
            link = .removed
            throw .cardLeft
        case .resetAfterwards:
            powerCycle()
            link = .resetByOther
        }
        guard answer.bytes.count >= 2 else { throw .responseTooShort(answer.bytes.count) }
        guard answer.bytes.count <= facts.largestResponse else {
            throw .answerTooLong(needs: answer.bytes.count, passes: facts.largestResponse)
        }
        return answer.bytes
    }

    /// Takes the card's power away and gives it back; both kinds do that here.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        guard link == .ready || link == .resetByOther else { throw linkFault }
        powerCycle()
        link = .ready
    }

    /// Takes the card's power away, or gives it back.
    ///
    /// Field on after a removal is the card coming back. Where nothing changes, the card notices nothing.
    public func setField(_ state: FieldState) throws(TransportFault) {
        guard link != .closed, link != .lost else { throw linkFault }
        guard facts.capabilities.contains(.fieldControl) else {
            throw .fieldIsFixed(reader: facts.readerName)
        }
        switch (state, link) {
        case (.off, .ready), (.off, .resetByOther):
            card.powerOff()
            link = .fieldOff
        case (.off, _):
            link = .fieldOff
        case (.on, .fieldOff), (.on, .removed):
            powerOn()
            link = .ready
        case (.on, _):
            break
        }
    }

    /// Connects anew: the card, put back where it was missing, has fresh power afterwards.
    public func reconnect() throws(TransportFault) {
        switch link {
        case .closed, .fieldOff:
            throw linkFault
        case .removed:
            powerOn()
        case .ready, .lost:
            powerCycle()
        case .resetByOther:
            // The foreign reset was the power cycle; another would hide what it did to the card.
            break
        }
        link = .ready
    }

    /// Takes the card's power away for good.
    public func close() {
        if link != .closed, link != .fieldOff, link != .removed { card.powerOff() }
        link = .closed
    }

    private func powerCycle() {
        card.powerOff()
        powerOn()
    }

    private func powerOn() {
        card.powerOn()
        facts.atr = card.atr
    }

    private var linkFault: TransportFault {
        switch link {
        case .ready, .lost: .lostAfterTimeout
        case .fieldOff: .fieldIsOff
        case .removed: .cardLeft
        case .resetByOther: .resetByOther
        case .closed: .closed
        }
    }
}
