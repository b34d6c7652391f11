// SPDX-License-Identifier: MIT

public import Cryptography
public import TangemConstants

/// How sessions behave.
public struct SessionConfiguration: Sendable {
    /// What scanCard proves.
    public enum Attestation: String, Hashable, Sendable {
        /// Nothing.
        case none
        /// The card owns its key.
        case card
        /// The card and each wallet own their keys.
        case full
    }

    /// What a session reads before its first command.
    public enum Preflight: String, Hashable, Sendable {
        /// Nothing.
        case none
        /// The card.
        case cardOnly
        /// The card and its wallets.
        case full
    }

    /// Whether commands are checked before they are sent, and refusals get a meaning.
    public var handlesErrors = true
    /// Whether commands begin with the tag 29, for phones of old.
    public var isLegacyMode = false
    /// The key of this terminal; nil to link to no card.
    public var terminalKey: PrivateKey?
    /// The key that checks issuer data, instead of the one in the card.
    public var issuerPublicKey: [UInt8]?
    /// The access code that sessions begin with.
    public var accessCode = UserCode.standard(.accessCode)
    /// The passcode that sessions begin with.
    public var passcode = UserCode.standard(.passcode)
    /// The code printed on the card, where it asks for one.
    public var cvc: String?
    /// Cards that are admitted.
    public var filter = CardFilter()
    /// What scanCard proves.
    public var attestation = Attestation.full
    /// Whether scanCard finds out if the passcode is the default on firmware that does not tell, which costs a
    /// security delay.
    public var checksUserCodes = true
    /// Keys that scanCard derives on HD cards.
    public var derivationPaths: [TangemCurve: [DerivationPath]] = [:]
    /// Whether secp256k1 signatures get the lower of their two values of s.
    public var canonizesSignatures = true
    /// The encryption that sessions begin with; more comes when the card asks for it.
    public var encryption = SessionEncryption.none
    /// How often a code is asked for after the card refused the one in use.
    public var codeAttempts = 1
    /// How often a card that was lost in mid-command is looked for; 0 ends the session at the first loss.
    public var reconnections = 20
    /// Whether the tag is looked for anew between chunks of hashes before firmware 6.21, as phones must.
    public var refindsTagBetweenChunks = false
    /// What is written as Le: nil for none, as the vendor's hosts do.
    ///
    /// Some strict readers need 0.
    public var le: Int?
    /// How long a session waits for the right card.
    public var cardTimeout = Duration.seconds(60)
    /// The pause between a wrong card and the next look.
    public var wrongCardPause = Duration.seconds(2)
    /// How much longer than it said a security delay may take.
    public var delaySlack = Duration.seconds(30)
    /// How long a security delay may take when the card does not say how long it is.
    public var unknownDelayLimit = Duration.seconds(60)
    /// How many answers "wait" end a session, whatever the clock says.
    public var delayPolls = 10_000
    /// Where random bytes come from; nil when there are none.
    public var randomBytes: @Sendable (Int) -> [UInt8]? = { try? SecureRandom.bytes($0) }

    /// Makes the usual configuration.
    public init() {}
}

/// Which cards are admitted.
public struct CardFilter: Sendable {
    /// Kinds of firmware.
    public var releases: Set<CardFirmware.Release> = [.release, .sdk]
    /// Identifiers; empty admits all.
    public var idRanges: [CardIDRange] = []
    /// Batches, 4 hex digits; empty admits all.
    public var batches: Set<String> = []
    /// Names of issuers; empty admits all.
    public var issuers: Set<String> = []
    /// The newest firmware that is admitted; nil admits all.
    public var newestFirmware: CardFirmware?

    /// Makes a filter that admits cards for users and for developers.
    public init() {}

    /// Refuses cards that are not admitted.
    public func check(_ card: CardRecord) throws(TangemError) {
        if !releases.contains(card.firmware.release) {
            throw refused("firmware \(card.firmware) is \(card.firmware.release.rawValue)")
        }
        if !idRanges.isEmpty, !idRanges.contains(where: { $0.contains(card.id) }) {
            throw refused("\(card.id) is in no admitted range")
        }
        if !batches.isEmpty, !batches.contains(card.production.batchID) {
            throw refused("batch \(card.production.batchID) is not admitted")
        }
        if !issuers.isEmpty, !issuers.contains(card.production.issuerName) {
            throw refused("issuer \(card.production.issuerName) is not admitted")
        }
        if let newestFirmware, card.firmware > newestFirmware {
            throw refused("firmware \(card.firmware) is newer than \(newestFirmware)")
        }
    }

    private func refused(_ reason: String) -> TangemError { TangemError(.wrongCardType, reason) }
}
