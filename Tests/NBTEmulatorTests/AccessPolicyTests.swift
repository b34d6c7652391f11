// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Access policy of the chip")
struct AccessPolicyTests {
    @Test(
        "the starting tables are the vendor's",
        arguments: ["delivery", "adt", "pass-through", "brand-protection"]
    )
    func tables(state: String) throws {
        let bench = try ChipBench(["state": state])
        let expected = try ChipBench.fixture("access-tables.json").first { $0["id"]?.string == state }
        #expect(bench.chip.contents(of: .accessPolicy)?.hex == expected?["data"]?.string)
    }

    @Test(
        "the capability container mirrors the NFC rights",
        arguments: [("delivery", "delivery"), ("adt", "adt"), ("pass-through", "all-closed")]
    )
    func container(row: (state: String, tail: String)) throws {
        let bench = try ChipBench(["state": row.state])
        let bytes = try #require(bench.chip.contents(of: .capabilityContainer))
        let expected = try ChipBench.fixture("container-tails.json").first { $0["id"]?.string == row.tail }
        #expect(bytes.prefix(15).hex == "002F20010000FF0406E10410000000")
        #expect(bytes.dropFirst(15).hex == expected?["data"]?.string)
    }

    @Test("each right of the transfer profile holds on each face", arguments: ChipBench.Face.allCases)
    func transferProfile(face: ChipBench.Face) throws {
        let bench = try ChipBench(["state": "adt"])
        try bench.open(face)
        let rights: [(String, i2c: (Bool, Bool), nfc: (Bool, Bool))] = [
            ("E103", (true, false), (true, false)), ("E104", (true, true), (true, false)),
            ("E1A1", (true, false), (true, true)), ("E1A2", (true, true), (true, false)),
            ("E1A3", (false, false), (false, false)), ("E1A4", (false, false), (false, false)),
        ]
        for (file, i2c, nfc) in rights {
            let (mayRead, mayWrite) = face == .nfc ? nfc : i2c
            #expect(try bench.send("00A4000C02\(file)", over: face) == "9000")
            let read = try bench.send("00B0000001", over: face)
            #expect(mayRead ? read.hasSuffix("9000") : read == "6982", "\(file)")
            let update = try bench.send("00D6002001AA", over: face)
            #expect(update == (mayWrite ? "9000" : "6982"), "\(file)")
        }
    }

    @Test("a changed record counts at once, for its interface only")
    func changedRecord() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1AF", over: .nfc) == "9000")
        #expect(try bench.send("00D6000006E1A240404000", over: .nfc) == "9000")
        #expect(try bench.send("00A4000C02E1A2", over: .nfc) == "9000")
        #expect(try bench.send("00D6000001AA", over: .nfc) == "6982")
        #expect(try bench.send("00B0000001", over: .nfc) == "009000")
        try bench.open(.i2c)
        #expect(try bench.send("00A4000C02E1A2", over: .i2c) == "9000")
        #expect(try bench.send("00D6000001AA", over: .i2c) == "9000")
        #expect(try bench.send("00B0000001", over: .i2c) == "AA9000")
    }

    @Test("the policy file obeys its own record")
    func policyLocksItself() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        #expect(try bench.send("00A4000C02E1AF", over: .nfc) == "9000")
        #expect(try bench.send("00D6000006E1AF40404000", over: .nfc) == "9000")
        #expect(try bench.send("00D6000006E1A140404000", over: .nfc) == "6982")
        try bench.open(.i2c)
        #expect(try bench.send("00A4000C02E1AF", over: .i2c) == "9000")
        #expect(try bench.send("00D6000006E1A140404000", over: .i2c) == "9000")
    }

    @Test("a right behind a password is closed without it", arguments: ChipBench.Face.allCases)
    func passwordRight(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        #expect(try bench.send("00A4000C02E1AF", over: face) == "9000")
        #expect(try bench.send("00D6000006E1A181828384", over: face) == "9000")
        #expect(try bench.send("00A4000C02E1A1", over: face) == "9000")
        #expect(try bench.send("00B0000001", over: face) == "6982")
        #expect(try bench.send("00D6000001AA", over: face) == "6982")
    }
}
