// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite("NBT response parser")
struct NBTResponseParserTests {
    @Test("version and memory are read as the vendor's libraries read them")
    func vendorAnswers() throws {
        let items = try #require(try Fixture.json("responses.json").array)
        #expect(items.count == 4)
        let version = try AppletVersion(data: try items[0].hex("data"))
        #expect(version.description == "1.2.3")
        #expect(version.major == items[0]["expect"]?["major"]?.integer)
        #expect(version.minor == items[0]["expect"]?["minor"]?.integer)
        #expect(version.build == items[0]["expect"]?["build"]?.integer)
        let memory = try AvailableMemory(data: try items[1].hex("data"))
        #expect(memory.persistent == items[1]["expect"]?["nvm"]?.integer)
        #expect(memory.clearOnReset == items[1]["expect"]?["clear_on_reset"]?.integer)
        #expect(memory.clearOnDeselect == items[1]["expect"]?["clear_on_deselect"]?.integer)
        let gpio = try NBTResponseParser.configuration(try items[2].hex("data"), of: .gpioFunction)
        #expect(GPIOFunction(bytes: gpio) == .passThroughInterrupt)
        #expect(try gpio == items[2]["expect"]?.hex("value"))
        let request = try NBTResponseParser.passThroughRequest(try items[3].hex("data"))
        #expect(try request.command == items[3]["expect"]?.hex("nfc_apdu"))
        #expect(request.status.rawValue == 0x007F)
        #expect(items[3]["expect"]?["status"]?.string == "007F")
        #expect(request.status.words.count == 7)
    }

    @Test func `a status without a command is a request without one`() throws {
        let request = try NBTResponseParser.passThroughRequest([0x00, 0x18])
        #expect(request.command == nil)
        #expect(request.status.words == ["field-found", "field-lost"])
        #expect(throws: NBTError.self) { try NBTResponseParser.passThroughRequest([0x00]) }
    }

    @Test(
        arguments: [
            ("C0300104", "04"), ("C03000", ""), ("C030FF000104", "04"), ("C030FF0000", ""),
        ]
    )
    func `the value of a setting may have both forms of length`(_ answer: String, _ value: String) throws {
        let data = try HexText.bytes(answer)
        #expect(try NBTResponseParser.configuration(data, of: .gpioFunction).hex == value)
    }

    @Test(arguments: ["", "C030", "C0310104", "C0300204", "C030010404", "C030FF", "C030FF0002AA"])
    func `a wrong answer of the configurator is an error`(_ answer: String) throws {
        let data = try HexText.bytes(answer)
        #expect(throws: NBTError.self) { try NBTResponseParser.configuration(data, of: .gpioFunction) }
    }

    @Test func `a long setting comes back whole`() throws {
        let value = [UInt8](repeating: 0x5A, count: 312)
        let answer: [UInt8] = [0xC0, 0x52, 0xFF, 0x01, 0x38] + value
        #expect(try NBTResponseParser.configuration(answer, of: .rfHardware) == value)
    }

    @Test func `the passed tests are one byte`() throws {
        #expect(try NBTResponseParser.backendTests([0x7F]) == .all)
        #expect(try NBTResponseParser.backendTests([0x41]).words == ["random", "cott"])
        #expect(throws: NBTError.self) { try NBTResponseParser.backendTests([]) }
        #expect(throws: NBTError.self) { try NBTResponseParser.backendTests([1, 2]) }
    }

    @Test func `a signature is a sequence of two numbers`() throws {
        #expect(try NBTResponseParser.signature(try HexText.bytes("3006020101020102")).s.last == 2)
        #expect(throws: NBTError.self) { try NBTResponseParser.signature([]) }
        #expect(throws: NBTError.self) { try NBTResponseParser.signature([0x30, 0x00]) }
    }

    /// What came back, what was presented, and what it means.
    static let outcomes: [(answer: String, presented: [UInt8], words: [String])] = [
        ("52021234", [0x52], ["accepted"]),
        ("540212345202ABCD", [0x52, 0x54], ["accepted", "accepted"]),
        ("52020000", [0x52], ["wrong"]),
        ("5202FFFF54021234", [0x52, 0x54], ["blocked", "accepted"]),
        ("54021234", [0x52, 0x54], ["unknown", "accepted"]),
        ("", [0x52, 0x54], ["unknown", "unknown"]),
        ("1234", [0x54], ["accepted"]),
        ("1234FFFF", [0x52, 0x54], ["accepted", "blocked"]),
        ("52", [0x52], ["unknown"]),
        ("5205AABB", [0x52], ["unknown"]),
        ("520112", [0x52], ["unknown"]),
        ("0102030405", [0x52], ["unknown"]),
    ]

    @Test(arguments: outcomes)
    func `what became of passwords is read leniently`(
        answer: String,
        presented: [UInt8],
        words: [String]
    ) throws {
        let found = NBTResponseParser.passwordOutcomes(try HexText.bytes(answer), presented: presented)
        #expect(found.map(\.word) == words)
    }

    @Test func `the response of a right password is kept, and never printed`() {
        let outcome = NBTResponseParser.passwordOutcomes([0x52, 0x02, 0x12, 0x34], presented: [0x52])[0]
        #expect(outcome.response == [0x12, 0x34])
        #expect("\(outcome)" == "accepted")
        #expect(PasswordOutcome.wrong.response == nil)
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
