// SPDX-License-Identifier: MIT

import Cryptography
import Foundation
import JSONText
import NBTConstants
import SmartCard
import TestSupport
import Testing
import Type4Tag

@testable import NBT

@Suite struct BrandProtectionTests {
    private static func sample() throws -> BrandCertificate {
        try BrandCertificate(try Fixture.certificate("sample-device"))
    }

    /// The sample app's message with the certificate under a name.
    private static func message(_ name: String = BrandRecordName.ofApps) throws -> NDEFMessage {
        try NDEFMessage([
            .uri("https://example.com"),
            NDEFRecord(
                format: .external,
                type: Array(name.utf8),
                payload: try Fixture.certificate("sample-device")
            ),
        ])
    }

    @Test func `The built-in authorities are those of the vendor's app`() throws {
        #expect(BrandIssuer.ofVendor.map(\.word) == ["series", "test"])
        let ids = ["series-manufacturing-ca", "sample-manufacturing-ca"]
        for (issuer, id) in zip(BrandIssuer.ofVendor, ids) {
            #expect(try issuer.certificate.der == Fixture.certificate(id))
            let items = try #require(try Fixture.json("certificates.json").array)
            let digest = items.first { $0["id"]?.string == id }?["sha256"]?.string
            #expect(SHA256.digest(issuer.certificate.der).hex == digest)
        }
    }

