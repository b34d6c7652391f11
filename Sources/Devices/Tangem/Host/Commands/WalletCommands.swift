// SPDX-License-Identifier: MIT

public import TangemConstants

/// CREATE_WALLET: a new key, or an imported one.
public struct CreateWalletCommand: TangemCommand {
    /// Curve of the new wallet; nil for that of the card.
    public let curve: TangemCurve?
    /// Slot of the new wallet.
    public let index: Int
    /// Settings of the new wallet, from 4.0 on; newer cards take those of the card instead.
    public let settings: TangemSettings
    /// The key to import; nil to let the card make one.
    public let importedKey: ImportedKey?

    /// Makes the command.
    public init(curve: TangemCurve? = nil, index: Int = 0, settings: TangemSettings = .isReusable) {
        self.curve = curve
        self.index = index
        self.settings = settings
        importedKey = nil
    }

    /// Makes the command that imports a key.
    public init(importing key: ImportedKey, index: Int, settings: TangemSettings = .isReusable) {
        curve = key.curve
        self.index = index
        self.settings = settings
        importedKey = key
    }

    /// CREATE_WALLET.
    public var instruction: TangemInstruction { .createWallet }
    /// True.
    public var needsPasscode: Bool { true }
    /// A key on its way into the card is encrypted strongly.
    public var leastEncryption: SessionEncryption { importedKey == nil ? .none : .strong }

    /// The card must know the curve, have room, and take keys where one is imported.
    public func check(_ card: CardRecord) throws(TangemError) {
        if importedKey != nil {
            try card.require(.keysImport, for: "importing a key")
            guard card.settings.contains(.allowKeysImport) else { throw TangemError(.keysImportDisabled) }
        }
        if card.has(.multiWallet) {
            guard card.settings.contains(.allowSelectBlockchain) else {
                throw TangemError(.walletCannotBeCreated)
            }
            guard curve ?? card.curve != nil else {
                throw TangemError(.unsupportedCurve, "give a curve, this card names none")
            }
        }
        if let curve, !card.supportedCurves.contains(curve) {
            let known = card.supportedCurves.map(\.rawValue).joined(separator: ", ")
            throw TangemError(.unsupportedCurve, "\(curve.rawValue) is none of \(known)")
        }
        if card.wallets.contains(where: { $0.index == index }) || index >= card.walletsCount {
            throw TangemError(card.walletsCount == 1 ? .alreadyCreated : .maxNumberOfWalletsCreated)
        }
        if card.status == TangemCardStatus.purged { throw TangemError(.walletIsPurged) }
        guard !card.purgedSlots.contains(index) else {
            throw TangemError(.walletIsPurged, "slot \(index) takes no other one")
        }
        if let key = importedKey, card.wallet(key.publicKey) != nil {
            throw TangemError(.walletAlreadyCreated)
        }
    }

    /// Codes and identifier; from 4.0 on also settings, curve, signing method and slot.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .pin2, .cardID, .cvc)
        guard context.firmware.has(.multiWallet) else { return objects }
        try objects.add(.settingsMask, number: Int(settings.rawValue), count: 4)
        if let curve = curve ?? context.card?.curve { objects.add(.curve, text: curve.rawValue) }
        let method = TangemSigningMethod.isMask.union(.signHash)
        objects.add(.signingMethod, [method.rawValue])
        try objects.add(.walletIndex, number: index, count: 1)
        if let importedKey {
            objects.add(.walletPrivateKey, importedKey.privateKey)
            objects.add(.walletHDChain, importedKey.chainCode)
        }
        return objects
    }

    /// The new wallet.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError)
        -> WalletRecord
    {
        let usualCurve = curve ?? context.card?.curve
        if context.firmware.has(.walletRecordOnCreate) {
            guard let wallet = try WalletRecord(answer.objects, usualCurve: usualCurve) else {
                throw TangemError(.unknownError, "the card says that the slot is empty after CREATE_WALLET")
            }
            return wallet
        }
        guard let usualCurve else { throw TangemError(.decodingFailedMissingTag, "the curve is not known") }
        return WalletRecord(
            publicKey: try answer.objects.required(.walletPublicKey),
            curve: usualCurve,
            index: try answer.objects.number(.walletIndex) ?? index,
            settings: nil
        )
    }

    /// A refusal with the default passcode means that the wallet is there already.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        guard error.kind == .invalidParams, context.card?.isPasscodeDefault == true,
            context.passcode == .standard(.passcode)
        else { return error }
        return TangemError(.alreadyCreated, sw: error.sw)
    }
}

/// PURGE_WALLET: the key of a wallet is deleted.
public struct PurgeWalletCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Status of the card, before 4.0.
        public let status: UInt8?
    }

    /// Slot of the wallet.
    public let index: Int

    /// Makes the command.
    public init(index: Int) {
        self.index = index
    }

    /// PURGE_WALLET.
    public var instruction: TangemInstruction { .purgeWallet }
    /// True.
    public var needsPasscode: Bool { true }

    /// The wallet must be there, and not be permanent.
    public func check(_ card: CardRecord) throws(TangemError) {
        guard let wallet = card.wallets.first(where: { $0.index == index }) else {
            throw TangemError(.walletNotFound, "slot \(index) is empty")
        }
        let settings = wallet.settings ?? card.settings
        guard !settings.contains(.permanentWallet) else { throw TangemError(.purgeWalletProhibited) }
    }

    /// Codes, identifier and slot.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .pin2, .cardID)
        try objects.add(.walletIndex, number: index, count: 1)
        return objects
    }

    /// The status of the card, where it gives one.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(status: try answer.objects.byte(.status))
    }
}
