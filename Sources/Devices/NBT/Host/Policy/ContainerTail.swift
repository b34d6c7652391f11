// SPDX-License-Identifier: MIT

import NBTConstants

/// The end of the capability container: the entries of the four proprietary files.
///
/// They tell a phone what the access policy says about NFC, as far as the container can: open or closed. A file behind a
/// password counts as open. Source: the vendor's personalization apps (MIT).
public enum ContainerTail {
    /// Where the entries begin.
    public static let offset = ContainerLayout.tailOffset

    /// The 32 bytes that suit an access policy.
    ///
    /// - Parameter table: The policy; a file that it does not name counts as closed.
    /// - Returns: The entries of FILE_1 to FILE_4.
    public static func bytes(for table: FileAccessTable) -> [UInt8] {
        [NBTFile.file1, .file2, .file3, .file4].flatMap { file -> [UInt8] in
            let policy = table[file]
            let size = file.size ?? 0
            return [ContainerLayout.proprietaryEntryTag, ContainerLayout.entryLength] + file.idBytes
                + [UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)]
                + [mirrored(policy?.nfcRead), mirrored(policy?.nfcWrite)]
        }
    }

    private static func mirrored(_ condition: AccessCondition?) -> UInt8 {
        (condition ?? .never) == .never ? ContainerLayout.closed : ContainerLayout.open
    }
}
