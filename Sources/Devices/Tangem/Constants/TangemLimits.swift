// SPDX-License-Identifier: MIT

/// Identifiers, sizes and fixed texts of the wallet application.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public enum TangemLimits {
    /// Identifier of the wallet application.
    public static let walletAID: [UInt8] = [0xA0, 0x00, 0x00, 0x08, 0x12, 0x01, 0x02, 0x08]
    /// Identifier of the NDEF application.
    public static let ndefAID: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    /// Largest answer in the clear, in bytes.
    public static let largestAnswer = 1152
    /// Largest encrypted answer, in bytes.
    public static let largestEncryptedAnswer = 1120
    /// Data in one block of issuer extra data or of a file.
    public static let blockSize = 900
    /// Largest issuer data and user data, in bytes.
    public static let dataSize = 512
    /// Largest issuer extra data, in bytes.
    public static let extraDataSize = 32 * 1024
    /// Room for all files, in bytes.
    public static let filesSize = 48 * 1024
    /// Hashes in one SIGN.
    public static let hashesPerCommand = 10
    /// Bytes of hashes in one SIGN that hosts send at most.
    public static let hashBytesPerCommand = 512
    /// Text of the access code that a card leaves the factory with.
    public static let defaultAccessCode = "000000"
    /// Text of the passcode that a card leaves the factory with.
    public static let defaultPasscode = "000"
    /// Text of the verification code of personalization.
    public static let defaultCVC = "000"
    /// Text whose SHA-256 wraps PERSONALIZE.
    public static let personalizationPassphrase = "1234"
    /// Text in the full attestation of a card, without a NUL.
    public static let backupCardsText = "BACKUP_CARDS"
    /// Value of the legacy mode (tag 29) that hosts send.
    public static let legacyModeValue: UInt8 = 0x04
    /// Rounds of PBKDF2 under a session key.
    public static let protocolKeyRounds = 50
    /// Start value of the CRC in an encrypted body (ISO/IEC 14443-3 type A).
    public static let crcStart: UInt16 = 0x6363
    /// Reflected polynomial of that CRC.
    public static let crcPolynomial: UInt16 = 0x8408
    /// From this length on, a TLV length is written as `FF` and two bytes.
    public static let longLengthFrom = 255
    /// First byte of such a length.
    public static let longLengthMark: UInt8 = 0xFF
}
