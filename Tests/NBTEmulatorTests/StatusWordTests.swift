// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import Testing

@testable import NBTEmulator

@Suite("Status words of the chip")
struct StatusWordTests {
    @Test(
        "SELECT",
        arguments: [
            ("00A4040007D2760000850101", "9000"), ("00A4040007D276000085010100", "9000"),
            ("00A404000DD276000004150200000B000101", "9000"),
            ("00A404000DD276000004150200000B00010100", "9000"),
            ("00A4000C02E1A1", "9000"), ("00A4000C02E1A100", "9000"), ("00A4000C02E10300", "9000"),
            ("00A4000C02E1AF", "9000"), ("00A4000C08E1A152041122334400", "9000"),
            ("00A4000C0EE1A152041122334454045566778800", "9000"),
            ("00A4000C01E1", "6700"), ("00A4000C03E1A100", "6700"), ("00A4000C", "6700"),
            ("00A4000C00", "6700"),
            ("00A4000C02E1A101", "6700"), ("00A4000C000002E1A1", "6700"),
            ("00A4040004D2760000", "6700"), ("00A40400", "6700"), ("00A4040007D276000085010110", "6700"),
            ("00A4000C02E1A5", "6A82"), ("00A4000C023F00", "6A82"), ("00A4040007D276000085010200", "6A82"),
            ("00A4040005010203040500", "6A82"), ("00A4040005D27600008500", "6A82"),
            ("00A4000C08E1A153041122334400", "6A80"), ("00A4000C08E1A152031122334400", "6A80"),
            ("00A4000C0EE1A154041122334452045566778800", "6A80"),
            ("00A4000002E1A1", "6A86"), ("00A4040C07D2760000850101", "6A86"), ("00A4020C02E1A1", "6A86"),
        ],
        ChipBench.Face.allCases
    )
    func select(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send(row.0, over: face) == row.1)
    }

    @Test("SELECT of a file needs the tag application", arguments: ChipBench.Face.allCases)
    func selectWithoutApplication(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        bench.chip.nfc.powerOff()
        if face == .nfc { bench.chip.nfc.powerOn() }
        #expect(try bench.send("00A4000C02E1A1", over: face) == "6A82")
        #expect(try bench.send("00A404000DD276000004150200000B00010100", over: face) == "9000")
        #expect(try bench.send("00A4000C02E1A1", over: face) == "6A82")
    }

    @Test("a SELECT that fails leaves the selection as it was", arguments: ChipBench.Face.allCases)
    func failedSelect(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send("00A4000C02E1A1", over: face) == "9000")
        #expect(try bench.send("00A4000C02E1A9", over: face) == "6A82")
        #expect(try bench.send("00B0000001", over: face) == "009000")
        #expect(try bench.send("00A4040007D276000085010100", over: face) == "9000")
        #expect(try bench.send("00B0000001", over: face) == "6986")
    }

    @Test(
        "READ BINARY",
        arguments: [
            ("00B0000001", "009000"), ("00B003FF01", "009000"), ("00B003FF00", "009000"),
            ("00B003FE02", "00009000"), ("00B003FEFF", "00009000"),
            ("00B0040001", "6700"), ("00B0FFFF01", "6700"), ("00B00000", "6700"), ("00B00000000001", "6700"),
            ("00B0000001AA", "6700"), ("00B0000001AA01", "6700"),
        ],
        ChipBench.Face.allCases
    )
    func read(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send("00B0000001", over: face) == "6986")
        #expect(try bench.send("00A4000C02E1A1", over: face) == "9000")
        #expect(try bench.send(row.0, over: face) == row.1)
    }

    @Test(
        "READ BINARY with Le 00 gives 256 bytes, or all that the file has",
        arguments: ChipBench.Face.allCases
    )
    func readAll(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        for (file, count) in [("E1A1", 256), ("E104", 256), ("E103", 47), ("E1AF", 42)] {
            #expect(try bench.send("00A4000C02\(file)", over: face) == "9000")
            let answer = try bench.send("00B0000000", over: face)
            #expect(answer.count == 2 * count + 4)
            #expect(answer.hasSuffix("9000"))
        }
    }

    @Test(
        "UPDATE BINARY",
        arguments: [
            ("E1A1", "00D600000101", "9000"), ("E1A1", "00D603FF01AA", "9000"),
            ("E1A1", "00D603FE02AAAA", "9000"),
            ("E1A1", "00D60000", "6700"), ("E1A1", "00D6000001AA00", "6700"),
            ("E1A1", "00D60000000001AA", "6700"),
            ("E1A1", "00D603FF02AAAA", "6700"), ("E1A1", "00D6000001", "6700"),
            ("E1A1", "00D6040001AA", "6A86"), ("E1A1", "00D6FFFF01AA", "6A86"),
            ("E104", "00D6100001AA", "6A86"),
            ("E103", "00D6000F080506E1A104000000", "6982"),
            ("E1AF", "00D6000006E1A140004040", "9000"), ("E1AF", "00D6FFFF06E1A140004040", "9000"),
            ("E1AF", "00D6000006E1A14000409F", "9000"), ("E1AF", "00D6000006E1A540004040", "6A80"),
            ("E1AF", "00D6000005E1A1400040", "6A80"), ("E1AF", "00D6000006E1A141004040", "6A80"),
            ("E1AF", "00D6000006E1A180004040", "6A80"), ("E1AF", "00D6000007E1A14000404000", "6A80"),
        ],
        ChipBench.Face.allCases
    )
    func update(row: (file: String, command: String, answer: String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send(row.command, over: face) == "6986")
        #expect(try bench.send("00A4000C02\(row.file)", over: face) == "9000")
        #expect(try bench.send(row.command, over: face) == row.answer)
    }

    @Test("the head of the capability container stays as it is", arguments: ChipBench.Face.allCases)
    func containerHead(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        let before = bench.chip.contents(of: .capabilityContainer)
        #expect(try bench.send("00A4000C02E1AF", over: face) == "9000")
        #expect(try bench.send("00D6000006E10340404040", over: face) == "9000")
        #expect(try bench.send("00A4000C02E103", over: face) == "9000")
        for command in ["00D6000201AA", "00D6000E01AA", "00D6000102AAAA", "00D6000E02AAAA"] {
            #expect(try bench.send(command, over: face) == "6985")
        }
        #expect(bench.chip.contents(of: .capabilityContainer) == before)
        #expect(try bench.send("00D6000F080506E1A10400FFFF", over: face) == "9000")
        #expect(try bench.send("00D6002F01AA", over: face) == "6A86")
    }

    @Test(
        "GET DATA, and what the chip does not know",
        arguments: [
            ("0030DF3A00", "6F07DF3A04010100019000"),
            ("0030DF3B00", "6F0FDF3B0CC6021000C7020400C80202009000"),
            ("0030DF3C00", "6A86"), ("0030DF3A", "6700"), ("0030DF3A07", "6700"), ("0030DF3A01AA00", "6700"),
            ("00FF000000", "6D00"), ("00200000", "6D00"), ("80B0000001", "6E00"), ("38CA0000", "6E00"),
            ("01A4000C02E1A1", "6E00"), ("", "6700"), ("00", "6700"), ("00A404", "6700"),
        ],
        ChipBench.Face.allCases
    )
    func others(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send(row.0, over: face) == row.1)
    }

    @Test(
        "the configurator",
        arguments: [
            ("2030000002C060", "C06001119000"), ("2020000004C0300104", "9000"),
            ("2020000004C0600112", "6A80"),
            ("2020000004C0990111", "6A80"), ("2020000005C060021111", "6A80"), ("2020000004C0600211", "6A80"),
            ("2020000005C021025AA5", "6985"), ("2020000002C060", "6700"), ("20200000", "6700"),
            ("2020000104C0600111", "6A86"), ("2030000102C060", "6A86"), ("2030000003C06000", "6700"),
            ("2030000002C099", "6A80"), ("20FF0000", "6A00"), ("00B0000001", "6A00"), ("80300000", "6A00"),
        ],
        ChipBench.Face.allCases
    )
    func configurator(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send("00A404000DD276000004150200000B00010100", over: face) == "9000")
        #expect(try bench.send(row.0, over: face) == row.1)
    }

    @Test("values that nothing publishes are options")
    func unpublishedValues() throws {
        let bench = try ChipBench([
            "cc-version": "30", "cc-ndef-rights": "00FF", "memory-persistent": "258", "memory-reset": "772",
            "memory-deselect": "1286", "unknown-class": "6E01", "configurator-unknown": "6D00",
        ])
        try bench.open(.nfc)
        try bench.run(
            [
                ("80B0000001", "6E01"), ("0030DF3B00", "6F0FDF3B0CC6020102C7020304C80205069000"),
                ("00A4000C02E103", "9000"), ("00B000000F", "002F30010000FF0406E104100000FF9000"),
                (ChipBench.selectConfigurator, "9000"), ("20FF0000", "6D00"), ("00B0000001", "6D00"),
            ],
            over: .nfc
        )
    }
}
