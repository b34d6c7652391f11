// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

/// The order of commands is the published one; what the cards sign and encrypt for each other is our own scheme.
@Suite("Backup of the emulated card")
struct BackupTests {
    private let code1 = [UInt8](repeating: 0xC1, count: 32)
    private let code2 = [UInt8](repeating: 0xC2, count: 32)
    private let hash = [UInt8](repeating: 0x5C, count: 32)

    private var newCodes: [(TangemTag, [UInt8])] { [(.newPIN, code1), (.newPIN2, code2)] }

    /// Makes a set of one primary card with a wallet and two backup cards.
    private func makeSet(_ firmware: String) throws -> (primary: CardBench, backups: [CardBench]) {
        let primary = try CardBench(firmware, seed: 1)
        #expect(primary.send(.startPrimaryCardLinking, primary.access).sw == "6985")
        #expect(primary.createWallet().sw == "9000")
        #expect(primary.createWallet("ed25519", index: 3).sw == "9000")
        let backups = [try CardBench(firmware, seed: 2), try CardBench(firmware, seed: 3)]
        let primaryLink = try #require(
            primary.send(.startPrimaryCardLinking, primary.access)[.primaryCardLinkingKey]
        )
        var links: [(TangemTag, [UInt8])] = []
        var shortLinks: [(TangemTag, [UInt8])] = []
        var linkKeys: [[UInt8]] = []
        for (index, backup) in backups.enumerated() {
            let answer = backup.send(
                .startBackupCardLinking,
                backup.access + [(.primaryCardLinkingKey, primaryLink)]
            )
            #expect(answer.tags == ["01", "D3", "04"])
            let linkKey = try #require(answer[.backupCardLinkingKey])
            let signature = try #require(answer[.cardSignature])
            linkKeys.append(linkKey)
            let head: [(TangemTag, [UInt8])] = [
                (.fileIndex, [UInt8(index)]), (.backupCardLinkingKey, linkKey),
            ]
            shortLinks.append((.backupCardLink, CardBench.list(head)))
            let full = head + [(.certificate, backup.card.certificate), (.cardSignature, signature)]
            links.append((.backupCardLink, CardBench.list(full)))
        }
        let forged = CardBench.list([
            (.fileIndex, [0]), (.backupCardLinkingKey, linkKeys[0]),
            (.certificate, backups[1].card.certificate),
            (.cardSignature, [UInt8](repeating: 1, count: 64)),
        ])
        let one: [(TangemTag, [UInt8])] = [(.backupCount, [1])] + newCodes
        #expect(
            primary.send(.linkBackupCards, primary.fullAccess + one + [(.backupCardLink, forged)]).sw
                == "6A86"
        )
        let linked = primary.send(
            .linkBackupCards,
            primary.fullAccess + [(.backupCount, [2])] + newCodes + links
        )
        #expect(linked.sw == "9000")
        #expect(primary.pauses.count == 15)
        let attest = try #require(linked[.backupAttestSignature])
        primary.pin1 = code1
        primary.pin2 = code2
        #expect(primary.read()[.backupStatus] == [0, 1])
        #expect(primary.read()[.backupCount] == [2])

        for (backup, linkKey) in zip(backups, linkKeys) {
            let items: [(TangemTag, [UInt8])] =
                [
                    (.primaryCardLinkingKey, primaryLink), (.certificate, primary.card.certificate),
                    (.backupAttestSignature, attest),
                ] + newCodes + shortLinks
            let answer = backup.send(.linkPrimaryCard, backup.fullAccess + items)
            #expect(answer.sw == "9000")
            #expect(answer[.backupStatus] == [0, 1])
            backup.pin1 = code1
            backup.pin2 = code2
            for slot: UInt8 in 0..<20 {
                let read: [(TangemTag, [UInt8])] = [(.backupCardLinkingKey, linkKey), (.walletIndex, [slot])]
                let data = primary.send(.readBackupData, primary.access + read)
                #expect(data.tags == ["01", "65", "32", "17"])
                let write: [(TangemTag, [UInt8])] = [
                    (.salt, data[.salt] ?? []), (.issuerData, data[.issuerData] ?? []),
                ]
                let written = backup.send(.writeBackupData, backup.access + write)
                #expect(written[.backupStatus] == [0, slot == 19 ? 2 : 1])
            }
        }
        let finalized = primary.send(.finalizeReadBackupData, primary.access)
        #expect(finalized.sw == (firmware == "6.33d" ? "9000" : "6D00"))
        return (primary, backups)
    }

    private func wallet(_ bench: CardBench, _ index: UInt8) -> Answer {
        bench.send(.read, bench.access + [(.interactionMode, [2]), (.walletIndex, [index])])
    }

    @Test("wallets move to the backup cards and sign there", arguments: ["4.45d", "6.33d"])
    func backup(firmware: String) throws {
        let (primary, backups) = try makeSet(firmware)
        #expect(primary.read()[.backupStatus] == [0, 2])
        #expect(wallet(primary, 0)[.status] == [0x82])
        for backup in backups {
            for index: UInt8 in [0, 3] {
                #expect(wallet(backup, index)[.walletPublicKey] == wallet(primary, index)[.walletPublicKey])
                #expect(wallet(backup, index)[.walletHDChain] == wallet(primary, index)[.walletHDChain])
            }
            #expect(wallet(backup, 0)[.status] == [0x82])
            #expect(wallet(backup, 1).sw == "6A88")
            #expect(backup.sign([hash])[.walletSignature] == primary.sign([hash])[.walletSignature])
        }
        #expect(primary.send(.startPrimaryCardLinking, primary.access).sw == "6985")
        if firmware == "6.33d" {
            #expect(primary.send(.finalizeReadBackupData, primary.access).sw == "6985")
            try fullAttestation(primary, backups)
        }
        try reset(primary, backups[0])

        #expect(primary.send(.backupReset, primary.fullAccess).sw == "6985")
        #expect(primary.purge().sw == "9000")
        #expect(primary.purge(index: 3).sw == "9000")
        let answer = primary.send(.backupReset, primary.fullAccess)
        #expect(answer.sw == "9000")
        #expect(answer[.backupStatus] == [0, 0])
        #expect(answer[.settingsMask] != nil)
        #expect(primary.read()[.backupCount] == nil)
    }

    private func fullAttestation(_ primary: CardBench, _ backups: [CardBench]) throws {
        let challenge = CardBench.challenge
        let items: [(TangemTag, [UInt8])] = [(.challenge, challenge), (.interactionMode, [1])]
        let answer = primary.send(.attestCardKey, primary.access + items)
        let keys = answer.all(.backupCardPublicKey)
        #expect(keys == backups.map(\.card.cardPublicKey))
        let salt = try #require(answer[.salt])
        let message = challenge + salt + Array("BACKUP_CARDS".utf8) + keys.flatMap { $0 }
        let signature = try #require(answer[.cardSignature])
        #expect(CardSignatures.verify(signature, message, key: primary.card.cardPublicKey))
    }

    /// Another card of the set lets the codes be set anew.
    private func reset(_ card: CardBench, _ helper: CardBench) throws {
        let fresh = [UInt8](repeating: 0xF1, count: 32)
        let codes: [(TangemTag, [UInt8])] = [(.cardID, card.cardID), (.newPIN, fresh), (.newPIN2, fresh)]
        #expect(card.send(.setPIN, codes).sw == "6A86")
        let token = card.send(.authorize, [(.cardID, card.cardID), (.interactionMode, [3])])
        #expect(token.tags == ["01", "D2", "D5", "16"])
        func items(_ answer: Answer, _ tags: [TangemTag]) -> [(TangemTag, [UInt8])] {
            tags.map { ($0, answer[$0] ?? []) }
        }
        let parts: [TangemTag] = [.challenge, .primaryCardLinkingKey, .backupAttestSignature]
        let request: [(TangemTag, [UInt8])] = [(.cardID, helper.cardID), (.interactionMode, [4])]
        let signed = helper.send(.authorize, request + items(token, parts))
        #expect(signed.tags == ["01", "D3", "17", "D5"])
        let stranger = try CardBench("4.45d", seed: 9)
        let strange: [(TangemTag, [UInt8])] = [(.cardID, stranger.cardID), (.interactionMode, [4])]
        #expect(stranger.send(.authorize, strange + items(token, parts)).sw == "6985")
        var forged = token
        forged = Answer(data: forged.data.map { $0 ^ 1 }, sw: "9000", time: .zero)
        #expect(helper.send(.authorize, request + items(forged, parts)).sw == "6A86")

        let last: [(TangemTag, [UInt8])] = [(.cardID, card.cardID), (.interactionMode, [5])]
        let vouched = items(signed, [.salt, .backupCardLinkingKey, .backupAttestSignature])
        #expect(card.send(.authorize, last + items(token, [.backupAttestSignature])).sw == "6A86")
        #expect(card.send(.authorize, last + vouched).sw == "9000")
        #expect(card.send(.setPIN, codes).sw == "9003")
        card.pin1 = fresh
        card.pin2 = fresh
        #expect(card.read().sw == "9000")
        #expect(card.send(.setPIN, codes).sw == "6A86")
        #expect(card.send(.authorize, last + vouched).sw == "6985")
    }

    @Test("a card may forbid that its codes are reset")
    func forbidden() throws {
        let (primary, _) = try makeSet("6.33d")
        let mask: [(TangemTag, [UInt8])] = [(.userSettingsMask, [0, 0, 0, 1])]
        let answer = primary.send(.setUserSettings, primary.fullAccess + mask)
        #expect(answer[.userSettingsMask] == [0, 0, 0, 1])
        #expect(primary.read()[.userSettingsMask] == [0, 0, 0, 1])
        #expect(primary.send(.authorize, [(.cardID, primary.cardID), (.interactionMode, [3])]).sw == "6985")
    }

    @Test("backup needs its firmware and its setting")
    func notThere() throws {
        let old = try CardBench("4.12r")
        #expect(old.send(.startPrimaryCardLinking, old.access).sw == "6D00")
        let off = try CardBench("4.45d", ["settings": "002ABA31"])
        #expect(off.send(.startPrimaryCardLinking, off.access).sw == "6D00")
        #expect(off.read()[.backupStatus] == nil)
        let full = try CardBench("4.45d", ["start": "loaded"])
        let link: [(TangemTag, [UInt8])] = [(.primaryCardLinkingKey, full.card.cardPublicKey)]
        #expect(full.send(.startBackupCardLinking, full.access + link).sw == "6985")
        #expect(full.send(.linkPrimaryCard, full.access).sw == "6985")
        #expect(full.send(.writeBackupData, full.access).sw == "6985")
        #expect(full.send(.readBackupData, full.access).sw == "6985")
        #expect(full.send(.linkBackupCards, full.access).sw == "6985")
    }
}
