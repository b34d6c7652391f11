// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard

/// Lets a device's host library talk through a verb's call, so that its exchanges are observed and recovered too.
final class ObservedConnection: ConnectionWrapper {
    let inner: any Connection
    private let call: VerbCall

    init(_ call: VerbCall) {
        self.call = call
        inner = call.session.connection
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        do throws(VerbStop) {
            return try call.send(bytes: command).bytes
        } catch {
            guard case .fault(let fault) = error else { throw TransportFault(.transport, "\(error)") }
            throw fault
        }
    }
}
