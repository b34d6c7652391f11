// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard
import Synchronization
import Testing

@testable import NBTEmulator

@Suite("Power and faces of the chip")
struct ChipPowerTests {
    @Test("I2C is dead while the field is on, and says why")
    func fieldSilencesI2C() throws {
        let bench = try ChipBench()
        #expect(bench.chip.i2cMuteReason == nil)
        #expect(bench.chip.nfcMuteReason == "the NFC field is off")
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A4040007D276000085010100", over: .i2c) == "mute")
        #expect(bench.chip.i2cMuteReason == "the NFC field is on, and I2C does not answer until it is off")
        #expect(bench.chip.isFieldOn)
        bench.chip.nfc.powerOff()
        #expect(try bench.send("00A4040007D276000085010100", over: .i2c) == "9000")
    }

    @Test(
        "what NFC does with a command while one over I2C is carried out is an option",
        arguments: [("answers", 3), ("waits", 6), ("silent", nil)]
    )
    func concurrentCommands(row: (rule: String, milliseconds: Int?)) throws {
        let bench = try ChipBench([
            "nfc-during-i2c": row.rule, "i2c-in-field": "answers", "command-time": "3ms",
        ])
        bench.chip.nfc.powerOn()
        let select = try HexText.bytes("00A4040007D276000085010100")
        #expect(bench.chip.i2c.respond(to: select).time == .milliseconds(3))
        let answer = bench.chip.nfc.respond(to: select)
        #expect((answer.ending == .mute) == (row.milliseconds == nil))
        if let milliseconds = row.milliseconds { #expect(answer.time == .milliseconds(milliseconds)) }
        bench.clock.wait(.milliseconds(3))
        #expect(bench.chip.nfc.respond(to: select).time == .milliseconds(3))
    }

    @Test("an ATR in which no reader would see a card is refused", arguments: ["", "3B", "00", "3B01"])
    func noAnswerToReset(atr: String) {
        #expect(throws: EmulatorOptionError.self) { try ChipBench(["atr": atr]) }
    }

    @Test("what is selected is lost with the power, what is written is not")
    func powerLoss() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        #expect(try bench.send("00D6000001AA", over: .nfc) == "9000")
        bench.chip.nfc.powerOff()
        #expect(try bench.send("00B0000001", over: .nfc) == "mute")
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00B0000001", over: .nfc) == "6986")
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        #expect(try bench.send("00B0000001", over: .nfc) == "AA9000")
    }

