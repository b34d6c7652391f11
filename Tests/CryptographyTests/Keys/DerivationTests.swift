// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// Vectors of BIP32, SLIP-0010, SLIP-0023, CIP-3 and CIP-19.
@Suite("Key trees")
struct DerivationTests {
    @Test("keys from seeds", arguments: try WalletVector.load("hd_derive_seed"))
    func fromSeed(_ item: WalletVector) throws {
        let name = try #require(item.input["curve"]?.text)
        let curve = try #require(Curve(name: name == "ed25519_slip0010" ? "ed25519" : name))
        let indexes = try path(#require(item.input["path"]?.text))
        let node = try HDPrivateKey.master(seed: item.inputBytes("seed"), curve: curve).derived(indexes)
        let key = node.key.publicKey.compressed
        let expected = try item.expectedBytes("publicKey")
        // SLIP-0010 writes a zero in front of Ed25519 keys.
        #expect((curve == .ed25519 && expected.count == 33 ? [0] + key : key) == expected)
        if item.expected["chainCode"] != nil {
            #expect(try node.chainCode == item.expectedBytes("chainCode"))
        }
    }

    @Test("children of public keys", arguments: try WalletVector.load("hd_derive_public"))
    func fromPublic(_ item: WalletVector) throws {
        let key = try PublicKey(item.inputBytes("publicKey"), curve: .secp256k1)
        let node = try HDPublicKey(key: key, chainCode: item.inputBytes("chainCode"))
        let child = try node.derived(path(#require(item.input["path"]?.text)))
        #expect(try child.key.compressed == item.expectedBytes("publicKey"))
        #expect(try child.chainCode == item.expectedBytes("chainCode"))
    }

    @Test("public and private children agree", arguments: [Curve.secp256k1, .secp256r1])
    func agreement(_ curve: Curve) throws {
        let root = try HDPrivateKey.master(seed: [1, 2, 3], curve: curve)
        for index: UInt32 in [0, 1, 77, 0x7FFF_FFFF] {
            #expect(try root.child(index).publicNode == root.publicNode.child(index))
        }
        #expect(throws: CryptographyError.derivation(reason: "the hardened child 3 needs the private key")) {
            try root.publicNode.child(0x8000_0003)
        }
    }

    @Test("a seed that gives no key at first", arguments: try WalletVector.load("master_key"))
    func retried(_ item: WalletVector) throws {
        let node = try HDPrivateKey.master(seed: item.inputBytes("seed"), curve: .secp256r1)
        #expect(try node.key.scalar == item.expectedBytes("privateKey"))
        #expect(try node.chainCode == item.expectedBytes("chainCode"))
    }

    @Test("keys of Cardano's kind", arguments: try WalletVector.load("ikarus"))
    func ikarus(_ item: WalletVector) throws {
        let passphrase = try #require(item.input["passphrase"]?.text)
        let root = try IkarusKey.master(
            entropy: item.inputBytes("entropy"),
            passphrase: Array(passphrase.utf8)
        )
        let node = try root.derived(path(item.input["path"]?.text ?? "m"))
        var checked = 0
        func check(_ key: String, _ value: [UInt8]) throws {
            guard item.expected[key] != nil else { return }
            checked += 1
            #expect(try value == item.expectedBytes(key))
        }
        try check("publicKey", node.publicKey.uncompressed)
        try check("privateKey", node.extended)
        try check("chainCode", node.chainCode)
        try check("privateKeyAndChainCode", node.extended + node.chainCode)
        #expect(checked > 0)
        let signature = try node.sign([1, 2, 3])
        #expect(try Ed25519.verify(signature, message: [1, 2, 3], key: node.publicKey))
    }

    @Test("what cannot be derived is refused")
    func refusals() throws {
        let edwards = try HDPrivateKey.master(seed: [1], curve: .ed25519)
        #expect(throws: CryptographyError.self) { try edwards.child(0) }
        #expect(throws: CryptographyError.self) { try edwards.publicNode.child(0) }
        #expect(throws: CryptographyError.self) { try HDPrivateKey.master(seed: [1], curve: .secp384r1) }
        #expect(throws: CryptographyError.self) { try HDPrivateKey.master(seed: [], curve: .secp256k1) }
        #expect(throws: CryptographyError.self) { try HDPrivateKey(key: edwards.key, chainCode: [1]) }
        #expect(throws: CryptographyError.self) { try IkarusKey(extended: [1], chainCode: edwards.chainCode) }
        #expect(throws: CryptographyError.self) { try IkarusKey.master(entropy: []) }
    }
}
