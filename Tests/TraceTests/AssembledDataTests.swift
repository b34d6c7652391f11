// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@testable import Trace

@Suite struct AssembledDataTests {
    private func bytes(_ text: String) throws -> [UInt8] { try HexText.bytes(text) }

    @Test func `Parts of a chained command and of its answer have their places`() throws {
        var data = AssembledData()
        try data.begin(bytes("10DA000002AABB"))
        try data.end(bytes("9000"))
        #expect(data.commandPart == 0)
        try data.begin(bytes("00DA000001CC"))
        #expect(data.commandPart == 2)
        #expect(data.command == [0xAA, 0xBB, 0xCC])
        try data.end(bytes("016102"))
        #expect(data.answerPart == 0)
        try data.begin(bytes("00C0000002"))
        try data.end(bytes("6C01"))
        try data.begin(bytes("00C0000001"))
        try data.end(bytes("029000"))
        #expect(data.answerPart == 1)
        #expect(data.answer == [1, 2])
    }

    @Test func `What has nothing to do with the command before it begins anew`() throws {
        var data = AssembledData()
        try data.begin(bytes("10DA000002AABB"))
        try data.end(bytes("016110"))
        try data.begin(bytes("00D6000001CC"))
        try data.end(bytes("029000"))
        #expect(data.command == [0xCC])
        #expect(data.commandPart == nil)
        #expect(data.answer == [2])
        #expect(data.answerPart == nil)
        // GET RESPONSE that nothing announced is a command as any other.
        try data.begin(bytes("00C0000001"))
        try data.end(bytes("039000"))
        #expect(data.answer == [3])
    }

    @Test(arguments: ["6D00", "6E00", "6300"])
    func `A link that is refused ends its chain`(status: String) throws {
        var data = AssembledData()
        for _ in 1...2 {
            try data.begin(bytes("10DA000002AABB"))
            try data.end(bytes(status))
            #expect(data.commandPart == 0)
            #expect(data.command == [0xAA, 0xBB])
        }
    }

    @Test func `A command that is sent by itself has its own places, and is known as cut where it goes on`()
        throws
    {
        var data = AssembledData()
        try data.begin(bytes("10DA000002AABB"))
        try data.end(bytes("9000"))
        data.separate()
        try data.begin(bytes("00DA000001CC"))
        #expect((data.commandPart, data.isCommandCut) == (0, true))
        #expect(data.command == [0xCC])
        try data.end(bytes("AA6102"))
        #expect(!data.isAnswerCut)
        data.separate()
        try data.begin(bytes("00C0000002"))
        try data.end(bytes("BBCC9000"))
        #expect((data.answerPart, data.isAnswerCut) == (0, true))
        #expect(data.answer == [0xBB, 0xCC])
        data.separate()
        try data.begin(bytes("00DA000001DD"))
        try data.end(bytes("EE9000"))
        #expect((data.commandPart, data.isCommandCut) == (nil, false))
        #expect((data.answerPart, data.isAnswerCut) == (nil, false))
    }

    @Test func `An announcement without data leaves the fetched answer whole`() throws {
        var data = AssembledData()
        try data.begin(bytes("00B0000000"))
        try data.end(bytes("6102"))
        data.separate()
        try data.begin(bytes("00C0000002"))
        try data.end(bytes("BBCC9000"))
        #expect((data.answerPart, data.isAnswerCut) == (nil, false))
    }
}

@Suite struct HiddenValueTests {
    @Test
    func `A secret that is cut is hidden up to the dots, and values that overlap leave nothing between them`()
    {
        var mask = SecretMask(target: "x")
        mask.addSecret([0xC0, 0xFF, 0xEE, 0x11, 0x22, 0x33])
        mask.addHidden([0x22, 0x33, 0x44, 0x55])
        #expect(mask.mask(text: "got C0FFEE1122... (6 bytes)") == "got **********... (6 bytes)")
        #expect(mask.mask(text: "got C0FFEE1122") == "got C0FFEE1122")
        #expect(mask.mask(text: "C0FFEE1122334455") == "****************")
    }

    @Test func `Values that steps hide are remembered, but no value that is one byte over and over`() {
        var mask = SecretMask(target: "x")
        mask.addHidden([0, 0, 0, 0])
        mask.addHidden([1, 2, 3])
        for number in 0...UInt8.max { mask.addHidden([0xAA, 0xBB, 0xCC, number]) }
        mask.addHidden([0xAA, 0xBB, 0xCD, 0])
        #expect(mask.mask(text: "00000000 010203") == "00000000 010203")
        #expect(mask.mask(text: "AABBCC00 AABBCC01 AABBCD00") == "AABBCC00 ******** ********")
    }
}
