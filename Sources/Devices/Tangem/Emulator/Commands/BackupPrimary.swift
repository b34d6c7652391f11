// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// START_PRIMARY_CARD_LINKING (E8): the primary card makes its linking key.
    mutating func startPrimaryCardLinking(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard memory.backup.status != TangemBackupStatus.active else { throw .state }
        guard memory.slots.contains(where: \.isLoaded) else { throw .state }
        try makeLinkingKey()
        memory.backup.isPrimary = true
        var reply = reply(identity)
        reply.fields.add(.primaryCardLinkingKey, try linkingPublicKey())
        return reply
    }

    /// LINK_BACKUP_CARDS (EA): the primary card takes new codes and learns of its backup cards.
    mutating func linkBackupCards(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard memory.backup.isPrimary, !memory.backup.linkingKey.isEmpty,
            memory.backup.status != TangemBackupStatus.active
        else { throw .state }
        let count = try fields.requiredNumber(.backupCount)
        let links = fields.all(.backupCardLink)
        guard (1...2).contains(count), links.count == count else { throw .parameters }
        let codes = try newCodes(fields)
        let own = try linkingPublicKey()
        var cardKeys: [[UInt8]] = []
        var linkKeys: [[UInt8]] = []
        for link in links {
            guard let inner = CommandFields(link) else { throw .parameters }
            let linkKey = try inner.required(.backupCardLinkingKey, count: 65...65)
            let cardKey = try certifiedKey(inner, identity)
            let signature = try inner.required(.cardSignature)
            guard CardSignatures.verify(signature, CardToCard.link + own + linkKey, key: cardKey),
                cardKey != cardPublicKey, !cardKeys.contains(cardKey)
            else { throw .parameters }
            cardKeys.append(cardKey)
            linkKeys.append(linkKey)
        }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        let attest = try cardSignature(setMessage(primary: own, backups: linkKeys, codes))
        memory.backup.count = count
        memory.backup.cardKeys = cardKeys
        memory.backup.linkKeys = linkKeys
        memory.backup.status = TangemBackupStatus.linked
        memory.backup.movedSlots = []
        memory.backup.isFinalized = false
        memory.pin1 = codes.pin1
        memory.pin2 = codes.pin2
        var reply = reply(identity)
        reply.fields.add(.backupAttestSignature, attest)
        return reply
    }

    /// READ_BACKUP_DATA (EB): a slot leaves the primary card, encrypted for one backup card.
    mutating func readBackupData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard memory.backup.isPrimary, memory.backup.status != TangemBackupStatus.none,
            !memory.backup.isFinalized
        else { throw .state }
        let linkKey = try fields.required(.backupCardLinkingKey)
        guard let card = memory.backup.linkKeys.firstIndex(of: linkKey) else { throw .parameters }
        let index = try slotIndex(fields)
        let salt = random.bytes(settings.saltLength)
        let data = try cipher(with: linkKey, salt: salt).sealed(memory.slots[index], at: index)
        memory.backup.movedSlots.insert(card * 256 + index)
        // Before 6.21 the last slot for the last card ends the transfer.
        if memory.backup.movedSlots.count == memory.backup.count * memory.slots.count, !has(.keysImport) {
            activatePrimary()
        }
        var reply = reply(identity)
        reply.fields.add(.walletIndex, number: index, count: 1)
        reply.fields.add(.issuerData, data)
        reply.fields.add(.salt, salt)
        return reply
    }

    /// FINALIZE_READ_BACKUP_DATA (EF): no more data leave the primary card.
    mutating func finalizeReadBackupData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard memory.backup.isPrimary, memory.backup.status != TangemBackupStatus.none,
            !memory.backup.isFinalized
        else { throw .state }
        activatePrimary()
        return reply(identity)
    }

    private mutating func activatePrimary() {
        memory.backup.isFinalized = true
        memory.backup.status = TangemBackupStatus.active
        for index in memory.slots.indices where memory.slots[index].isLoaded {
            memory.slots[index].status |= TangemWalletStatus.backedUpBit
        }
    }

    /// BACKUP_RESET (EE): the card leaves its set; it must not hold wallets any more.
    mutating func backupReset(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkBackupAccess(fields)
        guard !memory.slots.contains(where: \.isLoaded) else { throw .state }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        memory.backup = BackupMemory()
        for index in memory.slots.indices {
            memory.slots[index].status &= ~TangemWalletStatus.backedUpBit
        }
        var reply = reply(identity)
        reply.fields.add(.backupStatus, number: Int(memory.backup.status), count: 2)
        reply.fields.add(.settingsMask, number: Int(identity.settings.rawValue), count: 4)
        addCodeFlags(to: &reply.fields)
        return reply
    }
}
