// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Passwords of the chip")
struct PasswordTests {
    /// A chip whose FILE_1 is read with password 1 (`11223344`) and written with password 2 (`55667788`), on both faces.
    private func protected(
        _ options: [String: String] = [:],
        limit: String = "0003",
        over face: ChipBench.Face = .nfc
    ) throws -> ChipBench {
        let bench = try ChipBench(options)
        try bench.open(face)
        try bench.run(
            [
                ("00E1000009011122334412A1\(limit)", "9000"), ("00E1000009025566778812A2\(limit)", "9000"),
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A181828182", "9000"),
            ],
            over: face
        )
        return bench
    }

    @Test(
        "open the file for what they were presented for, and nothing else",
        arguments: ChipBench.Face.allCases
    )
    func presented(face: ChipBench.Face) throws {
        let bench = try protected(over: face)
        try bench.run(
            [
                ("00A4000C02E1A1", "9000"), ("00B0000001", "6982"), ("00D6000001AA", "6982"),
                ("00A4000C08E1A152041122334400", "520212A19000"), ("00B0000001", "009000"),
                ("00D6000001AA", "6982"),
                ("00A4000C08E1A154045566778800", "540212A29000"), ("00B0000001", "6982"),
                ("00D6000001AA", "9000"),
                ("00A4000C0EE1A152041122334454045566778800", "520212A1540212A29000"),
                ("00B0000001", "AA9000"),
                ("00D6000001BB", "9000"),
                // The passwords of the two rights are not each other's.
                ("00A4000C08E1A152045566778800", "520200009000"), ("00B0000001", "6982"),
            ],
            over: face
        )
    }

    @Test("count until another file or application is selected, or the power goes")
    func scope() throws {
        let bench = try protected()
        let present = ("00A4000C08E1A152041122334400", "520212A19000")
        try bench.run(
            [present, ("00A4000C02E1A2", "9000"), ("00A4000C02E1A1", "9000"), ("00B0000001", "6982")],
            over: .nfc
        )
        try bench.run(
            [present, (ChipBench.selectTag, "9000"), ("00A4000C02E1A1", "9000"), ("00B0000001", "6982")],
            over: .nfc
        )
        try bench.run([present], over: .nfc)
        try bench.open(.nfc)
        try bench.run([("00A4000C02E1A1", "9000"), ("00B0000001", "6982")], over: .nfc)
        // A SELECT that fails leaves them.
        try bench.run([present, ("00A4000C02E1A9", "6A82"), ("00B0000001", "009000")], over: .nfc)
    }

    @Test("with `password-lasts` application they count in other files of the same password")
    func applicationScope() throws {
        let bench = try protected(["password-lasts": "application"])
        try bench.run(
            [
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A281828182", "9000"),
                ("00A4000C08E1A152041122334400", "520212A19000"),
                ("00A4000C02E1A2", "9000"), ("00B0000001", "009000"), ("00D6000001AA", "6982"),
                (ChipBench.selectTag, "9000"), ("00A4000C02E1A2", "9000"), ("00B0000001", "6982"),
            ],
            over: .nfc
        )
    }

    @Test(
        "block after their limit of wrong values, until they are unblocked",
        arguments: ChipBench.Face.allCases
    )
    func blocking(face: ChipBench.Face) throws {
        let bench = try protected(over: face)
        let wrong = ("00A4000C08E1A15204DEADBEEF00", "520200009000")
        try bench.run(
            [
                wrong, wrong, wrong,
                ("00A4000C08E1A152041122334400", "5202FFFF9000"), ("00B0000001", "6982"),
                // The other password is not touched.
                ("00A4000C08E1A154045566778800", "540212A29000"),
                ("0024004155667788", "6700"), ("002400410455667788", "6985"),
                ("00240001", "9000"),
                ("00A4000C08E1A152041122334400", "520212A19000"), ("00B0000001", "009000"),
            ],
            over: face
        )
        #expect(try bench.send("00B0000001", over: face) == "009000", "a password that was unblocked counts")
        #expect(try bench.send("00D6000001AA", over: face) == "6982", "and for its own right alone")
    }

