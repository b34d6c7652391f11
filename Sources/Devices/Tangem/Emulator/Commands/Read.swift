// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// READ (F2): the card, a wallet, or the list of wallets.
    mutating func read(_ fields: CommandFields) throws(Stop) -> Reply {
        let mode = has(.multiWallet) ? try fields.number(.interactionMode) : nil
        // The first READ has no card identifier: that is how a host learns it.
        if fields[.cardID] != nil || mode == Int(TangemMode.readWallet)
            || mode == Int(TangemMode.readWalletsList)
        {
            _ = try checkCard(fields)
        }
        try checkAccessCode(fields)
        switch mode {
        case nil, Int(TangemMode.readCard):
            return try readCard(fields, isOldHost: mode == nil)
        case Int(TangemMode.readWallet):
            return try readWallet(fields)
        case Int(TangemMode.readWalletsList):
            return try readWalletsList(fields)
        default:
            throw .parameters
        }
    }

    /// READ of a card that is not personalized: status and firmware.
    func readBlank() -> Reply {
        var reply = Reply()
        reply.fields.add(.status, [TangemCardStatus.notPersonalized])
        reply.fields.add(.firmwareVersion, text: settings.profile.firmware)
        return reply
    }

    private func readCard(_ fields: CommandFields, isOldHost: Bool) throws(Stop) -> Reply {
        var slot: Int?
        if !has(.multiWallet) {
            slot = 0
        } else if isOldHost, fields[.walletIndex] != nil || fields[.walletPublicKey] != nil {
            slot = try loadedSlot(fields).index
        }
        var reply = Reply()
        reply.fields = try cardRecord(slot: slot, terminal: fields[.terminalPublicKey])
        return reply
    }

    /// The card record, in the order of real cards; newer objects stand before the last.
    func cardRecord(slot index: Int?, terminal: [UInt8]?) throws(Stop) -> AnswerFields {
        let identity = try identity()
        var fields = AnswerFields()
        fields.add(.cardID, identity.cardID)
        fields.add(.manufacturerName, text: settings.profile.manufacturer)
        fields.add(.status, [cardStatus])
        fields.add(.firmwareVersion, text: settings.profile.firmware)
        fields.add(.cardPublicKey, cardPublicKey)
        fields.add(.settingsMask, number: Int(identity.settings.rawValue), count: 4)
        fields.add(.cardData, identity.cardData)
        fields.add(.issuerPublicKey, identity.issuerKey)
        fields.add(.curve, text: identity.curve.rawValue)
        if !has(.multiWallet) { fields.add(.maxSignatures, number: identity.maxSignatures, count: 4) }
        fields.add(.signingMethod, [identity.signingMethods])
        fields.add(.pauseBeforePIN2, number: identity.pause, count: 2)
        if let index, memory.slots.indices.contains(index), memory.slots[index].isLoaded {
            let slot = memory.slots[index]
            fields.add(.walletPublicKey, slot.publicKey)
            if !has(.multiWallet) {
                fields.add(.walletRemainingSignatures, number: slot.remainingSignatures, count: 4)
            }
            fields.add(.walletSignedHashes, number: slot.signedHashes, count: 4)
            if has(.multiWallet) { fields.add(.walletIndex, number: index, count: 1) }
        }
        if has(.multiWallet) { fields.add(.walletsCount, number: memory.slots.count, count: 1) }
        if has(.linkedTerminal), !has(.hdWallets), let terminal {
            fields.add(.isLinked, flag: terminal == memory.terminalKey)
        }
        // Such a card waits for a command that is not published, so it stays as it is.
        fields.add(.isActivated, flag: identity.settings.contains(.useActivation))
        addCodeFlags(to: &fields)
        if has(.backup), identity.settings.contains(.allowBackup) {
            fields.add(.backupStatus, number: Int(memory.backup.status), count: 2)
            if memory.backup.status != TangemBackupStatus.none {
                fields.add(.backupCount, number: memory.backup.count, count: 1)
            }
        }
        if has(.keysImport) {
            fields.add(.userSettingsMask, number: Int(memory.userSettings.rawValue), count: 4)
        }
        // Not zero: every answer carries it, this one too, so it is not written here twice.
        if settings.health == 0 { fields.add(.health, [0]) }
        return fields
    }

    /// Tells that codes are the defaults, by presence.
    func addCodeFlags(to fields: inout AnswerFields) {
        if has(.pin2IsDefault) { fields.add(.isPIN2Default, flag: memory.pin2 == CodeDigest.defaultPasscode) }
        if has(.pinIsDefault) { fields.add(.isPINDefault, flag: memory.pin1 == CodeDigest.defaultAccessCode) }
    }

    private var cardStatus: UInt8 {
        if memory.slots.contains(where: \.isLoaded) { return TangemCardStatus.loaded }
        let isPurged = !has(.multiWallet) && memory.slots.first?.status == TangemWalletStatus.purged
        return isPurged ? TangemCardStatus.purged : TangemCardStatus.empty
    }

    private func readWallet(_ fields: CommandFields) throws(Stop) -> Reply {
        let (index, key) = try loadedSlot(fields)
        let derived = fields[.walletHDPath] == nil ? nil : try derivedKey(key, fields)
        var reply = reply(try identity())
        reply.fields = AnswerFields(raw: reply.fields.bytes + (try walletRecord(index, key: derived)).bytes)
        return reply
    }

    /// As many wallets as fit, from the one after those that the host has already.
    private func readWalletsList(_ fields: CommandFields) throws(Stop) -> Reply {
        let first = try fields.number(.walletIndex) ?? 0
        guard first < memory.slots.count else { throw .parameters }
        var reply = reply(try identity())
        for index in first..<memory.slots.count {
            var item = AnswerFields()
            item.add(.cardWallet, try walletRecord(index).bytes)
            guard reply.fields.bytes.count + item.bytes.count <= roomInAnswer else { break }
            reply.fields = AnswerFields(raw: reply.fields.bytes + item.bytes)
        }
        return reply
    }
}
