// SPDX-License-Identifier: MIT

/// Settings of a card (tag 0A); a wallet's settings use the same numbers for the first and third.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public struct TangemSettings: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes settings from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A purged wallet may be made anew.
    public static let isReusable = TangemSettings(rawValue: 0x0000_0001)
    /// The card wants to be activated.
    public static let useActivation = TangemSettings(rawValue: 0x0000_0002)
    /// Wallets cannot be purged.
    public static let permanentWallet = TangemSettings(rawValue: 0x0000_0004)
    /// Meaning not published.
    public static let useBlock = TangemSettings(rawValue: 0x0000_0008)
    /// The access code may be changed.
    public static let allowSetPIN1 = TangemSettings(rawValue: 0x0000_0010)
    /// The passcode may be changed.
    public static let allowSetPIN2 = TangemSettings(rawValue: 0x0000_0020)
    /// The verification code printed on the card is asked for.
    public static let useCVC = TangemSettings(rawValue: 0x0000_0040)
    /// The access code must not be the default.
    public static let prohibitDefaultPIN1 = TangemSettings(rawValue: 0x0000_0080)
    /// Meaning not published.
    public static let useOneCommandAtTime = TangemSettings(rawValue: 0x0000_0100)
    /// The card has an NDEF application.
    public static let useNDEF = TangemSettings(rawValue: 0x0000_0200)
    /// The NDEF message changes.
    public static let useDynamicNDEF = TangemSettings(rawValue: 0x0000_0400)
    /// The security delay is skipped for a right passcode.
    public static let smartSecurityDelay = TangemSettings(rawValue: 0x0000_0800)
    /// Commands in the clear are taken.
    public static let allowUnencrypted = TangemSettings(rawValue: 0x0000_1000)
    /// Fast encryption is taken.
    public static let allowFastEncryption = TangemSettings(rawValue: 0x0000_2000)
    /// Issuer data carry a counter that must grow.
    public static let protectIssuerDataAgainstReplay = TangemSettings(rawValue: 0x0000_4000)
    /// The host chooses the curve of a wallet.
    public static let allowSelectBlockchain = TangemSettings(rawValue: 0x0000_8000)
    /// No precomputed NDEF message.
    public static let disablePrecomputedNDEF = TangemSettings(rawValue: 0x0001_0000)
    /// The security delay is skipped for requests signed by the issuer.
    public static let skipDelayIfValidatedByIssuer = TangemSettings(rawValue: 0x0002_0000)
    /// Passcode and verification code are not asked for in requests signed by the issuer.
    public static let skipCodesIfValidatedByIssuer = TangemSettings(rawValue: 0x0004_0000)
    /// The security delay is skipped for requests signed by a linked terminal.
    public static let skipDelayIfValidatedByLinkedTerminal = TangemSettings(rawValue: 0x0008_0000)
    /// Issuer extra data cannot be overwritten.
    public static let restrictOverwriteIssuerExtraData = TangemSettings(rawValue: 0x0010_0000)
    /// Keys can be derived.
    public static let allowHDWallets = TangemSettings(rawValue: 0x0020_0000)
    /// The card may be part of a backup.
    public static let allowBackup = TangemSettings(rawValue: 0x0040_0000)
    /// Private keys may be imported.
    public static let allowKeysImport = TangemSettings(rawValue: 0x0080_0000)
    /// No issuer data.
    public static let disableIssuerData = TangemSettings(rawValue: 0x0100_0000)
    /// No user data.
    public static let disableUserData = TangemSettings(rawValue: 0x0200_0000)
    /// No files.
    public static let disableFiles = TangemSettings(rawValue: 0x0400_0000)

    /// Every setting with the name that the vendor's libraries use.
    public static let names: [(setting: TangemSettings, name: String)] = [
        (.isReusable, "isReusable"), (.useActivation, "useActivation"),
        (.permanentWallet, "permanentWallet"), (.useBlock, "useBlock"), (.allowSetPIN1, "allowSetPIN1"),
        (.allowSetPIN2, "allowSetPIN2"), (.useCVC, "useCvc"), (.prohibitDefaultPIN1, "prohibitDefaultPIN1"),
        (.useOneCommandAtTime, "useOneCommandAtTime"), (.useNDEF, "useNDEF"),
        (.useDynamicNDEF, "useDynamicNDEF"), (.smartSecurityDelay, "smartSecurityDelay"),
        (.allowUnencrypted, "allowUnencrypted"), (.allowFastEncryption, "allowFastEncryption"),
        (.protectIssuerDataAgainstReplay, "protectIssuerDataAgainstReplay"),
        (.allowSelectBlockchain, "allowSelectBlockchain"),
        (.disablePrecomputedNDEF, "disablePrecomputedNDEF"),
        (.skipDelayIfValidatedByIssuer, "skipSecurityDelayIfValidatedByIssuer"),
        (.skipCodesIfValidatedByIssuer, "skipCheckPIN2CVCIfValidatedByIssuer"),
        (.skipDelayIfValidatedByLinkedTerminal, "skipSecurityDelayIfValidatedByLinkedTerminal"),
        (.restrictOverwriteIssuerExtraData, "restrictOverwriteIssuerExtraData"),
        (.allowHDWallets, "allowHDWallets"), (.allowBackup, "allowBackup"),
        (.allowKeysImport, "allowKeysImport"), (.disableIssuerData, "disableIssuerData"),
        (.disableUserData, "disableUserData"), (.disableFiles, "disableFiles"),
    ]
}

/// Settings of the user (tag 2F), 4 bytes.
public struct TangemUserSettings: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes settings from their bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Another card of the set cannot reset the codes.
    public static let forbidResetPIN = TangemUserSettings(rawValue: 0x0000_0001)
}

/// What kind of product a card is (tag 8A).
public struct TangemProduct: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a kind from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A note.
    public static let note = TangemProduct(rawValue: 0x01)
    /// A tag.
    public static let tag = TangemProduct(rawValue: 0x02)
    /// An identity card.
    public static let idCard = TangemProduct(rawValue: 0x04)
    /// An issuer of identity cards.
    public static let idIssuer = TangemProduct(rawValue: 0x08)
    /// An authentication card.
    public static let authentication = TangemProduct(rawValue: 0x10)
    /// A twin card.
    public static let twinCard = TangemProduct(rawValue: 0x20)
}

/// How a card signs (tag 07).
///
/// With ``isMask`` set the other bits are methods; without it the byte is the number of a single one.
public struct TangemSigningMethod: OptionSet, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Makes methods from their byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The byte is a mask.
    public static let isMask = TangemSigningMethod(rawValue: 0x80)
    /// Hashes are signed.
    public static let signHash = TangemSigningMethod(rawValue: 0x01)
    /// Data are signed.
    public static let signRaw = TangemSigningMethod(rawValue: 0x02)
    /// Hashes are signed that the issuer has signed.
    public static let signHashSignedByIssuer = TangemSigningMethod(rawValue: 0x04)
    /// Data are signed that the issuer has signed.
    public static let signRawSignedByIssuer = TangemSigningMethod(rawValue: 0x08)
    /// As ``signHashSignedByIssuer``, and issuer data are updated.
    public static let signHashSignedByIssuerAndUpdateIssuerData = TangemSigningMethod(rawValue: 0x10)
    /// As ``signRawSignedByIssuer``, and issuer data are updated.
    public static let signRawSignedByIssuerAndUpdateIssuerData = TangemSigningMethod(rawValue: 0x20)
    /// Signing for terminals.
    public static let signPOS = TangemSigningMethod(rawValue: 0x40)
}
