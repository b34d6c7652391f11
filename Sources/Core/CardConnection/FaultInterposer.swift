// SPDX-License-Identifier: MIT

import SmartCard

/// Makes an exchange fail as a case asks for, and keeps the card below in the state that such a failure leaves.
///
/// It stands next to the reader, so that its exchanges are those of the trace. Only exchanges made while ``isArmed``
/// count: those of the case's own steps.
public final class FaultInterposer: ConnectionWrapper {
    /// The connection below.
    public let inner: any Connection
    /// True while the case's own steps run; set-up and teardown are never struck.
    public var isArmed = false
    /// Called with the command just before one is sent that will lose its power in the middle.
    ///
    /// An emulator uses it to stop half way; without it the card carries the command out and only its answer is lost.
    public var onCut: (([UInt8]) -> Void)?
    /// Called when a fault strikes, before its exchange.
    public var onStrike: ((InjectedFault) -> Void)?
    /// Exchanges counted so far.
    public private(set) var exchangeCount = 0

    private let clock: any RigClock
    private var faults: [(fault: InjectedFault, left: Int)]
    private var step: (name: String?, verb: String) = (nil, "")
    private var link = Link.ready

    private enum Link {
        case ready
        case removed(hasPowerBelow: Bool)
        case resetByOther
        case lost
    }

    /// Puts faults on a connection.
    ///
    /// - Parameters:
    ///   - inner: The connection below.
    ///   - clock: Where delays and unanswered exchanges pass.
    ///   - faults: What will strike; the first that matches an exchange does.
    public init(_ inner: any Connection, clock: any RigClock, faults: [InjectedFault] = []) {
        self.inner = inner
        self.clock = clock
        self.faults = faults.map { ($0, $0.times) }
    }

    /// Adds a fault, for example one that stands at a single step.
    public func add(_ fault: InjectedFault) {
        faults.append((fault, fault.times))
    }

    /// The faults that never struck: a case that waits for one of them proves nothing.
    public var unstruckFaults: [InjectedFault] {
        faults.filter { $0.left == $0.fault.times }.map(\.fault)
    }

    /// Says which step the next exchanges belong to.
    public func beginStep(name: String?, verb: String) {
        step = (name, verb)
    }

