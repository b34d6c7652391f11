// SPDX-License-Identifier: MIT

import CardConnection

/// A connection to an emulated card that knows why the card is mute, and says so beside the fault.
final class ExplainedConnection: ConnectionWrapper {
    let inner: any Connection
    private let reason: @Sendable () -> String?

    init(_ inner: any Connection, reason: @escaping @Sendable () -> String?) {
        self.inner = inner
        self.reason = reason
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        do throws(TransportFault) {
            return try inner.transmit(command)
        } catch {
            guard [.timeout, .cardMute].contains(error.kind), error.hint.isEmpty, let reason = reason() else {
                throw error
            }
            throw TransportFault(error.kind, error.detail, hint: reason, code: error.code)
        }
    }
}
