// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("TLV path")
struct TLVPathTests {
    private let objects: [TLV]

    init() throws {
        let line = try Fixture.lines("tlv/select.txt")[0]
        objects = try TLV.parse(HexText.bytes(line.split(separator: " ")[1]))
    }

    @Test(
        "dots lead down and numbers choose among equals",
        arguments: [
            ("6F.84", "325041592E5359532E4444463031"), ("6F.A5.BF0C.61.4F", "A0000000031010"),
            ("6F.A5.BF0C.61(0).4F", "A0000000031010"), ("6F.A5.BF0C.61(1).4F", "A0000000041010"),
            ("6f.a5.bf0c.61(1).87", "02"), ("6F.A5.BF0C.61(2).4F", nil), ("6F.85", nil), ("84", nil),
            ("6F.84.84", nil), ("6F(1)", nil), ("FCI.name", "325041592E5359532E4444463031"),
            ("6F.A5.BF0C.61.4F(1)", nil),
        ] as [(String, String?)]
    )
    func paths(_ text: String, _ value: String?) throws {
        let path = try TLVPath(text, names: ["FCI": 0x6F, "name": 0x84])
        #expect(path.first(in: objects)?.value.hex == value)
    }

    @Test("a step without a number follows each one that fits")
    func all() throws {
        let path = try TLVPath("6F.A5.BF0C.61.50")
        #expect(
            path.all(in: objects).map { String(decoding: $0.value, as: UTF8.self) } == [
                "CARD ONE", "CARD TWO",
            ]
        )
        #expect(path.description == "6F.A5.BF0C.61.50")
        #expect(try TLVPath("61(1).4f").description == "61(1).4F")
        // The first 61 has no 9F7F, the second has: the search goes on.
        let uneven = try TLV.parse(HexText.bytes("6103870101" + "61049F7F0155"))
        #expect(try TLVPath("61.9F7F").first(in: uneven)?.value == [0x55])
    }

    @Test(
        "a text that is no path is refused with its step",
        arguments: [
            ("", "", 1), ("6F.", "", 4), ("6F..A5", "", 4), ("6F.XY.A5", "XY", 4), ("6F.9F", "9F", 4),
            ("61(1", "61(1", 1), ("61()", "61()", 1), ("61(x)", "61(x)", 1), ("61(-1)", "61(-1)", 1),
            ("(1)", "(1)", 1),
            ("6F.8 4", "8 4", 4), ("61(99999999999999999999)", "61(99999999999999999999)", 1),
            ("61)", "61)", 1),
        ]
    )
    func refusals(_ text: String, _ step: String, _ column: Int) throws {
        let error = try #require(throws: TLVPathError.self) { try TLVPath(text) }
        #expect(error.step == step)
        #expect(error.column == column)
        #expect(error.description.hasSuffix("; write tags joined by dots, such as 6F.A5.9F38 or 61(1).4F"))
    }
}
