// SPDX-License-Identifier: MIT

/// The memory of a tag without a processor that carries a card's record in an NDEF message.
public struct SLIXMemory: Hashable, Sendable {
    /// The external type of the record.
    public static let recordType = "tangem.com:wallet"

    /// The data objects of the record.
    public let objects: CardObjects

    /// Reads memory that begins with the NDEF data object `03`.
    ///
    /// - Parameter memory: The memory.
    /// - Throws: `decodingFailed` when there is no such record.
    public init(_ memory: [UInt8]) throws(TangemError) {
        guard memory.count > 4, memory[0] == 0x03 else {
            throw TangemError(.decodingFailed, "the memory does not begin with an NDEF message (03)")
        }
        let isLong = memory[1] == 0xFF
        let length = isLong ? Int(memory[2]) << 8 | Int(memory[3]) : Int(memory[1])
        let start = isLong ? 4 : 2
        let message = Array(memory[start..<min(memory.count, start + length)])
        var offset = 0
        while let record = try Self.record(message, at: &offset) {
            if record.type == Array(Self.recordType.utf8) {
                objects = try CardObjects(parsing: record.payload)
                return
            }
        }
        throw TangemError(.decodingFailed, "the message holds no record \(Self.recordType)")
    }

    private static func record(
        _ message: [UInt8],
        at offset: inout Int
    ) throws(TangemError) -> (type: [UInt8], payload: [UInt8])? {
        guard offset < message.count else { return nil }
        let header = message[offset]
        var cursor = offset + 1
        func number(_ count: Int) -> Int? {
            guard cursor + count <= message.count else { return nil }
            defer { cursor += count }
            return BigEndian.number(Array(message[cursor..<cursor + count]))
        }
        guard let typeLength = number(1), let payloadLength = number(header & 0x10 != 0 ? 1 : 4),
            let idLength = header & 0x08 != 0 ? number(1) : 0,
            payloadLength <= message.count, cursor + typeLength + idLength + payloadLength <= message.count
        else { throw TangemError(.decodingFailed, "the NDEF message ends within a record") }
        let type = Array(message[cursor..<cursor + typeLength])
        cursor += typeLength + idLength
        let payload = Array(message[cursor..<cursor + payloadLength])
        offset = cursor + payloadLength
        return (type, payload)
    }
}
