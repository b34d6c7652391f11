// SPDX-License-Identifier: MIT

/// A record of an NDEF message.
///
/// Source: NFC Forum NDEF Technical Specification 1.0 §3.
public struct NDEFRecord: Hashable, Sendable {
    /// How the type field is to be read.
    public enum TypeNameFormat: UInt8, Hashable, Sendable {
        /// No type, no id, no payload.
        case empty = 0
        /// A type of the NFC Forum, for example `U` or `T`.
        case wellKnown = 1
        /// A media type, RFC 2046.
        case media = 2
        /// An absolute URI, RFC 3986, as the type.
        case absoluteURI = 3
        /// A type of somebody else, `domain:name`.
        case external = 4
        /// A payload of unknown type.
        case unknown = 5
    }

    /// How the type field is to be read.
    public let format: TypeNameFormat
    /// The type field, at most 255 bytes.
    public let type: [UInt8]
    /// The id field, at most 255 bytes; nil when the record has none.
    public let id: [UInt8]?
    /// The payload.
    public let payload: [UInt8]

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - format: How the type field is to be read.
    ///   - type: The type, at most 255 bytes.
    ///   - id: The id, at most 255 bytes; nil for none.
    ///   - payload: The payload, less than 4 GB.
    /// - Throws: ``NDEFError`` when a field is too long or does not suit the format.
    public init(
        format: TypeNameFormat,
        type: [UInt8] = [],
        id: [UInt8]? = nil,
        payload: [UInt8] = []
    ) throws(NDEFError) {
        guard type.count <= 255 else { throw .fieldTooLong("type", count: type.count) }
        guard (id?.count ?? 0) <= 255 else { throw .fieldTooLong("id", count: id?.count ?? 0) }
        guard payload.count <= 0xFFFF_FFFF else { throw .fieldTooLong("payload", count: payload.count) }
        if format == .empty, !type.isEmpty || !(id ?? []).isEmpty || !payload.isEmpty {
            throw .emptyRecordWithContent
        }
        if format == .unknown, !type.isEmpty { throw .unknownTypeWithName }
        self.format = format
        self.type = type
        self.id = id
        self.payload = payload
    }

    /// The bytes of the record at a place in a message.
    ///
    /// Payloads of up to 255 bytes take a short record, longer ones a length field of four bytes.
    func bytes(isFirst: Bool, isLast: Bool) -> [UInt8] {
        let isShort = payload.count <= 255
        var header = format.rawValue
        if isFirst { header |= Flag.messageBegin }
        if isLast { header |= Flag.messageEnd }
        if isShort { header |= Flag.shortRecord }
        if id != nil { header |= Flag.idLength }
        var out: [UInt8] = [header, UInt8(truncatingIfNeeded: type.count)]
        let lengthBytes = isShort ? 1 : 4
        for index in (0..<lengthBytes).reversed() {
            out.append(UInt8(truncatingIfNeeded: payload.count >> (8 * index)))
        }
        if let id { out.append(UInt8(truncatingIfNeeded: id.count)) }
        return out + type + (id ?? []) + payload
    }

    /// Bits of the first byte of a record.
    enum Flag {
        static let messageBegin: UInt8 = 0x80
        static let messageEnd: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let shortRecord: UInt8 = 0x10
        static let idLength: UInt8 = 0x08
        static let formatMask: UInt8 = 0x07
    }
}
