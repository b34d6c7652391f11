// SPDX-License-Identifier: MIT

import Testing

@testable import Cryptography

/// One row of `deterministic-ecdsa.json`.
struct DeterministicVector: Decodable, Sendable, CustomTestStringConvertible {
    let curve, privateKey, publicKey, hash, message, r, s: String
    let rfc: Bool

    var testDescription: String { "\(curve) \(hash) \(message)" }

    static func load() throws -> [DeterministicVector] {
        try Fixture.decode([DeterministicVector].self, "deterministic-ecdsa.json")
    }
}

@Suite("ECDSA")
struct ECDSATests {
    @Test("nonces follow RFC 6979 on every curve and hash", arguments: try DeterministicVector.load())
    func deterministic(_ item: DeterministicVector) throws {
        let curve = try #require(Curve(rawValue: item.curve))
        let hash = try #require(HashAlgorithm(rawValue: item.hash))
        let key = try PrivateKey(hex(item.privateKey), curve: curve)
        #expect(key.publicKey.uncompressed == hex(item.publicKey))
        let message = Array(item.message.utf8)
        let signature = try ECDSA.sign(message: message, with: key, hash: hash)
        #expect(try signature.raw(for: curve) == hex(item.r + item.s))
        #expect(try ECDSA.verify(signature, message: message, key: key.publicKey, hash: hash))
        #expect(try !ECDSA.verify(signature, message: message + [0], key: key.publicKey, hash: hash))
        let parsed = try ECDSASignature(der: signature.der)
        #expect(parsed == signature)
        let low = try signature.lowS(for: curve)
        #expect(try low.isLowS(for: curve))
        #expect(try ECDSA.verify(low, message: message, key: key.publicKey, hash: hash))
    }

