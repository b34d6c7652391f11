// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Hex text")
struct HexTextTests {
    @Test("the text of a YAML scalar is read as bytes, or refused when it is not hex")
    func yamlScalars() throws {
        let case41 = try Fixture.object("hex-scalars/field.json")
        let texts = try #require(case41["text"] as? [String: String])
        let expected = try #require(case41["hex_ok"] as? [String: String])
        #expect(texts.count == 12)
        #expect(Set(texts.keys) == Set(expected.keys))
        for (key, text) in texts {
            if expected[key]?.hasPrefix("error") == true {
                #expect(throws: HexError.self, "\(key)") { try HexText.bytes(text) }
            } else {
                #expect(try HexText.bytes(text).hex == expected[key], "\(key)")
            }
        }
    }

    @Test(
        "usual ways of writing bytes are taken",
        arguments: [
            ("", ""), ("00", "00"), ("0x", nil), ("0x0", nil), ("0x00", "00"), ("0X1f", "1F"), ("00x05", nil),
            ("0x0x05", nil), ("0x 05", nil), ("x05", nil), ("0xG0", nil), ("a0 0xb0", "A0B0"),
            ("01-02,03:04", "01020304"),
            ("\"01\" '02'", "0102"), ("01\n02\r\n03\t04", "01020304"), ("0 1", nil), ("0102 3 04", nil),
            ("\u{FF11}\u{FF12}", nil), ("1e\u{301}0", nil), ("0,", nil), ("1_000", nil), ("+10", nil),
            ("10h", nil),
            ("0x0005", "0005"), ("00 0x", nil), ("--", ""), ("0x000x10", "0010"),
        ] as [(String, String?)]
    )
    func forms(_ text: String, _ hex: String?) {
        #expect((try? HexText.bytes(text))?.hex == hex)
        // A text that is no native contiguous string takes another way to the same end.
        #expect((try? HexText.bytes("<\(text)>".dropFirst().dropLast()))?.hex == hex)
    }

    @Test(
        "the column counts characters",
        arguments: [
            ("00G1", 3, HexError.Cause.notHex("G")), ("é00", 1, .notHex("é")),
            ("00 \u{1F468}\u{200D}\u{1F469} x", 4, nil),
            ("0e\u{301}", 2, .notHex("e\u{301}")), ("ABC", 3, .oddDigitCount(3)),
            ("AB CDE F0", 6, .oddDigitCount(3)),
            ("\"ABC\"", 4, .oddDigitCount(3)), ("0x5", 3, .oddDigitCount(1)), ("00 0x", 5, .notHex("x")),
            ("0x,00", 2, .notHex("x")),
        ] as [(String, Int, HexError.Cause?)]
    )
    func columns(_ text: String, _ column: Int, _ cause: HexError.Cause?) throws {
        let error = try #require(throws: HexError.self) { try HexText.bytes(text) }
        #expect(error.column == column)
        if let cause { #expect(error.cause == cause) }
    }

    @Test("a long text is read whole")
    func longText() throws {
        let text = String(repeating: "00 ff:A5,", count: 100_000)
        let bytes = try HexText.bytes(text)
        #expect(bytes.count == 300_000)
        #expect(bytes.suffix(3).hex == "00FFA5")
    }

    @Test("bytes are written in upper case, with blanks for people")
    func writing() {
        let bytes: [UInt8] = [0x00, 0xA4, 0x0f, 0xff]
        #expect(bytes.hex == "00A40FFF")
        #expect(bytes.spacedHex == "00 A4 0F FF")
        #expect(bytes.prefix(1).spacedHex == "00")
        #expect([UInt8]().hex.isEmpty)
        #expect([UInt8]().spacedHex.isEmpty)
        #expect((UInt8.min...UInt8.max).hex.count == 512)
    }
}
