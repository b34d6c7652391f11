// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("BER-TLV")
struct TLVTests {
    /// The tree in the notation of the fixtures, as text that can be compared.
    private static func text(_ node: [String: Any]) throws -> String {
        let tag = try #require(node["tag"] as? String)
        let length = try #require(node["len"] as? Int)
        if let children = node["children"] as? [[String: Any]] {
            return try "\(tag) \(length) [" + children.map(text).joined(separator: ", ") + "]"
        }
        return try "\(tag) \(length) " + #require(node["value"] as? String)
    }

    private static func text(_ object: TLV) -> String {
        let head = "\(object.tag) \(object.value.count) "
        guard let children = object.children else { return head + object.value.hex }
        return head + "[" + children.map(text).joined(separator: ", ") + "]"
    }

    @Test("objects are read as trees", arguments: ["field", "select", "padding"])
    func trees(_ set: String) throws {
        let lines = try Fixture.lines("tlv/\(set).txt")
        let items = try Fixture.rows("tlv/\(set).json", "items")
        #expect(lines.count == items.count)
        #expect(items.count >= 5)
        for (line, item) in zip(lines, items) {
            let words = line.split(separator: " ")
            #expect(words[0] == item["mode"] as? String ?? "")
            let padding: TLV.Padding = words[0] == "pad" ? .skip : .strict
            let objects = try TLV.parse(HexText.bytes(words[1]), padding: padding)
            let expected = try #require(item["tree"] as? [[String: Any]])
            #expect(try objects.map { Self.text($0) } == expected.map { try Self.text($0) })
            // What was read can be written and read again, without padding and with the shortest lengths.
            let cleaned = objects.map { Self.clean($0) }
            #expect(try TLV.parse(cleaned.flatMap(\.encoded)) == cleaned)
        }
    }

    private static func clean(_ object: TLV) -> TLV {
        guard let children = object.children else { return object }
        return TLV(tag: object.tag, children: children.map(clean))
    }

    @Test(
        "lengths at their edges come back",
        arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536, 1_000_000]
    )
    func lengths(_ count: Int) throws {
        let object = TLV(tag: 0x53, value: [UInt8](repeating: 0x5A, count: count))
        let bytes = object.encoded
        #expect(bytes.count == count + 1 + (count < 128 ? 1 : count < 256 ? 2 : count < 65_536 ? 3 : 4))
        #expect(try TLV.parse(bytes) == [object])
    }

    @Test(
        "bytes that are no TLV are refused at their offset",
        arguments: [
            ("5A", 1, "byte 1: the data ends before the length of tag 5A is complete"),
            ("9F", 0, "byte 0: the data ends inside a tag"),
            ("5A009F81", 2, "byte 2: the data ends inside a tag"),
            ("9F8182838401", 0, "byte 0: the tag has more than 4 bytes"),
            ("0000", 0, "byte 0: 00 is no tag; allow padding if it is meant as such"),
            ("5A01AA00", 3, "byte 3: 00 is no tag; allow padding if it is meant as such"),
            ("5A02AA", 1, "byte 1: tag 5A says 2 bytes, but only 1 follow"),
            ("700380", 1, "byte 1: tag 70 says 3 bytes, but only 1 follow"),
            (
                "70805A01AA0000", 1,
                "byte 1: tag 70 has the indefinite length 80; smart cards must give the length as a number"
            ),
            ("70045A03AABB", 3, "byte 3: tag 5A says 3 bytes, but only 2 follow"),
            ("5A81", 1, "byte 1: the data ends before the length of tag 5A is complete"),
            ("5A840000", 1, "byte 1: the data ends before the length of tag 5A is complete"),
            ("5A84FFFFFFFF", 1, "byte 1: tag 5A says 4294967295 bytes, but only 0 follow"),
            (
                "5A850000000001AA", 1,
                "byte 1: the length of tag 5A begins with 85; 00 to 7F and 81 to 84 can be read"
            ),
            ("5AFF", 1, "byte 1: the length of tag 5A begins with FF; 00 to 7F and 81 to 84 can be read"),
        ]
    )
    func refusals(_ hex: String, _ offset: Int, _ text: String) throws {
        let bytes = try HexText.bytes(hex)
        let error = try #require(throws: TLVError.self) { try TLV.parse(bytes) }
        #expect(error.offset == offset)
        #expect(error.description == text)
    }

    @Test("nesting has a limit")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            (0..<levels).reduce([UInt8]()) { inner, _ in TLV(tag: 0x70, value: inner).encoded }
        }
        #expect(try TLV.parse(nested(TLV.depthLimit - 1)).count == 1)
        let error = try #require(throws: TLVError.self) { try TLV.parse(nested(200)) }
        #expect(error.cause == .tooDeep(limit: TLV.depthLimit))
        #expect(try TLV.parse(nested(200), lenient: true).count == 1)
    }

    @Test("a constructed tag around other bytes is kept only when asked")
    func lenient() throws {
        let bytes = try HexText.bytes("6F045A09AABB8401FF")
        #expect(throws: TLVError.self) { try TLV.parse(bytes) }
        let objects = try TLV.parse(bytes, lenient: true)
        #expect(objects.map(\.tag) == [0x6F, 0x84])
        #expect(objects[0].children == nil)
        #expect(objects[0].value.hex == "5A09AABB")
        // At the outermost level nothing holds the bytes, so the error stays.
        #expect(throws: TLVError.self) { try TLV.parse([0x5A, 0x09], lenient: true) }
    }

    @Test("any bytes are read or refused, never a crash")
    func anyBytes() {
        var generator = SplitMix(state: 11)
        var read = 0
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: .min ... .max, using: &generator)
                    : UInt8.random(in: 0...3, using: &generator)
            }
            for padding in [TLV.Padding.skip, .strict] {
                guard let objects = try? TLV.parse(bytes, padding: padding) else { continue }
                read += 1
                _ = TLV.tree(objects)
            }
        }
        #expect(read > 1000)
    }

    @Test("a tree is shown for people")
    func tree() throws {
        let bytes = try HexText.bytes("6F1A840E325041592E5359532E4444463031A5088801025F2D02656E")
        #expect(
            TLV.tree(try TLV.parse(bytes), names: [0x84: "DF name"]) == """
                6F 26
                  84 14 (DF name): 325041592E5359532E4444463031 "2PAY.SYS.DDF01"
                  A5 8
                    88 1: 02
                    5F2D 2: 656E
                """
        )
        #expect(TLV(tag: 0x90, value: []).tree() == "90 0")
    }

    @Test("tags tell their form")
    func tags() {
        let tags: [TLVTag] = [0x5A, 0x6F, 0x9F38, 0x9F816E, 0xBF0C, 0xDF01]
        #expect(tags.map(\.isConstructed) == [false, true, false, false, true, false])
        #expect(
            tags.map(\.tagClass) == [
                .application, .application, .contextSpecific, .contextSpecific, .contextSpecific, .privateUse,
            ]
        )
        #expect(tags.map(\.description) == ["5A", "6F", "9F38", "9F816E", "BF0C", "DF01"])
        for text in ["", "00", "9F", "5A5A", "9F81", "9F3801", "XY", "9F81828384", "0000005A", "5A 5"] {
            #expect(TLVTag(hex: text) == nil, "\(text)")
        }
        #expect(TLVTag(hex: "9f816e") == 0x9F816E)
        #expect(TLVTag(rawValue: 0) == nil)
    }
}
