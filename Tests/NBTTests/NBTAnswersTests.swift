// SPDX-License-Identifier: MIT

import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite("NBT answers")
struct NBTAnswersTests {
    @Test("version and memory are read as the vendor's libraries read them")
    func vendorAnswers() throws {
        let items = try #require(try Fixture.json("responses.json").array)
        #expect(items.count == 2)
        let version = try AppletVersion(data: try items[0].hex("data"))
        #expect(version.description == "1.2.3")
        #expect(version.build == items[0]["expect"]?["build"]?.integer)
        let memory = try AvailableMemory(data: try items[1].hex("data"))
        #expect(memory.persistent == items[1]["expect"]?["nvm"]?.integer)
        #expect(memory.clearOnReset == items[1]["expect"]?["clear_on_reset"]?.integer)
        #expect(memory.clearOnDeselect == items[1]["expect"]?["clear_on_deselect"]?.integer)
    }

    @Test("the memory counters may come in any order")
    func counterOrder() throws {
        let memory = try AvailableMemory(data: try HexText.bytes("6F0FDF3B0CC8020003C6020001C7020002"))
        let counters = [memory.persistent, memory.clearOnReset, memory.clearOnDeselect]
        let expected = [1, 2, 3]
        #expect(counters == expected)
    }

    @Test(
        "wrong answers are errors, never a crash",
        arguments: [
            "", "6F", "6F00", "6F07DF3A04010200", "6F07DF3B0401020003", "6F06DF3A03010200", "6F0FDF3B0C",
            "6F0FDF3B0CC6021234C7020400C9020200", "6F0FDF3B0CC6031234C7020400C8020200",
        ]
    )
    func wrongAnswers(text: String) throws {
        let data = try HexText.bytes(text)
        #expect(throws: NBTError.self) { try AppletVersion(data: data) }
        #expect(throws: NBTError.self) { try AvailableMemory(data: data) }
    }

    @Test("access tables come apart and together again")
    func accessTables() throws {
        let items = try #require(try Fixture.json("access-tables.json").array)
        #expect(items.count == 4)
        for item in items {
            let bytes = try item.hex("data")
            let table = try FileAccessTable(bytes: bytes)
            #expect(table.bytes == bytes)
            #expect(table.policies.map(\.file) == NBTFile.all)
        }
        let adt = try FileAccessTable(bytes: try items[1].hex("data"))
        #expect(adt[.file2]?.nfcWrite == .never)
        #expect(adt[.file2]?.i2cWrite == .always)
        #expect(adt[NBTFile(rawValue: 0x1234)] == nil)
    }

    @Test("conditions keep every byte")
    func conditions() throws {
        #expect(try AccessCondition.password(31).rawValue == 0x9F)
        #expect(AccessCondition(rawValue: 0x81).passwordID == 1)
        #expect(AccessCondition(rawValue: 0x80).passwordID == nil)
        #expect("\(AccessCondition(rawValue: 0x80))" == "unknown right 80")
        #expect(
            "\(AccessCondition(rawValue: 0x81)), \(AccessCondition.always), \(AccessCondition.never)"
                == "password 1, always, never"
        )
        #expect(throws: NBTError.self) { try FileAccessTable(bytes: [1, 2, 3, 4, 5]) }
        #expect(throws: NBTError.self) { try FileAccessTable(bytes: []) }
    }

    @Test("a status word means what the command makes of it")
    func meanings() throws {
        func meaning(_ command: String, _ sw: UInt16) throws -> String? {
            NBTStatusMeaning.text(
                StatusWord(rawValue: sw),
                after: try CommandAPDU(bytes: try HexText.bytes(command))
            )
        }
        #expect(
            try meaning("00D6000001AA", 0x6985)
                == "offsets 02 to 0E of the capability container cannot be written"
        )
        #expect(try meaning("2020000004C0600111", 0x6985) == "the setting cannot be changed in this state")
        #expect(try meaning("00B0000001", 0x6985) == nil)
        #expect(try meaning("00B0000001", 0x6D00) == "the instruction is not known")
    }
}
