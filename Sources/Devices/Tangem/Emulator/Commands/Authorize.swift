// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

/// What the cards of a set say to each other.
///
/// It is not published: signatures and encryption of backup and reset are our own (UNVERIFIED against real cards).
/// Requests, answers and order are the published ones.
enum CardToCard {
    /// Texts before signed messages, so that one kind of signature cannot stand for another.
    static let link = Array("LINK".utf8)
    static let set = Array("SET".utf8)
    static let reset = Array("RESET".utf8)
    static let vouch = Array("VOUCH".utf8)
}

extension CardState {
    /// AUTHORIZE (D3): another card of the set vouches for a host that has lost the codes.
    mutating func authorize(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCard(fields)
        guard memory.backup.status == TangemBackupStatus.active else { throw .state }
        switch try fields.requiredNumber(.interactionMode) {
        case Int(TangemMode.tokenGet): return try getToken(identity)
        case Int(TangemMode.tokenSign): return try signToken(fields, identity)
        case Int(TangemMode.tokenAuthenticate): return try authenticateToken(fields, identity)
        default: throw .parameters
        }
    }

    /// The card that is to be reset makes a token.
    private mutating func getToken(_ identity: CardIdentity) throws(Stop) -> Reply {
        guard !memory.userSettings.contains(.forbidResetPIN) else { throw .state }
        field.resetToken = random.bytes(16)
        field.mayResetCodes = false
        let linkKey = try linkingPublicKey()
        var reply = reply(identity)
        reply.fields.add(.primaryCardLinkingKey, linkKey)
        let message = CardToCard.reset + field.resetToken + linkKey
        reply.fields.add(.backupAttestSignature, try cardSignature(message))
        reply.fields.add(.challenge, field.resetToken)
        return reply
    }

    /// Another card of the set signs it.
    private mutating func signToken(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply {
        let token = try fields.required(.challenge)
        let linkKey = try fields.required(.primaryCardLinkingKey)
        let signature = try fields.required(.backupAttestSignature)
        guard isFromSet(signature, CardToCard.reset + token + linkKey) else { throw .parameters }
        let salt = random.bytes(settings.saltLength)
        let own = try linkingPublicKey()
        var reply = reply(identity)
        reply.fields.add(.backupCardLinkingKey, own)
        reply.fields.add(.salt, salt)
        let message = CardToCard.vouch + token + linkKey + own + salt
        reply.fields.add(.backupAttestSignature, try cardSignature(message))
        return reply
    }

    /// The first card believes it, once.
    private mutating func authenticateToken(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop)
        -> Reply
    {
        guard !field.resetToken.isEmpty else { throw .state }
        let salt = try fields.required(.salt)
        let other = try fields.required(.backupCardLinkingKey)
        let signature = try fields.required(.backupAttestSignature)
        let message = CardToCard.vouch + field.resetToken + (try linkingPublicKey()) + other + salt
        guard isFromSet(signature, message) else { throw .parameters }
        field.resetToken = []
        field.mayResetCodes = true
        return reply(identity)
    }

    /// Whether another card of the set made a signature.
    private func isFromSet(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        memory.backup.cardKeys.contains { CardSignatures.verify(signature, message, key: $0) }
    }
}
