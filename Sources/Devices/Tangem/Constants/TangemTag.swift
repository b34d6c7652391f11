// SPDX-License-Identifier: MIT

/// A tag of the card's data objects: one byte, looked up by number wherever it stands.
///
/// An open set: a card may send tags that nobody has published.
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public struct TangemTag: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8

    /// Makes a tag from its number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// How the value of a tag is written.
    public enum ValueKind: String, Hashable, Sendable {
        /// Bytes that people see as hex text.
        case hex
        /// UTF-8, usually with a NUL at the end.
        case text
        /// A number of 1 byte.
        case number8
        /// A number of 2 bytes, big-endian.
        case number16
        /// A number of 4 bytes, big-endian.
        case number32
        /// A number whose length varies, big-endian.
        case number
        /// Bits, big-endian; 2 or 4 bytes.
        case mask
        /// Year (2 bytes), month, day.
        case date
        /// True when the tag is there, whatever its value.
        case flag
        /// Bytes.
        case bytes
        /// A list of tags of its own.
        case nested
    }

    /// The name that the vendor's libraries use, nil for an unknown tag.
    public var name: String? { Self.table[self]?.name }

    /// How the value is written, nil for an unknown tag.
    public var kind: ValueKind? { Self.table[self]?.kind }

    /// All tags that have a name, by number.
    public static let all: [TangemTag] = table.keys.sorted { $0.rawValue < $1.rawValue }

    private static let table: [TangemTag: (name: String, kind: ValueKind)] = [
        .cardID: ("cardId", .hex),
        .status: ("status", .number8),
        .cardPublicKey: ("cardPublicKey", .bytes),
        .cardSignature: ("cardSignature", .bytes),
        .curve: ("curveId", .text),
        .hashAlgorithm: ("hashAlgId", .bytes),
        .signingMethod: ("signingMethod", .number8),
        .maxSignatures: ("maxSignatures", .number32),
        .pauseBeforePIN2: ("pauseBeforePin2", .number16),
        .settingsMask: ("settingsMask", .mask),
        .uid: ("uid", .bytes),
        .cardData: ("cardData", .nested),
        .ndefData: ("ndefData", .bytes),
        .createWalletAtPersonalize: ("createWalletAtPersonalize", .flag),
        .health: ("health", .number8),
        .pin: ("pin", .bytes),
        .pin2: ("pin2", .bytes),
        .newPIN: ("newPin", .bytes),
        .newPIN2: ("newPin2", .bytes),
        .publicKeyChallenge: ("publicKeyChallenge", .bytes),
        .publicKeySalt: ("publicKeySalt", .bytes),
        .challenge: ("challenge", .bytes),
        .salt: ("salt", .bytes),
        .validationCounter: ("validationCounter", .bytes),
        .cvc: ("cvc", .bytes),
        .sessionKeyA: ("sessionKeyA", .bytes),
        .sessionKeyB: ("sessionKeyB", .bytes),
        .pause: ("pause", .number),
        .newPIN3: ("newPin3", .bytes),
        .crExKey: ("crExKey", .bytes),
        .manufacturerName: ("manufacturerName", .text),
        .manufacturerSignature: ("manufacturerSignature", .bytes),
        .interactionMode: ("interactionMode", .number8),
        .offset: ("offset", .number16),
        .size: ("size", .number16),
        .fileIndex: ("fileIndex", .number8),
        .fileSettings: ("fileSettings", .bytes),
        .flash: ("flash", .flag),
        .legacyMode: ("legacyMode", .number8),
        .userData: ("userData", .bytes),
        .userProtectedData: ("userProtectedData", .bytes),
        .userCounter: ("userCounter", .number32),
        .userProtectedCounter: ("userProtectedCounter", .number32),
        .userSettingsMask: ("userSettingsMask", .mask),
        .issuerPublicKey: ("issuerPublicKey", .bytes),
        .issuerTransactionPublicKey: ("issuerTransactionPublicKey", .bytes),
        .issuerData: ("issuerData", .bytes),
        .issuerDataSignature: ("issuerDataSignature", .bytes),
        .issuerTransactionSignature: ("issuerTxSignature", .bytes),
        .issuerDataCounter: ("issuerDataCounter", .number32),
        .resetPIN: ("resetPin", .bytes),
        .acquirerPublicKey: ("acquirerPublicKey", .bytes),
        .isActivated: ("isActivated", .flag),
        .activationSeed: ("activationSeed", .bytes),
        .codePageAddress: ("codePageAddress", .bytes),
        .codePageCount: ("codePageCount", .bytes),
        .codeHash: ("codeHash", .bytes),
        .transactionOutHash: ("transactionOutHash", .bytes),
        .transactionOutHashSize: ("transactionOutHashSize", .number),
        .transactionOutRaw: ("trOutRaw", .bytes),
        .paymentFlowVersion: ("paymentFlowVersion", .bytes),
        .certificate: ("certificate", .nested),
        .terminalTransactionSignature: ("terminalTransactionSignature", .bytes),
        .isLinked: ("isLinked", .flag),
        .isPIN2Default: ("pin2IsDefault", .flag),
        .isPINDefault: ("pinIsDefault", .flag),
        .terminalPublicKey: ("terminalPublicKey", .bytes),
        .walletPublicKey: ("walletPublicKey", .bytes),
        .walletSignature: ("walletSignature", .bytes),
        .walletRemainingSignatures: ("walletRemainingSignatures", .number32),
        .walletSignedHashes: ("walletSignedHashes", .number32),
        .checkWalletCounter: ("checkWalletCounter", .number32),
        .walletIndex: ("walletIndex", .number8),
        .walletsCount: ("walletsCount", .number8),
        .walletData: ("walletData", .nested),
        .cardWallet: ("cardWallet", .nested),
        .walletHDPath: ("walletHDPath", .bytes),
        .walletHDChain: ("walletHDChain", .bytes),
        .walletPrivateKey: ("walletPrivateKey", .bytes),
        .fileTypeName: ("fileTypeName", .text),
        .fileData: ("fileData", .bytes),
        .fileSignature: ("fileSignature", .bytes),
        .fileCounter: ("fileCounter", .number32),
        .fileOwnerIndex: ("fileOwnerIndex", .number8),
        .firmwareVersion: ("firmwareVersion", .text),
        .batchID: ("batchId", .hex),
        .manufactureDate: ("manufactureDateTime", .date),
        .issuerName: ("issuerName", .text),
        .blockchainName: ("blockchainName", .text),
        .manufacturerPublicKey: ("manufacturerPublicKey", .bytes),
        .cardIDManufacturerSignature: ("cardIDManufacturerSignature", .bytes),
        .productMask: ("productMask", .number8),
        .tokenSymbol: ("tokenSymbol", .text),
        .tokenContractAddress: ("tokenContractAddress", .text),
        .tokenDecimal: ("tokenDecimal", .number32),
        .tokenName: ("tokenName", .text),
        .proof: ("proof", .bytes),
        .denomination: ("denomination", .bytes),
        .validatedBalance: ("validatedBalance", .bytes),
        .lastSignDate: ("lastSignDate", .bytes),
        .denominationText: ("denominationText", .bytes),
        .backupStatus: ("backupStatus", .number),
        .backupCount: ("backupCount", .number8),
        .primaryCardLinkingKey: ("primaryCardLinkingKey", .bytes),
        .backupCardLinkingKey: ("backupCardLinkingKey", .bytes),
        .backupCardLink: ("backupCardLink", .nested),
        .backupAttestSignature: ("backupAttestSignature", .bytes),
        .backupCardPublicKey: ("backupCardPublicKey", .bytes),
    ]
}

