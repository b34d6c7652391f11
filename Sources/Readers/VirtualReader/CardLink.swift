// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import HostSystem

/// The working half of ``VirtualCardClient``: the thread that dials and serves.
///
/// The thread keeps the link alive, not the client, so that a client that is let go of can stop it.
final class CardLink: Sendable {
    typealias ExchangeHook = @Sendable (_ command: [UInt8], _ answer: [UInt8], _ time: Duration) -> Void

    let host: String
    let port: UInt16
    private let paces: Bool
    private let onExchange: ExchangeHook?
    private let shared: Guarded<Shared>

    /// What the threads share.
    private struct Shared: Sendable {
        var card: any Card
        var state = VirtualCardState()
        /// Of the thread that may go on; `stop()` moves it on.
        var generation = 0
        /// How many threads have not ended.
        var threadCount = 0
        /// Changes with each `insert()`, and so ends a wait between two dials.
        var insertions = 0
        /// The socket in use, or -1.
        ///
        /// Only the link's thread closes it, after it has put -1 here.
        var descriptor: Int32 = -1
        /// True when another thread has cut the link in use, and has said why.
        var isCut = false
        var patience: Duration?
    }

    init(card: any Card, host: String, port: UInt16, paces: Bool, onExchange: ExchangeHook?) {
        self.host = host
        self.port = port
        self.paces = paces
        self.onExchange = onExchange
        shared = Guarded(Shared(card: card))
    }

    var state: VirtualCardState { shared.withLock { $0.state } }

    var patience: Duration? {
        get { shared.withLock { $0.patience } }
        set { shared.withLock { $0.patience = newValue } }
    }

    func wait(timeout: Duration, until isDone: (VirtualCardState) -> Bool) -> Bool {
        shared.wait(timeout: timeout) { isDone($0.state) }
    }

    func start() {
        let generation: Int? = shared.change { shared in
            guard !shared.state.isRunning else { return nil }
            shared.state.isRunning = true
            shared.generation += 1
            shared.threadCount += 1
            return shared.generation
        }
        guard let generation else { return }
        let isStarted = LinkThread.start { [self] in
            run(generation: generation)
            shared.change { $0.threadCount -= 1 }
        }
        if !isStarted {
            shared.change { shared in
                shared.state.isRunning = false
                shared.threadCount -= 1
            }
        }
    }

    func stop() {
        let wasRunning: Bool = shared.change { shared in
            guard shared.state.isRunning else { return false }
            shared.state.isRunning = false
            shared.generation += 1
            Self.cut(&shared, because: .stopped)
            return true
        }
        // The card itself may stop its client; its thread then ends after the exchange.
        guard wasRunning, !LinkThread.isCurrent else { return }
        shared.wait(timeout: .seconds(2)) { $0.threadCount == 0 }
    }

    func insert() {
        shared.change { shared in
            shared.state.isInserted = true
            shared.insertions += 1
        }
    }

    func remove() {
        shared.change { shared in
            shared.state.isInserted = false
            Self.cut(&shared, because: .withdrawn)
        }
    }

    func replace(card: any Card) {
        let isPowered = shared.withLock { $0.state.isPowered }
        if isPowered { card.powerOn() }
        let (old, isStillPowered) = shared.change { shared in
            let old = shared.card
            shared.card = card
            return (old, shared.state.isPowered)
        }
        if old !== card, isPowered { old.powerOff() }
        // The reader may have switched in between.
        if isPowered, !isStillPowered { card.powerOff() }
    }

    /// Ends the link in use; the reading thread wakes up and closes the socket.
    private static func cut(_ shared: inout Shared, because loss: LinkLoss) {
        guard shared.descriptor >= 0 else { return }
        if shared.state.isConnected {
            shared.isCut = true
            lose(&shared, because: loss)
        }
        shutdown(shared.descriptor, Int32(SHUT_RDWR))
    }

    /// Writes down that the link in use is no more.
    private static func lose(_ shared: inout Shared, because loss: LinkLoss) {
        shared.state.isConnected = false
        shared.state.isServed = false
        shared.state.isTaken = false
        shared.state.lastLoss = loss
        shared.state.lossCount += 1
    }

    // MARK: The link's thread

    /// Dials and serves until another generation starts.
    private func run(generation: Int) {
        var backOff = BackOff()
        // A card that has not come back from its last exchange still holds the thread before this one.
        shared.wait(timeout: nil) { $0.generation != generation || $0.threadCount == 1 }
        while true {
            shared.wait(timeout: nil) { $0.generation != generation || $0.state.isInserted }
            let insertions: Int? = shared.withLock { shared in
                shared.generation == generation ? shared.insertions : nil
            }
            guard let insertions else { return }
            let socket = DriverSocket.dial(host: host, port: port) { descriptor in
                shared.withLock { shared in
                    guard shared.generation == generation, shared.state.isInserted else {
                        shared.descriptor = -1
                        return false
                    }
                    shared.descriptor = descriptor
                    return true
                }
            }
            if let socket, serve(socket, generation: generation) { backOff.reset() }
            let pause = backOff.next()
            let isInserted = shared.wait(timeout: pause) { shared in
                shared.generation != generation || shared.insertions != insertions
            }
            if isInserted { backOff.reset() }
        }
    }

