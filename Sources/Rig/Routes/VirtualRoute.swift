// SPDX-License-Identifier: MIT

public import CardConnection
public import Runner
import SmartCard
import Synchronization
import VirtualReader

/// The emulator of the suite's target behind the real PC/SC service, through the virtual reader of vpcd.
public final class VirtualRoute: Route {
    /// `virtual`.
    public let spec = "virtual"
    /// False: the service takes its own time.
    public let isVirtualTime = false
    /// True: the card is our emulator.
    public let isEmulated = true
    private let address: VPCDAddress
    /// The client stays for the whole run; a fresh card takes the place of the old one for each case.
    private let client = Mutex<VirtualCardClient?>(nil)

    /// Makes the route.
    public init(address: VPCDAddress = VPCDAddress()) {
        self.address = address
    }

    /// What emulator and virtual reader offer together.
    public func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        EmulatedDevice.capabilities(target: target, options: options)
    }

    /// Puts a fresh emulator into the virtual reader and connects to it through the service.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        let clock = SystemClock()
        let device = try EmulatedDevice.make(setup, clock: clock)
        let client = client.withLock { known in
            if let known {
                known.replace(card: device.card)
                known.insert()
                return known
            }
            let made = VirtualCardClient(card: device.card, host: address.host, port: address.port)
            made.start()
            known = made
            return made
        }
        var options = VirtualConnection.Options()
        options.exchangeDeadline = setup.exchangeDeadline
        let connection = try VirtualConnection(client: client, options: options)
        return OpenedCard(
            connection: connection,
            clock: clock,
            kit: device.kit,
            capabilities: EmulatedDevice.offered(by: device),
            firmware: device.firmware,
            sample: device.sample,
            acceptsChaining: device.acceptsChaining,
            onCut: device.onCut
        )
    }

    /// Takes the card out of the virtual reader.
    public func close() {
        client.withLock { known in
            known?.stop()
            known = nil
        }
    }
}
