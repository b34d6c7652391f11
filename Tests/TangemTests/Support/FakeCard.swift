// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Synchronization
import Tangem
import TangemConstants

/// A card that answers as a closure says, and remembers what it was asked.
final class FakeCard: Card {
    typealias Answer = @Sendable (_ command: CommandAPDU, _ number: Int) -> CardAnswer

    let atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]
    private let answer: Answer
    private let state = Mutex((wire: [[UInt8]](), powerOns: 0))

    /// Everything but SELECT goes to the closure, with the number of earlier commands.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// All commands but SELECT.
    var wire: [[UInt8]] { state.withLock { $0.wire } }
    /// The instructions of all commands but SELECT.
    var instructions: [UInt8] { wire.map { $0.count > 1 ? $0[1] : 0 } }
    var powerOns: Int { state.withLock { $0.powerOns } }

    func powerOn() { state.withLock { $0.powerOns += 1 } }
    func powerOff() {}

    func respond(to command: [UInt8]) -> CardAnswer {
        if command == CommandFrame.select { return CardAnswer([0x90, 0x00]) }
        let number = state.withLock { state in
            state.wire.append(command)
            return state.wire.count - 1
        }
        guard let apdu = try? CommandAPDU(bytes: command) else { return CardAnswer([0x67, 0x00]) }
        return answer(apdu, number)
    }
}

extension CardAnswer {
    /// Data objects and a status word.
    static func objects(_ objects: CardObjects, _ sw: StatusWord = .success) -> CardAnswer {
        CardAnswer(objects.bytes + [sw.sw1, sw.sw2])
    }

    /// A status word alone.
    static func sw(_ sw: StatusWord) -> CardAnswer { CardAnswer([sw.sw1, sw.sw2]) }
}

/// A delegate that remembers all events and has codes to give.
final class EventLog: SessionDelegate {
    private(set) var events: [SessionEvent] = []
    private(set) var requests: [CodeRequest] = []
    var replies: [CodeReply] = []
    var wrongCardReply = WrongCardReply.waitForNext
    var onEvent: ((SessionEvent) -> Void)?

    func handle(_ event: SessionEvent) {
        events.append(event)
        onEvent?(event)
    }

    func code(for request: CodeRequest) -> CodeReply {
        requests.append(request)
        return replies.isEmpty ? .unknown : replies.removeFirst()
    }

    func wrongCard(found: CardID?, wanted: CardID) -> WrongCardReply { wrongCardReply }
}

/// A reader on which one card after the other is put.
final class CardTray: CardReader {
    private var connections: [any Connection]
    private(set) var disconnections = 0
    /// How often there is no card before the next one comes.
    var emptyLooks = 0

    init(_ connections: [any Connection]) {
        self.connections = connections
    }

    func connect() throws(TransportFault) -> any Connection {
        guard let connection = connections.first else { throw TransportFault(.noCard, "the tray is empty") }
        return connection
    }

    func connectAgain(after connection: any Connection) throws(TransportFault) -> any Connection {
        guard emptyLooks == 0 else {
            emptyLooks -= 1
            throw TransportFault(.noCard, "the tray is empty")
        }
        if connections.count > 1 {
            connections.removeFirst()
            return try connect()
        }
        try connection.reconnect()
        return connection
    }

    func disconnect(_ connection: any Connection) { disconnections += 1 }
}
