// SPDX-License-Identifier: MIT

import CardConnection
import Synchronization
import VirtualReader

/// A slot of the virtual reader, and the client that puts one card after the other into it.
final class VirtualSlot: Sendable {
    private let address: VPCDAddress
    /// The client stays for the whole run; a fresh card takes the place of the old one for each case.
    private let client = Mutex<VirtualCardClient?>(nil)

    init(_ address: VPCDAddress) {
        self.address = address
    }

    /// Puts a card into the slot and connects to it through the service.
    ///
    /// - Parameters:
    ///   - card: The card; what was in the slot before is out of it then.
    ///   - deadline: How long one exchange may take.
    /// - Returns: The connection; it closes itself, the card stays in the slot.
    /// - Throws: What is missing, or who is in the way.
    func connect(_ card: any Card, deadline: Duration) throws(TransportFault) -> VirtualConnection {
        let client = client.withLock { known in
            if let known {
                known.replace(card: card)
                known.insert()
                return known
            }
            let made = VirtualCardClient(card: card, host: address.host, port: address.port)
            made.start()
            known = made
            return made
        }
        var options = VirtualConnection.Options()
        options.exchangeDeadline = deadline
        return try VirtualConnection(client: client, options: options)
    }

    /// Takes the card out of the slot.
    func close() {
        client.withLock { known in
            known?.stop()
            known = nil
        }
    }
}
