// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants

/// A connection whose reader tells the UID of the card.
final class UIDConnection: ConnectionShell {
    var uid: [UInt8]?

    init(_ inner: any Connection, uid: [UInt8]) {
        self.uid = uid
        super.init(inner)
    }

    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard command == [0xFF, 0xCA, 0x00, 0x00, 0x00] else { return try inner.transmit(command) }
        return uid.map { $0 + [0x90, 0x00] } ?? [0x6A, 0x81]
    }
}

/// A connection that changes the signature in the answer to one instruction.
final class ForgingConnection: ConnectionShell {
    private let instruction: TangemInstruction

    init(_ inner: any Connection, _ instruction: TangemInstruction) {
        self.instruction = instruction
        super.init(inner)
    }

    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        var bytes = try inner.transmit(command)
        guard command.count > 1, command[1] == instruction.rawValue,
            let objects = try? CardObjects(parsing: Array(bytes.dropLast(2)))
        else { return bytes }
        let forged = objects.items.map { object in
            guard object.tag == .cardSignature || object.tag == .walletSignature, let last = object.value.last
            else { return object }
            return CardObject(object.tag, object.value.dropLast() + [last ^ 1])
        }
        bytes = CardObjects(forged).bytes + bytes.suffix(2)
        return bytes
    }
}

/// A connection around another one.
class ConnectionShell: Connection {
    let inner: any Connection

    init(_ inner: any Connection) {
        self.inner = inner
    }

    func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] { try inner.transmit(command) }

    var facts: ConnectionFacts { inner.facts }
    var exchangeDeadline: Duration {
        get { inner.exchangeDeadline }
        set { inner.exchangeDeadline = newValue }
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] { try answer(command) }
    func reset(_ kind: ResetKind) throws(TransportFault) { try inner.reset(kind) }
    func setField(_ state: FieldState) throws(TransportFault) { try inner.setField(state) }
    func reconnect() throws(TransportFault) { try inner.reconnect() }
    func close() { inner.close() }
}

/// A connection that loses the card once: at one command of an instruction, before it comes or with its answer.
final class LosingConnection: ConnectionShell {
    /// What the reader tells as the UID; nil for nothing.
    var uid: [UInt8]?
    private(set) var losses = 0

    private let instruction: TangemInstruction
    private let number: Int
    private let isBefore: Bool
    private var sent: [UInt8] = []

    init(_ inner: any Connection, _ instruction: TangemInstruction, after number: Int, before: Bool) {
        self.instruction = instruction
        self.number = number
        isBefore = before
        super.init(inner)
    }

    /// How many commands of an instruction were sent.
    func count(_ instruction: TangemInstruction) -> Int { sent.count { $0 == instruction.rawValue } }

    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        if command == [0xFF, 0xCA, 0x00, 0x00, 0x00] {
            return uid.map { $0 + [0x90, 0x00] } ?? [0x6A, 0x81]
        }
        let ins = command.count > 1 ? command[1] : 0
        let isHit = ins == instruction.rawValue && losses == 0 && count(instruction) == number
        sent.append(ins)
        guard isHit else { return try inner.transmit(command) }
        losses += 1
        if !isBefore { _ = try inner.transmit(command) }
        throw TransportFault(.cardRemoved, "the card was taken away")
    }
}

/// A connection that changes the answers to one instruction.
final class AlteringConnection: ConnectionShell {
    private let instruction: TangemInstruction
    private let change: (CardObjects, [UInt8]) -> (CardObjects, StatusWord)

    init(
        _ inner: any Connection,
        _ instruction: TangemInstruction,
        _ change: @escaping (_ objects: CardObjects, _ command: [UInt8]) -> (CardObjects, StatusWord)
    ) {
        self.instruction = instruction
        self.change = change
        super.init(inner)
    }

    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        let bytes = try inner.transmit(command)
        guard command.count > 1, command[1] == instruction.rawValue,
            let objects = try? CardObjects(parsing: Array(bytes.dropLast(2)))
        else { return bytes }
        let (changed, sw) = change(objects, command)
        return changed.bytes + [sw.sw1, sw.sw2]
    }
}
