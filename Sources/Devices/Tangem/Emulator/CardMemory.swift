// SPDX-License-Identifier: MIT

import TangemConstants

/// All that a card remembers without power.
///
/// One value, so that power loss in a command leaves the old or the new one as a whole, never a mixture.
struct CardMemory: Hashable, Sendable {
    /// Private key of the card.
    var cardKey: [UInt8]
    /// nil while the card is blank.
    var identity: CardIdentity?
    var pin1: [UInt8]
    var pin2: [UInt8]
    var pin3: [UInt8] = []
    /// Wrong access codes in a row.
    var pin1Failures = 0
    /// Wrong passcodes in a row.
    var pin2Failures = 0
    var slots: [WalletSlot] = []
    /// Key of the linked terminal.
    var terminalKey: [UInt8]?
    var issuerData = SignedData()
    var extraData = SignedData()
    var userData: [UInt8] = []
    var userProtectedData: [UInt8] = []
    var userCounter = 0
    var userProtectedCounter = 0
    var files: [CardFile] = []
    /// Highest counter of a file that the issuer signed.
    var fileCounter = 0
    var userSettings: TangemUserSettings = []
    var backup = BackupMemory()
    /// Root of one-time passwords and its counter.
    var otpRoot: [UInt8] = []
    var otpCounter = 0
}

/// What PERSONALIZE writes.
struct CardIdentity: Hashable, Sendable {
    var cardID: [UInt8]
    /// The data of production as they came, a list of objects.
    var cardData: [UInt8]
    var curve: TangemCurve
    var maxSignatures: Int
    var signingMethods: UInt8
    var settings: TangemSettings
    /// Security delay in units of 10 ms.
    var pause: Int
    var cvc: [UInt8]
    /// NDEF message with its length before it, or nothing.
    var ndef: [UInt8]
    var issuerKey: [UInt8]
    var walletsCount: Int

    /// What the card's settings say of its wallets.
    var walletSettings: TangemSettings { settings.intersection([.isReusable, .permanentWallet]) }
}

/// A slot for a wallet.
struct WalletSlot: Hashable, Sendable {
    /// Status byte.
    var status = TangemWalletStatus.empty
    var key: WalletKey?
    /// The key as the card reports it.
    var publicKey: [UInt8] = []
    var settings: TangemSettings = []
    var remainingSignatures = 0
    var signedHashes = 0
    var attestations = 0

    var isLoaded: Bool { TangemWalletStatus.available.contains(status) && key != nil }
}

/// Data with the issuer's signature and counter.
struct SignedData: Hashable, Sendable {
    var data: [UInt8] = []
    var signature: [UInt8] = []
    var counter: Int?
}

/// A file.
struct CardFile: Hashable, Sendable {
    var data: [UInt8]
    /// Rights, see `TangemFileSettings`.
    var settings: UInt8
    /// Wallet that the file belongs to.
    var walletIndex: Int?
    /// Whether the issuer wrote it.
    var isIssuers: Bool

    var isPublic: Bool { settings & TangemFileSettings.publicBit != 0 }
    var isPermanent: Bool { settings & TangemFileSettings.permanentBit != 0 }
}

/// What a card knows of the set that it belongs to.
struct BackupMemory: Hashable, Sendable {
    var status = TangemBackupStatus.none
    var isPrimary = false
    /// Private linking key.
    var linkingKey: [UInt8] = []
    /// Number of backup cards.
    var count = 0
    /// Public keys of the other cards.
    var cardKeys: [[UInt8]] = []
    /// Linking keys of the other cards; a backup card holds its primary's.
    var linkKeys: [[UInt8]] = []
    /// Slots that went through, and whether no more will.
    var movedSlots: Set<Int> = []
    var isFinalized = false
}
