// SPDX-License-Identifier: MIT

public import SmartCard
public import TangemConstants

/// SET_PIN: both codes are written, an unchanged one with its old value.
public struct SetPINCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// `9000` to `9007`, by what was changed.
        public let sw: StatusWord

        /// Whether the access code was changed.
        public var isAccessCodeChanged: Bool {
            [
                TangemStatus.pin1Changed, TangemStatus.pins12Changed, TangemStatus.pins13Changed,
                TangemStatus.pins123Changed,
            ].contains(sw)
        }

        /// Whether the passcode was changed.
        public var isPasscodeChanged: Bool {
            [
                TangemStatus.pin2Changed, TangemStatus.pins12Changed, TangemStatus.pins23Changed,
                TangemStatus.pins123Changed,
            ].contains(sw)
        }
    }

    /// The new access code; nil keeps the one in use.
    public let accessCode: UserCode?
    /// The new passcode; nil keeps the one in use.
    public let passcode: UserCode?

    /// Makes the command; without new codes it checks those in use.
    public init(accessCode: UserCode? = nil, passcode: UserCode? = nil) {
        self.accessCode = accessCode
        self.passcode = passcode
    }

    /// SET_PIN.
    public var instruction: TangemInstruction { .setPIN }
    /// Those that there are; nil for a check of the codes in use.
    public var newCodes: NewCodes? {
        accessCode == nil && passcode == nil ? nil : NewCodes(accessCode: accessCode, passcode: passcode)
    }
    /// True.
    public var needsPasscode: Bool { true }

    /// The card must let the codes be changed.
    public func check(_ card: CardRecord) throws(TangemError) {
        if let accessCode {
            guard card.settings.contains(.allowSetPIN1) else { throw TangemError(.accessCodeCannotBeChanged) }
            if accessCode == .standard(.accessCode), card.settings.contains(.prohibitDefaultPIN1) {
                throw TangemError(.accessCodeCannotBeDefault)
            }
        }
        if passcode != nil, !card.settings.contains(.allowSetPIN2) {
            throw TangemError(.passcodeCannotBeChanged)
        }
    }

    /// Old and new codes; from 4.39 on also a digest of the new ones.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .pin2, .cardID)
        let newAccessCode = accessCode ?? context.accessCode
        let newPasscode = passcode ?? context.passcode
        objects.add(.newPIN, newAccessCode.digest)
        objects.add(.newPIN2, newPasscode.digest)
        objects.add(.cvc, context.cvc)
        if context.firmware.has(.hdWallets) {
            objects.add(
                .codeHash,
                SignedMessage.codeHash(accessCode: newAccessCode, passcode: newPasscode)
            )
        }
        return objects
    }

    /// What was changed.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(sw: answer.sw)
    }

    /// What the command changes, since all of it is done or nothing.
    public func lostAnswer(_ card: CardRecord) -> Answer? {
        switch (accessCode != nil, passcode != nil) {
        case (true, true): Answer(sw: TangemStatus.pins12Changed)
        case (true, false): Answer(sw: TangemStatus.pin1Changed)
        case (false, true): Answer(sw: TangemStatus.pin2Changed)
        case (false, false): nil
        }
    }
}

/// SET_PIN after another card of the set vouched for the user: no old codes go along.
public struct ResetPINCommand: TangemCommand {
    /// The new access code.
    public let accessCode: UserCode
    /// The new passcode.
    public let passcode: UserCode

    /// Makes the command.
    public init(accessCode: UserCode, passcode: UserCode) {
        self.accessCode = accessCode
        self.passcode = passcode
    }

    /// SET_PIN.
    public var instruction: TangemInstruction { .setPIN }
    /// False: with the power the card loses what the other card said, so that a second run cannot succeed.
    public var isRepeatable: Bool { false }
    /// False: without its access code the card cannot be read, only named.
    public var needsCard: Bool { false }

