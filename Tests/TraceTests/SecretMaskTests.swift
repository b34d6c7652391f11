// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import HostSystem
import JSONText
import Testing

@testable import Trace

@Suite("Secret mask")
struct SecretMaskTests {
    private func bytes(_ text: String) -> [UInt8] { TracedBytes(text: text)?.bytes ?? [] }

    private func shown(_ command: String, by mask: SecretMask) -> String {
        let bytes = bytes(command)
        return TracedBytes(bytes, hidden: mask.hiddenInCommand(bytes)).text
    }

    @Test("hides the PINs and codes of field case S36 and keeps the rest")
    func fieldCase() throws {
        let expectation = try Fixture.json("s36-expect.json")
        let counts = expectation["masked_bytes"]?.array?.compactMap(\.integer) ?? []
        let mask = SecretMask(target: nil)
        let reader = try TraceReader(bytes: try Fixture.bytes("s36-trace.jsonl"), name: "s36")
        var lines = ""
        var hidden: [Int] = []
        for record in try reader.rest() {
            guard case .exchange(let exchange) = record else { continue }
            let masked = exchange.masked(by: mask)
            hidden.append(masked.command.hiddenCount)
            lines += TraceRecord.exchange(masked).line
        }
        #expect(hidden == counts)
        for word in expectation["forbidden_anywhere"]?.array?.compactMap(\.string) ?? [] {
            #expect(!lines.contains(word))
        }
        for word in expectation["keep"]?.array?.compactMap(\.string) ?? [] {
            #expect(lines.contains(word))
        }
    }

