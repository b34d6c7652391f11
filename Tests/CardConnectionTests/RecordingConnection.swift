// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard

/// Keeps every command that passes, in hex, and what else was asked of the connection in words.
final class RecordingConnection: ConnectionWrapper {
    let inner: any Connection
    private(set) var commands: [String] = []
    private(set) var calls: [String] = []

    init(_ inner: any Connection) {
        self.inner = inner
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        commands.append(command.hex)
        return try inner.transmit(command)
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {
        calls.append("reset \(kind.rawValue)")
        try inner.reset(kind)
    }

    func setField(_ state: FieldState) throws(TransportFault) {
        calls.append("field \(state.rawValue)")
        try inner.setField(state)
    }

    func reconnect() throws(TransportFault) {
        calls.append("reconnect")
        try inner.reconnect()
    }

    func close() {
        calls.append("close")
        inner.close()
    }
}
