// SPDX-License-Identifier: MIT

import Cryptography
import Testing

@Suite("Forms of an ECDSA signature")
struct ECDSASignatureTests {
    @Test("DER with zeros in front of a high bit comes back")
    func der() throws {
        let signature = ECDSASignature(r: [0, 0x80, 1], s: [0x7F])
        #expect(signature.der == hex("3008 0203008001 02017F"))
        #expect(try ECDSASignature(der: signature.der) == signature)
        #expect(try ECDSASignature(der: hex("3006020100020100")) == ECDSASignature(r: [], s: [0]))
    }

    @Test(
        "malformed DER is refused with its reason",
        arguments: [
            ("", "the sequence is missing"),
            ("31060201010201 01", "the sequence has the tag 31"),
            ("30", "the length of the sequence is missing"),
            ("30070201010201 01", "the sequence is cut short"),
            ("3006020101020101 00", "something stands behind the sequence (length 1)"),
            ("3009020101020101020101", "something stands behind s (length 3)"),
            ("308106020101020101", "the length of the sequence is not the shortest form"),
            ("3080020101020101 0000", "the length of the sequence is malformed"),
            ("30050201010200", "s is empty"),
            ("3006020181020101", "r is negative"),
            ("300702020001020101", "r has zeros in front"),
            ("3003020101", "s is missing"),
            ("3006030101020101", "r has the tag 03"),
            ("3006020201020101", "s has the tag 01"),
            ("30850102030405", "the length of the sequence is malformed"),
        ]
    )
    func malformed(_ bytes: String, _ reason: String) {
        #expect(throws: CryptographyError.malformedSignature(reason: reason)) {
            try ECDSASignature(der: hex(bytes))
        }
    }

    @Test("the length tells the form unless it is said")
    func forms() throws {
        let key = try PrivateKey(
            [UInt8](repeating: 3, count: 66).enumerated().map { $0 == 0 ? 0 : $1 },
            curve: .secp521r1
        )
        let signature = try ECDSA.sign(message: [1], with: key, hash: .sha512)
        let raw = try signature.raw(for: .secp521r1)
        #expect(raw.count == 132)
        #expect(signature.der.starts(with: [0x30, 0x81]))
        #expect(try ECDSASignature(raw, curve: .secp521r1) == signature)
        #expect(try ECDSASignature(signature.der, curve: .secp521r1) == signature)
        #expect(throws: CryptographyError.self) { try ECDSASignature(raw, curve: .secp521r1, form: .der) }
        #expect(throws: CryptographyError.self) {
            try ECDSASignature(signature.der, curve: .secp521r1, form: .raw)
        }
        #expect(throws: CryptographyError.self) { try signature.raw(for: .secp256r1) }
    }

    @Test("random bytes never crash the reader")
    func noise() {
        var generator = SeededGenerator(seed: 7)
        var read = 0
        for _ in 0..<2000 {
            let bytes = [0x30] + generator.bytes(Int(generator.next() % 80))
            if (try? ECDSASignature(der: bytes)) != nil { read += 1 }
        }
        #expect(read < 2000)
    }
}
