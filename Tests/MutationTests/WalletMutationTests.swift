// SPDX-License-Identifier: MIT

import Testing

/// Whether the scenarios of the wallet card notice faults of a card.
@Suite struct WalletMutationTests {
    @Test func `The card without a fault passes every case`() throws {
        #expect(try MutationCheck(folder: "tangem").complaints() == [])
    }

    @Test func `Every fault is noticed by a shipped scenario`() throws {
        let check = try MutationCheck(folder: "tangem")
        var table = KillTable()
        for mutant in WalletMutants.all {
            let killer = try check.killer(of: mutant)
            #expect(killer != nil, "\(mutant.name): \(mutant.fault)")
            table.add(mutant, killer)
        }
        try table.publish(as: "tangem")
    }

    @Test func `There are enough faults, each with a name of its own`() {
        let names = WalletMutants.all.map(\.name)
        #expect(names.count >= 25)
        #expect(Set(names).count == names.count)
    }
}
