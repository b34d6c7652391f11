// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// START_BACKUP_CARD_LINKING (E9): a backup card makes its linking key and signs both.
    mutating func startBackupCardLinking(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        let primary = try fields.required(.primaryCardLinkingKey, count: 65...65)
        guard memory.backup.status == TangemBackupStatus.none, !memory.slots.contains(where: \.isLoaded)
        else { throw .state }
        try makeLinkingKey()
        memory.backup.isPrimary = false
        memory.backup.linkKeys = [primary]
        let own = try linkingPublicKey()
        var reply = reply(identity)
        reply.fields.add(.backupCardLinkingKey, own)
        reply.fields.add(.cardSignature, try cardSignature(CardToCard.link + primary + own))
        return reply
    }

    /// LINK_PRIMARY_CARD (EC): a backup card takes new codes and learns of its primary card.
    mutating func linkPrimaryCard(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard !memory.backup.isPrimary, !memory.backup.linkingKey.isEmpty,
            memory.backup.status != TangemBackupStatus.active
        else { throw .state }
        let primary = try fields.required(.primaryCardLinkingKey)
        guard memory.backup.linkKeys == [primary] else { throw .parameters }
        let primaryCard = try certifiedKey(fields, identity)
        let links = fields.all(.backupCardLink)
        guard (1...2).contains(links.count) else { throw .parameters }
        let codes = try newCodes(fields)
        let own = try linkingPublicKey()
        var backups: [[UInt8]] = []
        for link in links {
            guard let inner = CommandFields(link) else { throw .parameters }
            backups.append(try inner.required(.backupCardLinkingKey, count: 65...65))
        }
        let attest = try fields.required(.backupAttestSignature)
        let message = setMessage(primary: primary, backups: backups, codes)
        guard backups.contains(own), CardSignatures.verify(attest, message, key: primaryCard) else {
            throw .parameters
        }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        memory.backup.count = links.count
        memory.backup.cardKeys = [primaryCard]
        memory.backup.status = TangemBackupStatus.linked
        memory.backup.movedSlots = []
        memory.pin1 = codes.pin1
        memory.pin2 = codes.pin2
        return statusReply(identity)
    }

    /// WRITE_BACKUP_DATA (ED): a slot enters the backup card.
    mutating func writeBackupData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard !memory.backup.isPrimary, memory.backup.status == TangemBackupStatus.linked,
            let primary = memory.backup.linkKeys.first
        else { throw .state }
        let salt = try fields.required(.salt)
        let data = try fields.required(.issuerData)
        let (index, slot) = try cipher(with: primary, salt: salt).opened(data, settings.profile)
        guard memory.slots.indices.contains(index) else { throw .parameters }
        memory.slots[index] = slot
        memory.backup.movedSlots.insert(index)
        if memory.backup.movedSlots.count == memory.slots.count {
            memory.backup.status = TangemBackupStatus.active
        }
        return statusReply(identity)
    }

    private func statusReply(_ identity: CardIdentity) -> Reply {
        var reply = reply(identity)
        reply.fields.add(.backupStatus, number: Int(memory.backup.status), count: 2)
        return reply
    }

    /// Checks codes and settings for every command of a backup.
    mutating func checkBackupAccess(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let identity = try checkCardAndAccessCode(fields)
        guard identity.settings.contains(.allowBackup) else { throw .refused(settings.switchedOff) }
        return identity
    }

    /// The key in a certificate that the issuer signed.
    func certifiedKey(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> [UInt8] {
        guard let inner = CommandFields(try fields.required(.certificate)) else { throw .parameters }
        let key = try inner.required(.cardPublicKey, count: 65...65)
        let signature = try inner.required(.issuerDataSignature)
        guard CardSignatures.verify(signature, key, key: identity.issuerKey) else { throw .parameters }
        return key
    }

    mutating func makeLinkingKey() throws(Stop) {
        var generator = random
        memory.backup.linkingKey = try inside {
            try PrivateKey.generate(.secp256k1, using: &generator).scalar
        }
        random = generator
    }

    func linkingPublicKey() throws(Stop) -> [UInt8] {
        try inside {
            try PrivateKey(memory.backup.linkingKey, curve: .secp256k1).publicKey.uncompressed
        }
    }

    /// What a primary card signs when its set is complete.
    func setMessage(
        primary: [UInt8],
        backups: [[UInt8]],
        _ codes: (pin1: [UInt8], pin2: [UInt8])
    ) -> [UInt8] {
        CardToCard.set + primary + backups.flatMap { $0 } + SHA256.digest(codes.pin1 + codes.pin2)
    }

    /// The cipher between two cards of a set.
    func cipher(with linkKey: [UInt8], salt: [UInt8]) throws(Stop) -> BackupCipher {
        guard let point = try? PublicKey(linkKey, curve: .secp256k1) else { throw .parameters }
        let secret = try inside {
            try ECDH.sharedX(PrivateKey(memory.backup.linkingKey, curve: .secp256k1), point)
        }
        return BackupCipher(SessionCipher(mode: 0, key: SHA256.digest(secret + salt)))
    }
}

/// Packs a slot for another card; the form is our own (UNVERIFIED against real cards).
struct BackupCipher {
    private let cipher: SessionCipher

    init(_ cipher: SessionCipher) {
        self.cipher = cipher
    }

    func sealed(_ slot: WalletSlot, at index: Int) throws(Stop) -> [UInt8] {
        var fields = AnswerFields()
        fields.add(.walletIndex, number: index, count: 1)
        if slot.isLoaded, let key = slot.key {
            fields.add(.status, [slot.status])
            fields.add(.curve, text: key.curve.rawValue)
            fields.add(.walletPrivateKey, key.secret)
            fields.add(.walletHDChain, key.chainCode)
            fields.add(.settingsMask, number: Int(slot.settings.rawValue), count: 4)
        }
        do { return try cipher.seal(fields.bytes) } catch {
            throw .refused(TangemStatus.errorProcessingCommand)
        }
    }

    func opened(_ data: [UInt8], _ profile: CardProfile) throws(Stop) -> (index: Int, slot: WalletSlot) {
        guard let body = cipher.open(data), let fields = CommandFields(body) else { throw .parameters }
        let index = try fields.requiredNumber(.walletIndex)
        guard let secret = fields[.walletPrivateKey] else { return (index, WalletSlot()) }
        guard let curve = TangemCurve(rawValue: fields.text(.curve) ?? "") else { throw .parameters }
        let key = WalletKey(curve: curve, secret: secret, chainCode: try fields.required(.walletHDChain))
        var slot = WalletSlot()
        slot.key = key
        guard let publicKey = try? key.publicKey(isCompressed: true) else { throw .parameters }
        slot.publicKey = publicKey
        let status = try fields.required(.status, count: 1...1)[0]
        slot.status = status | TangemWalletStatus.backedUpBit
        let mask = try fields.requiredNumber(.settingsMask)
        slot.settings = TangemSettings(rawValue: UInt32(truncatingIfNeeded: mask))
        return (index, slot)
    }
}