    @Test("the right value restores the tries")
    func restoring() throws {
        let bench = try protected()
        let wrong = ("00A4000C08E1A15204DEADBEEF00", "520200009000")
        let right = ("00A4000C08E1A152041122334400", "520212A19000")
        try bench.run([wrong, wrong, right, wrong, wrong, right, wrong, wrong, wrong], over: .nfc)
        try bench.run([("00A4000C08E1A152041122334400", "5202FFFF9000")], over: .nfc)
    }

    @Test("the right value leaves the tries with `password-success` keep")
    func keeping() throws {
        let bench = try protected(["password-success": "keep"])
        let wrong = ("00A4000C08E1A15204DEADBEEF00", "520200009000")
        let right = ("00A4000C08E1A152041122334400", "520212A19000")
        try bench.run([wrong, wrong, right, wrong], over: .nfc)
        try bench.run([("00A4000C08E1A152041122334400", "5202FFFF9000")], over: .nfc)
    }

    @Test("the counter survives the loss of power")
    func counterIsKept() throws {
        let bench = try protected()
        for _ in 0..<3 {
            try bench.open(.nfc)
            try bench.run([("00A4000C08E1A15204DEADBEEF00", "520200009000")], over: .nfc)
        }
        try bench.open(.i2c)
        try bench.run([("00A4000C08E1A152041122334400", "5202FFFF9000")], over: .i2c)
    }

    @Test("the limit FFFF never blocks")
    func unlimited() throws {
        let bench = try protected(limit: "FFFF")
        for _ in 0..<200 {
            try bench.run([("00A4000C08E1A15204DEADBEEF00", "520200009000")], over: .nfc)
        }
        try bench.run([("00A4000C08E1A152041122334400", "520212A19000")], over: .nfc)
    }

    @Test("a right that no password rules looks at none")
    func unneeded() throws {
        let bench = try protected()
        for _ in 0..<5 { try bench.run([("00A4000C08E1A25204DEADBEEF00", "9000")], over: .nfc) }
        try bench.run([("00B0000001", "009000")], over: .nfc)
    }

