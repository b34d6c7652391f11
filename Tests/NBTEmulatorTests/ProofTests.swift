// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import Foundation
import JSONText
import NBTConstants
import SmartCard
import Testing

@testable import NBTEmulator

@Suite("Proofs of the chip")
struct ProofTests {
    // MARK: Signature

    @Test(
        "AUTHENTICATE TAG refuses what its table refuses",
        arguments: [
            ("0088000108001122334455667700", "6A86"), ("0088010008001122334455667700", "6A86"),
            ("00880000", "6700"), ("0088000000", "6700"), ("00880000080011223344556677", "6700"),
            ("008800000000080011223344556677000000", "6700"), ("0088000008001122334455667710", "6700"),
        ],
        ChipBench.Face.allCases
    )
    func refusals(row: (String, String), face: ChipBench.Face) throws {
        let bench = try ChipBench()
        try bench.open(face)
        try bench.run([(row.0, row.1)], over: face)
        #expect(try bench.send("0088000008001122334455667700", over: face).hasSuffix("9000"))
    }

    @Test("with the sample key it gives the published signatures")
    func vectors() throws {
        let document = try ChipBench.document("signatures.json")
        let key = try #require(document["key"]?.string)
        let vectors = try #require(document["vectors"]?.array)
        #expect(vectors.count == 4)
        let bench = try ChipBench(["ecc-key": "none"])
        try bench.open(.nfc)
        try bench.run(
            [("0088000008001122334455667700", "6985"), ("00E2000023A00220\(key)", "9000")],
            over: .nfc
        )
        for vector in vectors {
            let challenge = try #require(vector["challenge"]?.string)
            let signature = try #require(vector["signature"]?.string)
            let count = [UInt8(challenge.count / 2)].hex
            try bench.run([("00880000\(count)\(challenge)00", "\(signature)9000")], over: .nfc)
        }
    }

    @Test("a signature takes its time")
    func time() throws {
        let bench = try ChipBench(["command-time": "2ms", "signature-time": "70ms"])
        try bench.open(.nfc)
        let answer = bench.chip.nfc.respond(to: try HexText.bytes("0088000008001122334455667700"))
        #expect(answer.time == .milliseconds(72))
    }

    @Test("the message of a brand-protected chip proves the key that signs")
    func developmentCertificate() throws {
        let bench = try ChipBench(["state": "brand-protection"], seed: 5)
        try bench.open(.nfc)
        let content = try #require(bench.chip.contents(of: .ndef))
        let count = Int(content[0]) << 8 | Int(content[1])
        let der = try #require(NDEFPlaces.certificate(in: content))
        #expect(content[2..<2 + count].suffix(der.count).elementsEqual(der))
        let certificate = try Certificate(der: der)
        let authority = try Certificate(der: try NBTChip.developmentAuthority())
        #expect(certificate.subject.commonName == bench.chip.uid.hex)
        try CertificateChain.verify(certificate, anchors: [authority], at: 1_800_000_000)
        #expect(try authority.isSigned(by: authority))
        let answer = try bench.send("0088000008001122334455667700", over: .nfc)
        let signature = try ECDSASignature(der: HexText.bytes(answer.dropLast(4)))
        let challenge = try HexText.bytes("0011223344556677")
        #expect(try ECDSA.verify(signature, message: challenge, key: certificate.publicKey()))
        #expect(try !ECDSA.verify(signature, message: challenge + [0], key: certificate.publicKey()))
        // Another seed is another chip.
        let other = try ChipBench(["state": "brand-protection"], seed: 6)
        try other.open(.nfc)
        #expect(try other.send("0088000008001122334455667700", over: .nfc) != answer)
    }

    @Test("the authority of emulated chips is the one that was handed out")
    func handedOutAuthority() throws {
        let root = try #require(Bundle.module.resourceURL)
        let pem = try Data(contentsOf: root.appendingPathComponent("Fixtures/development-authority.pem"))
        #expect(try Certificate(Array(pem)).der.hex == NBTChip.developmentAuthority().hex)
    }

    @Test("without a key the brand-protected message has the link alone")
    func messageWithoutKey() throws {
        let bench = try ChipBench(["state": "brand-protection", "variant": "nbt1000"])
        let content = try #require(bench.chip.contents(of: .ndef))
        let link = "nbt.example/?cott=PLACEHOLDERPLACEHOLDERPLACEHOLDERPLACEHOLDER"
        let record = [0xD1, 0x01, UInt8(link.utf8.count + 1), 0x55, 0x04] + Array(link.utf8)
        #expect(content.prefix(record.count + 4).hex == [0, UInt8(record.count)].hex + record.hex + "0000")
    }

