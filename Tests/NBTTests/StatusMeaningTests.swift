// SPDX-License-Identifier: MIT

import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBT

@Suite struct StatusMeaningTests {
    @Test func `What the vendor's library has a text for has one here`() throws {
        let items = try #require(try Fixture.json("status-words.json").array)
        #expect(items.count > 40)
        for item in items where item["known"]?.boolean == true {
            let ins = try #require(try item.hex("ins").first)
            let sw = try item.hex("sw")
            let word = StatusWord(sw1: sw[0], sw2: sw[1])
            // The vendor's table does not look at the class.
            let texts = [NBTInstruction.tagClass, NBTInstruction.configuratorClass].map {
                NBTStatusMeaning.text(word, cla: $0, ins: ins)
            }
            #expect(texts.contains { $0 != nil }, "\(ins) \(word)")
        }
    }

    /// A command, a status word, and a part of what it means.
    static let meanings: [(String, UInt16, String)] = [
        ("00A4000C02E1B0", 0x6A82, "no such application or file"), ("00A4000C", 0x6700, "Lc or Le"),
        ("00A4000C08E1A152041122334400", 0x6A80, "passwords"), ("00B0000001", 0x6986, "no file"),
        ("00B0000001", 0x6982, "may not be read"), ("00B0000001", 0x6700, "offset"),
        ("00D6000001AA", 0x6985, "capability container"), ("00D6000001AA", 0x6A80, "policy record"),
        ("00D6000001AA", 0x6A86, "offset"), ("00D6000001AA", 0x6982, "may not be written"),
        ("00D6000001AA", 0x6986, "no file"), ("00D6000001AA", 0x6700, "length"),
        ("00880000010100", 0x6985, "no key"), ("00880000010100", 0x6700, "challenge"),
        ("00880000010100", 0x6A86, "0000"), ("0030DF3A00", 0x6A86, "object"), ("0030DF3A00", 0x6700, "Lc"),
        ("00E10000", 0x6A86, "0000"), ("00E10000", 0x6982, "master"), ("00E10000", 0x6700, "9 nor 13"),
        ("00E10000", 0x6985, "28"), ("00E10000", 0x6A80, "response"), ("00E40005", 0x6982, "master"),
        ("00E40005", 0x6A88, "no password"), ("0024004504AABBCCDD", 0x6985, "itself is blocked"),
        ("0024004504AABBCCDD", 0x6700, "4 nor 8"), ("0024004504AABBCCDD", 0x6A86, "P2"),
        ("0024004504AABBCCDD", 0x6A88, "no password"), ("00240005", 0x6700, "0 nor 4"),
        ("00240005", 0x6985, "master"), ("00240005", 0x6A88, "no password"), ("00240005", 0x6A86, "P2"),
        ("00E20000", 0x6A80, "data group"), ("00E20000", 0x6A88, "no such data group"),
        ("00E20000", 0x6985, "over"), ("00E20000", 0x6700, "no data"), ("00E20000", 0x6A86, "0000"),
        ("2020000004C0300103", 0x6985, "state"), ("2020000004C0300103", 0x6A80, "tag or the value"),
        ("2030000002C030", 0x6700, "length"), ("2030000002C030", 0x6A86, "0000"),
        ("2030000002C030", 0x6A00, "class or instruction"), ("38DA0000", 0x6985, "fetched"),
        ("00770000", 0x6D00, "instruction"), ("80000000", 0x6E00, "class"), ("00B0000001", 0x9000, "success"),
    ]

    @Test(arguments: meanings)
    func `A status word is told in the words of its command`(command: String, sw: UInt16, part: String) throws
    {
        let command = try CommandAPDU(bytes: try HexText.bytes(command))
        let text = try #require(NBTStatusMeaning.text(StatusWord(rawValue: sw), after: command))
        #expect(text.contains(part))
    }

    @Test func `What no source tells has no meaning`() throws {
        let command = try CommandAPDU(bytes: [0x00, 0xB0, 0x00, 0x00])
        #expect(NBTStatusMeaning.text(StatusWord(rawValue: 0x6A88), after: command) == nil)
    }
}
