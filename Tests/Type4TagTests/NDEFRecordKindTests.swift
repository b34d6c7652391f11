// SPDX-License-Identifier: MIT

import JSONText
import SmartCard
import Testing

@testable import Type4Tag

@Suite struct NDEFRecordKindTests {
    @Test func `The vendor's handover record is made and read`() throws {
        let items = try #require(try Fixture.json("ndef-messages.json").array)
        let item = try #require(items.first { $0["id"]?.string?.hasPrefix("bluetooth") == true })
        let content = NDEFRecord.Bluetooth(
            transport: .classic,
            address: [0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF],
            fields: [NDEFRecord.Bluetooth.Field(NDEFRecord.Bluetooth.completeName, Array("NBT".utf8))]
        )
        let record = try NDEFRecord.bluetooth(content)
        #expect(try NDEFMessage([record]).bytes.hex == item["message"]?.string)
        #expect(record.bluetooth == content)
        #expect(record.bluetooth?.name == "NBT")
    }

    @Test func `A low energy record of the handover example's size holds its values`() throws {
        typealias Bluetooth = NDEFRecord.Bluetooth
        let content = Bluetooth(
            transport: .lowEnergy,
            address: [1, 2, 3, 4, 5, 6],
            fields: [
                Bluetooth.Field(Bluetooth.lowEnergyRole, [0x00]),
                Bluetooth.Field(Bluetooth.confirmation, [UInt8](repeating: 0xC0, count: 16)),
                Bluetooth.Field(Bluetooth.random, [UInt8](repeating: 0x5A, count: 16)),
                Bluetooth.Field(Bluetooth.completeName, Array("NBT 12345678901".utf8)),
                Bluetooth.Field(0x01, [0x06]),
            ]
        )
        let record = try NDEFRecord.bluetooth(content)
        #expect(record.bluetooth == content)
        #expect(record.payload.prefix(9) == [0x08, 0x1B, 1, 2, 3, 4, 5, 6, 0x00])
        #expect(content.value(of: Bluetooth.random)?.count == 16)
        #expect(content.value(of: 0x77) == nil)
    }

    @Test(arguments: ["", "00", "0800AABBCCDDEEFF05", "0D00AABBCCDDEEFF0009", "0B00AABBCCDDEEFF030903", "FF"])
    func `What is no such content is nil, in both transports`(payload: String) throws {
        for transport in NDEFRecord.Bluetooth.Transport.allCases {
            let record = try NDEFRecord.media(transport.rawValue, payload: try HexText.bytes(payload))
            #expect(record.bluetooth == nil)
        }
        #expect(try NDEFRecord.media("text/plain", payload: []).bluetooth == nil)
    }

    @Test func `What cannot be a field is refused`() {
        typealias Bluetooth = NDEFRecord.Bluetooth
        #expect(throws: NDEFError.self) {
            try NDEFRecord.bluetooth(Bluetooth(transport: .classic, address: [1], fields: []))
        }
        #expect(throws: NDEFError.self) {
            try NDEFRecord.bluetooth(
                Bluetooth(
                    transport: .lowEnergy,
                    address: [1, 2, 3, 4, 5, 6],
                    fields: [Bluetooth.Field(0x09, [UInt8](repeating: 0x41, count: 255))]
                )
            )
        }
    }

    @Test func `External and media records carry their names`() throws {
        let external = try NDEFRecord.external("example.com:thing", id: [7], payload: [1, 2])
        let media = try NDEFRecord.media("text/plain", payload: [0x41])
        let message = try NDEFMessage(bytes: try NDEFMessage([external, media]).bytes)
        #expect(message.records == [external, media])
        #expect(message.records.map(\.typeName) == ["example.com:thing", "text/plain"])
    }
}
