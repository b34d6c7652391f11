// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Answer to reset")
struct ATRTests {
    @Test(
        "convention, protocols, historical and check bytes are told",
        arguments: ["field", "turns", "checks"]
    )
    func rows(_ set: String) throws {
        let lines = try Fixture.lines("atr/\(set).txt")
        let rows = try Fixture.rows("atr/\(set).json", "rows")
        #expect(lines.count == rows.count)
        #expect(rows.count >= 6)
        for (line, row) in zip(lines, rows) {
            #expect(line == row["atr"] as? String)
            let atr = try ATR(HexText.bytes(line))
            #expect(atr.convention.rawValue == row["convention"] as? String, "\(line)")
            #expect(atr.protocols == row["protocols"] as? [Int], "\(line)")
            #expect(atr.historicalBytes.hex == row["historical"] as? String, "\(line)")
            #expect(atr.isTCKRequired == row["tck_required"] as? Bool, "\(line)")
            #expect(atr.expectedTCK.map { [$0].hex } == row["tck_expected"] as? String, "\(line)")
            let isRight: Bool? =
                switch atr.check {
                case .absent: nil
                case .right: true
                case .wrong: false
                }
            #expect(isRight == row["tck_ok"] as? Bool, "\(line)")
            #expect(atr.findings.isEmpty == (isRight != false), "\(line)")
        }
    }

    @Test("interface bytes are announced by bits, not by a number")
    func interfaceBytes() throws {
        let atr = try ATR(HexText.bytes("3BFD1300008131FE158073C021C057597562694B657940"))
        #expect(atr.interfaceBytes.map(\.index) == [1, 2, 3])
        #expect(atr.interfaceBytes.map(\.protocolNumber) == [nil, 1, 1])
        #expect(atr.interfaceBytes.map(\.ta) == [0x13, nil, 0xFE])
        #expect(atr.interfaceBytes.map(\.tb) == [0x00, nil, 0x15])
        #expect(atr.interfaceBytes.map(\.tc) == [0x00, nil, nil])
        #expect(atr.interfaceBytes.map(\.td) == [0x81, 0x31, nil])
        #expect(atr.tck == 0x40)
    }

    @Test("an answer that ends too early is refused at every length")
    func truncated() throws {
        let whole = try HexText.bytes("3BFD1300008131FE158073C021C057597562694B657940")
        for count in 0..<whole.count {
            #expect(throws: ATRError.self, "\(count) bytes") { try ATR(Array(whole.prefix(count))) }
        }
        let error = try #require(throws: ATRError.self) { try ATR([0x3B, 0x80, 0x01]) }
        #expect(error.description == "the ATR ends after 3 bytes, before its check byte TCK")
        #expect(throws: ATRError.truncated(part: "historical byte 2 of 2", count: 3)) {
            try ATR([0x3B, 0x02, 0x14])
        }
    }

    @Test("a first byte that is no TS is refused")
    func convention() throws {
        let error = try #require(throws: ATRError.self) { try ATR([0x03, 0x00]) }
        #expect(
            error.description
                == "the ATR begins with 03; TS is 3B (direct convention) or 3F (inverse convention)"
        )
    }

    @Test("what is wrong but readable is a finding")
    func findings() throws {
        let wrong = try ATR([0x3B, 0x80, 0x01, 0x01])
        #expect(wrong.findings == ["the check byte of the ATR is 01 and should be 81"])
        let longer = try ATR([0x3B, 0x02, 0x14, 0x50, 0xAA])
        #expect(longer.surplus == [0xAA])
        #expect(longer.findings == ["the ATR is followed by AA, which belongs to no part of it"])
        let tooLong = try ATR([0x3B, 0x00] + [UInt8](repeating: 0, count: 32))
        #expect(tooLong.findings.count == 2)
    }
}
