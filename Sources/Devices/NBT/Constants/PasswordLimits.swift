// SPDX-License-Identifier: MIT

/// Sizes and ranges of the chip's passwords; their ids are in ``AccessByte/passwordIDs``.
///
/// Source: the vendor's public host libraries (MIT).
public enum PasswordLimits {
    /// Bytes of a password.
    public static let valueSize = 4
    /// Bytes of the response that the chip gives to a right password.
    public static let responseSize = 2
    /// Responses that no password may have.
    public static let forbiddenResponses: [[UInt8]] = [[0x00, 0x00], [0xFF, 0xFF]]
    /// How many passwords the chip holds.
    public static let countLimit = 28
    /// Retry limits that count.
    public static let countedTries: ClosedRange<UInt16> = 0x0001...0x007F
    /// The retry limit that presumably means no limit; not published as such.
    public static let unlimitedTries: UInt16 = 0xFFFF
}