    /// Sends a command, unless a fault strikes.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        try checkLink()
        guard isArmed else { return try inner.transmit(command) }
        exchangeCount += 1
        guard let fault = takeFault() else { return try inner.transmit(command) }
        return try strike(fault, command)
    }

    /// Resets the card, where the link still stands.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        if case .resetByOther = link {
            try inner.reset(kind)
            link = .ready
            return
        }
        try checkLink()
        try inner.reset(kind)
    }

    /// Switches the field; on brings back a card that was taken away.
    public func setField(_ state: FieldState) throws(TransportFault) {
        switch (link, state) {
        case (.lost, _):
            throw .lostAfterTimeout
        case (.removed, .on):
            try restorePower()
        case (.removed(hasPowerBelow: false), .off):
            link = .ready
        case (.resetByOther, .on):
            try inner.setField(.on)
        default:
            try inner.setField(state)
            link = .ready
        }
    }

    /// Connects anew, with the card back in its place.
    public func reconnect() throws(TransportFault) {
        if case .removed(let hasPowerBelow) = link {
            try restorePower()
            guard !hasPowerBelow else { return }
        }
        try inner.reconnect()
        link = .ready
    }

    // MARK: Choosing

    private func takeFault() -> InjectedFault? {
        guard let index = faults.firstIndex(where: { $0.left > 0 && matches($0.fault.trigger) }) else {
            return nil
        }
        faults[index].left -= 1
        onStrike?(faults[index].fault)
        return faults[index].fault
    }

    private func matches(_ trigger: InjectedFault.Trigger) -> Bool {
        switch trigger {
        case .exchange(let number): exchangeCount >= number
        case .step(let name): step.name == name
        case .verb(let word): isVerb(word)
        case .word(let word): step.name == word || isVerb(word)
        }
    }

    private func isVerb(_ word: String) -> Bool {
        step.verb == word || step.verb.hasSuffix("." + word) || word.hasSuffix("." + step.verb)
    }

    // MARK: Striking

    private func strike(_ fault: InjectedFault, _ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        let start = clock.now
        switch fault.kind {
        case .remove, .powerLoss:
            try deliver(command, fault)
            takePower()
            throw fault.kind == .remove
                ? .cardLeft
                : TransportFault(.cardRemoved, "the card lost its power", hint: "connect again")
        case .reset:
            try deliver(command, fault)
            do throws(TransportFault) {
                try inner.reset(.warm)
            } catch {
                // A card that was cut off in the middle is without power, which no reset gives back.
                try inner.reconnect()
            }
            link = .resetByOther
            throw .resetByOther
        case .mute:
            try deliver(command, fault)
            throw giveUp(since: start)
        case .sw(let word):
            try deliver(command, fault)
            return [word.sw1, word.sw2]
        case .delay(let time):
            return try transmit(command, delayedBy: time, fault.when, since: start)
        case .truncate(let count):
            let answer = Array(try inner.transmit(command).prefix(max(count, 0)))
            guard answer.count >= 2 else { throw .responseTooShort(answer.count) }
            return answer
        case .corrupt:
            var answer = try inner.transmit(command)
            answer[0] ^= 0xFF
            return answer
        }
    }

    /// Lets the command come as far as the fault's moment says.
    private func deliver(_ command: [UInt8], _ fault: InjectedFault) throws(TransportFault) {
        switch fault.when {
        case .before:
            break
        case .during where fault.needsFieldCut:
            guard inner.facts.capabilities.contains(.fieldCut) else {
                throw TransportFault(
                    .control,
                    "reader \"\(inner.facts.readerName)\" cannot cut the field in the middle of an exchange",
                    hint: "the case needs the capability \(Capability.fieldCut.rawValue)"
                )
            }
            onCut?(command)
            // Whatever the card made of it is lost with its power.
            _ = try? inner.transmit(command)
        case .during, .afterAnswerLost:
            _ = try inner.transmit(command)
        }
    }

    private func transmit(
        _ command: [UInt8],
        delayedBy time: Duration,
        _ moment: InjectedFault.Moment,
        since start: Duration
    ) throws(TransportFault) -> [UInt8] {
        if moment == .before {
            guard time <= exchangeDeadline else { throw giveUp(since: start) }
            clock.wait(time)
            let answer = try inner.transmit(command)
            guard clock.now - start <= exchangeDeadline else { throw giveUp(since: start) }
            return answer
        }
        let answer = try inner.transmit(command)
        guard clock.now - start + time <= exchangeDeadline else { throw giveUp(since: start) }
        clock.wait(time)
        return answer
    }

    /// Waits for the rest of the deadline; the connection is lost afterwards.
    private func giveUp(since start: Duration) -> TransportFault {
        clock.wait(max(exchangeDeadline - (clock.now - start), .zero))
        link = .lost
        return .noAnswer(in: exchangeDeadline)
    }

    // MARK: Power

    private func takePower() {
        var isOff = false
        if inner.facts.capabilities.contains(.fieldControl) {
            isOff = (try? inner.setField(.off)) != nil
        }
        link = .removed(hasPowerBelow: !isOff)
    }

    private func restorePower() throws(TransportFault) {
        guard case .removed(let hasPowerBelow) = link else { return }
        if hasPowerBelow {
            // The reader could not take the card's power, so its memory must be cleared another way.
            try inner.reconnect()
            try inner.reset(.cold)
        } else {
            try inner.setField(.on)
        }
        link = .ready
    }

    private func checkLink() throws(TransportFault) {
        switch link {
        case .ready: return
        case .removed: throw .cardLeft
        case .resetByOther: throw .resetByOther
        case .lost: throw .lostAfterTimeout
        }
    }
}