    /// The card must be in a backup and let codes be reset.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkAuthorization()
        guard card.isCodeRecoveryAllowed else { throw TangemError(.userCodeRecoveryDisabled) }
    }

    /// Identifier, new codes and their digest.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID)
        objects.add(.newPIN, accessCode.digest)
        objects.add(.newPIN2, passcode.digest)
        objects.add(.codeHash, SignedMessage.codeHash(accessCode: accessCode, passcode: passcode))
        return objects
    }

    /// What was changed.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError)
        -> SetPINCommand.Answer
    {
        SetPINCommand.Answer(sw: answer.sw)
    }
}

/// AUTHORIZE: another card of a set vouches for the user, so that the codes can be reset.
///
/// What the cards sign here stands in no source: the host hands the bytes from one to the other.
public enum AuthorizeCommand: TangemCommand {
    /// Ask the card that shall be reset for a token.
    case getToken
    /// Let the other card sign the token.
    case sign(Token)
    /// Give the signed token to the first card.
    case authenticate(SignedToken)

    /// A token of the card that shall be reset.
    public struct Token: Hashable, Sendable {
        /// Linking key of the card.
        public let linkingKey: [UInt8]
        /// Signature of the card.
        public let signature: [UInt8]
        /// The bytes to vouch for.
        public let challenge: [UInt8]

        /// Takes what the card gave.
        public init(linkingKey: [UInt8], signature: [UInt8], challenge: [UInt8]) {
            self.linkingKey = linkingKey
            self.signature = signature
            self.challenge = challenge
        }
    }

    /// A token that another card signed.
    public struct SignedToken: Hashable, Sendable {
        /// Linking key of the other card.
        public let linkingKey: [UInt8]
        /// Bytes of the other card.
        public let salt: [UInt8]
        /// Signature of the other card.
        public let signature: [UInt8]

        /// Takes what the other card gave.
        public init(linkingKey: [UInt8], salt: [UInt8], signature: [UInt8]) {
            self.linkingKey = linkingKey
            self.salt = salt
            self.signature = signature
        }
    }

    /// What the card gives back, by the step.
    public enum Answer: Hashable, Sendable {
        /// A token.
        case token(Token)
        /// A signed token.
        case signedToken(SignedToken)
        /// The card believes the other one.
        case authenticated
    }

    /// AUTHORIZE.
    public var instruction: TangemInstruction { .authorize }
    /// False: without its access code the card cannot be read, only named.
    public var needsCard: Bool { false }

    /// The card must be in a backup.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkAuthorization()
    }

    /// Identifier, mode, and what the step needs.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID)
        switch self {
        case .getToken:
            objects.add(.interactionMode, [TangemMode.tokenGet])
        case .sign(let token):
            objects.add(.interactionMode, [TangemMode.tokenSign])
            objects.add(.challenge, token.challenge)
            objects.add(.primaryCardLinkingKey, token.linkingKey)
            objects.add(.backupAttestSignature, token.signature)
        case .authenticate(let token):
            objects.add(.interactionMode, [TangemMode.tokenAuthenticate])
            objects.add(.salt, token.salt)
            objects.add(.backupCardLinkingKey, token.linkingKey)
            objects.add(.backupAttestSignature, token.signature)
        }
        return objects
    }

    /// What the step gives.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        let objects = answer.objects
        switch self {
        case .getToken:
            return .token(
                Token(
                    linkingKey: try objects.required(.primaryCardLinkingKey),
                    signature: try objects.required(.backupAttestSignature),
                    challenge: try objects.required(.challenge)
                )
            )
        case .sign:
            return .signedToken(
                SignedToken(
                    linkingKey: try objects.required(.backupCardLinkingKey),
                    salt: try objects.required(.salt),
                    signature: try objects.required(.backupAttestSignature)
                )
            )
        case .authenticate:
            return .authenticated
        }
    }

    /// A refusal to sign means that the cards do not belong together.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        if case .sign = self, error.kind == .invalidParams {
            return TangemError(.resetPinWrongCard, sw: error.sw)
        }
        return error
    }
}

extension CardRecord {
    fileprivate func checkAuthorization() throws(TangemError) {
        try require(.backup, for: "resetting codes with another card")
        guard backupStatus == Int(TangemBackupStatus.active) else { throw TangemError(.noActiveBackup) }
    }
}
