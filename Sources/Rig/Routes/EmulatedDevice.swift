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

    /// What device and reader offer together; nil when the device cannot be made.
    static func capabilities(
        target: String,
        options: [String: String],
        withRoles: Bool = false
    ) -> Set<Capability>? {
        let device = try? EmulatorCatalog.make(
            target: target,
            firmware: nil,
            options: options,
            seed: 0,
            clock: ModelClock()
        )
        return device.map { offered(by: $0, withRoles: withRoles) }
    }

    /// What device and reader offer together: the rig owns the card's side, so the field is its own.
    ///
    /// Other faces of the device (its roles) can be reached only where there is no reader between.
    static func offered(by device: EmulatorCatalog.Device, withRoles: Bool = false) -> Set<Capability> {
        let roles = withRoles ? device.roles.keys.map(Capability.role) : []
        return device.capabilities.union([.fieldControl, .fieldCut]).union(roles)
    }
}
