// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Application identifier")
struct AIDTests {
    @Test("5 to 16 bytes are taken, others are refused", arguments: 0...20)
    func lengths(_ count: Int) {
        let bytes = [UInt8](repeating: 0xA0, count: count)
        #expect(((try? AID(bytes)) != nil) == (5...16).contains(count))
    }

    @Test("the parts and who registered it are told")
    func parts() throws {
        let aid = try AID(HexText.bytes("D2760000850101"))
        #expect(aid.rid.hex == "D276000085")
        #expect(aid.pix.hex == "0101")
        #expect(aid.category == .national)
        #expect(aid.description == "D2760000850101")
        #expect(aid.isFound(byName: [0xD2, 0x76]))
        #expect(!aid.isFound(byName: [0xD2, 0x77]))
        #expect(try AID(HexText.bytes("A0000000031010")).category == .international)
        #expect(try AID(HexText.bytes("E828BD080F")).category == .standard)
        #expect(try AID(HexText.bytes("F000000812010208")).category == .unregistered)
        #expect(try AID(HexText.bytes("325041592E5359532E4444463031")).category == .reserved)
        let error = try #require(throws: AIDError.self) { try AID([0xA0, 0x00, 0x00, 0x00]) }
        #expect(error.description == "an application identifier has 5 to 16 bytes, here are 4")
    }
}
