// SPDX-License-Identifier: MIT

import CardConnection
import Runner

/// What the routes to emulators have in common: a fresh device for each case, and what it offers.
enum EmulatedDevice {
    /// Makes the device that a case wants.
    static func make(
        _ setup: DeviceSetup,
        clock: any RigClock
    ) throws(TransportFault) -> EmulatorCatalog.Device {
        do {
            return try EmulatorCatalog.make(
                target: setup.target,
                firmware: setup.firmware,
                options: setup.options,
                seed: setup.seed,
                clock: clock
            )
        } catch {
            throw TransportFault(.control, "the emulator cannot be made: \(error)")
        }
    }

    /// Which of the device's roles a way to it reaches.
    enum Reach {
        /// All: there is no reader between.
        case all
        /// The first so many of its other cards, each in a reader of its own.
        case cards(Int)
    }

    /// What device and reader offer together; nil when the device cannot be made.
    static func capabilities(
        target: String,
        options: [String: String],
        roles reach: Reach
    ) -> Set<Capability>? {
        let device = try? EmulatorCatalog.make(
            target: target,
            firmware: nil,
            options: options,
            seed: 0,
            clock: ModelClock()
        )
        return device.map { offered(by: $0, roles: reach) }
    }

    /// What device and reader offer together: the rig owns the card's side, so the field is its own.
    static func offered(by device: EmulatorCatalog.Device, roles reach: Reach) -> Set<Capability> {
        let roles = device.roles.keys.filter { isReached($0, of: device, by: reach) }
        return device.capabilities.union([.fieldControl, .fieldCut]).union(roles.map(Capability.role))
    }

    /// Whether a way reaches a role of the device.
    static func isReached(_ role: String, of device: EmulatorCatalog.Device, by reach: Reach) -> Bool {
        switch reach {
        case .all: device.roles[role] != nil
        case .cards(let count): device.otherCards.prefix(count).contains(role)
        }
    }
}
