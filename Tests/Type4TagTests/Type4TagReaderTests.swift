// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import Testing

@testable import Type4Tag

@Suite("Type 4 Tag reader")
struct Type4TagReaderTests {
    private static let readCase = "S30-300-byte-ndef-file-tag-allows"
    private static let writeCase = "S31-write-order-of-an-ndef-message"

    @Test("reads a message of 300 bytes in pieces of the size that the tag allows")
    func readsInPieces() throws {
        let connection = try ScriptedConnection(card: try Fixture.json("\(Self.readCase)/card.json"))
        let expected = try Fixture.json("\(Self.readCase)/expect.json")
        let reader = Type4TagReader(connection)
        let container = try reader.detect()
        #expect(container.largestRead == 59)
        let message = try reader.readMessage()
        #expect(connection.wire == expected["wire"]?.array?.compactMap(\.string))
        let result = try #require(expected["results"]?.array?.first)
        #expect(message.count == result["ndef_len"]?.integer)
        #expect(SHA256.digest(message).hex.lowercased() == result["ndef_sha256"]?.string)
    }

    @Test("writes length zero, the message in pieces, then the length")
    func writesInOrder() throws {
        let message = try Fixture.hex("\(Self.writeCase)/message.hex")
        let expected = try Fixture.json("\(Self.writeCase)/expect.json")
        let tag = MemoryTag(largestRead: 59, largestWrite: 52, size: 0x0400)
        let connection = ScriptedConnection(tag.answer)
        let reader = Type4TagReader(connection)
        try reader.detect()
        let before = connection.wire.count
        try reader.writeMessage(message)
        #expect(Array(connection.wire.dropFirst(before)) == expected["wire"]?.array?.compactMap(\.string))
        #expect(try reader.readMessage() == message)
    }

    @Test("a tag lost in the middle of a write reads as empty", arguments: [1, 2, 3, 4])
    func tornWrite(writes: Int) throws {
        let message = try Fixture.hex("\(Self.writeCase)/message.hex")
        let tag = MemoryTag(largestRead: 59, largestWrite: 52, size: 0x0400)
        let reader = Type4TagReader(ScriptedConnection(tag.answer))
        try reader.detect()
        try reader.writeMessage([0xD0, 0x00, 0x00])
        tag.writesUntilLoss = writes
        #expect {
            try reader.writeMessage(message)
        } throws: { error in
            guard case .transport(let fault) = error as? Type4TagError else { return false }
            return fault.kind == .cardRemoved
        }
        tag.writesUntilLoss = nil
        #expect(try reader.readMessage().isEmpty)
    }

    @Test(
        "reads back what it wrote, whatever the limits are",
        arguments: [(15, 1, 20), (16, 13, 255), (255, 255, 1000), (256, 255, 2000), (65_535, 65_535, 3000)]
    )
    func roundTrip(largestRead: Int, largestWrite: Int, count: Int) throws {
        let tag = MemoryTag(largestRead: largestRead, largestWrite: largestWrite, size: 4096)
        let connection = ScriptedConnection(tag.answer)
        let reader = Type4TagReader(connection)
        try reader.detect()
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try reader.writeMessage(message)
        #expect(try reader.readMessage() == message)
        #expect(connection.wire.allSatisfy { $0.count <= 2 * 261 })
    }

    @Test("works with every limit that a short command can meet")
    func everyLimit() throws {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        for limit in 1...257 {
            let tag = MemoryTag(largestRead: max(15, limit), largestWrite: limit, size: 512)
            let connection = ScriptedConnection(tag.answer)
            let reader = Type4TagReader(connection)
            try reader.detect()
            try reader.writeMessage(message)
            #expect(try reader.readMessage() == message, "\(limit)")
            #expect(Array(tag.ndefFile.prefix(302)) == [0x01, 0x2C] + message, "\(limit)")
        }
    }

    @Test("an empty message is one write of length zero")
    func erases() throws {
        let tag = MemoryTag(largestRead: 59, largestWrite: 52, size: 64)
        let connection = ScriptedConnection(tag.answer)
        let reader = Type4TagReader(connection)
        try reader.detect()
        let before = connection.wire.count
        try reader.writeMessage([])
        #expect(connection.wire.dropFirst(before) == ["00D60000020000"])
        #expect(try reader.readMessage().isEmpty)
    }

    @Test("refuses a message that does not fit before anything is sent")
    func tooLong() throws {
        let tag = MemoryTag(largestRead: 59, largestWrite: 52, size: 64)
        let connection = ScriptedConnection(tag.answer)
        let reader = Type4TagReader(connection)
        try reader.detect()
        let before = connection.wire.count
        #expect(throws: Type4TagError.messageTooLong(count: 63, limit: 62)) {
            try reader.writeMessage([UInt8](repeating: 0, count: 63))
        }
        #expect(connection.wire.count == before)
    }

    @Test("refuses a length field that lies")
    func lengthBeyondFile() throws {
        let tag = MemoryTag(largestRead: 59, largestWrite: 52, size: 64)
        tag.ndefFile[0] = 0xFF
        let reader = Type4TagReader(ScriptedConnection(tag.answer))
        try reader.detect()
        #expect(throws: Type4TagError.lengthBeyondFile(length: 0xFF00, limit: 62)) {
            try reader.readMessage()
        }
    }

    @Test("says that a card without the application is no Type 4 Tag")
    func noTag() throws {
        let reader = Type4TagReader(ScriptedConnection { _ in [0x6A, 0x82] })
        #expect {
            try reader.detect()
        } throws: { error in
            "\(error)"
                == "SELECT of the NDEF application was answered with 6A82 (not found): the card is no Type 4 Tag, "
                + "or lacks the file"
        }
        #expect(throws: Type4TagError.notDetected) { try reader.readMessage() }
    }

    @Test("a read that yields nothing is an error, not an endless loop")
    func emptyRead() throws {
        let reader = Type4TagReader(
            ScriptedConnection { command in
                switch command {
                case "00B000000F": try HexText.bytes("000F20003B00340406E104020000009000")
                case "00B0000002": [0x00, 0x10, 0x90, 0x00]
                default: [0x90, 0x00]
                }
            }
        )
        try reader.detect()
        #expect(throws: Type4TagError.wrongAmount(step: "READ BINARY of the NDEF message", asked: 16, got: 0))
        {
            try reader.readMessage()
        }
    }

    @Test("honours the access conditions of the container")
    func accessConditions() throws {
        let reader = Type4TagReader(
            ScriptedConnection { command in
                command == "00B000000F"
                    ? try HexText.bytes("000F20003B00340406E10402008000" + "9000").dropLast(2) + [0x90, 0x00]
                    : [0x90, 0x00]
            }
        )
        try reader.detect()
        #expect(throws: Type4TagError.readProtected(access: 0x80)) { try reader.readMessage() }
        let closed = Type4TagReader(
            ScriptedConnection { command in
                command == "00B000000F"
                    ? try HexText.bytes("000F20003B00340406E104020000FF9000") : [0x90, 0x00]
            }
        )
        try closed.detect()
        #expect(throws: Type4TagError.writeProtected(access: 0xFF)) { try closed.writeMessage([1]) }
    }
}
