// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Status words of the emulated card")
struct StatusWordTests {
    @Test("every published status word can be reached")
    func all() throws {
        var reached: Set<String> = []
        let hash = [UInt8](repeating: 1, count: 32)
        let bench = try CardBench("6.33d", ["encryption": "fast"])
        reached.insert(bench.read().sw)
        let session = try Session.open(.strong, bench)
        func note(_ instruction: TangemInstruction, _ items: [(TangemTag, [UInt8])]) {
            reached.insert(session.send(instruction, items).sw)
        }
        let imported: [(TangemTag, [UInt8])] = [
            (.walletPrivateKey, [UInt8](repeating: 0x22, count: 32)),
            (.walletHDChain, [UInt8](repeating: 1, count: 32)), (.curve, Array("secp256k1".utf8)),
        ]
        note(.createWallet, bench.fullAccess + imported + [(.walletIndex, [0])])
        reached.insert(bench.pauses.isEmpty ? "none" : "9789")
        note(.createWallet, bench.fullAccess + imported + [(.walletIndex, [1])])
        note(.createWallet, bench.fullAccess + [(.walletIndex, [0])])
        note(.sign, bench.signItems([hash], index: 5))
        note(.sign, bench.access)
        note(.readFileData, bench.access + [(.fileIndex, [0])])
        note(.writeFileData, bench.fullAccess + [(.interactionMode, [5]), (.fileIndex, [0])])
        note(.readIssuerData, bench.access)
        note(.read, [(.pin, hash)])
        note(.sign, bench.signItems([hash]).map { $0.0 == .pin2 ? ($0.0, hash) : $0 })
        // Bit by bit, each of the three codes is changed or left.
        for bits: UInt8 in [0, 1, 2, 3, 4, 5, 6, 7] {
            let new1 = bits & 1 != 0 ? [UInt8](repeating: bits, count: 32) : bench.pin1
            let new2 = bits & 2 != 0 ? [UInt8](repeating: bits, count: 32) : bench.pin2
            var items: [(TangemTag, [UInt8])] = [(.newPIN, new1), (.newPIN2, new2)]
            if bits & 4 != 0 { items.append((.newPIN3, [UInt8](repeating: bits, count: 32))) }
            note(.setPIN, bench.fullAccess + items)
            bench.pin1 = new1
            bench.pin2 = new2
        }
        for (sw, name) in TangemStatus.names { #expect(reached.contains(sw.description), "\(name)") }
        #expect(reached.count == TangemStatus.names.count)
    }
}