    @Test("a policy may name a password that nobody created; nothing opens it then")
    func missing() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        try bench.run(
            [
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A187878787", "9000"),
                ("00A4000C08E1A152040000000000", "520200009000"), ("00B0000001", "6982"),
            ],
            over: .nfc
        )
    }

    @Test(
        "what SELECT answers is an option",
        arguments: [("tagged", "520212A1540200009000"), ("bare", "12A100009000"), ("none", "9000")]
    )
    func responseForm(row: (form: String, answer: String)) throws {
        let bench = try protected(["password-response": row.form])
        try bench.run([("00A4000C0EE1A1520411223344540400000000", row.answer)], over: .nfc)
        try bench.run([("00B0000001", "009000"), ("00D6000001AA", "6982")], over: .nfc)
    }

    @Test(
        "how a wrong value ends is an option; what refuses selects nothing",
        arguments: [
            ("9000", ["520200009000", "520200009000", "520200009000", "5202FFFF9000"]),
            ("6982", ["6982", "6982", "6982", "6982"]), ("63CX", ["63C2", "63C1", "63C0", "6982"]),
        ]
    )
    func wrongValue(row: (form: String, answers: [String])) throws {
        let bench = try protected(["wrong-password": row.form])
        try bench.run([("00A4000C02E1A2", "9000")], over: .nfc)
        for answer in row.answers { try bench.run([("00A4000C08E1A15204DEADBEEF00", answer)], over: .nfc) }
        try bench.run([("00B0000001", row.form == "9000" ? "6982" : "009000")], over: .nfc)
    }

    // MARK: Commands

    @Test(
        "CREATE PASSWORD",
        arguments: [
            ("00E1000009051122334412340003", "9000"), ("00E10000091F112233441234007F", "9000"),
            ("00E100000905112233441234FFFF", "9000"), ("00E100000DA1A2A3A4051122334412340003", "9000"),
            ("00E1000109051122334412340003", "6A86"), ("00E1010009051122334412340003", "6A86"),
            ("00E10000080511223344123400", "6700"), ("00E100000A05112233441234000300", "6700"),
            ("00E100000905112233441234000300", "6700"), ("00E10000", "6700"),
            ("00E100000000090511223344123400", "6700"),
            ("00E1000009051122334400000003", "6A80"), ("00E10000090511223344FFFF0003", "6A80"),
            ("00E1000009001122334412340003", "6A80"), ("00E1000009201122334412340003", "6A80"),
            ("00E1000009051122334412340000", "6A80"), ("00E1000009051122334412340080", "6A80"),
            ("00E1000009051122334412347FFF", "6A80"), ("00E100000905112233441234FFFE", "6A80"),
            ("00E1000009011122334412340003", "6985"),
        ],
        ChipBench.Face.allCases
    )
    func create(row: (String, String), face: ChipBench.Face) throws {
        let bench = try protected(over: face)
        try bench.run([(row.0, row.1)], over: face)
    }

    @Test("there are 28 passwords at most")
    func capacity() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        for id in UInt8(1)...28 {
            try bench.run([("00E1000009\([id].hex)1122334412340003", "9000")], over: .nfc)
        }
        try bench.run(
            [
                ("00E10000091D1122334412340003", "6985"), ("00E2000000", "6700"),
                ("00E200000CA003091D1122334412340003", "6985"), ("00E4001C", "9000"),
                ("00E10000091D1122334412340003", "9000"),
            ],
            over: .nfc
        )
    }

    @Test(
        "DELETE PASSWORD",
        arguments: [
            ("00E40001", "9000"), ("00E4000104A1A2A3A4", "9000"), ("00E40003", "6A88"), ("00E40000", "6A88"),
            ("00E40101", "6A86"), ("00E4000100", "6700"), ("00E4000103A1A2A3", "6700"),
        ],
        ChipBench.Face.allCases
    )
    func delete(row: (String, String), face: ChipBench.Face) throws {
        let bench = try protected(over: face)
        try bench.run([(row.0, row.1)], over: face)
        try bench.run([("00E40001", row.1 == "9000" ? "6A88" : "9000")], over: face)
    }

    @Test(
        "CHANGE PASSWORD and UNBLOCK PASSWORD",
        arguments: [
            ("00240041049A9B9C9D", "9000"), ("0024004108A1A2A3A49A9B9C9D", "9000"), ("00240001", "9000"),
            ("0024000104A1A2A3A4", "9000"),
            ("00240141049A9B9C9D", "6A86"), ("00240081049A9B9C9D", "6A86"), ("002400C1049A9B9C9D", "6A86"),
            ("00240043049A9B9C9D", "6A88"), ("00240003", "6A88"), ("00240061049A9B9C9D", "6A88"),
            ("00240041039A9B9C", "6700"), ("00240041069A9B9C9D9E9F", "6700"), ("00240041", "6700"),
            ("00240041049A9B9C9D00", "6700"), ("0024000103A1A2A3", "6700"),
            ("0024000108A1A2A3A49A9B9C9D", "6700"),
        ],
        ChipBench.Face.allCases
    )
    func change(row: (String, String), face: ChipBench.Face) throws {
        let bench = try protected(over: face)
        try bench.run([(row.0, row.1)], over: face)
        let isChanged = row.1 == "9000" && row.0.hasPrefix("0024004")
        try bench.run(
            [("00A4000C08E1A152049A9B9C9D00", isChanged ? "520212A19000" : "520200009000")],
            over: face
        )
    }

    // MARK: Master password

    /// A chip whose policy is written with password 9 (`A1A2A3A4`, two tries) on both faces.
    private func mastered(_ options: [String: String] = [:]) throws -> ChipBench {
        let bench = try protected(options)
        try bench.run(
            [
                ("00E100000909A1A2A3A4129A0002", "9000"), ("00A4000C02E1AF", "9000"),
                ("00D6000006E1AF40894089", "9000"),
            ],
            over: .nfc
        )
        return bench
    }

    @Test("where a password rules the policy, each change of passwords needs it")
    func master() throws {
        let bench = try mastered()
        try bench.run(
            [
                ("00E1000009051122334412340003", "6982"), ("00E40001", "6982"),
                ("00240041049A9B9C9D", "6985"), ("00240001", "6985"),
                ("00E100000DA1A2A3A4051122334412340003", "9000"),
                ("0024004108A1A2A3A49A9B9C9D", "9000"), ("0024000104A1A2A3A4", "9000"),
                ("00A4000C08E1A152049A9B9C9D00", "520212A19000"),
                ("00E4000104A1A2A3A4", "9000"), ("00E40001", "6A88"),
                // It also opens the policy itself.
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A140404040", "6982"),
                ("00A4000C08E1AF5404A1A2A3A400", "5402129A9000"), ("00D6000006E1A140404040", "9000"),
            ],
            over: .nfc
        )
    }

    @Test("a wrong master password is refused, counts, and blocks")
    func wrongMaster() throws {
        let bench = try mastered()
        try bench.run(
            [
                ("00E100000DDEADBEEF051122334412340003", "6982"), ("00E4000104A1A2A3A4", "9000"),
                ("0024000204DEADBEEF", "6985"), ("0024004208DEADBEEF9A9B9C9D", "6985"),
                // Two in a row: blocked, for each of the commands and for itself.
                ("00E100000DA1A2A3A4051122334412340003", "6982"), ("0024000904A1A2A3A4", "6985"),
                ("0024004208A1A2A3A49A9B9C9D", "6985"), ("00E4000204A1A2A3A4", "6982"),
            ],
            over: .nfc
        )
        let told = try mastered(["wrong-master": "63C1"])
        try told.run([("0024000204DEADBEEF", "63C1"), ("00240002", "6985")], over: .nfc)
    }

    @Test("the rights of the other face do not count")
    func masterOfOneFace() throws {
        let bench = try protected()
        try bench.run(
            [("00A4000C02E1AF", "9000"), ("00D6000006E1AF40404089", "9000"), ("00240001", "6985")],
            over: .nfc
        )
        try bench.open(.i2c)
        try bench.run([("00240001", "9000"), ("00E40002", "9000")], over: .i2c)
    }

    @Test("a policy that nobody may write needs no master password")
    func lockedPolicy() throws {
        let bench = try protected()
        try bench.run(
            [("00A4000C02E1AF", "9000"), ("00D6000006E1AF40004000", "9000"), ("00240001", "9000")],
            over: .nfc
        )
    }

    @Test("the highest limit is an option")
    func highestLimit() throws {
        let bench = try ChipBench(["password-limit": "32767"])
        try bench.open(.nfc)
        try bench.run(
            [("00E10000091F1122334412347FFF", "9000"), ("00E10000091E1122334412348000", "6A80")],
            over: .nfc
        )
    }

    @Test("are unknown to the configurator and before a selection")
    func elsewhere() throws {
        let bench = try ChipBench()
        bench.chip.nfc.powerOn()
        try bench.run(
            [
                ("00E1000009051122334412340003", "6D00"), ("00E40005", "6D00"), ("00240005", "6D00"),
                (ChipBench.selectConfigurator, "9000"), ("00E1000009051122334412340003", "6A00"),
            ],
            over: .nfc
        )
    }
}
