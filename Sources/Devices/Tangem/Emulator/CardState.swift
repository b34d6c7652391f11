// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants

/// Everything about a card: its settings, what it remembers, and what it forgets without power.
///
/// The commands are extensions of this type, one file each.
struct CardState: Sendable {
    let settings: CardSettings
    /// Public key of the card, 65 bytes.
    private(set) var cardPublicKey: [UInt8]
    var memory: CardMemory
    var random: CardRandom
    /// Progress of a delay that survives the loss of power.
    var storedDelay: RunningDelay?
    var field = FieldState()
    /// The command that is being carried out.
    var call = Call()
    /// Set when the next write shall lose its power.
    var tornWrite: TangemCard.TornWrite?

    init(settings: CardSettings) throws(CryptographyError) {
        self.settings = settings
        random = CardRandom(seed: settings.seed, stream: 0)
        memory = try CardMemory.initial(settings, &random)
        cardPublicKey = try PrivateKey(memory.cardKey, curve: .secp256k1).publicKey.uncompressed
    }

    /// Takes over another memory.
    mutating func replaceMemory(_ new: CardMemory) throws(CryptographyError) {
        cardPublicKey = try PrivateKey(new.cardKey, curve: .secp256k1).publicKey.uncompressed
        memory = new
    }

    /// Gives or takes power; both lose what the card holds in volatile memory.
    mutating func setPower(_ isOn: Bool) {
        field = FieldState()
        field.isPowered = isOn
        // The power that was to go in the middle of a write has gone.
        if !isOn { tornWrite = nil }
        if isOn, settings.selectsImplicitly { field.application = .wallet }
    }

    /// Whether the firmware has something.
    func has(_ feature: TangemFeature) -> Bool { settings.profile.has(feature) }

    /// The identity, or the refusal of a blank card.
    func identity() throws(Stop) -> CardIdentity {
        guard let identity = memory.identity else { throw .state }
        return identity
    }

    /// Runs what may fail inside of the card; a failure is an internal error of the card.
    func inside<Result>(_ body: () throws -> Result) throws(Stop) -> Result {
        do {
            return try body()
        } catch let stop as Stop {
            throw stop
        } catch {
            throw .refused(TangemStatus.errorProcessingCommand)
        }
    }

    /// Signs with the card's key.
    func cardSignature(_ message: [UInt8]) throws(Stop) -> [UInt8] {
        try inside { try CardSignatures.sign(message, with: memory.cardKey) }
    }

    /// An answer that begins with the card identifier, as all do.
    func reply(_ identity: CardIdentity) -> Reply {
        var reply = Reply()
        reply.fields.add(.cardID, identity.cardID)
        return reply
    }

    /// The card's key with the issuer's signature of it.
    var certificate: [UInt8] {
        var fields = AnswerFields()
        fields.add(.cardPublicKey, cardPublicKey)
        do {
            let key = try HexText.bytes(TangemDevelopmentKeys.issuerData.privateKey)
            fields.add(.issuerDataSignature, try CardSignatures.sign(cardPublicKey, with: key))
        } catch {
            // The key is a constant that the tests have read; without it the certificate has no signature.
            return fields.bytes
        }
        return fields.bytes
    }
}

/// What a card forgets when its power goes.
struct FieldState: Sendable {
    /// The application that answers.
    enum Application: Sendable {
        case wallet
        case ndef
    }

    var isPowered = false
    var application: Application?
    /// File of the NDEF application.
    var ndefFile: UInt16?
    var session: SessionCipher?
    var delay: RunningDelay?
    /// Issuer extra data on their way.
    var extraUpload: Upload?
    /// A file on its way.
    var fileUpload: Upload?
    /// Token of a reset of the codes, and whether another card vouched for it.
    var resetToken: [UInt8] = []
    var mayResetCodes = false
}

/// Data that come in blocks.
struct Upload: Sendable {
    let size: Int
    let counter: Int?
    /// Index of the file.
    var index = 0
    var settings: UInt8 = 0
    var walletIndex: Int?
    var isIssuers = true
    var data: [UInt8] = []

    init(size: Int, counter: Int?) {
        self.size = size
        self.counter = counter
    }

    /// Takes a block that continues the data, or repeats what is there already.
    mutating func take(_ block: [UInt8], at offset: Int) throws(Stop) {
        guard !block.isEmpty, offset <= data.count, offset + block.count <= size else { throw .parameters }
        data.replaceSubrange(offset..<min(data.count, offset + block.count), with: block)
    }

    var isComplete: Bool { data.count == size }
}

/// A command while it is carried out.
struct Call: Sendable {
    /// The whole command.
    var bytes: [UInt8] = []
    /// When it came.
    var arrival = Duration.zero
    /// How long the card was silent before it could do its work.
    var waited = Duration.zero
    /// Whether the security delay was waited for, not skipped.
    var paidSecurityDelay = false

    var now: Duration { arrival + waited }
}
