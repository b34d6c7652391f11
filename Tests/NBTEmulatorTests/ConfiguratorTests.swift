// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Configurator of the chip")
struct ConfiguratorTests {
    @Test(
        "each setting can be read, with its length",
        arguments: [
            ("C020", 16), ("C021", 2), ("C022", 8), ("C02F", 2), ("C030", 1), ("C031", 1), ("C032", 1),
            ("C033", 1), ("C034", 1), ("C040", 4), ("C041", 1), ("C042", 1), ("C050", 14), ("C051", 1),
            ("C053", 1), ("C060", 1), ("C061", 1), ("C062", 1),
        ]
    )
    func reading(row: (tag: String, count: Int)) throws {
        let bench = try ChipBench()
        try bench.open(.i2c)
        try bench.run([(ChipBench.selectConfigurator, "9000")], over: .i2c)
        let answer = try bench.send("2030000002\(row.tag)", over: .i2c)
        #expect(answer.hasPrefix(row.tag + [UInt8(row.count)].hex))
        #expect(answer.count == 2 * (3 + row.count + 2))
        #expect(answer.hasSuffix("9000"))
    }

    @Test(
        "values that there are not are refused, all others taken and told",
        arguments: [
            ("C02F02AC95", true), ("C02F02FFFF", true), ("C02F020000", false),
            ("C0300101", true), ("C0300104", true), ("C0300100", false), ("C0300105", false),
            ("C0310101", true), ("C0310102", true), ("C0310103", false), ("C0320102", true),
            ("C0320100", false),
            ("C0330103", true), ("C0330104", false), ("C0340103", true), ("C0340100", false),
            ("C04004000003E8", true), ("C0410102", true), ("C0410103", false), ("C0420101", true),
            ("C0420100", false), ("C0500E0102030405060708090A0B0C0D0E", true), ("C05101FF", true),
            ("C0530101", true), ("C0530102", false), ("C0600101", true), ("C0600110", true),
            ("C0600111", true),
            ("C0600100", false), ("C0610101", true), ("C0620105", true), ("C040030000E8", false),
            ("C030020101", false), ("C03000", false), ("C0520101", false),
        ],
        ChipBench.Face.allCases
    )
    func values(row: (setting: String, isTaken: Bool), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        let tag = String(row.setting.prefix(4))
        let count = [UInt8(row.setting.count / 2)].hex
        try bench.run([(ChipBench.selectConfigurator, "9000")], over: face)
        let before = try bench.send("2030000002\(tag)", over: face)
        try bench.run([("20200000\(count)\(row.setting)", row.isTaken ? "9000" : "6A80")], over: face)
        try bench.run([("2030000002\(tag)", row.isTaken ? "\(row.setting)9000" : before)], over: face)
    }

    @Test(
        "what nobody writes is refused, and so is the flash loader once it is off",
        arguments: ["C02010\(String(repeating: "41", count: 16))", "C02102C33C", "C022080000000000000001"]
    )
    func fixed(setting: String) throws {
        let bench = try ChipBench()
        try bench.open(.i2c)
        let count = [UInt8(setting.count / 2)].hex
        try bench.run(
            [
                (ChipBench.selectConfigurator, "9000"), ("20200000\(count)\(setting)", "6985"),
                ("2020000005C02F02FFFF", "9000"), ("2020000005C02F02AC95", "6985"),
                ("2020000005C02F02FFFF", "9000"),
            ],
            over: .i2c
        )
    }

    @Test("the setting that fits no short answer is refused with a length")
    func longSetting() throws {
        let bench = try ChipBench()
        try bench.open(.i2c)
        try bench.run([(ChipBench.selectConfigurator, "9000"), ("2030000002C052", "6700")], over: .i2c)
    }

