// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// ATTEST_CARD_KEY (F3): the card signs a challenge.
    mutating func attestCardKey(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let challenge = try fields.required(.challenge, count: 1...Int.max)
        let mode = try fields.number(.interactionMode)
        let isFull =
            mode == Int(TangemMode.attestCardFull) && has(.keysImport)
            && memory.backup.status == TangemBackupStatus.active
        let salt = random.bytes(settings.saltLength)
        var message = challenge + salt
        if isFull {
            message += Array(TangemLimits.backupCardsText.utf8) + memory.backup.cardKeys.flatMap { $0 }
        }
        var reply = reply(identity)
        reply.fields.add(.salt, salt)
        reply.fields.add(.cardSignature, try cardSignature(message))
        if isFull { for key in memory.backup.cardKeys { reply.fields.add(.backupCardPublicKey, key) } }
        reply.time = settings.signTime
        return reply
    }

    /// ATTEST_WALLET_KEY (F9): a wallet signs a challenge, and the card signs the wallet's key.
    mutating func attestWalletKey(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        let challenge = try fields.required(.challenge, count: 1...Int.max)
        let (index, base) = try loadedSlot(fields)
        let key = try derivedKey(base, fields)
        let salt = random.bytes(settings.saltLength)
        let signature = try inside { try key.attest(challenge + salt) }
        memory.slots[index].attestations = min(memory.slots[index].attestations + 1, Int(UInt32.max))
        var reply = reply(identity)
        reply.fields.add(.salt, salt)
        reply.fields.add(.walletSignature, signature)
        if has(.publicKeyChallenge), let keyChallenge = fields[.publicKeyChallenge] {
            // The base key is signed even where a path names another.
            var message = memory.slots[index].publicKey
            var more = AnswerFields()
            if !keyChallenge.isEmpty {
                let keySalt = random.bytes(settings.saltLength)
                message += keyChallenge + keySalt
                more.add(.publicKeySalt, keySalt)
            }
            if settings.attestsStatus {
                message.append(memory.slots[index].status)
                more.add(.status, [memory.slots[index].status])
            }
            reply.fields.add(.cardSignature, try cardSignature(message))
            reply.fields = AnswerFields(raw: reply.fields.bytes + more.bytes)
        }
        if settings.countsAttestations {
            reply.fields.add(.checkWalletCounter, number: memory.slots[index].attestations, count: 4)
        }
        reply.time = settings.signTime * 2
        return reply
    }
}
