// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Personalization of the chip")
struct PersonalizationTests {
    private static let sampleKey = "3A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5"

    @Test(
        "PERSONALIZE DATA",
        arguments: [
            ("00E2000013A00110373F5060409BA014B69A627622F23B59", "9000"),
            ("00E2000023A00220\(sampleKey)", "9000"), ("00E200000CA00309051122334412340003", "9000"),
            ("00E2000006E10403AABBCC", "9000"), ("00E2000006E1A103AABBCC", "9000"),
            ("00E2000006E1A403AABBCC", "9000"), ("00E2000008E1A1FF0003AABBCC", "9000"),
            ("00E2000013A001FF000E\("00" * 14)", "6A80"),
            // Lengths.
            ("00E2000012A0010F\("11" * 15)", "6A80"), ("00E2000014A00111\("11" * 17)", "6A80"),
            ("00E2000022A0021F\("11" * 31)", "6A80"), ("00E200000BA003080511223344123400", "6A80"),
            ("00E2000012A00110\("11" * 15)", "6A80"), ("00E2000014A00110\("11" * 17)", "6A80"),
            ("00E2000002A001", "6A80"), ("00E2000003E1A100", "6A80"), ("00E2000005E1A1FF0003", "6A80"),
            ("00E2000004E1A1FF00", "6A80"), ("00E2000000", "6700"), ("00E20000", "6700"),
            // No key of the curve.
            ("00E2000023A00220\("00" * 32)", "6A80"), ("00E2000023A00220\("FF" * 32)", "6A80"),
            // Passwords.
            ("00E200000CA00309051122334400000003", "6A80"), ("00E200000CA003090511223344FFFF0003", "6A80"),
            ("00E200000CA00309001122334412340003", "6A80"), ("00E200000CA00309051122334412340080", "6A80"),
            // Groups that there are not.
            ("00E2000006E10303AABBCC", "6A88"), ("00E2000006E1A503AABBCC", "6A88"),
            ("00E2000004A0040111", "6A88"),
            ("00E2000103A00100", "6A86"), ("00E2010003A00100", "6A86"),
            ("00E2000006E1A103AABBCC00", "6A80"), ("00E2000000000CA00309051122334412340003", "6700"),
            // The policy.
            ("00E200002DE1AF2A\(AccessProfile.asynchronousDataTransfer.hex)", "9000"),
            ("00E200002CE1AF29\(AccessProfile.delivery.dropLast().hex)", "6A80"),
            ("00E200002DE1AF2AE10441414141\(AccessProfile.delivery.dropFirst(6).hex)", "6A80"),
            (
                "00E200002DE1AF2A\(AccessProfile.delivery.suffix(6).hex)\(AccessProfile.delivery.dropLast(6).hex)",
                "6A80"
            ),
            // The end.
            ("00E2000004BF630100", "6A80"), ("00E2000003BF6300", "9000"),
        ],
        ChipBench.Face.allCases
    )
    func personalize(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        try bench.run([(row.0, row.1)], over: face)
    }

    @Test("what is personalized is there")
    func contents() throws {
        let bench = try ChipBench(["ecc-key": "none", "cott-key": "none", "user-file-fill": "55"])
        try bench.open(.nfc)
        try bench.run(
            [
                ("0088000008001122334455667700", "6985"), ("00E2000023A00220\(Self.sampleKey)", "9000"),
                ("00E2000006E1A203AABBCC", "9000"), ("00E2000005E10402CCDD", "9000"),
                ("00E200000CA003091F1122334412340003", "9000"),
                ("00E200000CA003091F1122334412340003", "6985"),
                ("00E200002DE1AF2A\(AccessProfile.brandProtection.hex)", "9000"),
                ("00A4000C02E1A2", "9000"), ("00B0000001", "6982"),
            ],
            over: .nfc
        )
        #expect(bench.chip.contents(of: .file2)?.prefix(4).hex == "AABBCC55")
        #expect(bench.chip.contents(of: .ndef)?.prefix(3).hex == "CCDD00")
        #expect(bench.chip.contents(of: .accessPolicy) == AccessProfile.brandProtection)
        #expect(try bench.send("0088000008001122334455667700", over: .nfc).hasSuffix("9000"))
    }

    @Test("files are personalized whatever their rights are")
    func ignoresRights() throws {
        let bench = try ChipBench(["state": "brand-protection"])
        try bench.open(.nfc)
        try bench.run([("00E2000004E1A10142", "9000")], over: .nfc)
        #expect(bench.chip.contents(of: .file1)?.first == 0x42)
    }

    @Test(
        "FINALIZE ends it for good, and leaves policy and passwords changeable",
        arguments: ChipBench.Face.allCases
    )
    func finalize(face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        try bench.run(
            [
                ("00E2000004E1A10142", "9000"), ("00E2000003BF6300", "9000"), ("00E2000003BF6300", "6985"),
                ("00E2000023A00220\(Self.sampleKey)", "6985"), ("00E2000004E1A10143", "6985"),
                ("00A4000C02E1AF", "9000"), ("00D6000006E1A140004040", "9000"),
                ("00E1000009051122334412340003", "9000"),
                (ChipBench.selectConfigurator, "9000"), ("2030000002C021", "C02102C33C9000"),
                ("2020000005C021025AA5", "6985"),
            ],
            over: face
        )
        #expect(bench.chip.contents(of: .file1)?.first == 0x42)
        bench.reset()
        try bench.open(face)
        try bench.run([("00E2000004E1A10143", "6985")], over: face)
    }

    @Test("a chip may start in the operational state")
    func operational() throws {
        let bench = try ChipBench(["life-cycle": "operational"])
        try bench.open(.nfc)
        try bench.run(
            [
                ("00E2000004E1A10142", "6985"), ("00E2000003BF6300", "6985"),
                (ChipBench.selectConfigurator, "9000"), ("2030000002C021", "C02102C33C9000"),
                ("2020000004C0300104", "9000"),
            ],
            over: .nfc
        )
    }

    @Test("options say what the operational state closes and clears")
    func operationalOptions() throws {
        let bench = try ChipBench(["configurator-operational": "closed", "finalize-files": "clear"])
        try bench.open(.nfc)
        try bench.run(
            [
                ("00E2000004E1A40142", "9000"), (ChipBench.selectConfigurator, "9000"),
                ("2020000004C0300104", "9000"), (ChipBench.selectTag, "9000"), ("00E2000003BF6300", "9000"),
                (ChipBench.selectConfigurator, "9000"), ("2020000004C0300103", "6985"),
                ("2030000002C030", "C03001049000"),
            ],
            over: .nfc
        )
        #expect(bench.chip.contents(of: .file4)?.first == 0x00)
    }

    @Test("the variant without ECC takes no key and signs nothing")
    func withoutECC() throws {
        let bench = try ChipBench(["variant": "nbt1000"])
        try bench.open(.nfc)
        try bench.run(
            [
                ("00E2000023A00220\(Self.sampleKey)", "6985"), ("0088000008001122334455667700", "6985"),
                ("00E2000013A00110373F5060409BA014B69A627622F23B59", "9000"),
                (ChipBench.selectConfigurator, "9000"),
                ("2030000002C020", "C02010\(Array("NBT1000         ".utf8).hex)9000"),
            ],
            over: .nfc
        )
    }
}

/// Repeats hex text.
private func * (text: String, count: Int) -> String { String(repeating: text, count: count) }
