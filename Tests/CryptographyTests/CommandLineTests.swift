// SPDX-License-Identifier: MIT

import Cryptography
import TestSupport
import Testing

@Suite("Against the openssl command", .enabled(if: OpenSSLCommand.path != nil, "install openssl"))
struct CommandLineTests {
    private let message = Array("a message that both see".utf8)

    @Test("signatures made here verify there", arguments: Curve.allCases.filter(\.hasECDSA))
    func signatures(_ curve: Curve) throws {
        var generator = SeededGenerator(seed: 11)
        let key = try PrivateKey.generate(curve, using: &generator)
        let signature = try ECDSA.sign(message: message, with: key, hash: .sha256)
        let files = ["key": key.publicKey.spki, "signature": signature.der, "message": message]
        let arguments = [
            "dgst", "-sha256", "-verify", "key", "-keyform", "DER", "-signature", "signature", "message",
        ]
        #expect(try OpenSSLCommand.run(arguments, files).status == 0)
        #expect(try OpenSSLCommand.run(arguments, files.merging(["message": [1]]) { $1 }).status != 0)
    }

    @Test(
        "keys and signatures made there are read here",
        arguments: ["prime256v1", "secp384r1", "secp256k1", "brainpoolP512r1"]
    )
    func foreign(_ name: String) throws {
        let pem = try OpenSSLCommand.run(["ecparam", "-name", name, "-genkey", "-noout"]).bytes
        let spki = try OpenSSLCommand.run(["pkey", "-in", "key", "-pubout", "-outform", "DER"], ["key": pem])
            .bytes
        let text = try OpenSSLCommand.run(["pkey", "-in", "key", "-pubout"], ["key": pem]).bytes
        let signature = try OpenSSLCommand.run(
            ["dgst", "-sha256", "-sign", "key", "message"],
            ["key": pem, "message": message]
        ).bytes
        let key = try PublicKey.read(spki).key
        #expect(key.curve == Curve(name: name))
        #expect(key.spki == spki)
        #expect(try PublicKey.read(text).key == key)
        let read = try ECDSASignature(signature, curve: key.curve)
        #expect(read.der == signature)
        #expect(try ECDSA.verify(read, message: message, key: key))
    }

    @Test("Ed25519 signatures made here verify there")
    func edwards() throws {
        let key = try PrivateKey([UInt8](repeating: 0x42, count: 32), curve: .ed25519)
        let files = [
            "key": key.publicKey.spki, "signature": try Ed25519.sign(message, with: key), "message": message,
        ]
        let arguments = [
            "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-keyform", "DER", "-rawin", "-in", "message",
            "-sigfile", "signature",
        ]
        #expect(try OpenSSLCommand.run(arguments, files).status == 0)
    }

    @Test("codes and cipher texts agree")
    func symmetric() throws {
        let key = [UInt8](0..<32)
        let hexKey = text(key)
        let cipherText = try AES(key: key).encrypt(message, mode: .cbcFromZeros, padding: .pkcs7)
        let iv = String(repeating: "0", count: 32)
        let files = ["message": message]
        #expect(
            try OpenSSLCommand.run(["enc", "-aes-256-cbc", "-K", hexKey, "-iv", iv, "-in", "message"], files)
                .bytes
                == cipherText
        )
        let code = try OpenSSLCommand.run(
            [
                "mac", "-cipher", "AES-256-CBC", "-macopt", "hexkey:\(hexKey)", "-in", "message", "-binary",
                "CMAC",
            ],
            files
        ).bytes
        #expect(try CMAC.code(of: message, key: key) == code)
        for hash in HashAlgorithm.allCases where hash != .ripemd160 {
            let digest = try OpenSSLCommand.run(["dgst", "-\(hash.rawValue)", "-binary", "message"], files)
                .bytes
            #expect(try hash.digest(message) == digest)
        }
    }
}