    @Test("hides them in the file that a connection writes, and in faults and notes")
    func throughConnection() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/t.jsonl"
        let clock = ModelClock()
        let fault = TransportFault(.transport, "no answer to 00 20 00 81 08 31 32 33 34 35 36 FF FF")
        let inner = PlayedConnection(clock: clock, answers: [.success([0x90, 0]), .failure(fault)])
        let connection = TracingConnection(
            inner,
            writer: TraceWriter(path: path, header: TraceHeader()),
            clock: clock,
            masks: SecretMask(target: "x")
        )
        _ = try connection.transmit(bytes("0020008108313233343536FFFF"))
        _ = try? connection.transmit(bytes("0020008108313233343536FFFF"))
        connection.note("the PIN is 123456, or 313233343536")
        let summaries = connection.takeSummaries()
        connection.writer.finish()
        let text = String(decoding: try HostFile.read(path), as: UTF8.self)
        for secret in ["123456", "31323334", "31 32 33 34"] { #expect(!text.contains(secret)) }
        #expect(text.contains("0020008108****************"))
        #expect(text.contains("no answer to 00 20 00 81 08 ** ** ** ** ** ** ** **"))
        #expect(
            summaries.shown.map(\.command) == ["0020008108****************", "0020008108****************"]
        )
        #expect(summaries.shown.map(\.response) == ["9000", "transport"])
    }

    @Test(
        "hides the data of PIN commands in every class and in wrong ones",
        arguments: [
            ("10200081083132333435363738", "1020008108****************"),
            ("0C2000810431323334", "0C20008104********"), ("802C000104313233349F", "802C000104********9F"),
            ("00240001043132333400", "0024000104********00"),
            ("002000810000043132333400", "00200081000004**********"),
            ("00200081053132", "0020008105****"), ("FF82000006A0A1A2A3A4A5", "FF82000006************"),
            ("0020008100000431323334", "00200081000004********"),
        ]
    )
    func pinCommands(command: String, text: String) {
        #expect(shown(command, by: SecretMask(target: "nbt")) == text)
    }

    @Test(
        "leaves alone what is no secret",
        arguments: ["00200081", "0020008100", "00B0000010", "00A4000C02E104", "00"]
    )
    func openCommands(command: String) {
        #expect(shown(command, by: SecretMask(target: nil)) == command)
    }

    @Test("hides wallet fields on wallet cards only, long lengths and cut objects included")
    func walletFields() {
        let command = "00FB0000" + "00" + "000B" + "1004AABBCCDD" + "1103010203"
        let masked = "00FB0000" + "00" + "000B" + "1004********" + "1103******"
        #expect(shown(command, by: SecretMask(target: "tangem")) == masked)
        #expect(shown(command, by: SecretMask(target: "nbt")) == command)
        #expect(shown(command, by: SecretMask(target: nil)) == masked)
        #expect(
            shown("00F200000713FF0003AABBCC", by: SecretMask(target: "tangem")) == "00F200000713FF0003******"
        )
        #expect(shown("00F200000510200102AA", by: SecretMask(target: "tangem")) == "00F20000051020******")
        // Of an unknown card, what only looks a little like such a field stays.
        #expect(shown("00F200000510200102AA", by: SecretMask(target: nil)) == "00F200000510200102AA")
    }

    @Test(
        "hides passwords and keys of an NBT, on a chip and on an unknown card",
        arguments: [
            ("00A4000C08E1A152041122334400", "00A4000C08E1A15204********00"),
            ("00A4000C0EE1A152041122334454045566778800", "00A4000C0EE1A15204********5404********00"),
            ("00E1000009051122334412340003", "00E100000905************0003"),
            ("00E100000DA1A2A3A4051122334412340003", "00E100000D********05************0003"),
            ("00E4000504A1A2A3A4", "00E4000504********"), ("0024000504A1A2A3A4", "0024000504********"),
            ("0024004508A1A2A3A455667788", "0024004508****************"),
            ("00E2000005A00102AABB", "00E2000005A00102****"),
            ("00E2000005A00202AABB", "00E2000005A00202****"),
            ("00E200000CA00309051122334412340003", "00E200000CA0030905************0003"),
            ("00E2000007A001FF0002AABB", "00E2000007A001FF0002****"),
            ("00E200000EA003FF0009051122334412340003", "00E200000EA003FF000905************0003"),
        ]
    )
    func chipPasswords(command: String, text: String) {
        for target in ["nbt", nil, "iso7816"] {
            #expect(shown(command, by: SecretMask(target: target)) == text)
        }
        #expect(shown(command, by: SecretMask(target: "nbt", showsSecrets: true)) == command)
    }

    @Test(
        "hides what is malformed on an NBT whole, and leaves it on an unknown card",
        arguments: [
            ("00A4000C06E1A152FF1122", "00A4000C06E1A1********"), ("00E10000031122AA", "00E1000003******"),
            ("00E400050311AABB", "00E4000503******"), ("00E2000005A00109AABB", "00E2000005A001******"),
        ]
    )
    func brokenPasswords(command: String, text: String) {
        #expect(shown(command, by: SecretMask(target: "nbt")) == text)
        #expect(shown(command, by: SecretMask(target: nil)) == command)
    }

    @Test(
        "leaves alone what an NBT is told in the open",
        arguments: [
            "2020000004C0300104", "00A4000C02E1A1", "00A404000411223344", "00E2000005E1A1020102",
            "00E2000003BF6300", "00D6000006E1A240404081", "00880000041122334400",
        ]
    )
    func openChipCommands(command: String) {
        #expect(shown(command, by: SecretMask(target: "nbt")) == command)
    }

    @Test("hides the response of a right password, and tells a wrong one")
    func passwordResponses() {
        let select = bytes("00A4000C0EE1A152041122334454045566778800")
        let mask = SecretMask(target: "nbt")
        func answer(_ text: String, to command: [UInt8]) -> String {
            let response = bytes(text)
            return TracedBytes(response, hidden: mask.hiddenInResponse(response, to: command)).text
        }
        #expect(answer("52021234540200009000", to: select) == "5202****540200009000")
        #expect(answer("5202FFFF5402ABCD9000", to: select) == "5202FFFF5402****9000")
        #expect(answer("1234ABCD9000", to: select) == "********9000")
        #expect(answer("9000", to: select) == "9000")
        #expect(answer("520212349000", to: bytes("00A4000C02E1A100")) == "520212349000")
        #expect(answer("520212349000", to: bytes("00B0000004")) == "520212349000")
    }

    @Test("remembers the keys of an NBT, so that no message tells them")
    func learnedKeys() {
        var mask = SecretMask(target: "nbt")
        mask.learn(from: bytes("00E2000013A00110373F5060409BA014B69A627622F23B59"))
        #expect(
            mask.mask(text: "key 373f5060409ba014b69a627622f23b59") == "key ********************************"
        )
    }

    @Test("hides the values of named secrets wherever they occur")
    func namedSecrets() {
        var mask = SecretMask(target: "nbt")
        mask.addSecret([0xDE, 0xAD, 0xBE, 0xEF])
        mask.addSecret("geheim")
        mask.addSecret([1, 2, 3])
        #expect(shown("00D6000006DEADBEEF0102", by: mask) == "00D6000006********0102")
        let response = bytes("00DEADBEEFDEADBEEF9000")
        let hidden = mask.hiddenInResponse(response, to: [])
        #expect(TracedBytes(response, hidden: hidden).text == "00****************9000")
        #expect(
            mask.mask(text: "de:ad:be:ef, 0xDE 0xAD 0xBE 0xEF, deadbeef, geheim, 676568 65696d, 010203")
                == "**:**:**:**, 0x** 0x** 0x** 0x**, ********, ******, ****** ******, 010203"
        )
    }

    @Test("never hides a status word, and shows all when asked to")
    func limits() {
        var mask = SecretMask(target: "nbt")
        mask.addSecret([0x01, 0x02, 0x90, 0x00])
        let response = bytes("0A01029000")
        #expect(TracedBytes(response, hidden: mask.hiddenInResponse(response, to: [])).text == "0A****9000")
        var open = SecretMask(target: "tangem", showsSecrets: true)
        open.addSecret([0x31, 0x32, 0x33, 0x34])
        #expect(shown("0020008104313233349F", by: open) == "0020008104313233349F")
        #expect(open.mask(text: "31323334") == "31323334")
        var header = TraceHeader()
        header.showsSecrets = true
        #expect(header.line == "{\"trace\":1,\"secrets\":true}\n")
    }

    @Test("does not learn values that all test data has")
    func learning() {
        var mask = SecretMask(target: "nbt")
        mask.learn(from: bytes("002000010400000000"))
        mask.learn(from: bytes("002000010401020304"))
        #expect(mask.mask(text: "00000000 01020304") == "00000000 01020304")
    }

    @Test(
        "follows the rules of a step",
        arguments: [
            ("data(1..3)", "00D6000004AA****DD", "11****449000"),
            ("data(2..)", "00D6000004AABB****", "1122****9000"),
            ("data(0)", "00D6000004**BBCCDD", "**2233449000"), ("data", "00D6000004********", "********9000"),
            ("data(9..12)", "00D6000004AABBCCDD", "112233449000"),
        ]
    )
    func byteRules(rule: String, command: String, response: String) throws {
        var mask = SecretMask(target: "nbt")
        mask.rules = [try MaskRule(rule)]
        #expect(shown("00D6000004AABBCCDD", by: mask) == command)
        let answer = bytes("112233449000")
        #expect(TracedBytes(answer, hidden: mask.hiddenInResponse(answer, to: [])).text == response)
    }

    @Test(
        "finds data objects by path",
        arguments: [
            ("tlv.6F.84", "6F0884029999A5028801"), ("6F.A5.88", "6F088402AABBA5028801"),
            ("tlv.61(1).4F", "61034F01AA61034F01BB"), ("tlv.name", "61034F01AA"), ("9F816E", "9F816E02AABB"),
        ]
    )
    func pathRules(rule: String, data: String) throws {
        var mask = SecretMask(target: "nbt")
        mask.rules = [try MaskRule(rule) { $0 == "name" ? [0x61] : nil }]
        let response = bytes(data + "9000")
        let text = TracedBytes(response, hidden: mask.hiddenInResponse(response, to: [])).text
        let expected = [
            "tlv.6F.84": "6F088402****A50288019000", "6F.A5.88": "6F088402AABBA50288019000",
            "tlv.61(1).4F": "61034F01AA61034F01**9000", "tlv.name": "6103******9000",
            "9F816E": "9F816E02****9000",
        ]
        #expect(text == expected[rule])
    }

    @Test(
        "says what is wrong with a rule",
        arguments: ["data(", "data(x)", "data(3..1)", "tlv.", "tlv.GG", "6F..84", "1"]
    )
    func wrongRules(rule: String) {
        let error = #expect(throws: MaskRuleError.self) { _ = try MaskRule(rule) }
        #expect(error?.description.hasPrefix("'\(rule)' is no place to hide: ") == true)
    }

    @Test("takes any bytes at all")
    func anyBytes() throws {
        var mask = SecretMask(target: "tangem")
        mask.addSecret([1, 1, 1, 1])
        mask.rules = [try MaskRule("tlv.1F01.10"), try MaskRule("data(1..)")]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let count = Int.random(in: 0...40, using: &generator)
            let command = (0..<count).map { _ in UInt8.random(in: 0...0x22, using: &generator) }
            mask.learn(from: command)
            let traced = TracedBytes(command, hidden: mask.hiddenInCommand(command))
            #expect(traced.text.count == 2 * count)
            #expect(mask.hiddenInResponse(command, to: command).allSatisfy { $0.upperBound <= count - 2 })
        }
    }
}
