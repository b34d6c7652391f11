// SPDX-License-Identifier: MIT

import Cryptography
public import TangemConstants

/// READ of the card itself: the first command of a session.
public struct ReadCardCommand: TangemCommand {
    /// Whether the mode is left out, as hosts before firmware 4 did.
    public let omitsMode: Bool

    /// Makes the command.
    public init(omitsMode: Bool = false) {
        self.omitsMode = omitsMode
    }

    /// READ.
    public var instruction: TangemInstruction { .read }
    /// False: this is how the host learns of the card.
    public var needsCard: Bool { false }
    /// False: the identifier is part of the record.
    public var answersCardID: Bool { false }

    /// Access code, mode, and the terminal's key where there is one.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin)
        if !omitsMode { objects.add(.interactionMode, [TangemMode.readCard]) }
        objects.add(.terminalPublicKey, context.terminalKey?.publicKey.uncompressed)
        return objects
    }

    /// The card record.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> CardRecord {
        try CardRecord(answer.objects, askedAsTerminal: context.terminalKey != nil)
    }

    /// A refusal means that the access code is wrong.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        error.kind == .invalidParams ? TangemError(.accessCodeRequired, error.detail, sw: error.sw) : error
    }
}

/// READ of one wallet, from firmware 4.0; with a path, of a key derived from it.
public struct ReadWalletCommand: TangemCommand {
    /// Slot of the wallet.
    public let index: Int
    /// Path of the derived key; nil for the wallet's own.
    public let path: DerivationPath?

    /// Makes the command.
    public init(index: Int, path: DerivationPath? = nil) {
        self.index = index
        self.path = path
    }

    /// READ.
    public var instruction: TangemInstruction { .read }

    /// The firmware must know the mode, and derived keys where a path is given.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.require(.multiWallet, for: "reading one wallet")
        if path != nil { try card.requireDerivation(walletIndex: index, path: path) }
    }

    /// Access code, mode, identifier, slot and path.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin)
        objects.add(.interactionMode, [TangemMode.readWallet])
        objects.add(.cardID, try context.requiredCardID().bytes)
        try objects.add(.walletIndex, number: index, count: 1)
        objects.add(.walletHDPath, path?.value)
        return objects
    }

    /// The wallet; nil for a slot without one.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError)
        -> WalletRecord?
    {
        try WalletRecord(answer.objects, usualCurve: context.card?.curve)
    }
}

/// READ of the list of wallets, from firmware 4.0; one answer may hold but a part of it.
public struct ReadWalletsCommand: TangemCommand {
    /// Number of slots that came in answers before this one.
    public let received: Int

    /// Makes the command.
    public init(received: Int = 0) {
        self.received = received
    }

    /// READ.
    public var instruction: TangemInstruction { .read }

    /// The firmware must know the mode.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.require(.multiWallet, for: "reading the list of wallets")
    }

    /// Access code, mode, identifier, and the number of slots that came before.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin)
        objects.add(.interactionMode, [TangemMode.readWalletsList])
        objects.add(.cardID, try context.requiredCardID().bytes)
        if received > 0 { try objects.add(.walletIndex, number: received, count: 1) }
        return objects
    }

    /// The slots, with their wallets.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError)
        -> [WalletSlotRecord]
    {
        let records = answer.objects.values(.cardWallet)
        guard !records.isEmpty else {
            throw TangemError(.deserializeApduFailed, "the answer holds no \(TangemTag.cardWallet.title)")
        }
        var slots: [WalletSlotRecord] = []
        for record in records {
            slots.append(try WalletSlotRecord(CardObjects(parsing: record), usualCurve: context.card?.curve))
        }
        return slots
    }
}

extension CardRecord {
    /// Refuses what the firmware does not have yet.
    func require(_ feature: TangemFeature, for what: String) throws(TangemError) {
        guard has(feature) else {
            throw TangemError(
                .notSupportedFirmwareVersion,
                "\(what) comes with firmware \(feature), this card has \(firmware)"
            )
        }
    }

    /// Refuses derived keys where the card has none.
    func requireDerivation(walletIndex: Int, path: DerivationPath?) throws(TangemError) {
        try require(.hdWallets, for: "a derived key")
        guard settings.contains(.allowHDWallets) else { throw TangemError(.hdWalletDisabled) }
        guard let wallet = wallets.first(where: { $0.index == walletIndex }) else { return }
        guard !wallet.curve.isBLS else {
            throw TangemError(.unsupportedCurve, "no keys are derived on \(wallet.curve.rawValue)")
        }
        if wallet.curve == .ed25519SLIP0010, let path, !path.isAllHardened {
            throw TangemError(.nonHardenedDerivationNotSupported, "the path is \(path)")
        }
    }
}
