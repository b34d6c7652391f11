// SPDX-License-Identifier: MIT

/// Whole policy tables that are in use, as the 42 bytes of the file.
///
/// Records of six bytes: file id, I2C read, I2C write, NFC read, NFC write.
/// Source: the vendor's personalization apps and firmware examples (MIT); the order is the one a device returns.
public enum AccessProfile {
    /// As delivered: everything is open but the writing of the capability container.
    public static let delivery: [UInt8] = table(
        (0x40, 0x00, 0x40, 0x00),
        (0x40, 0x40, 0x40, 0x40),
        (0x40, 0x40, 0x40, 0x40),
        (0x40, 0x40, 0x40, 0x40),
        (0x40, 0x40, 0x40, 0x40),
        (0x40, 0x40, 0x40, 0x40)
    )

    /// Asynchronous data transfer: the phone writes `FILE_1`, the host writes `FILE_2`.
    public static let asynchronousDataTransfer: [UInt8] = table(
        (0x40, 0x00, 0x40, 0x00),
        (0x40, 0x40, 0x40, 0x00),
        (0x40, 0x00, 0x40, 0x40),
        (0x40, 0x40, 0x40, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00)
    )

    /// Pass-through and connection handover: the proprietary files are closed.
    public static let passThrough: [UInt8] = table(
        (0x40, 0x00, 0x40, 0x00),
        (0x40, 0x40, 0x40, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00)
    )

    /// Brand protection: only the phone reads, and only what it needs.
    public static let brandProtection: [UInt8] = table(
        (0x00, 0x00, 0x40, 0x00),
        (0x00, 0x00, 0x40, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00),
        (0x00, 0x00, 0x00, 0x00)
    )

    private typealias Rights = (UInt8, UInt8, UInt8, UInt8)

    /// Joins ids and rights; the policy of the table itself is open in every profile.
    private static func table(
        _ cc: Rights,
        _ ndef: Rights,
        _ file1: Rights,
        _ file2: Rights,
        _ file3: Rights,
        _ file4: Rights
    ) -> [UInt8] {
        let open: Rights = (0x40, 0x40, 0x40, 0x40)
        return zip(NBTFile.all, [cc, ndef, file1, file2, file3, file4, open]).flatMap { file, rights in
            file.idBytes + [rights.0, rights.1, rights.2, rights.3]
        }
    }
}
