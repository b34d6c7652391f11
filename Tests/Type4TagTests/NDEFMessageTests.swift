// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import Testing

@testable import Type4Tag

@Suite("NDEF message")
struct NDEFMessageTests {
    @Test("keeps payloads of 255 and 256 bytes whole")
    func payloadLengths() throws {
        let expected = try Fixture.json("S32-ndef-record-with-255-and-with/expect.json")
        let records = try #require(expected["records"]?.array)
        #expect(records.count == 2)
        for item in records {
            let length = try #require(item["payload_len"]?.integer)
            let record = try NDEFRecord.text(String(repeating: "x", count: length - 3))
            let bytes = try NDEFMessage([record]).bytes
            // The header in the fixture has the message flags of its place in a message of one or two records.
            let header = try HexText.bytes(try #require(item["header"]?.string))
            #expect(bytes.prefix(header.count) == header[...])
            #expect(bytes.count == item["total"]?.integer)
            let parsed = try NDEFMessage(bytes: bytes)
            #expect(
                SHA256.digest(parsed.records[0].payload).hex.lowercased() == item["payload_sha256"]?.string
            )
            #expect(parsed.bytes == bytes)
        }
    }

    @Test(
        "round-trips every payload length around the limits",
        arguments: [0, 1, 254, 255, 256, 257, 65_535, 65_536]
    )
    func roundTrip(count: Int) throws {
        let record = try NDEFRecord(
            format: .media,
            type: Array("a/b".utf8),
            id: count.isMultiple(of: 2) ? [1, 2] : nil,
            payload: [UInt8](repeating: 0xA5, count: count)
        )
        let message = try NDEFMessage([record, record, record])
        #expect(try NDEFMessage(bytes: message.bytes) == message)
        #expect(message.bytes[0] & 0x10 == (count <= 255 ? 0x10 : 0))
    }

