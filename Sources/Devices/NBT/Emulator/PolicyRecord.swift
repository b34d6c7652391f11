// SPDX-License-Identifier: MIT

import NBTConstants

/// One record of the chip's own access table.
struct PolicyRecord {
    let i2cRead: UInt8
    let i2cWrite: UInt8
    let nfcRead: UInt8
    let nfcWrite: UInt8

    /// Finds the record of a file in the 42 bytes of the table.
    init?(of file: NBTFile, in table: [UInt8]) {
        guard let start = Self.offset(of: file, in: table) else { return nil }
        i2cRead = table[start + 2]
        i2cWrite = table[start + 3]
        nfcRead = table[start + 4]
        nfcWrite = table[start + 5]
    }

    /// The rights byte for reading or writing over a face.
    func right(toWrite: Bool, over face: ChipInterface) -> UInt8 {
        switch (face, toWrite) {
        case (.i2c, false): i2cRead
        case (.i2c, true): i2cWrite
        case (.nfc, false): nfcRead
        case (.nfc, true): nfcWrite
        }
    }

    /// Where the record of a file starts; nil when the table has none.
    static func offset(of file: NBTFile, in table: [UInt8]) -> Int? {
        stride(
            from: 0,
            through: table.count - AccessPolicyLayout.recordSize,
            by: AccessPolicyLayout.recordSize
        )
        .first { UInt16(table[$0]) << 8 | UInt16(table[$0 + 1]) == file.rawValue }
    }

    /// Whether a byte is one of the three forms of a right.
    static func isRight(_ byte: UInt8) -> Bool {
        if byte == AccessByte.always || byte == AccessByte.never { return true }
        let id = byte & AccessByte.passwordMask
        return byte == AccessByte.passwordFlag | id && AccessByte.passwordIDs.contains(id)
    }
}

extension ChipState {
    /// Whether the policy lets the selected file be read or written over a face now.
    func isAllowed(toWrite: Bool, file: NBTFile, over face: ChipInterface) -> Bool {
        guard let table = memory.files[.accessPolicy], let record = PolicyRecord(of: file, in: table) else {
            return false
        }
        let right = record.right(toWrite: toWrite, over: face)
        let grant = FaceState.Grant(id: right & AccessByte.passwordMask, isForWriting: toWrite)
        return rules.access.isOpen(right, self[face].grants.contains(grant))
    }
}
