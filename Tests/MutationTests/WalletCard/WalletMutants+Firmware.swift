// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import Runner
import SmartCard
import TangemConstants
import TangemEmulator

@testable import Routes

extension WalletMutants {
    // MARK: Limits and lost links

    static let limits: [Mutant] = [
        around(
            "extra-data-without-limit",
            "begins extra data of more than 32 KiB",
            ["card-rules.yaml"],
            .writeIssuerData
        ) {
            $0.reply = { reply, command in
                guard command.objects[.interactionMode] == [TangemMode.start],
                    let size = command.objects[.size], size.count == 2,
                    Int(size[0]) << 8 | Int(size[1]) > TangemLimits.extraDataSize
                else { return }
                reply.sw = .success
                reply.objects[.cardID] = command.objects[.cardID]
            }
        },
        around(
            "largest-extra-data-refused",
            "takes no extra data of 32 KiB",
            ["issuer-data.yaml"],
            .writeIssuerData
        ) {
            $0.command = { command, _ in
                if command.objects[.size] == [0x80, 0x00] { command.objects[.size] = [0x80, 0x01] }
            }
        },
        around(
            "old-extra-data-dropped",
            "forgets the old extra data when new ones begin",
            ["faults.yaml"],
            .writeIssuerData
        ) {
            $0.before = { memory, command in
                if command.objects[.interactionMode] == [TangemMode.start] { memory["extra-data.data"] = "" }
            }
        },
        around(
            "large-batches-miscounted",
            "counts no more than sixty signed hashes",
            ["sign.yaml"],
            .sign
        ) {
            $0.reply = { reply, _ in
                if let count = reply.objects[.walletSignedHashes]?.last, count > 60 {
                    reply.objects[.walletSignedHashes] = [0, 0, 0, 60]
                }
            }
        },
        Mutant(
            name: "torn-signature-counts",
            fault: "counts a signature although the power went in its middle",
            files: ["faults.yaml"],
            device: { setup, clock throws(TransportFault) in
                let whole = try EmulatedDevice.make(setup, clock: clock)
                guard let card = whole.card as? TangemCard else { return whole }
                return EmulatorCatalog.Device(
                    card: card,
                    kit: whole.kit,
                    capabilities: whole.capabilities,
                    protocolName: whole.protocolName,
                    acceptsChaining: whole.acceptsChaining,
                    firmware: whole.firmware,
                    sample: whole.sample,
                    onCut: { command in
                        let isSign = command.dropFirst().first == TangemInstruction.sign.rawValue
                        card.cutDuringNextWrite(leaving: isSign ? .newState : .oldState)
                    }
                )
            }
        ),
    ]

    // MARK: What firmware versions differ in

    static let firmware: [Mutant] = [
        around("false-flags-written", "writes a flag that is false", ["firmware.yaml"], .read) {
            $0.reply = { reply, _ in
                guard reply.objects[.firmwareVersion] != nil else { return }
                for flag in [TangemTag.isPIN2Default, .isPINDefault, .isLinked]
                where reply.objects[flag] == nil {
                    reply.objects[flag] = [0]
                }
            }
        },
        around("operations-after-4.0", "tells operations left from 4.0 on", ["firmware.yaml"], .sign, .read) {
            $0.reply = { reply, _ in
                if reply.objects[.walletIndex] != nil || reply.objects[.walletsCount] != nil {
                    reply.objects[.walletRemainingSignatures] = [0, 0, 0, 9]
                }
            }
        },
        around(
            "old-answer-to-create",
            "answers CREATE_WALLET as before 4.25",
            ["firmware.yaml"],
            .createWallet
        ) {
            $0.reply = { reply, _ in
                guard reply.objects[.walletIndex] != nil else { return }
                for tag in [TangemTag.status, .curve, .settingsMask, .walletSignedHashes] {
                    reply.objects[tag] = nil
                }
            }
        },
        around(
            "new-answer-to-create",
            "answers CREATE_WALLET as from 4.25 on",
            ["firmware.yaml"],
            .createWallet
        ) {
            $0.reply = { reply, _ in
                guard reply.objects[.walletPublicKey] != nil else { return }
                reply.objects[.status] = [TangemWalletStatus.loaded]
                reply.objects[.curve] = Array("secp256k1".utf8) + [0]
            }
        },
        around(
            "legacy-mode-refused",
            "refuses the tag of old phones",
            ["firmware.yaml"],
            .read,
            .attestCardKey
        ) {
            $0.reply = { reply, command in
                guard command.objects[.legacyMode] != nil,
                    let nothing = ObjectList([])
                else { return }
                reply = FaultyWalletCard.Reply(objects: nothing, sw: TangemStatus.invalidParameters)
            }
        },
        around(
            "key-challenge-ignored",
            "confirms a wallet's key without the host's challenge",
            ["firmware.yaml"],
            .attestWalletKey
        ) {
            $0.command = { command, _ in
                if command.objects[.publicKeyChallenge] != nil { command.objects[.publicKeyChallenge] = [] }
            }
        },
        around(
            "key-confirmed-unasked",
            "confirms a wallet's key although nobody asked",
            ["firmware.yaml"],
            .attestWalletKey
        ) {
            $0.command = { command, _ in
                if command.objects[.publicKeyChallenge] == nil { command.objects[.publicKeyChallenge] = [] }
            }
        },
        around("link-not-told", "does not tell a terminal that it is linked", ["firmware.yaml"], .read) {
            $0.reply = { reply, _ in reply.objects[.isLinked] = nil }
        },
        around(
            "digest-before-4.39",
            "asks for a digest over new codes before 4.39",
            ["firmware.yaml"],
            .setPIN
        ) {
            $0.reply = { reply, command in
                if command.objects[.codeHash] != nil { reply.sw = TangemStatus.invalidParameters }
            }
        },
        around("mode-of-read-ignored", "answers READ by the mode before 4.0", ["firmware.yaml"], .read) {
            $0.reply = { reply, command in
                guard command.objects[.interactionMode] == [TangemMode.readWallet],
                    reply.objects[.firmwareVersion] != nil
                else { return }
                reply.objects[.walletIndex] = [0]
                reply.objects[.firmwareVersion] = nil
            }
        },
        around("user-settings-not-told", "does not tell the user's settings", ["firmware.yaml"], .read) {
            $0.reply = { reply, _ in reply.objects[.userSettingsMask] = nil }
        },
        around("chain-codes-not-told", "does not tell chain codes", ["firmware.yaml"], .read) {
            $0.reply = { reply, _ in reply.objects[.walletHDChain] = nil }
        },
    ]
}
