// SPDX-License-Identifier: MIT

public import TangemConstants

/// ATTEST_CARD_KEY: the card proves that it owns its key.
public struct AttestCardKeyCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// The host's bytes.
        public let challenge: [UInt8]
        /// The card's bytes.
        public let salt: [UInt8]
        /// Signature, 64 bytes.
        public let signature: [UInt8]
        /// Keys of the backup cards, in full mode.
        public let backupKeys: [[UInt8]]?

        /// Whether the signature is that of a card's key.
        public func isValid(cardPublicKey: [UInt8]) -> Bool {
            SignatureCheck.isValid(
                signature,
                message: SignedMessage.card(challenge: challenge, salt: salt, backupKeys: backupKeys),
                key: cardPublicKey,
                curve: .secp256k1
            ) == true
        }
    }

    /// Bytes that the card signs, usually 16.
    public let challenge: [UInt8]
    /// Whether the keys of the backup cards are asked for, from firmware 6.21.
    public let isFull: Bool

    /// Makes the command.
    public init(challenge: [UInt8], isFull: Bool = false) {
        self.challenge = challenge
        self.isFull = isFull
    }

    /// ATTEST_CARD_KEY.
    public var instruction: TangemInstruction { .attestCardKey }

    /// Full mode needs the firmware and a backup.
    public func check(_ card: CardRecord) throws(TangemError) {
        guard isFull else { return }
        try card.require(.keysImport, for: "the full attestation")
        guard card.backupStatus == Int(TangemBackupStatus.active) else { throw TangemError(.noActiveBackup) }
    }

    /// Access code, identifier, challenge and mode.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.challenge, challenge)
        if isFull { objects.add(.interactionMode, [TangemMode.attestCardFull]) }
        return objects
    }

    /// Salt and signature.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            challenge: challenge,
            salt: try answer.objects.required(.salt),
            signature: try answer.objects.required(.cardSignature),
            backupKeys: isFull ? answer.objects.values(.backupCardPublicKey) : nil
        )
    }
}

/// ATTEST_WALLET_KEY: a wallet proves that it owns its key, and the card that the wallet is its own.
public struct AttestWalletKeyCommand: TangemCommand {
    /// How the card is asked about the wallet's public key, from firmware 2.01.
    public enum Confirmation: Hashable, Sendable {
        /// Not asked.
        case omitted
        /// With an empty challenge: the same answer each time.
        case constant
        /// With the challenge of the wallet.
        case dynamic
    }

    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// The host's bytes.
        public let challenge: [UInt8]
        /// The card's bytes.
        public let salt: [UInt8]
        /// Signature of the wallet.
        public let walletSignature: [UInt8]
        /// Signature of the card over the wallet's key; nil when there is none.
        public let cardSignature: [UInt8]?
        /// The card's bytes under its own signature.
        public let publicKeySalt: [UInt8]?
        /// Status of the wallet under the card's signature.
        public let status: UInt8?
        /// How often the wallet was attested.
        public let counter: Int?

        /// Whether the signature is that of the wallet; nil where the host cannot check the curve.
        public func isValid(publicKey: [UInt8], curve: TangemCurve) -> Bool? {
            SignatureCheck.isValid(
                walletSignature,
                message: SignedMessage.wallet(challenge: challenge, salt: salt),
                key: publicKey,
                curve: curve
            )
        }

        /// Whether the card confirms the wallet's key; nil when it was not asked or says nothing.
        ///
        /// - Parameters:
        ///   - walletPublicKey: The key as the card reports it, without derivation.
        ///   - cardPublicKey: The key of the card.
        /// - Returns: nil when there is no signature.
        public func isConfirmed(walletPublicKey: [UInt8], cardPublicKey: [UInt8]) -> Bool? {
            guard let cardSignature else { return nil }
            return SignatureCheck.isValid(
                cardSignature,
                message: SignedMessage.cardForWallet(
                    walletKey: walletPublicKey,
                    challenge: challenge,
                    publicKeySalt: publicKeySalt,
                    status: status
                ),
                key: cardPublicKey,
                curve: .secp256k1
            )
        }
    }

    /// Bytes that the wallet signs, usually 16.
    public let challenge: [UInt8]
    /// Slot of the wallet.
    public let walletIndex: Int
    /// How the card is asked about the key.
    public let confirmation: Confirmation
    /// Path of a derived key; nil for the wallet's own.
    public let path: DerivationPath?

    /// Makes the command.
    public init(
        challenge: [UInt8],
        walletIndex: Int,
        confirmation: Confirmation = .dynamic,
        path: DerivationPath? = nil
    ) {
        self.challenge = challenge
        self.walletIndex = walletIndex
        self.confirmation = confirmation
        self.path = path
    }

    /// ATTEST_WALLET_KEY.
    public var instruction: TangemInstruction { .attestWalletKey }

    /// A path needs a card that derives keys.
    public func check(_ card: CardRecord) throws(TangemError) {
        if path != nil { try card.requireDerivation(walletIndex: walletIndex, path: path) }
    }

    /// Access code, identifier, challenge, slot, challenge for the card, path.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.challenge, challenge)
        try objects.add(.walletIndex, number: walletIndex, count: 1)
        if context.firmware.has(.publicKeyChallenge) {
            switch confirmation {
            case .omitted: break
            case .constant: objects.add(.publicKeyChallenge, [UInt8]())
            case .dynamic: objects.add(.publicKeyChallenge, challenge)
            }
        }
        objects.add(.walletHDPath, path?.value)
        return objects
    }

    /// Salts and signatures.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        let objects = answer.objects
        return Answer(
            challenge: challenge,
            salt: try objects.required(.salt),
            walletSignature: try objects.required(.walletSignature),
            cardSignature: objects[.cardSignature],
            publicKeySalt: objects[.publicKeySalt],
            status: try objects.byte(.status),
            counter: try objects.number(.checkWalletCounter)
        )
    }
}
