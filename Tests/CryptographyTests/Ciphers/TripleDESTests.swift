// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// What `payment.json` holds.
struct PaymentFixture: Decodable, Sendable {
    struct Cryptogram: Decodable, Sendable, CustomTestStringConvertible {
        let name, pan, psn, padding, atc, ac: String
        let issuer_master_key, session_key, icc_master_key, ac_session_key, ac_input: String
        var testDescription: String { name }
    }

    struct Chain: Decodable, Sendable {
        let capk_modulus, capk_exponent, capk_sha1, issuer_cert_90, issuer_exponent_9F32: String
        let issuer_modulus, icc_modulus, icc_exponent_9F47, sdad_9F4B, sdad_recovered: String
    }

    let application_cryptograms: [Cryptogram]
    let oda: Chain

    static func load() throws -> PaymentFixture {
        try Fixture.decode(PaymentFixture.self, "payment.json")
    }
}

/// Vectors of SP 800-67 appendix B and of payment cards.
@Suite("Triple DES, retail MAC and bare RSA")
struct TripleDESTests {
    private let key = hex("0123456789abcdef23456789abcdef01456789abcdef0123")

    @Test("three blocks under three keys")
    func blocks() throws {
        let plain = hex("54686520717566636b2062726f776e20666f78206a756d70")
        let cipher = try TripleDES(key: key)
        let cipherText = try cipher.encrypt(plain)
        #expect(text(cipherText) == "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900")
        #expect(try cipher.decrypt(cipherText) == plain)
    }

    @Test("chaining and padding come back")
    func chained() throws {
        let cipher = try TripleDES(key: Array(key.prefix(16)))
        let mode = CipherMode.cbc(iv: hex("f69f2445df4f9b17"))
        for length in 0...17 {
            let message = [UInt8](repeating: 7, count: length)
            let cipherText = try cipher.encrypt(message, mode: mode, padding: .pkcs7)
            #expect(cipherText.count == (length / 8 + 1) * 8)
            #expect(try cipher.decrypt(cipherText, mode: mode, padding: .pkcs7) == message)
        }
    }

    @Test("two keys are three with the first one twice")
    func twoKeys() throws {
        let two = try TripleDES(key: Array(key.prefix(16)))
        let three = try TripleDES(key: Array(key.prefix(16) + key.prefix(8)))
        let block = hex("0011223344556677")
        #expect(try two.encrypt(block) == three.encrypt(block))
    }

    @Test("wrong lengths are refused")
    func refusals() throws {
        #expect(throws: CryptographyError.self) { try TripleDES(key: [UInt8](repeating: 0, count: 8)) }
        #expect(throws: CryptographyError.self) { try TripleDES(key: key).encrypt([1, 2, 3]) }
        #expect(throws: CryptographyError.self) { try TripleDES(key: key).encrypt([], mode: .cbcFromZeros) }
        #expect(throws: CryptographyError.self) { try RetailMAC.code(of: [1], key: key) }
        #expect(throws: CryptographyError.self) {
            try RetailMAC.code(of: [], key: Array(key.prefix(16)), padding: .zeros)
        }
    }

    @Test("keys get odd parity")
    func parity() {
        #expect(TripleDES.withOddParity([0x00, 0x01, 0x02, 0x03, 0xFF, 0xFE]) == [1, 1, 2, 2, 0xFE, 0xFE])
    }

    @Test(
        "a card's master key, session key and cryptogram",
        arguments: try PaymentFixture.load().application_cryptograms
    )
    func cryptogram(_ item: PaymentFixture.Cryptogram) throws {
        let issuer = try TripleDES(key: hex(item.issuer_master_key))
        let y = hex(String((item.pan + item.psn).suffix(16)))
        let master = TripleDES.withOddParity(try issuer.encrypt(y + y.map { $0 ^ 0xFF }))
        #expect(master == hex(item.icc_master_key))
        var session = master
        if item.session_key != "none" {
            let card = try TripleDES(key: master)
            let atc = hex(item.atc)
            session = try card.encrypt(atc + [0xF0, 0, 0, 0, 0, 0] + atc + [0x0F, 0, 0, 0, 0, 0])
            #expect(TripleDES.withOddParity(session) == TripleDES.withOddParity(hex(item.ac_session_key)))
        }
        let padding: RetailMAC.Padding = item.padding == "zeros" ? .zeros : .marked
        #expect(try RetailMAC.code(of: hex(item.ac_input), key: session, padding: padding) == hex(item.ac))
    }

    @Test("RSA recovers an issuer's certificate and a card's signature")
    func recovery() throws {
        let chain = try PaymentFixture.load().oda
        let issuer = try RSAPower.raise(
            hex(chain.issuer_cert_90),
            to: hex(chain.capk_exponent),
            modulus: hex(chain.capk_modulus)
        )
        #expect(issuer.first == 0x6A)
        #expect(issuer.last == 0xBC)
        let signed = try RSAPower.raise(
            hex(chain.sdad_9F4B),
            to: hex(chain.icc_exponent_9F47),
            modulus: hex(chain.icc_modulus)
        )
        #expect(signed == hex(chain.sdad_recovered))
    }

    @Test("the hash of a scheme's key is the published one")
    func schemeKeyHash() throws {
        let chain = try PaymentFixture.load().oda
        let message = hex("A000000004F1") + hex(chain.capk_modulus) + hex(chain.capk_exponent)
        #expect(SHA1.digest(message) == hex(chain.capk_sha1))
    }

    @Test("RSA refuses what is no key or no number below it")
    func rsaRefusals() {
        let modulus = [UInt8](repeating: 0xFF, count: 16)
        #expect(throws: CryptographyError.self) { try RSAPower.raise(modulus, to: [3], modulus: modulus) }
        #expect(throws: CryptographyError.self) { try RSAPower.raise([2], to: [3], modulus: [15]) }
        #expect(throws: CryptographyError.self) {
            try RSAPower.raise([2], to: [3], modulus: [UInt8](repeating: 2, count: 16))
        }
    }
}
