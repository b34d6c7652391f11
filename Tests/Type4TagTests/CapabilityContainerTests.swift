// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@testable import Type4Tag

@Suite("Capability container")
struct CapabilityContainerTests {
    @Test("reads limits and the NDEF file")
    func readsHead() throws {
        let container = try CapabilityContainer(
            bytes: try Fixture.hex("S31-write-order-of-an-ndef-message/cc.hex")
        )
        #expect(container.length == 15)
        #expect(container.mappingVersion == 0x20)
        #expect(container.largestRead == 59)
        #expect(container.largestWrite == 52)
        #expect(container.ndefFile.fileID == 0xE104)
        #expect(container.ndefFile.maximumSize == 0x0200)
        #expect(container.files.count == 1)
    }

    @Test("reads the entries of proprietary files, and skips unknown ones")
    func readsEntries() throws {
        let bytes = try HexText.bytes(
            "0026 20 0100 00FF 0406E10410000000 0506E1A1040000FF 8003AABBCC 0506E1A20400FFFF 0000"
        )
        let container = try CapabilityContainer(bytes: Array(bytes.prefix(0x26)) + [0xEE])
        let ids: [UInt16] = [0xE104, 0xE1A1, 0xE1A2]
        #expect(container.files.map(\.fileID) == ids)
        #expect(container.files[1].writeAccess == 0xFF)
    }

    @Test("the first 15 bytes of a longer container are enough")
    func readsPrefix() throws {
        let container = try CapabilityContainer(bytes: try HexText.bytes("002F20010000FF0406E10410000000"))
        #expect(container.length == 47)
        #expect(container.files.count == 1)
    }

    @Test("reads the entry of an extended NDEF file")
    func readsExtended() throws {
        let container = try CapabilityContainer(
            bytes: try HexText.bytes("001130003B00340608E104000200000000")
        )
        #expect(container.ndefFile.kind == .extendedNDEF)
        #expect(container.ndefFile.maximumSize == 0x0002_0000)
    }

    @Test(
        "refuses what is no container",
        arguments: [
            ("", CapabilityContainerError.tooShort(count: 0)),
            ("000E20003B00340406E10402000000", .lengthOutOfRange(14)),
            ("000F00003B00340406E10402000000", .unknownVersion(0x00)),
            ("000F40003B00340406E10402000000", .unknownVersion(0x40)),
            ("000F20000E00340406E10402000000", .largestReadTooSmall(14)),
            ("000F20003B00000406E10402000000", .largestWriteTooSmall(0)),
            ("000F20003B00340506E1A102000000", .noNDEFFile),
            ("000F20003B00348006E10402000000", .noNDEFFile),
            ("000F20003B00340407E10402000000", .entryCut(offset: 7)),
            ("000F20003B00340405E10402000000", .entryLength(offset: 7, length: 5, expected: 6)),
            ("000F20003B00340406E10302000000", .reservedFileID(0xE103, offset: 7)),
            ("000F20003B00340406E10400040000", .fileTooSmall(4, offset: 7)),
        ]
    )
    func refuses(text: String, expected: CapabilityContainerError) throws {
        let bytes = try HexText.bytes(text)
        #expect(throws: expected) { try CapabilityContainer(bytes: bytes) }
        #expect(!expected.description.isEmpty)
    }
}
