// SPDX-License-Identifier: MIT

public import CardConnection
public import Runner
import SmartCard

/// The emulator of the suite's target, in process, on a modelled clock.
public final class EmulatorRoute: Route {
    /// `emulator`.
    public let spec = "emulator"
    /// True: time is modelled.
    public let isVirtualTime = true
    /// True: nothing real is at stake.
    public let isEmulated = true

    /// Makes the route.
    public init() {}

    /// What emulator and in-process reader offer together.
    public func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        EmulatedDevice.capabilities(target: target, options: options, roles: .all)
    }

    /// Makes a fresh emulator with a clock of its own.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        let clock = ModelClock()
        let device = try EmulatedDevice.make(setup, clock: clock)
        let facts = ConnectionFacts(
            readerName: "emulator \(setup.target)",
            atr: device.card.atr,
            protocolName: device.protocolName ?? EmulatedProtocol.name(atr: device.card.atr),
            capabilities: EmulatedDevice.offered(by: device, roles: .all)
        )
        let inProcess = InProcessConnection(
            card: device.card,
            clock: clock,
            facts: facts,
            deadline: setup.exchangeDeadline
        )
        let connection = ExplainedConnection(inProcess) { device.muteReason(nil) }
        var opened = OpenedCard(
            connection: connection,
            clock: clock,
            kit: device.kit,
            capabilities: EmulatedDevice.offered(by: device, roles: .all),
            firmware: device.firmware,
            sample: device.sample,
            acceptsChaining: device.acceptsChaining,
            onCut: device.onCut
        )
        opened.openRole = { role throws(TransportFault) in
            guard let face = device.roles[role] else {
                throw TransportFault(.control, "the emulator of '\(setup.target)' has no role '\(role)'")
            }
            if let link = device.links[role] { return link(setup.exchangeDeadline) }
            let inProcess = InProcessConnection(
                card: face,
                clock: clock,
                facts: ConnectionFacts(
                    readerName: "emulator \(setup.target) \(role)",
                    atr: face.atr,
                    protocolName: EmulatedProtocol.name(atr: face.atr),
                    capabilities: [.fieldControl]
                ),
                deadline: setup.exchangeDeadline
            )
            return ExplainedConnection(inProcess) { device.muteReason(role) }
        }
        return opened
    }

    /// Nothing to let go of.
    public func close() {}
}

/// The protocol that a reader would take with an emulated card.
enum EmulatedProtocol {
    /// T=1 where the ATR offers it, else T=0.
    static func name(atr: [UInt8]) -> String {
        guard let parsed = try? ATR(atr) else { return "T=1" }
        return parsed.protocols.contains(1) ? "T=1" : "T=0"
    }
}
