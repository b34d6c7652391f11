// SPDX-License-Identifier: MIT

import Testing

@testable import Cryptography

@Suite("Keys")
struct KeyTests {
    private func key(_ curve: Curve) throws -> PrivateKey {
        var generator = SeededGenerator(seed: 42)
        return try PrivateKey.generate(curve, using: &generator)
    }

    @Test("points come back from every form", arguments: Curve.allCases)
    func forms(_ curve: Curve) throws {
        let key = try key(curve).publicKey
        #expect(key.uncompressed.count == curve.uncompressedLength)
        #expect(key.compressed.count == curve.compressedLength)
        #expect(try PublicKey(key.uncompressed, curve: curve) == key)
        #expect(try PublicKey(key.compressed, curve: curve) == key)
        let fromSPKI = try PublicKey.read(key.spki)
        #expect(fromSPKI.key == key)
        #expect(fromSPKI.form == .spki)
        let fromPoint = try PublicKey.read(key.uncompressed)
        #expect(fromPoint.key == key)
        #expect(fromPoint.form == .point)
        #expect(try PublicKey.read(key.compressed, curve: curve).key == key)
    }

    @Test("a compressed point of a common length needs the name of its curve")
    func ambiguous() throws {
        let key = try key(.secp256r1).publicKey
        let error = #expect(throws: CryptographyError.self) { try PublicKey.read(key.compressed) }
        #expect(error?.description.contains("secp256k1, secp256r1, brainpoolP256r1; name the curve") == true)
        #expect(try PublicKey.read(self.key(.secp521r1).publicKey.compressed).key.curve == .secp521r1)
    }

