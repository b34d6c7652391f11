// SPDX-License-Identifier: MIT

import Cryptography
public import TangemConstants

/// A wallet of a card.
public struct WalletRecord: Hashable, Sendable {
    /// Public key as the card gives it.
    public var publicKey: [UInt8]
    /// Curve of the key.
    public var curve: TangemCurve
    /// Slot of the wallet.
    public var index: Int
    /// Status byte, see `TangemWalletStatus`.
    public var status: UInt8
    /// Settings of the wallet; nil when the card gives none, so that those of the card count.
    public var settings: TangemSettings?
    /// Hashes signed so far; nil when the card does not tell.
    public var signedHashes: Int?
    /// Operations that may still be signed; nil from 4.0 on.
    public var remainingSignatures: Int?
    /// Chain code of an HD wallet.
    public var chainCode: [UInt8]?
    /// Proof of possession of a BLS key.
    public var proof: [UInt8]?
    /// Keys derived from this one, by path.
    public var derivedKeys: [DerivationPath: DerivedKey] = [:]

    /// Whether the wallet is also on backup cards.
    public var hasBackup: Bool { status & TangemWalletStatus.backedUpBit != 0 }

    /// Whether the key was imported.
    public var isImported: Bool { status & TangemWalletStatus.importedBit != 0 }

    /// Reads a wallet record; nil for a slot that holds no wallet.
    ///
    /// - Parameters:
    ///   - objects: The record.
    ///   - usualCurve: The curve of a record that names none.
    /// - Throws: a decoding error for a slot that holds a wallet and misses something.
    public init?(_ objects: CardObjects, usualCurve: TangemCurve? = nil) throws(TangemError) {
        guard let status = try objects.byte(.status) else {
            throw TangemError(.decodingFailedMissingTag, "a wallet record has no \(TangemTag.status.title)")
        }
        guard TangemWalletStatus.available.contains(status) else { return nil }
        self.status = status
        publicKey = try objects.required(.walletPublicKey)
        guard let curve = try objects.curve() ?? usualCurve else {
            throw TangemError(.decodingFailedMissingTag, "a wallet record has no \(TangemTag.curve.title)")
        }
        self.curve = curve
        index = try objects.requiredNumber(.walletIndex)
        settings = try objects.settings()
        signedHashes = try objects.number(.walletSignedHashes)
        remainingSignatures = try objects.number(.walletRemainingSignatures)
        chainCode = objects[.walletHDChain]
        proof = objects[.proof]
    }

    /// Reads the wallet of a card that has but one, from the card's own record.
    init(ofSingleWalletCard objects: CardObjects, settings: TangemSettings) throws(TangemError) {
        publicKey = try objects.required(.walletPublicKey)
        guard let curve = try objects.curve() else {
            throw TangemError(.decodingFailedMissingTag, "the card names no curve (05) for its wallet")
        }
        self.curve = curve
        index = 0
        status = TangemWalletStatus.loaded
        self.settings = settings
        signedHashes = try objects.number(.walletSignedHashes)
        remainingSignatures = try objects.number(.walletRemainingSignatures)
    }

    /// Makes the record of a wallet that was just made on a card before 4.25.
    init(publicKey: [UInt8], curve: TangemCurve, index: Int, settings: TangemSettings?) {
        self.publicKey = publicKey
        self.curve = curve
        self.index = index
        self.settings = settings
        status = TangemWalletStatus.loaded
    }

    /// Whether other bytes are this key, compressed or not.
    func isSameKey(_ other: [UInt8]) -> Bool {
        let group: Curve
        switch curve {
        case .secp256k1: group = .secp256k1
        case .secp256r1: group = .secp256r1
        default: return publicKey == other
        }
        guard let own = try? PublicKey(publicKey, curve: group),
            let given = try? PublicKey(other, curve: group)
        else { return false }
        return own == given
    }
}

/// A slot in the list of wallets.
public struct WalletSlotRecord: Hashable, Sendable {
    /// Status byte, see `TangemWalletStatus`.
    public let status: UInt8
    /// The slot; nil when an empty one does not tell.
    public let index: Int?
    /// The wallet; nil when the slot holds none that can be used.
    public let wallet: WalletRecord?

    /// Whether a wallet was purged for good here.
    public var isPurged: Bool { status & ~TangemWalletStatus.backedUpBit == TangemWalletStatus.purged }

    /// Reads a record of the list.
    ///
    /// - Parameters:
    ///   - objects: The record.
    ///   - usualCurve: The curve of a record that names none.
    /// - Throws: a decoding error for a slot that holds a wallet and misses something.
    public init(_ objects: CardObjects, usualCurve: TangemCurve? = nil) throws(TangemError) {
        wallet = try WalletRecord(objects, usualCurve: usualCurve)
        status = try objects.byte(.status) ?? TangemWalletStatus.empty
        if let wallet {
            index = wallet.index
        } else {
            index = try objects.number(.walletIndex)
        }
    }
}

/// A key that a card derived from a wallet.
public struct DerivedKey: Hashable, Sendable {
    /// Public key as the card gives it.
    public let publicKey: [UInt8]
    /// Chain code, 32 bytes; nil when the card gives none.
    public let chainCode: [UInt8]?
}

/// What the host proved about a card.
public struct CardAttestation: Hashable, Sendable {
    /// How a proof ended.
    public enum Outcome: String, Hashable, Sendable {
        /// Nobody asked.
        case skipped
        /// The signature is right.
        case verified
        /// The signature is right, and a counter is suspiciously high.
        case warning
        /// The signature is there, and the host cannot check its curve.
        case unverifiable
        /// The signature is wrong.
        case failed
    }

    /// The card owns its key.
    public var cardKey = Outcome.skipped
    /// The wallets own their keys, by slot.
    public var wallets: [Int: Outcome] = [:]
    /// The manufacturer made the card; skipped when it carries no signature.
    public var manufacturer = Outcome.skipped

    /// Nothing proved yet.
    public init() {}

    /// The worst outcome of all.
    public var overall: Outcome {
        let outcomes = [cardKey, manufacturer] + wallets.values
        for outcome in [Outcome.failed, .warning, .unverifiable, .verified] where outcomes.contains(outcome) {
            return outcome
        }
        return .skipped
    }
}