    @Test(
        "a cut in a write leaves the first bytes",
        arguments: [(0, "000000"), (2, "AABB00"), (3, "AABBCC"), (9, "AABBCC")]
    )
    func cutWrite(row: (afterBytes: Int, content: String)) throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        bench.chip.cutDuringNextWrite(afterBytes: row.afterBytes)
        #expect(try bench.send("00B0000001", over: .nfc) == "009000")
        #expect(try bench.send("00D6000003AABBCC", over: .nfc) == "removed")
        #expect(try bench.send("00B0000001", over: .nfc) == "mute")
        #expect(bench.chip.contents(of: .file1)?.prefix(3).hex == row.content)
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        #expect(try bench.send("00D6000003112233", over: .nfc) == "9000")
    }

    @Test("a policy record is written whole or not at all")
    func cutPolicy() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1AF", over: .nfc) == "9000")
        bench.chip.cutDuringNextWrite(afterBytes: 4)
        #expect(try bench.send("00D6000006E1A100000000", over: .nfc) == "removed")
        #expect(bench.chip.contents(of: .accessPolicy) == AccessProfile.delivery)
    }

    @Test("a cut that its command did not reach is forgotten with the power")
    func unusedCut() throws {
        let bench = try ChipBench(["state": "adt"])
        try bench.open(.nfc)
        bench.chip.cutDuringNextWrite(afterBytes: 1)
        try bench.run([("00A4000C02E1A2", "9000"), ("00D6000002AABB", "6982")], over: .nfc)
        try bench.open(.nfc)
        try bench.run([("00A4000C02E1A1", "9000"), ("00D6000002AABB", "9000")], over: .nfc)
    }

    @Test("a cut touches no write over I2C")
    func cutIsForNFC() throws {
        let bench = try ChipBench()
        bench.chip.cutDuringNextWrite(afterBytes: 1)
        try bench.run(
            [(ChipBench.selectTag, "9000"), ("00A4000C02E1A1", "9000"), ("00D6000002AABB", "9000")],
            over: .i2c
        )
    }

    @Test(
        "what is no plain file content is written whole or not at all",
        arguments: [
            ("00E1000009051122334412340003", 4, "00E40005", "6A88"),
            ("00E1000009051122334412340003", 9, "00E40005", "9000"),
            ("00E200000CA00309051122334412340003", 8, "00E40005", "6A88"),
            ("00E2000003BF6300", 0, "00E2000004E1A10142", "9000"),
            ("00E2000003BF6300", 3, "00E2000004E1A10142", "6985"),
            ("00E2000006E1A103AABBCC", 2, "00A4000C02E1A1", "9000"),
        ]
    )
    func cutRecords(row: (command: String, after: Int, next: String, answer: String)) throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        bench.chip.cutDuringNextWrite(afterBytes: row.after)
        #expect(try bench.send(row.command, over: .nfc) == "removed")
        #expect(
            bench.chip.contents(of: .file1)?.prefix(3).hex
                == (row.command.contains("E1A103") ? "AABB00" : "000000")
        )
        try bench.open(.nfc)
        try bench.run([(row.next, row.answer)], over: .nfc)
    }

    @Test("a chip that the kit supplies ends its write, and goes on without a reset")
    func kitSupply() throws {
        let bench = try ChipBench(["supply": "kit"])
        try bench.open(.nfc)
        try bench.run([("00A4000C02E1A1", "9000")], over: .nfc)
        bench.chip.cutDuringNextWrite(afterBytes: 1)
        #expect(try bench.send("00D6000003AABBCC", over: .nfc) == "removed")
        #expect(bench.chip.contents(of: .file1)?.prefix(3).hex == "AABBCC")
        #expect(bench.chip.nfcMuteReason == "the NFC field is off")
        // A field that comes is no reset: the setting waits for the kit's.
        try bench.open(.nfc)
        try bench.run([(ChipBench.selectConfigurator, "9000"), ("2020000004C0600101", "9000")], over: .nfc)
        try bench.open(.nfc)
        bench.reset()
        bench.chip.nfc.powerOn()
        #expect(try bench.send(ChipBench.selectTag, over: .nfc) == "mute")
    }

    @Test("the I2C side may answer in the field, by option")
    func i2cInField() throws {
        let bench = try ChipBench(["i2c-in-field": "answers"])
        bench.chip.nfc.powerOn()
        #expect(bench.chip.i2cMuteReason == nil)
        try bench.run([(ChipBench.selectTag, "9000")], over: .i2c)
    }

    @Test("those who ask are told before the field comes or goes")
    func fieldHandlers() throws {
        let bench = try ChipBench()
        let seen = Mutex<[Bool]>([])
        let chip = bench.chip
        chip.onFieldChange { [weak chip] in
            let isOn = chip?.isFieldOn ?? false
            seen.withLock { $0.append(isOn) }
        }
        chip.nfc.powerOn()
        chip.i2c.powerOn()
        chip.nfc.powerOff()
        let expected = [false, true]
        #expect(seen.withLock { $0 } == expected)
    }

    @Test("an interface that the configuration switches off is off after the next reset")
    func interfaces() throws {
        let bench = try ChipBench()
        #expect(try bench.send("00A404000DD276000004150200000B00010100", over: .i2c) == "9000")
        #expect(try bench.send("2020000004C0600101", over: .i2c) == "9000")
        #expect(bench.chip.i2cMuteReason == nil)
        bench.chip.i2c.powerOff()
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A4040007D276000085010100", over: .nfc) == "mute")
        #expect(bench.chip.nfcMuteReason == "the configuration (tag C060) has NFC switched off")
    }

    @Test("commands take their time, writes more than reads")
    func times() throws {
        let bench = try ChipBench(["command-time": "2ms", "write-byte-time": "10us"])
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        let read = bench.chip.nfc.respond(to: try HexText.bytes("00B0000001"))
        #expect(read.time == .milliseconds(2))
        let update = bench.chip.nfc.respond(to: try HexText.bytes("00D6000003AABBCC"))
        #expect(update.time == .microseconds(2030))
    }

    @Test("options are honoured, and wrong ones refused with a sentence")
    func options() throws {
        let bench = try ChipBench([
            "atr": "3B00", "uid": "05112233445566", "unknown-instruction": "6E01", "implicit-select": "yes",
            "version": "02030405", "mle": "59", "mlc": "52",
        ])
        #expect(bench.chip.nfc.atr.hex == "3B00")
        #expect(bench.chip.uid.hex == "05112233445566")
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A4000C02E1A1", over: .nfc) == "9000")
        #expect(try bench.send("00FE0000", over: .nfc) == "6E01")
        #expect(try bench.send("0030DF3A00", over: .nfc) == "6F07DF3A04020304059000")
        #expect(bench.chip.contents(of: .capabilityContainer)?.prefix(7).hex == "002F20003B0034")
        let text = ChipBench.complaint(about:)
        #expect(
            text(["stat": "adt"]).hasPrefix("unknown option 'stat'; this emulator knows atqa, atr, ats, ")
        )
        #expect(
            text(["state": "new"])
                == "option 'state' is 'new', but takes one of delivery, adt, pass-through, brand-protection"
        )
        #expect(text(["uid": "05"]) == "option 'uid' has 1 bytes, but takes 7")
        #expect(text(["mle": "14"]) == "option 'mle' is '14', but takes a whole number from 15 to 65535")
        #expect(
            text(["command-time": "soon"])
                == "option 'command-time' is 'soon', but takes a duration such as 200ms or 1.5s"
        )
    }

    @Test("the same seed makes the same chip, another one another")
    func seeds() throws {
        let clock = ModelClock()
        let first = try NBTChip(seed: 7, clock: clock).uid
        #expect(try NBTChip(seed: 7, clock: clock).uid == first)
        #expect(try NBTChip(seed: 8, clock: clock).uid != first)
        #expect(first.count == 7)
        #expect(first[0] == 0x05)
    }

    @Test("random bytes on either face never harm the chip", arguments: ChipBench.Face.allCases)
    func randomCommands(face: ChipBench.Face) throws {
        var generator = SystemRandomNumberGenerator()
        let bench = try ChipBench()
        try bench.open(face)
        let card = face == .nfc ? bench.chip.nfc : bench.chip.i2c
        for _ in 0..<3000 {
            var command = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if command.count > 1, Bool.random(using: &generator) {
                command[0] = [0x00, 0x20].randomElement(using: &generator) ?? 0
                command[1] =
                    [0xA4, 0xB0, 0xD6, 0x30, 0x20, 0x88, 0xE1, 0xE2, 0xE4, 0x24, 0xBE]
                    .randomElement(using: &generator) ?? 0
            }
            let answer = card.respond(to: command)
            #expect(answer.bytes.count >= 2, "\(command.hex)")
        }
    }
}
