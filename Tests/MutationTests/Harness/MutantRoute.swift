// SPDX-License-Identifier: MIT

import CardConnection
import Runner

@testable import Routes

/// The way to an emulator, as `--via emulator` goes it, with a mutant at its end.
final class MutantRoute: Route {
    let spec = "emulator"
    let isVirtualTime = true
    let isEmulated = true

    private let mutant: Mutant?

    /// - Parameter mutant: The fault; nil for the device as it is.
    init(_ mutant: Mutant?) {
        self.mutant = mutant
    }

    func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        EmulatedDevice.capabilities(target: target, options: options, roles: .all)
    }

    func open(_ wanted: DeviceSetup) throws(TransportFault) -> OpenedCard {
        var setup = wanted
        mutant?.settle(&setup)
        let clock = ModelClock()
        let device =
            if let make = mutant?.device {
                try make(setup, clock)
            } else {
                try EmulatedDevice.make(setup, clock: clock)
            }
        let card = mutant?.card(device) ?? device.card
        // A fault does not say of itself that something is missing: a case must not be skipped for it.
        let offered =
            capabilities(target: wanted.target, options: wanted.options)
            ?? EmulatedDevice.offered(by: device, roles: .all)
        var opened = OpenedCard(
            connection: connection(card, clock, "emulator \(setup.target)", offered, setup),
            clock: clock,
            kit: device.kit,
            capabilities: offered,
            firmware: device.firmware,
            sample: device.sample,
            acceptsChaining: device.acceptsChaining,
            onCut: device.onCut
        )
        let reader = "emulator \(setup.target)"
        opened.openRole = { role throws(TransportFault) in
            guard let face = device.roles[role] else {
                throw TransportFault(.control, "there is no role '\(role)'")
            }
            return self.connection(face, clock, "\(reader) \(role)", [.fieldControl], setup)
        }
        return opened
    }

    private func connection(
        _ card: any Card,
        _ clock: ModelClock,
        _ reader: String,
        _ capabilities: Set<Capability>,
        _ setup: DeviceSetup
    ) -> InProcessConnection {
        InProcessConnection(
            card: card,
            clock: clock,
            facts: ConnectionFacts(
                readerName: reader,
                atr: card.atr,
                protocolName: EmulatedProtocol.name(atr: card.atr),
                capabilities: capabilities
            ),
            deadline: setup.exchangeDeadline
        )
    }

    func close() {}
}
