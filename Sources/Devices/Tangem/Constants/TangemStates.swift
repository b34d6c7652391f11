// SPDX-License-Identifier: MIT

/// Status byte of a card (tag 02 of a card record).
public enum TangemCardStatus {
    /// Blank.
    public static let notPersonalized: UInt8 = 0
    /// No wallet yet.
    public static let empty: UInt8 = 1
    /// With a wallet.
    public static let loaded: UInt8 = 2
    /// The wallet was deleted for good.
    public static let purged: UInt8 = 3
}

/// Status byte of a wallet (tag 02 of a wallet record).
public enum TangemWalletStatus {
    /// No key.
    public static let empty: UInt8 = 0x01
    /// With a key.
    public static let loaded: UInt8 = 0x02
    /// The key was deleted for good.
    public static let purged: UInt8 = 0x03
    /// Bit of a key that was imported; alone with bit 02.
    public static let importedBit: UInt8 = 0x40
    /// Bit of a slot that belongs to a backup.
    public static let backedUpBit: UInt8 = 0x80
    /// Those that hosts take for a wallet.
    public static let available: [UInt8] = [0x02, 0x42, 0x82, 0xC2]
}

/// Status of the backup (tag D0, 2 bytes).
public enum TangemBackupStatus {
    /// Not part of a set.
    public static let none: UInt16 = 0
    /// Linked, wallets not copied yet.
    public static let linked: UInt16 = 1
    /// Part of a set.
    public static let active: UInt16 = 2
}

/// P1 of every command, and P2 of OPEN_SESSION: how the body is encrypted.
public enum TangemEncryption {
    /// In the clear.
    public static let none: UInt8 = 0x00
    /// Fast: both sides send random bytes.
    public static let fast: UInt8 = 0x01
    /// Strong: both sides send points of secp256k1.
    public static let strong: UInt8 = 0x02
}

/// Value of the interaction mode (tag 23), by command.
public enum TangemMode {
    /// READ: the card.
    public static let readCard: UInt8 = 0x01
    /// READ: one wallet.
    public static let readWallet: UInt8 = 0x02
    /// READ: the list of wallets.
    public static let readWalletsList: UInt8 = 0x03
    /// ATTEST_CARD_KEY: with the keys of the backup cards.
    public static let attestCardFull: UInt8 = 0x01
    /// Issuer extra data and files: the start.
    public static let start: UInt8 = 0x01
    /// Issuer extra data and files: a block.
    public static let block: UInt8 = 0x02
    /// Issuer extra data and files: the end.
    public static let finish: UInt8 = 0x03
    /// Files: delete one.
    public static let deleteFile: UInt8 = 0x05
    /// Files: change the rights of one.
    public static let changeFileSettings: UInt8 = 0x06
    /// READ_ISSUER_DATA: extra data.
    public static let readExtraData: UInt8 = 0x01
    /// READ_FILE_DATA: the checksum.
    public static let readFileChecksum: UInt8 = 0x01
    /// AUTHORIZE: get a token.
    public static let tokenGet: UInt8 = 0x03
    /// AUTHORIZE: sign a token.
    public static let tokenSign: UInt8 = 0x04
    /// AUTHORIZE: present a signed token.
    public static let tokenAuthenticate: UInt8 = 0x05
}

/// Values of the settings of a file (tag 27).
public enum TangemFileSettings {
    /// Bit of a file that needs no passcode to read.
    public static let publicBit: UInt8 = 0x01
    /// Bit of a file that cannot be deleted, from 4.0.
    public static let permanentBit: UInt8 = 0x10
}
