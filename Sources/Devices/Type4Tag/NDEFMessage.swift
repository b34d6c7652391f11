// SPDX-License-Identifier: MIT

/// An NDEF message: one record or more.
///
/// Source: NFC Forum NDEF Technical Specification 1.0 §2.3 and §3.
public struct NDEFMessage: Hashable, Sendable {
    /// The records, at least one.
    public let records: [NDEFRecord]

    /// Makes a message.
    ///
    /// - Parameter records: The records in order.
    /// - Throws: ``NDEFError/noRecord`` when there is none.
    public init(_ records: [NDEFRecord]) throws(NDEFError) {
        guard !records.isEmpty else { throw .noRecord }
        self.records = records
    }

    /// Reads a message.
    ///
    /// - Parameter bytes: The whole message, without the length field or wrapper that a tag puts around it.
    /// - Throws: ``NDEFError`` with the record and the offset of the mistake.
    public init(bytes: [UInt8]) throws(NDEFError) {
        var records: [NDEFRecord] = []
        var offset = 0
        var isEnded = false
        while offset < bytes.count {
            guard !isEnded else { throw .bytesAfterEnd(offset: offset, count: bytes.count - offset) }
            let parsed = try ParsedRecord(bytes, at: offset, number: records.count + 1)
            if parsed.isFirst != records.isEmpty {
                throw records.isEmpty ? .beginMissing : .beginRepeated(record: records.count + 1)
            }
            records.append(parsed.record)
            isEnded = parsed.isLast
            offset = parsed.end
        }
        guard !records.isEmpty else { throw .noRecord }
        guard isEnded else { throw .endMissing }
        self.records = records
    }

    /// The bytes of the message.
    public var bytes: [UInt8] {
        records.enumerated().flatMap { index, record in
            record.bytes(isFirst: index == 0, isLast: index == records.count - 1)
        }
    }
}

/// One record as it stands in a message.
private struct ParsedRecord {
    let record: NDEFRecord
    let isFirst: Bool
    let isLast: Bool
    let end: Int

    init(_ bytes: [UInt8], at start: Int, number: Int) throws(NDEFError) {
        typealias Flag = NDEFRecord.Flag
        var cursor = start
        func take(_ count: Int) throws(NDEFError) -> ArraySlice<UInt8> {
            guard count <= bytes.count - cursor else { throw .cut(record: number, offset: start) }
            cursor += count
            return bytes[cursor - count..<cursor]
        }
        func length(ofBytes count: Int) throws(NDEFError) -> Int {
            try take(count).reduce(0) { $0 << 8 | Int($1) }
        }
        let header = bytes[start]
        cursor += 1
        guard header & Flag.chunk == 0 else { throw .chunked(record: number) }
        guard let format = NDEFRecord.TypeNameFormat(rawValue: header & Flag.formatMask) else {
            throw .reservedFormat(record: number, format: header & Flag.formatMask)
        }
        let typeLength = try length(ofBytes: 1)
        let payloadLength = try length(ofBytes: header & Flag.shortRecord != 0 ? 1 : 4)
        let idLength = header & Flag.idLength != 0 ? try length(ofBytes: 1) : nil
        let type = try take(typeLength)
        let id: [UInt8]?
        if let idLength { id = Array(try take(idLength)) } else { id = nil }
        let payload = try take(payloadLength)
        record = try NDEFRecord(format: format, type: Array(type), id: id, payload: Array(payload))
        isFirst = header & Flag.messageBegin != 0
        isLast = header & Flag.messageEnd != 0
        end = cursor
    }
}