    @Test(
        "an interface that is switched off is dead after the reset, and not before",
        arguments: [("01", ChipBench.Face.nfc), ("10", .i2c)]
    )
    func lockOut(row: (value: String, dead: ChipBench.Face)) throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        try bench.run(
            [
                (ChipBench.selectConfigurator, "9000"), ("2020000004C06001\(row.value)", "9000"),
                (ChipBench.selectTag, "9000"),
            ],
            over: .nfc
        )
        bench.reset()
        #expect(
            bench.chip.i2cMuteReason
                == (row.dead == .i2c ? "the configuration (tag C060) has I2C switched off" : nil)
        )
        bench.chip.nfc.powerOn()
        #expect(try bench.send(ChipBench.selectTag, over: .nfc) == (row.dead == .nfc ? "mute" : "9000"))
        bench.chip.nfc.powerOff()
        #expect(try bench.send(ChipBench.selectTag, over: .i2c) == (row.dead == .i2c ? "mute" : "9000"))
    }

    @Test("the UID is fixed, or a random one with each field")
    func uidKind() throws {
        let bench = try ChipBench(["uid": "05112233445566", "atqa": "0403", "sak": "60", "ats": "0478807002"])
        bench.chip.nfc.powerOn()
        #expect(bench.chip.anticollision.uid.hex == "05112233445566")
        #expect(bench.chip.anticollision.atqa.hex == "0403")
        #expect(bench.chip.anticollision.sak == 0x60)
        #expect(bench.chip.anticollision.ats.hex == "0478807002")
        try bench.configure("C0530101")
        var seen: Set<[UInt8]> = []
        for _ in 0..<5 {
            bench.chip.nfc.powerOn()
            let uid = bench.chip.anticollision.uid
            #expect(uid.count == 4)
            #expect(uid.first == 0x08)
            seen.insert(uid)
        }
        #expect(seen.count == 5)
        #expect(bench.chip.uid.hex == "05112233445566")
        try bench.configure("C0530100")
        bench.chip.nfc.powerOn()
        #expect(bench.chip.anticollision.uid == bench.chip.uid)
    }

    @Test("the pin follows its function and its active level")
    func pin() throws {
        let bench = try ChipBench()
        // Off, active low: high whatever happens.
        try bench.configure("C0300101")
        bench.chip.nfc.powerOn()
        #expect(!bench.chip.isInterruptRaised)
        #expect(bench.chip.isPinHigh)
        // A field, active low.
        try bench.configure("C0300102")
        #expect(bench.chip.isPinHigh)
        bench.chip.nfc.powerOn()
        #expect(bench.chip.isInterruptRaised)
        #expect(!bench.chip.isPinHigh)
        bench.chip.nfc.powerOff()
        #expect(bench.chip.isPinHigh)
        // The same, active high; layer 4 is entered with the field.
        try bench.configure("C0310102", "C0340102")
        #expect(!bench.chip.isPinHigh)
        bench.chip.nfc.powerOn()
        #expect(bench.chip.isPinHigh)
        // Between two commands nothing is processed.
        try bench.configure("C0340103")
        bench.chip.nfc.powerOn()
        #expect(!bench.chip.isInterruptRaised)
    }

    @Test("settings at the start are an option, checked like those that are set")
    func startSettings() throws {
        let bench = try ChipBench(["configuration": "C0300104C06103010203C0400400000001"])
        try bench.open(.nfc)
        try bench.run(
            [
                (ChipBench.selectConfigurator, "9000"), ("2030000002C030", "C03001049000"),
                ("2030000002C061", "C061030102039000"), ("2020000006C06103040506", "9000"),
                ("2030000002C040", "C04004000000019000"),
            ],
            over: .nfc
        )
        let complaint = ChipBench.complaint(about:)
        #expect(
            complaint(["configuration": "C03001"])
                == "option 'configuration' ends too early in 'C03001'; write tag (2 bytes), length, value"
        )
        #expect(
            complaint(["configuration": "C030010401"])
                == "option 'configuration' ends too early in '01'; write tag (2 bytes), length, value"
        )
        for wrong in ["C0990101", "C0300105", "C03002", "C021025AA5", "C0520101"] {
            #expect(complaint(["configuration": wrong]).hasPrefix("option 'configuration' "), "\(wrong)")
        }
        let long = try ChipBench(["configuration": "C052FF0138\(String(repeating: "5A", count: 312))"])
        #expect(long.chip.core.withState { $0.memory.configuration[.rfHardware]?.first } == 0x5A)
    }
}