    @Test func `The sample certificate names its chip, and the test authority signed it`() throws {
        let certificate = try Self.sample()
        #expect(certificate.uid == [0x05, 0x8C, 0x3F, 0xD9, 0xD4, 0xB2, 0x00])
        #expect(certificate.key.curve == .secp256r1)
        #expect(try certificate.key.uncompressed == Fixture.json("signatures.json").hex("public_key"))
        #expect(try certificate.issuer().word == "test")
        #expect(throws: BrandProtectionError.self) {
            try certificate.issuer(among: Array(BrandIssuer.ofVendor.prefix(1)))
        }
        let inside = certificate.certificate.notBefore + 1
        #expect(try certificate.issuer(at: inside).word == "test")
        #expect(throws: BrandProtectionError.expiredCertificate) {
            try certificate.issuer(at: certificate.certificate.notBefore - 1)
        }
    }

    @Test(arguments: [BrandRecordName.ofApps, BrandRecordName.ofLibraries])
    func `The certificate is found under both names`(name: String) throws {
        #expect(try BrandCertificate(in: Self.message(name)) == Self.sample())
    }

    @Test func `A message without a certificate is told apart from one with a broken one`() throws {
        #expect(throws: BrandProtectionError.noCertificate) {
            try BrandCertificate(in: Self.message("example.com:other"))
        }
        #expect(throws: BrandProtectionError.self) { try BrandCertificate([0x30, 0x00]) }
        // The authority's key lies on another curve.
        #expect(throws: BrandProtectionError.self) {
            try BrandCertificate(try Fixture.certificate("series-manufacturing-ca"))
        }
        for cut in 1..<40 {
            #expect(throws: BrandProtectionError.self) {
                try BrandCertificate(Array(try Fixture.certificate("sample-device").dropLast(cut)))
            }
        }
    }

    @Test func `The app's message is made byte for byte`() throws {
        let items = try #require(try Fixture.json("ndef-messages.json").array)
        let sample = try #require(items.first { $0["id"]?.string == "brand-protection-sample" })
        let message = try BrandProtection.message(
            link: "http://optiga-nbt-cott-service.infineon.com",
            certificate: try Fixture.certificate("sample-device")
        )
        #expect(try message.bytes == sample.hex("message"))
        #expect(COTTToken.text(in: message) == COTTLayout.placeholder)
        #expect(try BrandCertificate(in: message) == Self.sample())
    }

    @Test func `Signatures over the bare challenge hold, and only those`() throws {
        let fixture = try Fixture.json("signatures.json")
        let key = try Self.sample().key
        let vectors = try #require(fixture["vectors"]?.array)
        #expect(vectors.count == 4)
        for vector in vectors {
            let challenge = try vector.hex("challenge")
            let signature = try vector.hex("signature")
            try BrandProtection.check(signature: signature, challenge: challenge, key: key)
            #expect(throws: BrandProtectionError.wrongSignature) {
                try BrandProtection.check(signature: signature, challenge: challenge + [0], key: key)
            }
            #expect(throws: BrandProtectionError.wrongSignature) {
                try BrandProtection.check(
                    signature: Array(signature.dropLast()),
                    challenge: challenge,
                    key: key
                )
            }
        }
    }

    @Test(.enabled(if: OpenSSLCommand.path != nil, "openssl is not installed"))
    func `The openssl command agrees on signatures, certificates and keys`() throws {
        let fixture = try Fixture.json("signatures.json")
        let certificate = try Self.sample()
        for vector in try #require(fixture["vectors"]?.array) {
            let files = [
                "key": certificate.key.spki, "signature": try vector.hex("signature"),
                "challenge": try vector.hex("challenge"),
            ]
            let arguments = [
                "dgst", "-sha256", "-verify", "key", "-keyform", "DER", "-signature", "signature",
                "challenge",
            ]
            #expect(try OpenSSLCommand.run(arguments, files).succeeded)
            #expect(try !OpenSSLCommand.run(arguments, files.merging(["challenge": [1]]) { $1 }).succeeded)
        }
        let chain = [
            "device.pem": try Fixture.certificate("sample-device"),
            "issuer.pem": try Fixture.certificate("sample-manufacturing-ca"),
            "other.pem": try Fixture.certificate("series-manufacturing-ca"),
        ].mapValues(Self.pem)
        func verify(_ issuer: String) throws -> Bool {
            // The manufacturing authority is trusted without its root.
            try OpenSSLCommand.run(
                ["verify", "-partial_chain", "-no_check_time", "-trusted", "\(issuer).pem", "device.pem"],
                chain
            ).succeeded
        }
        #expect(try verify("issuer"))
        #expect(try !verify("other"))
    }

    private static func pem(_ der: [UInt8]) -> [UInt8] {
        let text = Data(der).base64EncodedString(options: .lineLength64Characters)
        return Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }

    // MARK: - Over a connection

    private static let challenge: [UInt8] = [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77]

    private static func peer(_ name: String = BrandRecordName.ofApps, signature: String) throws
        -> ScriptedPeer
    {
        let message = try message(name).bytes
        let file = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        let pieces = stride(from: 0, to: file.count, by: 256).map { start in
            ("*", file[start..<min(start + 256, file.count)].hex + "9000")
        }
        return ScriptedPeer(
            [("00A4000C02E10400", "9000")] + pieces + [("0088000008001122334455667700", signature)]
        )
    }

    @Test func `A genuine chip is proven, a copied certificate is not`() throws {
        let fixture = try Fixture.json("signatures.json")
        let vectors = try #require(fixture["vectors"]?.array)
        let right = try #require(vectors[0]["signature"]?.string)
        #expect(try vectors[0].hex("challenge") == Self.challenge)
        let proof = try NBTCommandSet(try Self.peer(signature: right + "9000"))
            .proveGenuine(challenge: Self.challenge)
        #expect(proof.issuer.word == "test")
        #expect(proof.signature.hex == right)
        let other = try #require(vectors[1]["signature"]?.string)
        #expect(throws: NBTError.brand(.wrongSignature)) {
            try NBTCommandSet(try Self.peer(signature: other + "9000")).proveGenuine(
                challenge: Self.challenge
            )
        }
        #expect(throws: NBTError.brand(.noCertificate)) {
            try NBTCommandSet(try Self.peer("a.b:c", signature: "9000")).proveGenuine(
                challenge: Self.challenge
            )
        }
        #expect {
            try NBTCommandSet(try Self.peer(signature: "6985")).proveGenuine(challenge: Self.challenge)
        } throws: {
            "\($0)" == "AUTHENTICATE TAG was answered with 6985: the chip has no key to sign with"
        }
        #expect(throws: NBTError.self) {
            try NBTCommandSet(try Self.peer(signature: "30009000")).proveGenuine(challenge: Self.challenge)
        }
    }

    @Test func `Every error has a word of its own and a sentence`() {
        let errors: [BrandProtectionError] = [
            .noCertificate, .malformedCertificate("x"), .untrustedCertificate(issuer: "x"),
            .expiredCertificate,
            .wrongSignature, .malformedKey("x"), .otherChip(certificate: "a", expected: "b"),
        ]
        #expect(Set(errors.map(\.word)).count == errors.count)
        #expect(errors.allSatisfy { $0.description.count > 30 })
        #expect(NBTError.brand(.noCertificate).word == "noCertificate")
    }
}
