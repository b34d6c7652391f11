// SPDX-License-Identifier: MIT

/// The capability container of a Type 4 Tag: what the tag can do and which files it has.
///
/// Source: NFC Forum Type 4 Tag Technical Specification 1.2 §4.2 (formerly Type 4 Tag Operation 2.0 §5.1).
public struct CapabilityContainer: Hashable, Sendable {
    /// Size of the whole container, as its first two bytes say.
    public let length: Int
    /// Mapping version, major in the high nibble, minor in the low one.
    public let mappingVersion: UInt8
    /// MLe: most bytes that one READ BINARY may ask for.
    public let largestRead: Int
    /// MLc: most bytes that one UPDATE BINARY may carry.
    public let largestWrite: Int
    /// The files, the NDEF file first.
    public let files: [FileControl]

    /// The NDEF file.
    public var ndefFile: FileControl { files[0] }

    /// One file of the container.
    public struct FileControl: Hashable, Sendable {
        /// What kind of file an entry describes, by its tag.
        public enum Kind: UInt8, Hashable, Sendable {
            /// NDEF file with a length field of two bytes (`04`).
            case ndef = 0x04
            /// Proprietary file (`05`).
            case proprietary = 0x05
            /// NDEF file with a length field of four bytes (`06`, mapping version 3.0).
            case extendedNDEF = 0x06
        }

        /// What kind of file this is.
        public let kind: Kind
        /// The file identifier.
        public let fileID: UInt16
        /// Size of the file, length field included.
        public let maximumSize: Int
        /// Read condition; `00` is open.
        public let readAccess: UInt8
        /// Write condition; `00` is open, `FF` is closed.
        public let writeAccess: UInt8
    }

    /// Number of bytes up to the end of the NDEF file's entry: what a reader reads first.
    public static let headSize = 15

    /// Reads a container, or its first 15 bytes, which hold the NDEF file's entry.
    ///
    /// Entries that begin beyond the given bytes are left out; entries of an unknown tag are skipped.
    /// - Parameter bytes: The content of the file from its start; bytes beyond its own length are ignored.
    /// - Throws: ``CapabilityContainerError`` with what is wrong and where.
    public init(bytes: [UInt8]) throws(CapabilityContainerError) {
        guard bytes.count >= Self.headSize else { throw .tooShort(count: bytes.count) }
        length = Self.number(bytes, at: 0)
        guard (Self.headSize...0xFFFE).contains(length) else { throw .lengthOutOfRange(length) }
        mappingVersion = bytes[2]
        guard (1...3).contains(mappingVersion >> 4) else { throw .unknownVersion(mappingVersion) }
        largestRead = Self.number(bytes, at: 3)
        guard largestRead >= 15 else { throw .largestReadTooSmall(largestRead) }
        largestWrite = Self.number(bytes, at: 5)
        guard largestWrite >= 1 else { throw .largestWriteTooSmall(largestWrite) }
        files = try Self.entries(Array(bytes.prefix(length)))
        guard let first = files.first, first.kind != .proprietary else { throw .noNDEFFile }
    }

    private static func entries(_ bytes: [UInt8]) throws(CapabilityContainerError) -> [FileControl] {
        var files: [FileControl] = []
        var offset = 7
        while offset + 2 <= bytes.count {
            let tag = bytes[offset]
            let length = Int(bytes[offset + 1])
            let end = offset + 2 + length
            guard end <= bytes.count else { throw .entryCut(offset: offset) }
            if let kind = FileControl.Kind(rawValue: tag) {
                files.append(try entry(kind, Array(bytes[offset + 2..<end]), at: offset))
            } else if files.isEmpty {
                // The first entry has to be the NDEF file's, no other may stand before it.
                throw .noNDEFFile
            }
            offset = end
        }
        return files
    }

    private static func entry(
        _ kind: FileControl.Kind,
        _ value: [UInt8],
        at offset: Int
    ) throws(CapabilityContainerError) -> FileControl {
        let sizeBytes = kind == .extendedNDEF ? 4 : 2
        guard value.count == 4 + sizeBytes else {
            throw .entryLength(offset: offset, length: value.count, expected: 4 + sizeBytes)
        }
        let fileID = UInt16(value[0]) << 8 | UInt16(value[1])
        guard !reservedFileIDs.contains(fileID) else { throw .reservedFileID(fileID, offset: offset) }
        let size = value[2..<2 + sizeBytes].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 5 else { throw .fileTooSmall(size, offset: offset) }
        return FileControl(
            kind: kind,
            fileID: fileID,
            maximumSize: size,
            readAccess: value[2 + sizeBytes],
            writeAccess: value[3 + sizeBytes]
        )
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    private static let reservedFileIDs: Set<UInt16> = [0x0000, 0x3F00, 0x3FFF, 0xE102, 0xE103, 0xFFFF]
}