    @Test("32 bytes are Ed25519, or an x-only key where secp256k1 is asked for")
    func shortKeys() throws {
        let bitcoin = try key(.secp256k1).publicKey
        let reading = try PublicKey.read(bitcoin.x, curve: .secp256k1)
        #expect(reading.form == .xOnly)
        #expect(reading.key.x == bitcoin.x)
        let edwards = try key(.ed25519).publicKey
        #expect(try PublicKey.read(edwards.uncompressed).key.curve == .ed25519)
        #expect(throws: CryptographyError.self) {
            try PublicKey.read(edwards.uncompressed, curve: .secp256r1)
        }
    }

    @Test("certificates and PEM give their key")
    func certificates() throws {
        let certificate = try Fixture.bytes("certificates/leaf.pem")
        let reading = try PublicKey.read(certificate)
        #expect(reading.form == .certificate)
        #expect(reading.key.curve == .secp256r1)
        #expect(try PublicKey.read(Certificate(certificate).der) == reading)
        #expect(try PublicKey.read(Array("some text\n".utf8) + certificate).key == reading.key)
        #expect(try PublicKey.read(Fixture.bytes("certificates/edwards.pem")).key.curve == .ed25519)
        #expect(try PublicKey.read(Fixture.bytes("certificates/bitcoin.pem")).key.curve == .secp256k1)
        #expect(try PublicKey.read(Fixture.bytes("certificates/brainpool.pem")).key.curve == .brainpoolP256r1)
        let error = #expect(throws: CryptographyError.self) {
            try PublicKey.read(Fixture.bytes("certificates/rsa.pem"))
        }
        #expect(error?.description.hasPrefix("keys of the kind 'RSA' are not known here") == true)
        #expect(throws: CryptographyError.differentCurves(.secp384r1, .secp256r1)) {
            try PublicKey.read(certificate, curve: .secp384r1)
        }
    }

    @Test(
        "what is no key is refused",
        arguments: [
            "", "00", "05", "0401", "30", "3000", "30820000", "AABBCCDD",
            // The hybrid form, and a point at infinity of full length.
            "0660FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
            "2D2D2D2D2D424547494E20", "2D2D2D2D2D424547494E205055424C4943204B45592D2D2D2D2D",
        ]
    )
    func refusals(_ bytes: String) {
        #expect(throws: CryptographyError.self) { try PublicKey.read(hex(bytes)) }
        for curve in Curve.allCases {
            #expect(throws: CryptographyError.self) { try PublicKey.read(hex(bytes), curve: curve) }
        }
    }

    @Test("a point off its curve is refused", arguments: Curve.allCases.filter(\.hasECDSA))
    func offCurve(_ curve: Curve) throws {
        var point = try key(curve).publicKey.uncompressed
        point[point.count - 1] ^= 1
        #expect(throws: CryptographyError.notAPoint(curve: curve)) { try PublicKey(point, curve: curve) }
        #expect(throws: CryptographyError.self) { try PublicKey.read(point) }
        point[0] = 6
        #expect(throws: CryptographyError.notAPoint(curve: curve)) { try PublicKey(point, curve: curve) }
        #expect(throws: CryptographyError.notAPoint(curve: curve)) { try PublicKey([0], curve: curve) }
        let beyond = [2] + [UInt8](repeating: 0xFF, count: curve.scalarLength)
        #expect(throws: CryptographyError.notAPoint(curve: curve)) { try PublicKey(beyond, curve: curve) }
    }

    @Test(
        "scalars of zero, of the order and of another length are refused",
        arguments: Curve.allCases.filter(\.hasECDSA)
    )
    func scalars(_ curve: Curve) throws {
        let zero = [UInt8](repeating: 0, count: curve.scalarLength)
        let order = try CurveGroup(curve).scalars.modulus.bytes(length: curve.scalarLength)
        #expect(throws: CryptographyError.scalarOutOfRange(curve: curve)) {
            try PrivateKey(zero, curve: curve)
        }
        #expect(throws: CryptographyError.scalarOutOfRange(curve: curve)) {
            try PrivateKey(order, curve: curve)
        }
        var largest = order
        largest[largest.count - 1] -= 1
        #expect(try PrivateKey(largest, curve: curve).scalar == largest)
        let error = #expect(throws: CryptographyError.self) { try PrivateKey(zero + [1], curve: curve) }
        #expect(error?.description.hasPrefix("the \(curve.rawValue) private key has") == true)
    }

    @Test(
        "private keys that the wallet card's tests refuse",
        arguments: try WalletVector.load("private_key_valid")
    )
    func walletScalars(_ item: WalletVector) throws {
        let curve = try #require(item.input["curve"]?.text.flatMap(Curve.init(name:)))
        let isValid = (try? PrivateKey(item.inputBytes("privateKey"), curve: curve)) != nil
        #expect(try isValid == #require(item.expected["valid"]?.flag as Bool?))
    }

    @Test("key pairs of the wallet card's tests", arguments: try WalletVector.load("key_pair"))
    func walletPairs(_ item: WalletVector) throws {
        let key = try PrivateKey(item.inputBytes("privateKey"), curve: .secp256k1)
        #expect(try key.publicKey.uncompressed == item.expectedBytes("publicKey"))
    }

    @Test("compression as in the wallet card's tests", arguments: try WalletVector.load("key_compress"))
    func compression(_ item: WalletVector) throws {
        let key = try PublicKey(item.inputBytes("uncompressed"), curve: .secp256k1)
        #expect(try key.compressed == item.expectedBytes("compressed"))
    }

    @Test("32 bytes are no point of secp256k1", arguments: try WalletVector.load("key_compress_error"))
    func noCompression(_ item: WalletVector) {
        #expect(throws: CryptographyError.self) { try PublicKey(item.inputBytes("key"), curve: .secp256k1) }
    }

    @Test("the shared secret of the first P-256 vector of NIST")
    func sharedSecret() throws {
        let own = try PrivateKey(
            hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"),
            curve: .secp256r1
        )
        let other = try PublicKey(
            hex(
                "04700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"
                    + "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"
            ),
            curve: .secp256r1
        )
        #expect(
            text(try ECDH.sharedX(own, other))
                == "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"
        )
    }

    @Test("both sides share one secret", arguments: Curve.allCases.filter(\.hasECDSA))
    func bothSides(_ curve: Curve) throws {
        var generator = SeededGenerator(seed: 3)
        let one = try PrivateKey.generate(curve, using: &generator)
        let other = try PrivateKey.generate(curve, using: &generator)
        let secret = try ECDH.sharedX(one, other.publicKey)
        #expect(try ECDH.sharedX(other, one.publicKey) == secret)
        #expect(secret.count == curve.scalarLength)
        let edwards = try PrivateKey.generate(.ed25519, using: &generator)
        #expect(throws: CryptographyError.self) { try ECDH.sharedX(one, edwards.publicKey) }
        #expect(throws: CryptographyError.self) { try ECDH.sharedX(edwards, edwards.publicKey) }
    }

    @Test("session keys of the wallet card", arguments: try WalletVector.load("session_key"))
    func sessionKeys(_ item: WalletVector) throws {
        let protocolKey = try PBKDF2.key(
            password: item.inputBytes("accessCodeSha256"),
            salt: item.inputBytes("uid"),
            rounds: 50,
            length: 32
        )
        #expect(try protocolKey == item.expectedBytes("protocolKey"))
        var secret = try item.inputBytes("keyA") + item.inputBytes("keyB")
        if item.input["mode"]?.text == "strong" {
            secret = try ECDH.sharedX(
                PrivateKey(item.inputBytes("privateA"), curve: .secp256k1),
                PublicKey(item.inputBytes("keyB"), curve: .secp256k1)
            )
        }
        #expect(try secret == item.expectedBytes("secret"))
        #expect(try SHA256.digest(secret + protocolKey) == item.expectedBytes("sessionKey"))
    }

    @Test("curves are found by their usual names")
    func curveNames() {
        #expect(Curve(name: "P-256") == .secp256r1)
        #expect(Curve(name: "prime256v1") == .secp256r1)
        #expect(Curve(name: "brainpoolp512R1") == .brainpoolP512r1)
        #expect(Curve(name: "Ed25519") == .ed25519)
        #expect(Curve(name: "secp256k") == nil)
    }

    @Test("a seeded generator repeats, a secure one does not")
    func generators() throws {
        var one = SeededGenerator(seed: 5)
        var same = SeededGenerator(seed: 5)
        var other = SeededGenerator(seed: 6)
        let bytes = one.bytes(100)
        #expect(same.bytes(1) + same.bytes(99) == bytes)
        #expect(other.bytes(100) != bytes)
        #expect(
            bytes.prefix(32)
                == SHA256.digest([0, 0, 0, 0, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 8))[...]
        )
        #expect(one.next() == same.next())
        #expect(one.bytes(0).isEmpty)
        let random = try SecureRandom.bytes(32)
        #expect(random.count == 32)
        #expect(try SecureRandom.bytes(32) != random)
        #expect(try SecureRandom.bytes(0).isEmpty)
        #expect(throws: CryptographyError.self) { try SecureRandom.bytes(-1) }
    }
}
