// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import TangemConstants

extension WalletMutants {
    // MARK: Wallets

    static let wallets: [Mutant] = [
        around(
            "list-begins-anew",
            "begins the list of wallets anew where it should go on",
            ["wallets.yaml"],
            .read
        ) {
            $0.command = { command, _ in
                if command.objects[.interactionMode] == [TangemMode.readWalletsList] {
                    command.objects[.walletIndex] = nil
                }
            }
        },
        around(
            "other-curve",
            "makes a wallet on another curve than it was told",
            ["wallets.yaml"],
            .createWallet
        ) {
            $0.command = { command, _ in
                if command.objects[.curve] != nil { command.objects[.curve] = Array("secp256k1".utf8) + [0] }
            }
        },
        around(
            "wallet-overwritten",
            "makes a wallet where one is already",
            ["card-rules.yaml"],
            .createWallet
        ) {
            $0.before = { memory, _ in memory.emptyFirstSlot() }
        },
        around(
            "purged-slot-used-again",
            "makes a wallet in a slot that is not reusable",
            ["card-rules.yaml"],
            .createWallet
        ) {
            $0.before = { memory, _ in
                for slot in 0..<memory.count("slots") where memory["slots.\(slot).status"]?.integer == 3 {
                    memory["slots.\(slot).status"] = .integer(1)
                }
            }
        },
        around(
            "purge-forbidden-ignored",
            "purges a wallet that is permanent",
            ["card-rules.yaml"],
            .purgeWallet
        ) {
            $0.before = { memory, _ in
                memory.change("identity.settings", clear: 0x04)
                for slot in 0..<memory.count("slots") { memory.change("slots.\(slot).settings", clear: 0x04) }
            }
        },
        around(
            "purge-keeps-key",
            "says that a wallet was purged, and keeps it",
            ["wallets.yaml"],
            .purgeWallet
        ) {
            $0.after = { memory, old, _ in memory["slots"] = old["slots"] }
        },
        around("purge-other-slot", "purges another wallet than the one named", ["wallets.yaml"], .purgeWallet)
        {
            $0.command = { command, memory in
                if command.objects[.walletIndex] == [0], memory["slots.1.status"]?.integer == 2 {
                    command.objects[.walletIndex] = [1]
                }
            }
        },
        around("derives-nothing", "gives the wallet's own key for every path", ["derive.yaml"], .read) {
            $0.command = { command, _ in command.objects[.walletHDPath] = nil }
        },
        around(
            "blank-card-remembers",
            "is no blank card after DEPERSONALIZE",
            ["personalize.yaml"],
            .depersonalize
        ) {
            $0.after = { memory, old, _ in memory[""] = old[""] }
        },
    ]

    // MARK: Data of issuer and user

    static let data: [Mutant] = [
        around(
            "issuer-signature-missing",
            "gives issuer data without the issuer's signature",
            ["issuer-data.yaml"],
            .readIssuerData
        ) {
            $0.reply = { reply, _ in reply.objects[.issuerDataSignature] = nil }
        },
        around(
            "issuer-signature-not-checked",
            "takes issuer data with any signature",
            ["card-rules.yaml"],
            .writeIssuerData
        ) {
            $0.command = { command, memory in
                guard command.objects[.interactionMode] == nil else { return }
                command.signAsIssuer(
                    memory,
                    command.objects[.issuerData],
                    command.objects[.issuerDataCounter]
                )
            }
        },
        around(
            "extra-data-start-not-checked",
            "begins extra data with any signature",
            ["card-rules.yaml"],
            .writeIssuerData
        ) {
            $0.command = { command, memory in
                guard command.objects[.interactionMode] == [TangemMode.start] else { return }
                command.signAsIssuer(memory, command.objects[.issuerDataCounter], command.objects[.size])
            }
        },
        around("replay-taken", "takes issuer data with an old counter", ["card-rules.yaml"], .writeIssuerData)
        {
            $0.before = { memory, command in
                if command.objects[.interactionMode] == nil { memory["issuer-data.counter"] = .null }
            }
        },
        around(
            "issuer-data-lost",
            "says that issuer data were written, and forgets them",
            ["issuer-data.yaml"],
            .writeIssuerData
        ) {
            $0.after = { memory, old, _ in memory["issuer-data"] = old["issuer-data"] }
        },
        around(
            "issuer-data-despite-settings",
            "takes issuer data that its settings switch off",
            ["issuer-data.yaml"],
            .writeIssuerData
        ) {
            $0.before = { memory, _ in memory.change("identity.settings", clear: 0x0100_0000) }
            $0.after = { memory, old, _ in memory["identity.settings"] = old["identity.settings"] }
        },
        around(
            "user-data-mixed",
            "writes open data over the protected ones",
            ["user-data.yaml"],
            .writeUserData
        ) {
            $0.after = { memory, _, _ in memory["user-protected-data"] = memory["user-data"] }
        },
        around("user-settings-lost", "forgets the settings of the user", ["settings.yaml"], .setUserSettings)
        {
            $0.after = { memory, old, _ in memory["user-settings"] = old["user-settings"] }
        },
        around("passwords-do-not-count", "does not count one-time passwords", ["settings.yaml"], .generateOTP)
        {
            $0.after = { memory, old, _ in memory["otp-counter"] = old["otp-counter"] }
        },
    ]

    // MARK: Files

