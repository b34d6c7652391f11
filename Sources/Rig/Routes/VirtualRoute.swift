// SPDX-License-Identifier: MIT

public import CardConnection
public import Runner
import SmartCard
import Synchronization
import VirtualReader

/// The emulator of the suite's target behind the real PC/SC service, through the virtual reader of vpcd.
///
/// The card under test is in one slot of the driver. The first of the target's other cards has the second slot, where
/// no other worker needs it.
public final class VirtualRoute: Route {
    /// `virtual`.
    public let spec = "virtual"
    /// False: the service takes its own time.
    public let isVirtualTime = false
    /// True: the card is our emulator.
    public let isEmulated = true
    /// The slot of the card under test.
    private let slot: VirtualSlot
    /// The slot of another card; nil when there is none to have.
    private let second: VirtualSlot?
    /// Why there is no second slot, when there is none.
    private let missing: MissingSlot

    /// Why a route has one slot only.
    enum MissingSlot {
        /// The other slot is that of another worker.
        case taken
        /// The card under test is in the last slot.
        case last
    }

    /// Makes the route.
    ///
    /// - Parameter address: Where the slot listens; the one behind it, where the driver has it, is for another card.
    public convenience init(address: VPCDAddress = VPCDAddress()) {
        self.init(address: address, isAlone: true)
    }

    /// Makes the route of a worker that may have the second slot as well, or may not.
    init(address: VPCDAddress, isAlone: Bool) {
        slot = VirtualSlot(address)
        second = isAlone ? address.following.map(VirtualSlot.init) : nil
        missing = isAlone ? .last : .taken
    }

    /// What emulator and virtual reader offer together.
    public func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        EmulatedDevice.capabilities(target: target, options: options, roles: reach)
    }

    /// Why a role cannot be had here.
    public func absence(ofRole role: String, target: String) -> String? {
        if let sentence = EmulatorCatalog.absenceFromReaders(ofRole: role, target: target) { return sentence }
        guard EmulatorCatalog.otherCards(of: target).contains(role) else { return nil }
        let remedy = "run it with --via emulator"
        guard second == nil else {
            let first = EmulatorCatalog.otherCards(of: target).first ?? ""
            return "it is a third card, and the virtual reader has two slots, for the card under test and "
                + "'\(first)'; \(remedy)"
        }
        switch missing {
        case .taken:
            return "the virtual reader has two slots, and each has a worker; run it with --jobs 1"
        case .last:
            return
                "the card under test is in the virtual reader's last slot; give --vpcd the port of the first"
        }
    }

    private var reach: EmulatedDevice.Reach { .cards(second == nil ? 0 : 1) }

    /// Puts a fresh emulator into the virtual reader and connects to it through the service.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        let clock = SystemClock()
        let device = try EmulatedDevice.make(setup, clock: clock)
        let connection = try slot.connect(device.card, deadline: setup.exchangeDeadline)
        var opened = OpenedCard(
            connection: ExplainedConnection(connection) { device.muteReason(nil) },
            clock: clock,
            kit: device.kit,
            capabilities: EmulatedDevice.offered(by: device, roles: reach),
            firmware: device.firmware,
            sample: device.sample,
            acceptsChaining: device.acceptsChaining,
            onCut: device.onCut
        )
        guard let second else { return opened }
        opened.openRole = { [reach] role throws(TransportFault) in
            guard let card = device.roles[role], EmulatedDevice.isReached(role, of: device, by: reach) else {
                throw TransportFault(.control, "the virtual reader has no slot for the role '\(role)'")
            }
            do throws(TransportFault) {
                let connection = try second.connect(card, deadline: setup.exchangeDeadline)
                return ExplainedConnection(connection) { device.muteReason(role) }
            } catch {
                guard error.kind == .noReader else { throw error }
                let hint = "give the driver a second slot for the role '\(role)', or run with --via emulator"
                throw TransportFault(.noReader, error.detail, hint: hint)
            }
        }
        return opened
    }

    /// Takes the cards out of the virtual reader.
    public func close() {
        slot.close()
        second?.close()
    }
}
