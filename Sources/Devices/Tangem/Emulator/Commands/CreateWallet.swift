// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// CREATE_WALLET (F8): a new key, or from 6.21 on a given one.
    mutating func createWallet(_ fields: CommandFields, p1: UInt8) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let index = try newSlotIndex(fields)
        // Old hosts put the wallet's settings into an object of their own.
        let inner = try walletData(fields)
        let curve = try curve(inner?.text(.curve) ?? fields.text(.curve), identity)
        let mask = try (inner ?? fields).number(.settingsMask) ?? Int(TangemSettings.isReusable.rawValue)
        let imported = try importedKey(fields, identity, curve, p1: p1)
        try checkCVC(fields, identity)
        try checkPasscode(fields)
        let slot = memory.slots[index]
        guard !slot.isLoaded else { throw .state }
        guard slot.status & ~TangemWalletStatus.backedUpBit != TangemWalletStatus.purged else { throw .state }
        try serveSecurityDelayUnlessSmart()

        var generator = random
        var new = try inside {
            let key = try imported ?? WalletKey.generate(curve, settings.profile, using: &generator)
            return try WalletSlot(key: key, identity: identity, profile: settings.profile)
        }
        random = generator
        if imported != nil { new.status |= TangemWalletStatus.importedBit }
        if has(.multiWallet) { new.settings = TangemSettings(rawValue: UInt32(truncatingIfNeeded: mask)) }
        memory.slots[index] = new

        var reply = reply(identity)
        if has(.walletRecordOnCreate) {
            reply.fields = AnswerFields(raw: reply.fields.bytes + (try walletRecord(index)).bytes)
        } else if has(.multiWallet) {
            reply.fields.add(.walletIndex, number: index, count: 1)
            reply.fields.add(.walletPublicKey, new.publicKey)
        } else {
            reply.fields.add(.status, [TangemCardStatus.loaded])
            reply.fields.add(.walletPublicKey, new.publicKey)
        }
        reply.time = settings.keyTime
        return reply
    }

    private func walletData(_ fields: CommandFields) throws(Stop) -> CommandFields? {
        guard let bytes = fields[.walletData] else { return nil }
        guard let inner = CommandFields(bytes) else { throw .parameters }
        return inner
    }

    private func newSlotIndex(_ fields: CommandFields) throws(Stop) -> Int {
        guard has(.multiWallet) else { return 0 }
        guard let index = try fields.number(.walletIndex) else {
            guard let free = memory.slots.firstIndex(where: { $0.status == TangemWalletStatus.empty }) else {
                throw .parameters
            }
            return free
        }
        guard memory.slots.indices.contains(index) else { throw .parameters }
        return index
    }

    private func curve(_ text: String?, _ identity: CardIdentity) throws(Stop) -> TangemCurve {
        guard has(.multiWallet), let text else { return identity.curve }
        guard let curve = TangemCurve(rawValue: text), has(curve.since) else { throw .parameters }
        guard curve == identity.curve || identity.settings.contains(.allowSelectBlockchain) else {
            throw .parameters
        }
        guard !curve.isBLS else { throw .refused(settings.blsRefused) }
        return curve
    }

    /// The key that a command brings; only strong encryption may carry one.
    private func importedKey(
        _ fields: CommandFields,
        _ identity: CardIdentity,
        _ curve: TangemCurve,
        p1: UInt8
    ) throws(Stop) -> WalletKey? {
        guard has(.keysImport), let secret = fields[.walletPrivateKey] else { return nil }
        guard p1 == TangemEncryption.strong else { throw .refused(TangemStatus.needEncryption) }
        guard identity.settings.contains(.allowKeysImport) else { throw .parameters }
        let chainCode = try fields.required(.walletHDChain, count: 32...32)
        guard secret.count == (curve == .ed25519 ? 64 : 32) else { throw .parameters }
        let key = WalletKey(curve: curve, secret: secret, chainCode: chainCode)
        guard let publicKey = try? key.publicKey(isCompressed: true) else { throw .parameters }
        guard !memory.slots.contains(where: { $0.isLoaded && $0.publicKey == publicKey }) else {
            throw .refused(TangemStatus.walletAlreadyExists)
        }
        return key
    }
}
