// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Saved state of the chip")
struct SavedStateTests {
    /// A chip that differs from a new one in all that is kept.
    private func changed() throws -> ChipBench {
        let bench = try ChipBench(["ndef": Array("cott=\(COTTLayout.placeholder)".utf8).hex], seed: 3)
        try bench.open(.nfc)
        try bench.run(
            [
                ("00E2000013A00110000102030405060708090A0B0C0D0E0F", "9000"),
                ("00E2000023A002203A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5", "9000"),
                ("00E1000009011122334412A10003", "9000"), ("00E1000009025566778812A2FFFF", "9000"),
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A181828182", "9000"),
                ("00A4000C08E1A15204DEADBEEF00", "520200009000"), ("00E2000004E1A30177", "9000"),
                ("00A4000C02E104", "9000"), ("00E2000003BF6300", "9000"),
                (ChipBench.selectConfigurator, "9000"), ("2020000004C0530101", "9000"),
            ],
            over: .nfc
        )
        bench.chip.nfc.powerOff()
        try bench.run([(ChipBench.selectTag, "9000"), ("00BEFF00", "9000")], over: .i2c)
        return bench
    }

    @Test("another chip goes on where the first one stopped")
    func goesOn() throws {
        let first = try changed()
        let text = first.chip.savedState
        let second = try ChipBench(seed: 99)
        try second.chip.restoreState(text)
        #expect(second.chip.savedState == text)
        #expect(second.chip.uid == first.chip.uid)
        for bench in [first, second] {
            bench.reset()
            try bench.open(.nfc)
            try bench.run(
                [
                    ("00E2000004E1A30178", "6985"), ("00A4000C02E1A3", "9000"), ("00B0000001", "779000"),
                    ("00A4000C08E1A15204DEADBEEF00", "520200009000"),
                    ("00A4000C08E1A15204DEADBEEF00", "520200009000"),
                    ("00A4000C08E1A152041122334400", "5202FFFF9000"),
                    ("00A4000C08E1A154045566778800", "540212A29000"),
                ],
                over: .nfc
            )
            #expect(bench.chip.anticollision.uid.count == 4)
            try bench.open(.i2c)
            try bench.run([("00BE007F", "6985")], over: .i2c)
        }
        let challenge = "0088000008001122334455667700"
        #expect(try first.send(challenge, over: .i2c) == second.send(challenge, over: .i2c))
    }

    @Test("tokens are not repeated after a restoration")
    func freshTokens() throws {
        let first = try changed()
        let text = first.chip.savedState
        func token(_ bench: ChipBench) throws -> String {
            try bench.open(.nfc)
            try bench.run([("00A4000C02E104", "9000")], over: .nfc)
            return try bench.send("00B0000040", over: .nfc)
        }
        let next = try token(first)
        let second = try ChipBench(seed: 3)
        try second.chip.restoreState(text)
        #expect(try token(second) == next)
        #expect(try token(second) != next)
    }

    @Test("a document is a JSON object with its version and the chip's own words")
    func document() throws {
        let json = try JSON(parsing: try changed().chip.savedState)
        #expect(json["nbt-chip"]?.integer == 1)
        #expect(json["variant"]?.string == "nbt2000")
        #expect(
            json["files"]?.members?.map(\.key) == ["E103", "E104", "E1A1", "E1A2", "E1A3", "E1A4", "E1AF"]
        )
        #expect(json["configuration"]?["C021"]?.string == "C33C")
        #expect(json["passwords"]?.array?.map { $0["tries-left"]?.integer } == [2, 65_535])
    }

    @Test("what is no saved chip is refused in a sentence, and changes nothing")
    func refusals() throws {
        let good = try changed().chip.savedState
        let wrong: [(String, String)] = [
            ("", "line 1, column 1: the saved chip is no JSON text: "),
            ("{}", "the saved state is not that of an NBT of this program"),
            (
                good.replacing("\"nbt-chip\": 1", with: "\"nbt-chip\": 2"),
                "the saved chip has version 2, this program reads 1; start without it"
            ),
            (
                good.replacing("nbt2000", with: "nbt1000"),
                "the saved chip is an 'nbt1000', the option 'variant' says 'nbt2000'"
            ),
            (
                good.replacing("\"C030\"", with: "\"C039\""),
                "the saved state is damaged at 'configuration.C039': no card saves it"
            ),
            (
                good.replacing("\"E1A2\": \"00", with: "\"E1A2\": \""),
                "the saved state is damaged at 'files.E1A2': it has"
            ),
            (
                good.replacing("\"E1A2\": \"00", with: "\"E1A2\": \"0G"),
                "the saved state is damaged at 'files.E1A2': it is no hex text"
            ),
            (
                good.replacing("E10440404040", with: "E10441414141"),
                "the saved state is damaged at 'files.E1AF': it is no access policy"
            ),
            (
                good.replacing("\"limit\": 3", with: "\"limit\": 1"),
                "the saved state is damaged at 'passwords[0].tries-left': it is"
            ),
            (
                good.replacing("\"backend-test-off\"", with: "\"backend\""),
                "the saved state is damaged at 'backend': no card saves it; start without it"
            ),
            (
                good.replacing(/"cott-key": [^,]+,/, with: ""),
                "the saved state is damaged at 'cott-key': it is missing; start without it"
            ),
            (
                good.replacing("\"ecc-key\": \"3A", with: "\"ecc-key\": \""),
                "the saved state is damaged at 'ecc-key': it has 31 bytes"
            ),
        ]
        let bench = try ChipBench()
        let before = bench.chip.savedState
        for (text, expected) in wrong {
            #expect(text != good)
            do {
                try bench.chip.restoreState(text)
                Issue.record("taken: \(expected)")
            } catch {
                #expect(error.description.hasPrefix(expected))
            }
        }
        #expect(bench.chip.savedState == before)
    }

    @Test("a UID that was asked for must be the saved one")
    func givenUID() throws {
        let text = try ChipBench(["uid": "05112233445566"]).chip.savedState
        let same = try ChipBench(["uid": "05112233445566"])
        try same.chip.restoreState(text)
        let other = try ChipBench(["uid": "05AABBCCDDEEFF"])
        #expect(
            throws: EmulatorOptionError(
                "the saved chip has the UID 05112233445566, the option 'uid' says 05AABBCCDDEEFF"
            )
        ) {
            try other.chip.restoreState(text)
        }
    }

    @Test("faces with power start anew")
    func facesStartAnew() throws {
        let bench = try ChipBench()
        let text = bench.chip.savedState
        try bench.open(.nfc)
        try bench.run([("00A4000C02E1A1", "9000")], over: .nfc)
        try bench.chip.restoreState(text)
        try bench.run([("00B0000001", "6986"), (ChipBench.selectTag, "9000")], over: .nfc)
    }
}
