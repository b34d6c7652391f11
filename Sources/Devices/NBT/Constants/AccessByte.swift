// SPDX-License-Identifier: MIT

/// The values of a rights byte in the file access policy.
///
/// Source: the vendor's public host libraries (MIT).
public enum AccessByte {
    /// Access is always granted.
    public static let always: UInt8 = 0x40
    /// Access is never granted.
    public static let never: UInt8 = 0x00
    /// Set when a password rules; the low five bits are its id.
    public static let passwordFlag: UInt8 = 0x80
    /// The bits that hold a password's id.
    public static let passwordMask: UInt8 = 0x1F
    /// The ids that a password may have.
    public static let passwordIDs: ClosedRange<UInt8> = 0x01...0x1F
}

/// Sizes of the file access policy.
public enum AccessPolicyLayout {
    /// Bytes of one record: file id, then read and write rights over I2C, read and write rights over NFC.
    public static let recordSize = 6
    /// Bytes of the whole table: one record for each of the seven files.
    public static let tableSize = 42
}
