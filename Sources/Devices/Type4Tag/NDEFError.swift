// SPDX-License-Identifier: MIT

/// Why bytes are no NDEF message, or fields are no record.
public enum NDEFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message without a record.
    case noRecord
    /// The bytes end inside a record.
    case cut(record: Int, offset: Int)
    /// The first record does not say that it is the first.
    case beginMissing
    /// A later record says that it is the first.
    case beginRepeated(record: Int)
    /// The last record does not say that it is the last.
    case endMissing
    /// Bytes follow the record that says it is the last.
    case bytesAfterEnd(offset: Int, count: Int)
    /// A record that is split into chunks.
    case chunked(record: Int)
    /// A type name format that is reserved, or only for the later chunks of a record.
    case reservedFormat(record: Int, format: UInt8)
    /// An empty record with a type, an id or a payload.
    case emptyRecordWithContent
    /// A record of unknown type with a type name.
    case unknownTypeWithName
    /// A field is longer than its length field can say.
    case fieldTooLong(String, count: Int)

    /// What is wrong, where, and what would be right; records are counted from 1.
    public var description: String {
        switch self {
        case .noRecord:
            "an NDEF message needs at least one record"
        case .cut(let record, let offset):
            "record \(record) at offset \(offset) reaches beyond the end of the NDEF message"
        case .beginMissing:
            "the first record of the NDEF message lacks the message-begin flag"
        case .beginRepeated(let record):
            "record \(record) of the NDEF message carries the message-begin flag, only the first may"
        case .endMissing:
            "the last record of the NDEF message lacks the message-end flag"
        case .bytesAfterEnd(let offset, let count):
            "\(count) bytes follow the last record of the NDEF message at offset \(offset)"
        case .chunked(let record):
            "record \(record) of the NDEF message is split into chunks, which is not supported; write it whole"
        case .reservedFormat(let record, let format):
            "record \(record) of the NDEF message has type name format \(format), which no whole record may have"
        case .emptyRecordWithContent:
            "an empty NDEF record (type name format 0) has no type, id or payload"
        case .unknownTypeWithName:
            "an NDEF record of unknown type (type name format 5) has no type name"
        case .fieldTooLong(let field, let count):
            "the \(field) of an NDEF record has \(count) bytes, more than its length field can say"
        }
    }
}
