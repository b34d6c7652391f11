// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// PERSONALIZE (F1): makes a card out of a blank one; its body is wrapped with a published key.
    mutating func personalize(_ command: CommandAPDU) throws(Stop) -> Reply {
        guard memory.identity == nil else { throw .state }
        guard command.p1 == TangemEncryption.none,
            let body = SessionCipher.personalization.open(command.data), let fields = CommandFields(body)
        else { throw .parameters }
        let identity = try newIdentity(fields)
        let pin1 = try fields.required(.newPIN, count: 32...32)
        let pin2 = try fields.required(.newPIN2, count: 32...32)

        var new = CardMemory(cardKey: memory.cardKey, pin1: pin1, pin2: pin2)
        new.pin3 = fields[.newPIN3] ?? []
        new.identity = identity
        new.slots = [WalletSlot](repeating: WalletSlot(), count: identity.walletsCount)
        var generator = random
        if fields.flag(.createWalletAtPersonalize) {
            new.slots[0] = try inside {
                let key = try WalletKey.generate(identity.curve, settings.profile, using: &generator)
                return try WalletSlot(key: key, identity: identity, profile: settings.profile)
            }
        }
        random = generator
        memory = new
        var reply = Reply()
        reply.fields = try cardRecord(slot: has(.multiWallet) ? nil : 0, terminal: nil)
        reply.time = settings.keyTime
        return reply
    }

    /// DEPERSONALIZE (E3): the card is blank again, keys of wallets are gone.
    mutating func depersonalize() throws(Stop) -> Reply {
        guard memory.identity != nil else { throw .state }
        memory = CardMemory(
            cardKey: memory.cardKey,
            pin1: CodeDigest.defaultAccessCode,
            pin2: CodeDigest.defaultPasscode
        )
        field.session = nil
        field.extraUpload = nil
        field.fileUpload = nil
        return Reply()
    }

    private func newIdentity(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let mask = try fields.requiredNumber(.settingsMask)
        let cardData = try fields.required(.cardData, count: 1...512)
        guard CommandFields(cardData) != nil else { throw .parameters }
        let curveName = fields.text(.curve) ?? TangemCurve.secp256k1.rawValue
        guard let curve = TangemCurve(rawValue: curveName), has(curve.since) else { throw .parameters }
        guard !curve.isBLS else { throw .refused(settings.blsRefused) }
        let issuerKey = try fields.required(.issuerPublicKey, count: 65...65)
        guard (try? PublicKey(issuerKey, curve: .secp256k1)) != nil else { throw .parameters }
        let wallets = try fields.number(.walletsCount) ?? 1
        guard (1...255).contains(wallets), let pause = try fields.number(.pauseBeforePIN2), pause <= 0xFFFF
        else { throw .parameters }
        let methods = try fields.number(.signingMethod) ?? 0
        let ndef = fields[.ndefData] ?? []
        guard ndef.count <= NDEFFiles.size else { throw .parameters }
        return CardIdentity(
            cardID: try fields.required(.cardID, count: 8...8),
            cardData: cardData,
            curve: curve,
            maxSignatures: try fields.number(.maxSignatures) ?? Int(UInt32.max),
            signingMethods: UInt8(truncatingIfNeeded: methods),
            settings: TangemSettings(rawValue: UInt32(truncatingIfNeeded: mask)),
            pause: pause,
            cvc: fields[.cvc] ?? [],
            ndef: ndef,
            issuerKey: issuerKey,
            walletsCount: has(.multiWallet) ? wallets : 1
        )
    }
}