    @Test("reads the vendor's messages and writes them again")
    func vendorMessages() throws {
        let items = try #require(try Fixture.json("ndef-messages.json").array)
        #expect(items.count == 4)
        for item in items {
            let bytes = try HexText.bytes(try #require(item["message"]?.string))
            #expect(try NDEFMessage(bytes: bytes).bytes == bytes)
        }
        let sample = try NDEFMessage(bytes: try HexText.bytes(try #require(items.last?["message"]?.string)))
        #expect(sample.records.count == 2)
        #expect(
            sample.records[0].uri?.hasSuffix("?cott=PLACEHOLDERPLACEHOLDERPLACEHOLDERPLACEHOLDER") == true
        )
        #expect(sample.records[1].format == .external)
        #expect(sample.records[1].id == [0])
        #expect(sample.records[1].payload.count == 640)
        let name = "infineon technologies:infineon.com:nfc-bridge-tag.x509"
        #expect(sample.records[1].description == "external type \(name) (640 bytes) id 00")
    }

    @Test("reads a URI with its prefix and writes the shortest form")
    func uris() throws {
        let long = try NDEFMessage(bytes: try HexText.bytes("D1011155047777772E696E66696E656F6E2E636F6D"))
        #expect(long.records[0].uri == "https://www.infineon.com")
        let short = try NDEFMessage([try .uri("https://www.infineon.com")])
        #expect(short.bytes.hex == "D1010D5502696E66696E656F6E2E636F6D")
        #expect(try NDEFRecord.uri("geo:1,2").payload.first == 0)
        #expect(try NDEFRecord.uri("urn:epc:id:sgtin:1").payload.first == 0x1E)
        let reserved = try NDEFRecord(format: .wellKnown, type: [0x55], payload: [0x24] + Array("x".utf8))
        #expect(reserved.uri == "x")
        #expect(try NDEFRecord(format: .wellKnown, type: [0x55]).uri == nil)
        #expect(try NDEFRecord(format: .wellKnown, type: [0x55], payload: [0, 0xFF]).uri == nil)
    }

    @Test("reads texts in both encodings")
    func texts() throws {
        let plain = try NDEFRecord.text("Grüße", language: "de-AT")
        #expect(plain.text == NDEFRecord.Text(text: "Grüße", language: "de-AT"))
        func record(_ hex: String) throws -> NDEFRecord {
            try NDEFRecord(format: .wellKnown, type: [0x54], payload: try HexText.bytes(hex))
        }
        #expect(try record("82656E00480069").text?.text == "Hi")
        #expect(try record("82656EFEFF00480069").text?.text == "Hi")
        #expect(try record("82656EFFFE48006900").text?.text == "Hi")
        #expect(try record("82656E004800").text == nil)
        #expect(try record("3F656E").text == nil)
        #expect(try record("").text == nil)
        #expect(throws: NDEFError.fieldTooLong("language", count: 64)) {
            try NDEFRecord.text("x", language: String(repeating: "a", count: 64))
        }
    }

    @Test("describes records for people, without control characters")
    func descriptions() throws {
        let message = try NDEFMessage([
            try .uri("https://example.org"), try .text("a\u{1B}[31m"),
            try NDEFRecord(format: .media, type: Array("text/plain".utf8), payload: [1, 2]),
            try NDEFRecord(format: .empty), try NDEFRecord(format: .wellKnown, type: [0x01]),
        ])
        let lines = message.description.split(separator: "\n").map(String.init)
        let expected = [
            "URI https://example.org", "text (en) \"a\u{FFFD}[31m\"", "media text/plain (2 bytes)",
            "empty record",
            "well-known type 01 (0 bytes)",
        ]
        #expect(lines == expected)
    }

    @Test(
        "refuses what is no message, and says where",
        arguments: [
            ("", NDEFError.noRecord),
            ("D1", .cut(record: 1, offset: 0)),
            ("D10102540", .cut(record: 1, offset: 0)),
            ("5101005 4", .beginMissing),
            ("910100549101 0054", .beginRepeated(record: 2)),
            ("91010054", .endMissing),
            ("D1010054AA", .bytesAfterEnd(offset: 4, count: 1)),
            ("B1010054", .chunked(record: 1)),
            ("D600 00", .reservedFormat(record: 1, format: 6)),
            ("D70000", .reservedFormat(record: 1, format: 7)),
            ("D0010054", .emptyRecordWithContent),
            ("D5010054", .unknownTypeWithName),
            ("C101FFFFFFFF54", .cut(record: 1, offset: 0)),
            ("9101005451 0101 54", .cut(record: 2, offset: 4)),
        ]
    )
    func refuses(text: String, expected: NDEFError) throws {
        let digits = text.filter { $0 != " " }
        let bytes = try HexText.bytes(digits.count.isMultiple(of: 2) ? digits : digits + "0")
        #expect(throws: expected) { try NDEFMessage(bytes: bytes) }
        #expect(!expected.description.isEmpty)
    }

    @Test("refuses a chunked record with a sentence that says what to do")
    func chunkText() {
        #expect(
            NDEFError.chunked(record: 1).description
                == "record 1 of the NDEF message is split into chunks, which is not supported; write it whole"
        )
    }

    @Test("any bytes either make a message that round-trips, or an error", arguments: 0..<20)
    func randomBytes(seed: Int) {
        var generator = SplitMix64(state: UInt64(seed))
        for _ in 0..<500 {
            var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Half of the inputs begin like a message, so that deeper code is reached.
            if !bytes.isEmpty, Bool.random(using: &generator) { bytes[0] = 0xD1 }
            if bytes.count > 2, Bool.random(using: &generator) { bytes[1...2] = [1, UInt8(bytes.count - 3)] }
            guard let message = try? NDEFMessage(bytes: bytes) else { continue }
            #expect(message.bytes.count <= bytes.count)
            #expect((try? NDEFMessage(bytes: message.bytes)) == message)
            #expect(!message.description.isEmpty)
        }
    }
}

/// A generator whose numbers are the same in every run.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
