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