    static let files: [Mutant] = [
        around("file-limit-ignored", "begins a file that has no room", ["files.yaml"], .writeFileData) {
            $0.reply = { reply, command in
                guard command.objects[.interactionMode] == [TangemMode.start],
                    reply.sw == TangemStatus.invalidParameters
                else { return }
                reply.sw = .success
                reply.objects[.cardID] = command.objects[.cardID]
                reply.objects[.fileIndex] = [1]
            }
        },
        around("permanent-file-deleted", "deletes a file that is permanent", ["files.yaml"], .writeFileData) {
            $0.before = { memory, command in
                guard command.objects[.interactionMode] == [TangemMode.deleteFile] else { return }
                memory.change("files.0.settings", clear: 0x10)
            }
        },
        around(
            "other-file-deleted",
            "deletes the last file in the place of the one named",
            ["files.yaml"],
            .writeFileData
        ) {
            $0.command = { command, memory in
                let count = memory.count("files")
                guard command.objects[.interactionMode] == [TangemMode.deleteFile], count > 0 else { return }
                command.objects[.fileIndex] = [UInt8(count - 1)]
            }
        },
        around(
            "file-signature-not-checked",
            "begins a file of the issuer with any signature",
            ["files.yaml"],
            .writeFileData
        ) {
            $0.command = { command, memory in
                guard command.objects[.interactionMode] == [TangemMode.start],
                    command.objects[.issuerDataSignature] != nil
                else { return }
                command.signAsIssuer(memory, command.objects[.issuerDataCounter], command.objects[.size])
            }
        },
        around(
            "private-file-open",
            "reads a private file without the passcode",
            ["files.yaml"],
            .readFileData
        ) {
            $0.command = { command, memory in
                command.objects[.pin] = memory.bytes("pin1")
                command.objects[.pin2] = memory.bytes("pin2")
            }
        },
        around(
            "file-checksum-wrong",
            "tells another checksum than the file has",
            ["files.yaml"],
            .readFileData
        ) {
            $0.reply = { reply, _ in reply.objects.spoil(.codeHash) }
        },
    ]

    // MARK: Proofs

    static let proofs: [Mutant] = [
        around(
            "card-proof-wrong",
            "signs something else than challenge and salt",
            ["attest.yaml"],
            .attestCardKey
        ) {
            $0.reply = { reply, _ in reply.objects.spoil(.salt) }
        },
        around("salt-repeats", "uses one salt again and again", ["attest.yaml"], .attestCardKey) {
            $0.before = { memory, _ in memory.rewindRandom() }
        },
        around(
            "wallet-proof-wrong",
            "lets a wallet sign something else than challenge and salt",
            ["attest.yaml"],
            .attestWalletKey
        ) {
            $0.reply = { reply, _ in reply.objects.spoil(.salt) }
        },
        around(
            "wallet-not-confirmed",
            "confirms another key than the wallet's",
            ["attest.yaml"],
            .attestWalletKey
        ) {
            $0.reply = { reply, _ in reply.objects.spoil(.cardSignature) }
        },
        around("entropy-repeats", "gives the same random bytes again", ["settings.yaml"], .getEntropy) {
            $0.before = { memory, _ in memory.rewindRandom() }
        },
        around("answers-for-others", "answers commands for another card", ["card-rules.yaml"], .attestCardKey)
        {
            $0.command = { command, memory in command.objects[.cardID] = memory.bytes("identity.card-id") }
        },
        option("health-not-told", "does not tell of trouble in its hardware", ["scan.yaml"], "health", "0"),
    ]

    // MARK: Sets of cards

    static let sets: [Mutant] = [
        around(
            "backup-after-its-end",
            "gives wallets away after the end of the backup",
            ["backup.yaml"],
            .readBackupData
        ) {
            $0.before = { memory, _ in memory["backup.finalized"] = .boolean(false) }
        },
        around(
            "backup-of-a-stranger",
            "takes a backup card that the issuer did not sign",
            ["backup.yaml"],
            .linkBackupCards
        ) {
            $0.command = { command, memory in
                guard var link = command.objects[.backupCardLink].flatMap(ObjectList.init),
                    var certificate = link[.certificate].flatMap(ObjectList.init),
                    let key = certificate[.cardPublicKey]
                else { return }
                certificate[.issuerDataSignature] = FaultyWalletCard.Command.issuerSignature(key)
                link[.certificate] = certificate.bytes
                command.objects[.backupCardLink] = link.bytes
            }
        },
        around(
            "set-left-with-wallets",
            "leaves its set with a wallet of the set",
            ["backup.yaml"],
            .backupReset
        ) {
            // An empty slot in the place of the wallet; a loaded one that says so would be a damaged memory.
            $0.before = { memory, _ in memory.emptyFirstSlot() }
        },
        around(
            "recovery-despite-user",
            "lets codes be reset although the user forbids it",
            ["backup.yaml"],
            .authorize
        ) {
            $0.before = { memory, _ in memory["user-settings"] = 0 }
        },
    ]
}

extension FaultyWalletCard.Command {
    /// Replaces the issuer's signature by a right one: the card around which this stands cannot tell.
    mutating func signAsIssuer(_ memory: CardMemoryEditor, _ parts: [UInt8]?...) {
        guard let id = memory.bytes("identity.card-id") else { return }
        objects[.issuerDataSignature] = Self.issuerSignature(id + parts.flatMap { $0 ?? [] })
    }

    /// A signature with the published development key of the issuer.
    static func issuerSignature(_ message: [UInt8]) -> [UInt8]? {
        guard let scalar = try? HexText.bytes(TangemDevelopmentKeys.issuerData.privateKey),
            let key = try? PrivateKey(scalar, curve: .secp256k1)
        else { return nil }
        return try? ECDSA.sign(message: message, with: key).raw(for: .secp256k1)
    }
}