extension TangemTag {
    /// Card identifier, 8 bytes.
    public static let cardID = TangemTag(rawValue: 0x01)
    /// Status of the card or of a wallet, see ``TangemCardStatus`` and ``TangemWalletStatus``.
    public static let status = TangemTag(rawValue: 0x02)
    /// Public key of the card, 65 bytes.
    public static let cardPublicKey = TangemTag(rawValue: 0x03)
    /// Signature of the card, 64 bytes.
    public static let cardSignature = TangemTag(rawValue: 0x04)
    /// Curve, see ``TangemCurve``.
    public static let curve = TangemTag(rawValue: 0x05)
    /// Hash algorithm; the published hosts never use it.
    public static let hashAlgorithm = TangemTag(rawValue: 0x06)
    /// Signing methods, see ``TangemSigningMethod``.
    public static let signingMethod = TangemTag(rawValue: 0x07)
    /// Signatures that a wallet may make, before 4.0.
    public static let maxSignatures = TangemTag(rawValue: 0x08)
    /// Security delay in units of 10 ms.
    public static let pauseBeforePIN2 = TangemTag(rawValue: 0x09)
    /// Settings of the card or of a wallet, 2 or 4 bytes, see ``TangemSettings``.
    public static let settingsMask = TangemTag(rawValue: 0x0A)
    /// UID in the answer of OPEN_SESSION.
    public static let uid = TangemTag(rawValue: 0x0B)
    /// Data of production, a list of its own.
    public static let cardData = TangemTag(rawValue: 0x0C)
    /// NDEF message of PERSONALIZE.
    public static let ndefData = TangemTag(rawValue: 0x0D)
    /// Whether PERSONALIZE makes a wallet.
    public static let createWalletAtPersonalize = TangemTag(rawValue: 0x0E)
    /// Not zero when the card found its hardware in trouble.
    public static let health = TangemTag(rawValue: 0x0F)
    /// Digest of the access code, 32 bytes.
    public static let pin = TangemTag(rawValue: 0x10)
    /// Digest of the passcode, 32 bytes.
    public static let pin2 = TangemTag(rawValue: 0x11)
    /// Digest of the new access code.
    public static let newPIN = TangemTag(rawValue: 0x12)
    /// Digest of the new passcode.
    public static let newPIN2 = TangemTag(rawValue: 0x13)
    /// Challenge for the card's signature of a wallet's key.
    public static let publicKeyChallenge = TangemTag(rawValue: 0x14)
    /// Salt of the card's signature of a wallet's key.
    public static let publicKeySalt = TangemTag(rawValue: 0x15)
    /// Challenge of the host.
    public static let challenge = TangemTag(rawValue: 0x16)
    /// Salt of the card.
    public static let salt = TangemTag(rawValue: 0x17)
    /// Counter of validations; the published hosts never use it.
    public static let validationCounter = TangemTag(rawValue: 0x18)
    /// Card verification code, plain text.
    public static let cvc = TangemTag(rawValue: 0x19)
    /// The host's part of a session key.
    public static let sessionKeyA = TangemTag(rawValue: 0x1A)
    /// The card's part of a session key.
    public static let sessionKeyB = TangemTag(rawValue: 0x1B)
    /// What is left of the security delay, in units of 10 ms.
    public static let pause = TangemTag(rawValue: 0x1C)
    /// Digest of the third code in PERSONALIZE.
    public static let newPIN3 = TangemTag(rawValue: 0x1E)
    /// Key of PERSONALIZE for the exchange of credentials.
    public static let crExKey = TangemTag(rawValue: 0x1F)
    /// Name of the manufacturer.
    public static let manufacturerName = TangemTag(rawValue: 0x20)
    /// Signature of the manufacturer; the published hosts never use it.
    public static let manufacturerSignature = TangemTag(rawValue: 0x21)
    /// What a command shall do, see ``TangemMode``.
    public static let interactionMode = TangemTag(rawValue: 0x23)
    /// Offset of a block.
    public static let offset = TangemTag(rawValue: 0x24)
    /// Size of all data.
    public static let size = TangemTag(rawValue: 0x25)
    /// Index of a file or of a backup card.
    public static let fileIndex = TangemTag(rawValue: 0x26)
    /// Rights of a file, 1 or 2 bytes.
    public static let fileSettings = TangemTag(rawValue: 0x27)
    /// The card stored the progress of its delay.
    public static let flash = TangemTag(rawValue: 0x28)
    /// Asks for short answers, for old phones.
    public static let legacyMode = TangemTag(rawValue: 0x29)
    /// Data of the user, at most 512 bytes.
    public static let userData = TangemTag(rawValue: 0x2A)
    /// Data of the user that need the passcode, at most 512 bytes.
    public static let userProtectedData = TangemTag(rawValue: 0x2B)
    /// Counter beside the user data.
    public static let userCounter = TangemTag(rawValue: 0x2C)
    /// Counter beside the protected user data.
    public static let userProtectedCounter = TangemTag(rawValue: 0x2D)
    /// Settings of the user, see ``TangemUserSettings``.
    public static let userSettingsMask = TangemTag(rawValue: 0x2F)
    /// Key of the issuer for data, 65 bytes; in a file's answer the key of its owner.
    public static let issuerPublicKey = TangemTag(rawValue: 0x30)
    /// Key of the issuer for transactions, 65 bytes.
    public static let issuerTransactionPublicKey = TangemTag(rawValue: 0x31)
    /// Issuer data; any other block of data too.
    public static let issuerData = TangemTag(rawValue: 0x32)
    /// Signature of the issuer, 64 bytes.
    public static let issuerDataSignature = TangemTag(rawValue: 0x33)
    /// Signature of the issuer for a transaction.
    public static let issuerTransactionSignature = TangemTag(rawValue: 0x34)
    /// Counter that protects issuer data against replay.
    public static let issuerDataCounter = TangemTag(rawValue: 0x35)
    /// Code for a reset; the published hosts never use it.
    public static let resetPIN = TangemTag(rawValue: 0x36)
    /// Key of the acquirer, 65 bytes.
    public static let acquirerPublicKey = TangemTag(rawValue: 0x37)
    /// Present: the card wants to be activated.
    public static let isActivated = TangemTag(rawValue: 0x3A)
    /// Seed of the activation.
    public static let activationSeed = TangemTag(rawValue: 0x3B)
    /// Page of code; the published hosts never use it.
    public static let codePageAddress = TangemTag(rawValue: 0x40)
    /// Number of pages; the published hosts never use it.
    public static let codePageCount = TangemTag(rawValue: 0x41)
    /// Digest of new codes, of a file or of a one-time password, 32 bytes.
    public static let codeHash = TangemTag(rawValue: 0x42)
    /// Hashes to sign, one after the other.
    public static let transactionOutHash = TangemTag(rawValue: 0x50)
    /// Size of one hash, 1 or 2 bytes.
    public static let transactionOutHashSize = TangemTag(rawValue: 0x51)
    /// Data to sign; the published hosts never use it.
    public static let transactionOutRaw = TangemTag(rawValue: 0x52)
    /// Version of the payment flow of terminal cards.
    public static let paymentFlowVersion = TangemTag(rawValue: 0x54)
    /// Public key of a card and the issuer's signature of it.
    public static let certificate = TangemTag(rawValue: 0x55)
    /// Signature of the linked terminal, 64 bytes.
    public static let terminalTransactionSignature = TangemTag(rawValue: 0x57)
    /// The terminal of the command is linked.
    public static let isLinked = TangemTag(rawValue: 0x58)
    /// The passcode is the default.
    public static let isPIN2Default = TangemTag(rawValue: 0x59)
    /// The access code is the default.
    public static let isPINDefault = TangemTag(rawValue: 0x5A)
    /// Key of the terminal, 65 bytes.
    public static let terminalPublicKey = TangemTag(rawValue: 0x5C)
    /// Public key of a wallet.
    public static let walletPublicKey = TangemTag(rawValue: 0x60)
    /// Signatures of a wallet.
    public static let walletSignature = TangemTag(rawValue: 0x61)
    /// Operations that a wallet may still sign, before 4.0.
    public static let walletRemainingSignatures = TangemTag(rawValue: 0x62)
    /// Hashes that a wallet has signed.
    public static let walletSignedHashes = TangemTag(rawValue: 0x63)
    /// How often a wallet was attested.
    public static let checkWalletCounter = TangemTag(rawValue: 0x64)
    /// Slot of a wallet.
    public static let walletIndex = TangemTag(rawValue: 0x65)
    /// Number of slots.
    public static let walletsCount = TangemTag(rawValue: 0x66)
    /// Settings of a new wallet in old hosts.
    public static let walletData = TangemTag(rawValue: 0x67)
    /// One wallet of a list.
    public static let cardWallet = TangemTag(rawValue: 0x68)
    /// Derivation path, 4 bytes an index.
    public static let walletHDPath = TangemTag(rawValue: 0x6A)
    /// Chain code, 32 bytes.
    public static let walletHDChain = TangemTag(rawValue: 0x6B)
    /// Private key to import.
    public static let walletPrivateKey = TangemTag(rawValue: 0x6F)
    /// Name, inside of a named file.
    public static let fileTypeName = TangemTag(rawValue: 0x70)
    /// Contents, inside of a named file.
    public static let fileData = TangemTag(rawValue: 0x71)
    /// Signature, inside of a named file.
    public static let fileSignature = TangemTag(rawValue: 0x73)
    /// Counter, inside of a named file.
    public static let fileCounter = TangemTag(rawValue: 0x74)
    /// Index of the owner of a file.
    public static let fileOwnerIndex = TangemTag(rawValue: 0x75)
    /// Version of the card's firmware.
    public static let firmwareVersion = TangemTag(rawValue: 0x80)
    /// Batch, 2 bytes.
    public static let batchID = TangemTag(rawValue: 0x81)
    /// Date of production: year (2 bytes), month, day.
    public static let manufactureDate = TangemTag(rawValue: 0x82)
    /// Name of the issuer.
    public static let issuerName = TangemTag(rawValue: 0x83)
    /// Name of a blockchain.
    public static let blockchainName = TangemTag(rawValue: 0x84)
    /// Key of the manufacturer; the published hosts never use it.
    public static let manufacturerPublicKey = TangemTag(rawValue: 0x85)
    /// Signature of the manufacturer over the card identifier, 64 bytes.
    public static let cardIDManufacturerSignature = TangemTag(rawValue: 0x86)
    /// Kind of product, see ``TangemProduct``.
    public static let productMask = TangemTag(rawValue: 0x8A)
    /// Symbol of a token.
    public static let tokenSymbol = TangemTag(rawValue: 0xA0)
    /// Contract of a token.
    public static let tokenContractAddress = TangemTag(rawValue: 0xA1)
    /// Decimals of a token.
    public static let tokenDecimal = TangemTag(rawValue: 0xA2)
    /// Name of a token.
    public static let tokenName = TangemTag(rawValue: 0xA3)
    /// Proof of possession of a BLS key, 96 bytes.
    public static let proof = TangemTag(rawValue: 0xAA)
    /// Value of a banknote.
    public static let denomination = TangemTag(rawValue: 0xC0)
    /// Balance of a banknote.
    public static let validatedBalance = TangemTag(rawValue: 0xC1)
    /// Date of a banknote's last signature.
    public static let lastSignDate = TangemTag(rawValue: 0xC2)
    /// Value of a banknote as text.
    public static let denominationText = TangemTag(rawValue: 0xC3)
    /// Status of the backup, 2 bytes, see ``TangemBackupStatus``.
    public static let backupStatus = TangemTag(rawValue: 0xD0)
    /// Number of backup cards.
    public static let backupCount = TangemTag(rawValue: 0xD1)
    /// Linking key of the primary card.
    public static let primaryCardLinkingKey = TangemTag(rawValue: 0xD2)
    /// Linking key of a backup card.
    public static let backupCardLinkingKey = TangemTag(rawValue: 0xD3)
    /// What the primary card shall know of a backup card.
    public static let backupCardLink = TangemTag(rawValue: 0xD4)
    /// Attestation of a set of cards.
    public static let backupAttestSignature = TangemTag(rawValue: 0xD5)
    /// Public key of a backup card.
    public static let backupCardPublicKey = TangemTag(rawValue: 0xD6)
}
