// SPDX-License-Identifier: MIT

/// An instruction byte of the wallet application; the class is always `00`.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public struct TangemInstruction: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Makes an instruction from its byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Class of every command.
    public static let cla: UInt8 = 0x00
    /// SELECT of ISO/IEC 7816-4.
    public static let select = TangemInstruction(rawValue: 0xA4)
    /// Makes a development card out of a blank one.
    public static let personalize = TangemInstruction(rawValue: 0xF1)
    /// Reads the card, a wallet or the list of wallets.
    public static let read = TangemInstruction(rawValue: 0xF2)
    /// Proves that the card owns its key.
    public static let attestCardKey = TangemInstruction(rawValue: 0xF3)
    /// Proves that the card is no copy; the bodies are not published.
    public static let attestCardUniqueness = TangemInstruction(rawValue: 0xF4)
    /// Proves the firmware; the bodies are not published.
    public static let attestCardFirmware = TangemInstruction(rawValue: 0xF5)
    /// Writes issuer data or extra data.
    public static let writeIssuerData = TangemInstruction(rawValue: 0xF6)
    /// Reads issuer data or extra data.
    public static let readIssuerData = TangemInstruction(rawValue: 0xF7)
    /// Makes a wallet or imports one.
    public static let createWallet = TangemInstruction(rawValue: 0xF8)
    /// Proves that a wallet owns its key.
    public static let attestWalletKey = TangemInstruction(rawValue: 0xF9)
    /// Changes the codes.
    public static let setPIN = TangemInstruction(rawValue: 0xFA)
    /// Signs hashes.
    public static let sign = TangemInstruction(rawValue: 0xFB)
    /// Deletes a wallet.
    public static let purgeWallet = TangemInstruction(rawValue: 0xFC)
    /// Activates a card; the bodies are not published.
    public static let activate = TangemInstruction(rawValue: 0xFE)
    /// Agrees on a session key; P2 holds the mode.
    public static let openSession = TangemInstruction(rawValue: 0xFF)
    /// Writes, deletes or changes a file.
    public static let writeFileData = TangemInstruction(rawValue: 0xD0)
    /// Reads a file or its checksum.
    public static let readFileData = TangemInstruction(rawValue: 0xD1)
    /// Manages owners of files; the bodies are not published.
    public static let manageFileOwners = TangemInstruction(rawValue: 0xD2)
    /// Lets another card of the set reset the codes.
    public static let authorize = TangemInstruction(rawValue: 0xD3)
    /// Changes the user's settings.
    public static let setUserSettings = TangemInstruction(rawValue: 0xD5)
    /// Writes user data.
    public static let writeUserData = TangemInstruction(rawValue: 0xE0)
    /// Reads user data.
    public static let readUserData = TangemInstruction(rawValue: 0xE1)
    /// Makes the root of one-time passwords.
    public static let generateOTP = TangemInstruction(rawValue: 0xE2)
    /// Makes a development card blank.
    public static let depersonalize = TangemInstruction(rawValue: 0xE3)
    /// Gives random bytes.
    public static let getEntropy = TangemInstruction(rawValue: 0xE7)
    /// Backup, step 1: the primary card's linking key.
    public static let startPrimaryCardLinking = TangemInstruction(rawValue: 0xE8)
    /// Backup, step 2: a backup card's linking key.
    public static let startBackupCardLinking = TangemInstruction(rawValue: 0xE9)
    /// Backup, step 3: the primary card learns of its backup cards.
    public static let linkBackupCards = TangemInstruction(rawValue: 0xEA)
    /// Backup, step 4: a wallet leaves the primary card, encrypted.
    public static let readBackupData = TangemInstruction(rawValue: 0xEB)
    /// Backup, step 6: a backup card learns of its primary card.
    public static let linkPrimaryCard = TangemInstruction(rawValue: 0xEC)
    /// Backup, step 7: a wallet enters a backup card.
    public static let writeBackupData = TangemInstruction(rawValue: 0xED)
    /// Takes a card out of its set.
    public static let backupReset = TangemInstruction(rawValue: 0xEE)
    /// Backup, step 5: no more data leave the primary card.
    public static let finalizeReadBackupData = TangemInstruction(rawValue: 0xEF)

    /// The name in capitals as the vendor's libraries spell it, nil for an unknown byte.
    public var name: String? { Self.names[self] }

    /// All instructions that have a name, by number.
    public static let all: [TangemInstruction] = names.keys.sorted { $0.rawValue < $1.rawValue }

    private static let names: [TangemInstruction: String] = [
        .select: "SELECT", .personalize: "PERSONALIZE", .read: "READ", .attestCardKey: "ATTEST_CARD_KEY",
        .attestCardUniqueness: "ATTEST_CARD_UNIQUENESS", .attestCardFirmware: "ATTEST_CARD_FIRMWARE",
        .writeIssuerData: "WRITE_ISSUER_DATA", .readIssuerData: "READ_ISSUER_DATA",
        .createWallet: "CREATE_WALLET", .attestWalletKey: "ATTEST_WALLET_KEY", .setPIN: "SET_PIN",
        .sign: "SIGN", .purgeWallet: "PURGE_WALLET", .activate: "ACTIVATE", .openSession: "OPEN_SESSION",
        .writeFileData: "WRITE_FILE_DATA", .readFileData: "READ_FILE_DATA",
        .manageFileOwners: "MANAGE_FILE_OWNERS", .authorize: "AUTHORIZE",
        .setUserSettings: "SET_USER_SETTINGS", .writeUserData: "WRITE_USER_DATA",
        .readUserData: "READ_USER_DATA", .generateOTP: "GENERATE_OTP", .depersonalize: "DEPERSONALIZE",
        .getEntropy: "GET_ENTROPY", .startPrimaryCardLinking: "START_PRIMARY_CARD_LINKING",
        .startBackupCardLinking: "START_BACKUP_CARD_LINKING", .linkBackupCards: "LINK_BACKUP_CARDS",
        .readBackupData: "READ_BACKUP_DATA", .linkPrimaryCard: "LINK_PRIMARY_CARD",
        .writeBackupData: "WRITE_BACKUP_DATA", .backupReset: "BACKUP_RESET",
        .finalizeReadBackupData: "FINALIZE_READ_BACKUP_DATA",
    ]
}
