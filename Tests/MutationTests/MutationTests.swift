// SPDX-License-Identifier: MIT

import Testing

/// Whether the shipped scenarios of a device notice faults of it.
@Suite struct MutationTests {
    /// A folder of scenarios, and the faults that they must notice.
    struct Device: Sendable, CustomTestStringConvertible {
        let folder: String
        let mutants: [Mutant]

        var testDescription: String { folder }
    }

    static let devices = [
        Device(folder: "nbt", mutants: TagMutants.all), Device(folder: "tangem", mutants: WalletMutants.all),
    ]

    @Test(arguments: devices) func `A device without a fault passes every case`(_ device: Device) throws {
        #expect(try MutationCheck(folder: device.folder).complaints() == [])
    }

    @Test(arguments: devices) func `Every fault is noticed by a shipped scenario`(_ device: Device) throws {
        let check = try MutationCheck(folder: device.folder)
        var table = KillTable()
        for mutant in device.mutants {
            let killer = try check.killer(of: mutant)
            #expect(killer != nil, "\(mutant.name): \(mutant.fault)")
            table.add(mutant, killer)
        }
        try table.publish(as: device.folder)
    }

    @Test(arguments: devices) func `There are enough faults, each with a name of its own`(_ device: Device) {
        let names = device.mutants.map(\.name)
        #expect(names.count >= 25)
        #expect(Set(names).count == names.count)
    }
}
