// SPDX-License-Identifier: MIT

import SmartCard

/// Why bytes are no capability container.
public enum CapabilityContainerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer bytes than a head and one entry.
    case tooShort(count: Int)
    /// A container length outside `000F` to `FFFE`.
    case lengthOutOfRange(Int)
    /// A mapping version whose major number is not known.
    case unknownVersion(UInt8)
    /// An MLe below 15.
    case largestReadTooSmall(Int)
    /// An MLc of zero.
    case largestWriteTooSmall(Int)
    /// The first entry is not that of the NDEF file.
    case noNDEFFile
    /// An entry reaches beyond the container.
    case entryCut(offset: Int)
    /// An entry whose length does not suit its tag.
    case entryLength(offset: Int, length: Int, expected: Int)
    /// An entry names a file identifier that no file may have.
    case reservedFileID(UInt16, offset: Int)
    /// A file of fewer than 5 bytes.
    case fileTooSmall(Int, offset: Int)

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .tooShort(let count):
            "the capability container has \(count) bytes, at least 15 are needed"
        case .lengthOutOfRange(let length):
            "the capability container says that it has \(length) bytes, the range is 15 to 65534"
        case .unknownVersion(let version):
            "the capability container has mapping version \(version >> 4).\(version & 0x0F), known are 1 to 3"
        case .largestReadTooSmall(let value):
            "MLe of the capability container is \(value), at least 15 is required"
        case .largestWriteTooSmall(let value):
            "MLc of the capability container is \(value), at least 1 is required"
        case .noNDEFFile:
            "the capability container does not begin with an NDEF file's entry (tag 04 or 06)"
        case .entryCut(let offset):
            "the entry at offset \(offset) of the capability container reaches beyond its end"
        case .entryLength(let offset, let length, let expected):
            "the entry at offset \(offset) of the capability container has \(length) bytes, expected \(expected)"
        case .reservedFileID(let fileID, let offset):
            "the entry at offset \(offset) of the capability container names the reserved file "
                + [UInt8(truncatingIfNeeded: fileID >> 8), UInt8(truncatingIfNeeded: fileID)].hex
        case .fileTooSmall(let size, let offset):
            "the entry at offset \(offset) of the capability container gives its file \(size) bytes, at least 5 "
                + "are required"
        }
    }
}
