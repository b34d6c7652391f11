// SPDX-License-Identifier: MIT

import Cryptography
import Testing

@Suite("Certificates")
struct CertificateTests {
    /// 2027-01-01T00:00:00Z.
    private let time: Int64 = 1_798_761_600

    private func read(_ name: String) throws -> Certificate {
        try Certificate(Fixture.bytes("certificates/\(name).pem"))
    }

    @Test("certificates of NFC tags in the field", arguments: try TagFixture.load().certificates)
    func field(_ item: TagFixture.Certificate) throws {
        let certificate = try Certificate(der: hex(item.der))
        #expect(SHA256.digest(certificate.der) == hex(item.sha256))
        #expect(try certificate.publicKey().curve == Curve(name: item.key))
        if let name = item.subject_cn { #expect(certificate.subject.commonName == name) }
        #expect(certificate.issuer.value(of: "C") == "DE")
        let issuer = try item.signed_by.map { id in
            try Certificate(der: hex(#require(TagFixture.load().certificates.first { $0.id == id }).der))
        }
        if let issuer {
            #expect(try certificate.isSigned(by: issuer))
            #expect(try certificate.isSigned(by: issuer.publicKey()))
            #expect(try !issuer.isSigned(by: certificate))
            // The authority is trusted without its root, as the vendor's applications do it.
            let way = try CertificateChain.verify(certificate, anchors: [issuer], at: time)
            #expect(way == [certificate, issuer])
        }
    }

    @Test("the fields of the vendor's sample")
    func sample() throws {
        let item = try #require(TagFixture.load().certificates.first { $0.id == "sample-device" })
        let certificate = try Certificate(der: hex(item.der))
        #expect(certificate.serial == [0x08, 0x00, 0x00, 0x02])
        #expect(
            certificate.subject.description == "CN=058C3FD9D4B200, C=DE, O=Infineon Technologies AG, "
                + "OU=NFC bridge & CL tag devices"
        )
        // Written as GeneralizedTime 20220801000000Z and 20420730235959Z.
        #expect(certificate.notBefore == 1_659_312_000)
        #expect(certificate.notAfter == 2_290_377_599)
        #expect(certificate.signatureAlgorithm == "ecdsa-with-SHA256")
        #expect(!certificate.isAuthority)
        #expect(
            try certificate.publicKey().uncompressed == hex(TagFixture.load().offline_signature.public_key)
        )
        #expect(certificate.isValid(at: 1_659_312_000))
        #expect(!certificate.isValid(at: 1_659_311_999))
    }

    @Test("a chain of three leads to its root", arguments: ["leaf", "brainpool", "bitcoin", "edwards"])
    func chain(_ name: String) throws {
        let leaf = try read(name)
        let middle = try read("middle")
        let root = try read("root")
        #expect(
            try CertificateChain.verify(leaf, intermediates: [middle], anchors: [root], at: time) == [
                leaf, middle, root,
            ]
        )
        #expect(try CertificateChain.verify(leaf, anchors: [middle], at: time) == [leaf, middle])
        #expect(middle.isAuthority)
        #expect(middle.serial == [0xFF, 0x01])
        #expect(root.subject.value(of: "O") == "Example Röt")
        #expect(root.signatureAlgorithm == "ecdsa-with-SHA384")
    }

    @Test("what does not lead to an anchor is refused with the reason")
    func untrusted() throws {
        let leaf = try read("leaf")
        let middle = try read("middle")
        let root = try read("root")
        func reason(
            _ certificate: Certificate,
            _ others: [Certificate],
            _ anchors: [Certificate],
            _ time: Int64
        ) -> String {
            let error = #expect(throws: CryptographyError.self) {
                try CertificateChain.verify(certificate, intermediates: others, anchors: anchors, at: time)
            }
            return error?.description ?? ""
        }
        #expect(reason(leaf, [], [root], time).contains("unable to get local issuer certificate"))
        #expect(reason(leaf, [middle], [], time).contains("no trusted certificate was given"))
        #expect(reason(leaf, [middle], [try read("rsa")], time).contains("unable to get"))
        #expect(reason(leaf, [middle], [root], 0).contains("not yet valid"))
        #expect(reason(try read("short"), [middle], [root], time).contains("has expired"))
        #expect(
            reason(try read("no-authority"), [leaf, middle], [root], time).contains("invalid CA certificate")
        )
        let text = reason(leaf, [], [root], time)
        #expect(text.hasPrefix("the certificate of '058C3FD9D4B2AA' does not lead to a trusted one: "))
    }

    @Test("a changed signature is not trusted")
    func damaged() throws {
        var der = try read("leaf").der
        der[der.count - 1] ^= 1
        let damaged = try Certificate(der: der)
        #expect(try !damaged.isSigned(by: read("middle")))
        #expect(throws: CryptographyError.self) {
            try CertificateChain.verify(damaged, anchors: [read("middle")], at: time)
        }
    }

    @Test("certificates of keys not known here are read, their keys are not")
    func rsa() throws {
        let certificate = try read("rsa")
        #expect(certificate.subject.commonName == "RSA")
        #expect(certificate.signatureAlgorithm == "RSA-SHA256")
        #expect(try certificate.isSigned(by: certificate))
        #expect(throws: CryptographyError.self) { try certificate.publicKey() }
    }

    @Test("a certificate cut short at any byte is refused")
    func truncated() throws {
        let der = try read("leaf").der
        for length in 0..<der.count {
            #expect(throws: CryptographyError.self) { try Certificate(der: Array(der.prefix(length))) }
        }
        #expect(
            throws: CryptographyError.malformedCertificate(reason: "something stands behind it (length 1)")
        ) {
            try Certificate(der: der + [0])
        }
        #expect(throws: CryptographyError.self) {
            try Certificate(Array("-----BEGIN CERTIFICATE-----\nMIIB".utf8))
        }
        #expect(throws: CryptographyError.self) {
            try Certificate(Array("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----".utf8))
        }
    }

    @Test("2 000 changed certificates never crash")
    func mutations() throws {
        var generator = SeededGenerator(seed: 2026)
        let middle = try read("middle")
        let root = try read("root")
        let originals = try ["leaf", "edwards", "rsa", "root"].map { try read($0).der }
        var readable = 0
        for round in 0..<2000 {
            var der = originals[round % originals.count]
            for _ in 0...(generator.next() % 3) {
                let place = Int(generator.next() % UInt64(der.count))
                switch generator.next() % 4 {
                case 0: der[place] ^= 1 << UInt8(generator.next() % 8)
                case 1: der[place] = UInt8(truncatingIfNeeded: generator.next())
                case 2: der.remove(at: place)
                default: der.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
                }
            }
            _ = try? PublicKey.read(der)
            guard let certificate = try? Certificate(der: der) else { continue }
            readable += 1
            _ = certificate.subject.description
            _ = try? certificate.publicKey()
            _ = try? certificate.isSigned(by: middle)
            _ = try? CertificateChain.verify(certificate, intermediates: [middle], anchors: [root], at: time)
        }
        #expect(readable > 0 && readable < 2000)
    }
}