    @Test("both libraries agree on secp256k1")
    func twoLibraries() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let key = try PrivateKey.generate(.secp256k1, using: &generator)
            let group = try CurveGroup(.secp256k1)
            let point = try group.octets(group.multiple(ofGenerator: BigNumber(key.secret)))
            #expect(point == key.publicKey.uncompressed)
            let digest = generator.bytes(32)
            let own = try ECDSA.signWithLibcrypto(digest, key, .sha256).lowS(for: .secp256k1)
            #expect(try ECDSA.sign(digest: digest, with: key) == own)
        }
    }

    @Test("a digest of another length signs and verifies on secp256k1", arguments: [1, 20, 31, 33, 48, 64])
    func digestLengths(_ length: Int) throws {
        let key = try PrivateKey([UInt8](repeating: 5, count: 32), curve: .secp256k1)
        let digest = [UInt8](repeating: 0xC3, count: length)
        let signature = try ECDSA.sign(digest: digest, with: key)
        #expect(try ECDSA.verify(signature, digest: digest, key: key.publicKey))
        #expect(try signature.isLowS(for: .secp256k1))
        #expect(try !ECDSA.verify(signature, digest: [1] + digest.dropFirst(), key: key.publicKey))
    }

    @Test("a signature of the wallet card's tests repeats", arguments: try WalletVector.load("ecdsa_sign"))
    func walletSigning(_ item: WalletVector) throws {
        let key = try PrivateKey(item.inputBytes("privateKey"), curve: .secp256k1)
        let message = try item.inputBytes("message")
        let signature = try ECDSA.sign(message: message, with: key)
        #expect(try signature.raw(for: .secp256k1) == item.expectedBytes("signature"))
        let number = try ECDSA.recoveryNumber(
            of: signature,
            digest: SHA256.digest(message),
            key: key.publicKey
        )
        // The vendor writes the number plus 27.
        #expect(try number == Int(#require(item.expectedBytes("v").first)) - 27)
    }

    @Test("a key comes back from its signature, and not with another number")
    func recovery() throws {
        let key = try PrivateKey([UInt8](repeating: 9, count: 32), curve: .secp256k1)
        let digest = SHA256.digest([1, 2, 3])
        let signature = try ECDSA.sign(digest: digest, with: key)
        let number = try #require(try ECDSA.recoveryNumber(of: signature, digest: digest, key: key.publicKey))
        #expect(try ECDSA.recoverKey(from: signature, number: number, digest: digest) == key.publicKey)
        #expect(try ECDSA.recoverKey(from: signature, number: number ^ 1, digest: digest) != key.publicKey)
        #expect(throws: CryptographyError.self) {
            try ECDSA.recoverKey(from: signature, number: 4, digest: digest)
        }
    }

    @Test(
        "a wallet signs two hashes as computed before",
        arguments: try WalletVector.load("wallet_signature")
    )
    func walletHashes(_ item: WalletVector) throws {
        let key = try PrivateKey(item.inputBytes("privateKey"), curve: .secp256k1)
        let hashes = try #require(item.input["hashes"]?.list)
        let signatures = try #require(item.expected["signatures"]?.list)
        for (hash, signature) in zip(hashes, signatures) {
            #expect(try ECDSA.sign(digest: hex(hash), with: key).raw(for: .secp256k1) == hex(signature))
        }
    }

    @Test("signatures of cards in the field verify", arguments: try WalletVector.load("signature_verify"))
    func fieldSignatures(_ item: WalletVector) throws {
        let curve = try #require(item.input["curve"]?.text)
        let expected = try #require(item.expected["valid"]?.flag as Bool?)
        let signature = try item.inputBytes("signature")
        let keyBytes = try item.inputBytes("publicKey")
        var message: [UInt8]
        if item.input["messageHash"] == nil {
            let hash = try #require(item.input["hash"]?.text.flatMap(HashAlgorithm.init(name:)))
            message = try hash.digest(item.inputBytes("message"))
        } else {
            message = try item.inputBytes("messageHash")
        }
        func check() throws -> Bool {
            switch curve {
            case "ed25519":
                try Ed25519.verify(signature, message: message, key: PublicKey(keyBytes, curve: .ed25519))
            case "bip0340":
                try BIP340.verify(signature, message: message, key: PublicKey(xOnly: keyBytes))
            default:
                try ECDSA.verify(
                    ECDSASignature(raw: signature, curve: .secp256k1),
                    digest: message,
                    key: PublicKey(keyBytes, curve: .secp256k1)
                )
            }
        }
        #expect(try check() == expected)
        message[0] ^= 1
        #expect(try check() == false)
    }

    @Test("s is lowered as the vendor does it", arguments: try WalletVector.load("signature_normalize"))
    func lowered(_ item: WalletVector) throws {
        let signature = try ECDSASignature(raw: item.inputBytes("signature"), curve: .secp256k1)
        #expect(try !signature.isLowS(for: .secp256k1))
        let low = try signature.lowS(for: .secp256k1)
        #expect(try low.raw(for: .secp256k1) == item.expectedBytes("signature"))
        #expect(try low.lowS(for: .secp256k1) == low)
    }

    @Test("challenges of the NFC tag are signed byte for byte")
    func tagSignatures() throws {
        let offline = try TagFixture.load().offline_signature
        let key = try PrivateKey(hex(offline.sample_private_key), curve: .secp256r1)
        #expect(key.publicKey.uncompressed == hex(offline.public_key))
        for vector in offline.vectors {
            let signature = try ECDSA.sign(message: hex(vector.challenge), with: key)
            #expect(signature.der == hex(vector.signature))
            let read = try ECDSASignature(hex(vector.signature), curve: .secp256r1)
            #expect(try ECDSA.verify(read, message: hex(vector.challenge), key: key.publicKey))
        }
    }

    @Test(
        "r and s out of range never verify, and the reason is said",
        arguments: Curve.allCases.filter(\.hasECDSA)
    )
    func outOfRange(_ curve: Curve) throws {
        let key = try PrivateKey([UInt8](repeating: 0, count: curve.scalarLength - 1) + [7], curve: curve)
        let digest = SHA256.digest([])
        let good = try ECDSA.sign(digest: digest, with: key)
        let order = try CurveGroup(curve).scalars.modulus.bytes(length: curve.scalarLength)
        let tooLong = [1] + [UInt8](repeating: 0, count: curve.scalarLength)
        for bad in [
            ECDSASignature(r: [], s: good.s), ECDSASignature(r: good.r, s: []),
            ECDSASignature(r: order, s: good.s), ECDSASignature(r: good.r, s: order),
            ECDSASignature(r: tooLong, s: good.s),
        ] {
            #expect(try !ECDSA.verify(bad, digest: digest, key: key.publicKey))
            #expect(throws: CryptographyError.self) { try bad.check(for: curve) }
        }
        let error = #expect(throws: CryptographyError.self) {
            try ECDSASignature(r: [], s: good.s).check(for: curve)
        }
        #expect(
            error?.description == "r of the signature is zero or not below the order of \(curve.rawValue); "
                + "it was made for another curve, or it is damaged"
        )
    }

    @Test("keys and digests that do not fit are refused")
    func refusals() throws {
        let edwards = try PrivateKey([UInt8](repeating: 1, count: 32), curve: .ed25519)
        let point = try PrivateKey([UInt8](repeating: 1, count: 32), curve: .secp256r1)
        #expect(throws: CryptographyError.self) { try ECDSA.sign(digest: SHA256.digest([]), with: edwards) }
        #expect(throws: CryptographyError.self) { try ECDSA.sign(digest: [], with: point) }
        #expect(throws: CryptographyError.self) { try Ed25519.sign([], with: point) }
        #expect(throws: CryptographyError.self) { try Ed25519.verify([], message: [], key: point.publicKey) }
        #expect(throws: CryptographyError.self) { try BIP340.sign([], with: point) }
    }
}
