// SPDX-License-Identifier: MIT

import Testing

/// Whether the scenarios of the NBT notice faults of a chip.
@Suite struct TagMutationTests {
    @Test func `The chip without a fault passes every case`() throws {
        #expect(try MutationCheck(folder: "nbt").complaints() == [])
    }

    @Test func `Every fault is noticed by a shipped scenario`() throws {
        let check = try MutationCheck(folder: "nbt")
        var table = KillTable()
        for mutant in TagMutants.all {
            let killer = try check.killer(of: mutant)
            #expect(killer != nil, "\(mutant.name): \(mutant.fault)")
            table.add(mutant, killer)
        }
        try table.publish(as: "nbt")
    }

    @Test func `There are enough faults, each with a name of its own`() {
        let names = TagMutants.all.map(\.name)
        #expect(names.count >= 25)
        #expect(Set(names).count == names.count)
    }
}