    // MARK: Token

    /// Selects the message over NFC and reads the 44 characters behind `cott=`.
    private func token(_ bench: ChipBench, over face: ChipBench.Face = .nfc) throws -> String {
        try bench.run([("00A4000C02E104", "9000")], over: face)
        let answer = try bench.send("00B0000080", over: face)
        let text = String(decoding: try HexText.bytes(answer.dropLast(4)), as: UTF8.self)
        let start = try #require(text.firstRange(of: "cott=")?.upperBound)
        return String(text[start...].prefix(44))
    }

    /// Takes a token apart and checks its code.
    private func bytes(of token: String, key: [UInt8]) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var bits: [UInt8] = []
        for character in token {
            let value = try #require(alphabet.firstIndex(of: character))
            bits += (0..<6).map { UInt8(value >> (5 - $0) & 1) }
        }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        }
        #expect(bytes.count == 33)
        #expect(try CMAC.code(of: Array(bytes.prefix(17)), key: key) == Array(bytes.suffix(16)))
        return bytes
    }

    @Test("the check of these tests accepts the published tokens")
    func publishedTokens() throws {
        let vectors = try ChipBench.fixture("tokens.json").filter {
            $0["valid"]?.boolean == true && $0["token"] != nil
        }
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try HexText.bytes(try #require(vector["key"]?.string))
            let parts = try bytes(of: try #require(vector["token"]?.string), key: key)
            #expect(parts[2..<9].hex == vector["uid"]?.string)
            #expect(parts[9..<17].hex == vector["random"]?.string)
        }
    }

    @Test("a token names the chip, its code is right, and each SELECT makes a new one")
    func tokens() throws {
        let bench = try ChipBench(["state": "brand-protection", "uid": "02030405060708"])
        try bench.open(.nfc)
        let first = try token(bench)
        let parts = try bytes(of: first, key: COTTLayout.developmentKey)
        #expect(parts.prefix(2).hex == "0001")
        #expect(parts[2..<9].hex == "02030405060708")
        // Reads in pieces agree until the next SELECT.
        let whole = try bench.send("00B0000080", over: .nfc).dropLast(4)
        let pieces = try stride(from: 0, to: 0x80, by: 7).map { offset in
            let count = min(7, 0x80 - offset)
            return try bench.send("00B000\([UInt8(offset)].hex)\([UInt8(count)].hex)", over: .nfc).dropLast(4)
        }
        #expect(pieces.joined() == whole)
        let second = try token(bench)
        #expect(second != first)
        #expect(try bytes(of: second, key: COTTLayout.developmentKey)[9..<17] != parts[9..<17])
        // The file itself keeps the placeholder.
        let content = try #require(bench.chip.contents(of: .ndef))
        #expect(String(decoding: content, as: UTF8.self).contains(COTTLayout.placeholder))
    }

    @Test("the key of a token is personalized")
    func personalizedKey() throws {
        let bench = try ChipBench(["state": "brand-protection", "cott-key": "none"])
        try bench.open(.nfc)
        #expect(try token(bench) == COTTLayout.placeholder)
        let key = "000102030405060708090A0B0C0D0E0F"
        try bench.run([("00E2000013A00110\(key)", "9000")], over: .nfc)
        _ = try bytes(of: try token(bench), key: try HexText.bytes(key))
    }

    @Test("I2C sees the placeholder")
    func tokenOverI2C() throws {
        let bench = try ChipBench(["state": "brand-protection"])
        try bench.open(.i2c)
        try bench.run([("00A4000C02E1AF", "9000"), ("00D6000006E10440404000", "9000")], over: .i2c)
        #expect(try token(bench, over: .i2c) == COTTLayout.placeholder)
    }

    @Test("only a place with 44 characters inside of the message is taken", arguments: [43, 44])
    func place(count: Int) throws {
        let text = "cott=" + String(repeating: "x", count: count)
        let bench = try ChipBench(["ndef": Array(text.utf8).hex])
        try bench.open(.nfc)
        // Bytes behind the message do not count for it.
        try bench.run([("00A4000C02E104", "9000"), ("00D6006001AA", "9000")], over: .nfc)
        let isTaken = try token(bench) != String(repeating: "x", count: count) + (count == 43 ? "\0" : "")
        #expect(isTaken == (count == 44))
    }

    @Test("a message that is written after the SELECT is seen as it is")
    func writtenMeanwhile() throws {
        let bench = try ChipBench([
            "state": "delivery", "ndef": Array("cott=\(COTTLayout.placeholder)".utf8).hex,
        ])
        try bench.open(.nfc)
        #expect(try token(bench) != COTTLayout.placeholder)
        try bench.run([("00D600000500036F6C64", "9000"), ("00B0000005", "00036F6C649000")], over: .nfc)
    }

    @Test("when a token changes is an option")
    func refresh() throws {
        let message = Array("cott=\(COTTLayout.placeholder)".utf8).hex
        let perRead = try ChipBench(["ndef": message, "cott-refresh": "read"])
        try perRead.open(.nfc)
        try perRead.run([("00A4000C02E104", "9000")], over: .nfc)
        let reads = try perRead.answers(to: ["00B0000040", "00B0000040"], over: .nfc)
        #expect(reads[0] != reads[1])
        let perPower = try ChipBench(["ndef": message, "cott-refresh": "power"])
        try perPower.open(.nfc)
        let first = try token(perPower)
        #expect(try token(perPower) == first)
        try perPower.open(.nfc)
        #expect(try token(perPower) != first)
        let off = try ChipBench(["ndef": message, "cott": "off"])
        try off.open(.nfc)
        #expect(try token(off) == COTTLayout.placeholder)
    }

    // MARK: Self-test

    @Test(
        "BACKEND TEST tells which of the asked tests passed",
        arguments: [
            (["state": "brand-protection"], "00BE007F", "7F9000"),
            (["state": "brand-protection"], "00BE002A", "2A9000"),
            (["state": "brand-protection"], "00BE0000", "009000"),
            (["state": "brand-protection"], "00BE007F00", "7F9000"), ([:], "00BE007F", "439000"),
            (["state": "brand-protection", "cott-key": "none"], "00BE007F", "3F9000"),
            (["variant": "nbt1000"], "00BE007F", "419000"), (["ecc-key": "none"], "00BE007F", "419000"),
            ([:], "00BE0080", "6A86"), ([:], "00BE017F", "6A86"), ([:], "00BE007F01AA", "6700"),
        ]
    )
    func selfTest(row: (options: [String: String], command: String, answer: String)) throws {
        let bench = try ChipBench(row.options)
        try bench.open(.i2c)
        try bench.run([(row.command, row.answer)], over: .i2c)
    }

    @Test("BACKEND TEST sees a certificate of another chip")
    func foreignCertificate() throws {
        let message = try #require(
            try ChipBench.item("brand-protection-sample", in: "messages.json")["message"]?.string
        )
        let bench = try ChipBench(["ndef": message])
        try bench.open(.i2c)
        // The certificate can be read; neither its key nor its UID is this chip's.
        try bench.run([("00BE007F", "579000")], over: .i2c)
    }

    @Test("BACKEND TEST is for I2C alone, and can be switched off for good")
    func switchedOff() throws {
        let bench = try ChipBench()
        try bench.open(.nfc)
        try bench.run([("00BE007F", "6985"), ("00BEFF00", "6985")], over: .nfc)
        try bench.open(.i2c)
        try bench.run([("00BE007F", "439000"), ("00BEFF00", "9000"), ("00BE007F", "6985")], over: .i2c)
        bench.reset()
        try bench.open(.i2c)
        try bench.run([("00BE007F", "6985")], over: .i2c)
        let told = try ChipBench(["backend-test-nfc": "6D00", "backend-test-off": "6D01"])
        try told.open(.nfc)
        try told.run([("00BE007F", "6D00")], over: .nfc)
        try told.open(.i2c)
        try told.run([("00BEFF00", "9000"), ("00BE007F", "6D01")], over: .i2c)
    }

    @Test("a broken message breaks no self-test", arguments: ["4C", "4CFF", "4C36FFFFFFFF01", "D1", "0000"])
    func brokenMessage(message: String) throws {
        let bench = try ChipBench(["ndef": message])
        try bench.open(.i2c)
        try bench.run([("00BE007F", "439000")], over: .i2c)
    }
}
