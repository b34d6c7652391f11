// SPDX-License-Identifier: MIT

public import TangemConstants

/// GET_ENTROPY: random bytes of the card.
public struct GetEntropyCommand: TangemCommand {
    /// Makes the command.
    public init() {}

    /// GET_ENTROPY.
    public var instruction: TangemInstruction { .getEntropy }

    /// The firmware must have it.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.require(.keysImport, for: "entropy of the card")
    }

    /// Access code and identifier.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.pin, .cardID)
    }

    /// The bytes.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> [UInt8] {
        try answer.objects.required(.issuerData)
    }
}

/// SET_USER_SETTINGS.
public struct SetUserSettingsCommand: TangemCommand {
    /// The new settings.
    public let settings: TangemUserSettings

    /// Makes the command.
    public init(settings: TangemUserSettings) {
        self.settings = settings
    }

    /// SET_USER_SETTINGS.
    public var instruction: TangemInstruction { .setUserSettings }
    /// True.
    public var needsPasscode: Bool { true }

    /// The firmware must have it.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.require(.keysImport, for: "a change of the user's settings")
    }

    /// Codes, identifier and settings.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .pin2, .cardID)
        try objects.add(.userSettingsMask, number: Int(settings.rawValue), count: 4)
        return objects
    }

    /// The settings that the card has now.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError)
        -> TangemUserSettings
    {
        guard let mask = try answer.objects.settings(.userSettingsMask) else {
            throw TangemError(.decodingFailedMissingTag, "there is no \(TangemTag.userSettingsMask.title)")
        }
        return TangemUserSettings(rawValue: mask.rawValue)
    }
}

/// GENERATE_OTP: the root of one-time passwords.
public struct GenerateOTPCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Root of the passwords.
        public let root: [UInt8]
        /// Counter of the passwords.
        public let counter: Int
        /// Public key of the wallet.
        public let walletPublicKey: [UInt8]
    }

    /// Makes the command.
    public init() {}

    /// GENERATE_OTP.
    public var instruction: TangemInstruction { .generateOTP }
    /// True.
    public var needsPasscode: Bool { true }

    /// Codes and identifier.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.pin, .pin2, .cardID)
    }

    /// Root, counter and key.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            root: try answer.objects.required(.codeHash),
            counter: try answer.objects.requiredNumber(.fileIndex),
            walletPublicKey: try answer.objects.required(.walletPublicKey)
        )
    }
}
