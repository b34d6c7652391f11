// SPDX-License-Identifier: MIT

public import TangemConstants

/// What a new wallet shall be.
public struct WalletConfig: Hashable, Sendable {
    /// The curve; nil for that of the card.
    public var curve: TangemCurve?
    /// The slot; nil for the lowest free one.
    public var index: Int?
    /// Whether the slot can be used again after a purge; newer cards take their own setting.
    public var isReusable: Bool
    /// Whether the wallet cannot be purged; newer cards take their own setting.
    public var isPermanent: Bool

    /// Makes a configuration.
    public init(
        curve: TangemCurve? = nil,
        index: Int? = nil,
        isReusable: Bool = true,
        isPermanent: Bool = false
    ) {
        self.curve = curve
        self.index = index
        self.isReusable = isReusable
        self.isPermanent = isPermanent
    }

    var settings: TangemSettings {
        var settings: TangemSettings = []
        if isReusable { settings.insert(.isReusable) }
        if isPermanent { settings.insert(.permanentWallet) }
        return settings
    }
}

/// A wallet that was made, and where.
public struct CreateWalletResult: Hashable, Sendable {
    /// The card.
    public let cardID: CardID
    /// The wallet.
    public let wallet: WalletRecord
}

extension CardSession {
    /// Lets the card make a wallet.
    ///
    /// - Parameter config: What the wallet shall be.
    /// - Returns: The wallet.
    /// - Throws: `alreadyCreated` or `maxNumberOfWalletsCreated` on a full card, or what the card says.
    public func createWallet(config: WalletConfig = WalletConfig()) throws(TangemError) -> CreateWalletResult
    {
        try create(config.index) { index in
            CreateWalletCommand(curve: config.curve, index: index, settings: config.settings)
        }
    }

    /// Imports a key.
    public func importWallet(_ key: ImportedKey, index: Int? = nil) throws(TangemError) -> CreateWalletResult
    {
        let result = try create(index) { CreateWalletCommand(importing: key, index: $0) }
        guard result.wallet.isSameKey(key.publicKey) else {
            throw TangemError(
                .cardVerificationFailed,
                "the card shows another public key than the imported one has",
                command: "CREATE_WALLET"
            )
        }
        return result
    }

    /// Deletes a wallet.
    public func purgeWallet(walletPublicKey: [UInt8]) throws(TangemError) {
        let wallet = try requiredWallet(walletPublicKey)
        let losses = losses
        let answer: PurgeWalletCommand.Answer
        do throws(TangemError) {
            answer = try run(PurgeWalletCommand(index: wallet.index))
        } catch {
            guard isRefusal(error, afterLossSince: losses) else { throw error }
            let record = try readAgain()
            guard !record.wallets.contains(where: { $0.index == wallet.index }) else { throw error }
            answer = PurgeWalletCommand.Answer(status: record.status)
        }
        card?.wallets.removeAll { $0.index == wallet.index }
        card?.attestation.wallets[wallet.index] = nil
        if let status = answer.status {
            card?.status = status
        } else if card?.wallets.isEmpty == true {
            // From 4.0 on the answer does not tell.
            card?.status = TangemCardStatus.empty
        }
    }

    /// Makes a wallet in a slot, or in the lowest free one.
    private func create(
        _ wanted: Int?,
        _ command: (Int) -> CreateWalletCommand
    ) throws(TangemError) -> CreateWalletResult {
        var tried: Set<Int> = []
        while true {
            // Without a free slot the checks of the command tell why there is none.
            let free = try requiredCard().freeSlot
            let index = wanted ?? free ?? 0
            tried.insert(index)
            let losses = losses
            do throws(TangemError) {
                return try note(run(command(index)))
            } catch {
                // "Wrong state": the slot was taken meanwhile, most likely by this very command before the card was
                // lost, or a purge in this session has closed it for good.
                let isWrongState = error.kind == .invalidState && configuration.handlesErrors
                guard isWrongState || isRefusal(error, afterLossSince: losses) else { throw error }
                let record = try readAgain()
                if let found = record.wallets.first(where: { $0.index == index }) { return try note(found) }
                guard isWrongState, wanted == nil, let next = record.freeSlot, !tried.contains(next) else {
                    throw error
                }
            }
        }
    }

    /// Takes a new wallet into the record of the card.
    private func note(_ new: WalletRecord) throws(TangemError) -> CreateWalletResult {
        var wallet = new
        if !(try requiredCard().has(.multiWallet)) {
            // The counters of a new wallet are those of the card.
            wallet.remainingSignatures = wallet.remainingSignatures ?? card?.maxSignatures
        }
        card?.status = TangemCardStatus.loaded
        card?.wallets.removeAll { $0.index == wallet.index }
        card?.wallets.append(wallet)
        card?.wallets.sort { $0.index < $1.index }
        return CreateWalletResult(cardID: try requiredCard().id, wallet: wallet)
    }
}
