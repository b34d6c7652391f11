// SPDX-License-Identifier: MIT

import CardConnection
import DevKitEmulator
import Runner
import SmartCard

@testable import NBTEmulator
@testable import Routes

/// An emulated chip on its kit, as the program makes it, that decides by rules of its own.
enum FaultyChip {
    /// Makes the device of a case.
    ///
    /// - Parameters:
    ///   - setup: What the case wants.
    ///   - clock: The time that the chip lives in.
    ///   - rules: What the chip decides by.
    ///   - cutSize: How many bytes of a write arrive when its power goes, of so many.
    /// - Returns: The device, without power.
    /// - Throws: The fault for which the case cannot run.
    static func device(
        _ setup: DeviceSetup,
        _ clock: any RigClock,
        rules: ChipRules,
        cutSize: @escaping @Sendable (Int) -> Int = { $0 / 2 }
    ) throws(TransportFault) -> EmulatorCatalog.Device {
        let isOfKit = Set(EmulatedKit.options.map(\.name))
        do throws(EmulatorOptionError) {
            let chip = try NBTChip(
                options: setup.options.filter { !isOfKit.contains($0.key) },
                seed: setup.seed,
                clock: clock,
                rules: rules
            )
            let kit = try EmulatedKit(
                i2c: chip.i2c,
                clock: clock,
                options: setup.options.filter { isOfKit.contains($0.key) }
            )
            chip.onFieldChange { [weak kit] in kit?.settle() }
            chip.onHostInterrupt { [weak kit] in kit?.chipRaisedInterrupt() }
            return EmulatorCatalog.Device(
                card: chip.nfc,
                kit: kit,
                capabilities: Set(
                    ["kit.led", "kit.button", "kit.reset", "kit.uart"].map { Capability(rawValue: $0) }
                ),
                protocolName: nil,
                acceptsChaining: false,
                firmware: setup.firmware,
                sample: "faulty NBT",
                onCut: { command in
                    guard let command = try? CommandAPDU(bytes: command) else { return }
                    chip.cutDuringNextWrite(afterBytes: cutSize(command.nc))
                },
                roles: ["i2c": chip.i2c]
            )
        } catch {
            throw TransportFault(.control, "the faulty chip cannot be made: \(error)")
        }
    }
}