    /// Serves one link that is open, on the thread of the caller, until it goes down; closes it then.
    ///
    /// - Parameters:
    ///   - socket: The link to the driver.
    ///   - generation: Whose link it is; it is not served once another one has started.
    /// - Returns: True when the driver said anything.
    func serve(_ socket: DriverSocket, generation: Int) -> Bool {
        let mayServe = shared.change { shared in
            guard shared.generation == generation, shared.state.isInserted else { return false }
            shared.state.isConnected = true
            shared.state.isServed = false
            shared.state.isTaken = false
            shared.state.connectionCount += 1
            shared.isCut = false
            return true
        }
        let loss = mayServe ? answerMessages(on: socket) : nil
        let (wasServed, card, wasPowered) = shared.change { shared in
            let before = (shared.state.isServed, shared.card, shared.state.isPowered)
            shared.descriptor = -1
            shared.state.isPowered = false
            // Who cut the link from outside knows better why it went down than who was reading.
            if let loss, !shared.isCut { Self.lose(&shared, because: loss) }
            if loss == .cardLeft { shared.state.isInserted = false }
            return before
        }
        // First the card, then the link: whoever sees the card gone sees a card without power.
        if wasPowered { card.powerOff() }
        socket.close()
        return wasServed
    }

    /// The loop of one link: control bytes and commands, one after the other.
    private func answerMessages(on socket: DriverSocket) -> LinkLoss {
        var stream = MessageStream(descriptor: socket.descriptor)
        let writer = AnswerWriter(socket: socket)
        var isFirst = true
        while let message = stream.next() {
            if isFirst {
                isFirst = false
                shared.change { $0.state.isServed = true }
            }
            if message.count > 1 {
                if let loss = answer([UInt8](message), on: socket, with: writer) { return loss }
            } else if message.count == 1 {
                if let loss = control(message[0], with: writer) { return loss }
            }
        }
        return .closedByService
    }

    /// Answers one command.
    ///
    /// - Returns: Why the link must end, or nil.
    @inline(__always)
    private func answer(_ command: [UInt8], on socket: DriverSocket, with writer: AnswerWriter) -> LinkLoss? {
        let begin = paces || onExchange != nil ? MonotonicTime.nanoseconds : 0
        let (card, isPowered, patience) = shared.change { shared in
            shared.state.exchangeCount += 1
            return (shared.card, shared.state.isPowered, shared.patience)
        }
        // A link that broke and came back within one presence poll gets commands without a power-on.
        if !isPowered { power(on: card) }
        let answer =
            ReaderCommand.answer(to: command, of: card).map { CardAnswer($0) } ?? card.respond(to: command)
        if paces, answer.time > .zero {
            let limit = patience.map { min($0, answer.time) } ?? answer.time
            let spent = Duration.nanoseconds(MonotonicTime.nanoseconds - begin)
            guard socket.pause(limit - spent) else { return .closedByService }
            if limit < answer.time { return .silent }
        }
        if let onExchange {
            let isSent = answer.ending == .answered || answer.ending == .resetAfterwards
            let time = Duration.nanoseconds(MonotonicTime.nanoseconds - begin)
            onExchange(command, isSent ? answer.bytes : [], time)
        }
        switch answer.ending {
        case .answered:
            return writer.send(answer.bytes)
        case .resetAfterwards:
            card.powerOff()
            card.powerOn()
            shared.change { $0.state.ownResetCount += 1 }
            return writer.send(answer.bytes)
        case .removed:
            return .cardLeft
        case .mute:
            guard let patience else { return nil }
            // Without a clock reading at the start the card's own time counts as none.
            let spent = begin > 0 ? Duration.nanoseconds(MonotonicTime.nanoseconds - begin) : .zero
            return socket.pause(patience - spent) ? .silent : .closedByService
        }
    }

    /// Obeys one control byte; unknown ones are ignored.
    ///
    /// - Returns: Why the link must end, or nil.
    private func control(_ byte: UInt8, with writer: AnswerWriter) -> LinkLoss? {
        switch byte {
        case ControlByte.powerOff:
            let (card, wasPowered) = shared.change { shared in
                defer { shared.state.isPowered = false }
                return (shared.card, shared.state.isPowered)
            }
            if wasPowered { card.powerOff() }
        case ControlByte.powerOn:
            let (card, wasPowered) = shared.withLock { ($0.card, $0.state.isPowered) }
            if wasPowered { card.powerOff() }
            power(on: card)
            shared.change { shared in
                shared.state.powerOnCount += 1
                shared.state.lastPowerOn = MonotonicTime.now
            }
        case ControlByte.reset:
            let (card, wasPowered) = shared.withLock { ($0.card, $0.state.isPowered) }
            if wasPowered { card.powerOff() }
            power(on: card)
            shared.change { $0.state.resetCount += 1 }
        case ControlByte.atr:
            let atr = shared.withLock { $0.card }.atr
            return atr.isEmpty ? .emptyATR : writer.send(atr)
        default:
            break
        }
        return nil
    }

    private func power(on card: any Card) {
        card.powerOn()
        shared.change { shared in
            shared.state.isPowered = true
            shared.state.isTaken = shared.state.isConnected
        }
    }
}

/// The driver's one-byte messages.
///
/// Source: vsmartcard, virtualsmartcard/src/vpcd/vpcd.c, version 3.3.
private enum ControlByte {
    static let powerOff: UInt8 = 0x00
    static let powerOn: UInt8 = 0x01
    static let reset: UInt8 = 0x02
    static let atr: UInt8 = 0x04
}
