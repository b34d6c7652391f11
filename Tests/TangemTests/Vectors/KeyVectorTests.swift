// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Vectors: keys and derivation")
struct KeyVectorTests {
    private func group(_ vector: Vector) throws -> Curve {
        try #require(Curve(rawValue: vector.input.text("curve")))
    }

    @Test("public keys of private ones", arguments: Vector.of("key_pair"))
    func pairs(_ vector: Vector) throws {
        let key = try PrivateKey(vector.input.hex("privateKey"), curve: group(vector))
        #expect(key.publicKey.uncompressed == (try vector.expected.hex("publicKey")))
        if vector.expected["compressed"] != nil {
            #expect(key.publicKey.compressed == (try vector.expected.hex("compressed")))
        }
    }

    @Test("what is a private key", arguments: Vector.of("private_key_valid"))
    func valid(_ vector: Vector) throws {
        let key = try? PrivateKey(vector.input.hex("privateKey"), curve: group(vector))
        #expect((key != nil) == vector.expected["valid"]?.boolean)
    }

    @Test("points are compressed", arguments: Vector.of("key_compress"))
    func compress(_ vector: Vector) throws {
        let key = try PublicKey(vector.input.hex("uncompressed"), curve: .secp256k1)
        #expect(key.compressed == (try vector.expected.hex("compressed")))
    }

    @Test("what is no point is refused", arguments: Vector.of("key_compress_error"))
    func compressError(_ vector: Vector) throws {
        #expect(throws: CryptographyError.self) { try PublicKey(vector.input.hex("key"), curve: .secp256k1) }
    }

    @Test("paths are read", arguments: Vector.of("derivation_path_parse"))
    func paths(_ vector: Vector) throws {
        let path = try DerivationPath(vector.input.text("path"))
        if let whole = vector.expected["path"]?.string {
            #expect(path.description == whole)
        } else {
            let nodes = try #require(vector.expected["nodes"]?.array).compactMap(\.string)
            #expect(path.description == (["m"] + nodes).joined(separator: "/"))
        }
    }

    @Test("wrong paths are refused", arguments: Vector.of("derivation_path_parse_error"))
    func wrongPaths(_ vector: Vector) throws {
        #expect(throws: TangemError.self) { try DerivationPath(vector.input.text("path")) }
    }

    @Test("paths as values", arguments: Vector.of("derivation_path_tlv"))
    func pathValues(_ vector: Vector) throws {
        let path = try DerivationPath(vector.input.text("path"))
        #expect(path.value == (try vector.expected.hex("value")))
        #expect(try DerivationPath(value: path.value) == path)
        #expect([TangemTag.walletHDPath.rawValue].hex == (try vector.expected.text("tlvTag")))
    }

    @Test("wrong values of paths are refused", arguments: Vector.of("derivation_path_tlv_error"))
    func wrongPathValues(_ vector: Vector) throws {
        #expect(throws: TangemError.self) { try DerivationPath(value: vector.input.hex("value")) }
    }

    @Test("paths of BIP44", arguments: Vector.of("bip44_path"))
    func bip44(_ vector: Vector) throws {
        let path = DerivationPath(
            bip44: UInt32(try vector.input.number("coinType")),
            account: UInt32(try vector.input.number("account")),
            isChange: try vector.input.text("change") != "external",
            addressIndex: UInt32(try vector.input.number("addressIndex"))
        )
        #expect(path.description == (try vector.expected.text("path")))
    }

    @Test("children follow from public keys", arguments: Vector.of("hd_derive_public"))
    func derivePublic(_ vector: Vector) throws {
        let child = try HostDerivation.child(
            of: vector.input.hex("publicKey"),
            chainCode: vector.input.hex("chainCode"),
            path: DerivationPath(vector.input.text("path"))
        )
        #expect(child.publicKey == (try vector.expected.hex("publicKey")))
        #expect(child.chainCode == (try vector.expected.hex("chainCode")))
    }

    @Test("children follow from seeds", arguments: Vector.of("hd_derive_seed"))
    func deriveSeed(_ vector: Vector) throws {
        let curve = try vector.input.curve()
        let root = try ImportedKey.root(seed: vector.input.hex("seed"), curve: curve)
        let group: Curve =
            switch curve {
            case .secp256k1: .secp256k1
            case .secp256r1: .secp256r1
            default: .ed25519
            }
        let path = try DerivationPath(vector.input.text("path"))
        let master = try HDPrivateKey(
            key: PrivateKey(root.privateKey, curve: group),
            chainCode: try #require(root.chainCode)
        )
        let node = try master.derived(path.indices)
        let prefix: [UInt8] = group == .ed25519 ? [0] : []
        #expect(prefix + node.key.publicKey.compressed == (try vector.expected.hex("publicKey")))
        #expect(node.chainCode == (try vector.expected.hex("chainCode")))
        guard let text = vector.expected["xpub"]?.string else { return }
        let parent = try master.derived(Array(path.indices.dropLast()))
        let extended = try ExtendedKey(
            publicKey: node.key.publicKey.compressed,
            chainCode: node.chainCode,
            depth: UInt8(path.indices.count),
            parentFingerprint: path.indices.isEmpty
                ? [0, 0, 0, 0] : ExtendedKey.fingerprint(parent.key.publicKey.compressed),
            index: path.indices.last ?? 0
        )
        #expect(extended.text() == text)
        #expect(try ExtendedKey(text) == extended)
    }

    @Test("wrong extended keys are refused", arguments: Vector.of("extended_key_parse_error"))
    func extendedErrors(_ vector: Vector) throws {
        let network = try #require(ExtendedKey.Network(rawValue: vector.input.text("network")))
        #expect(throws: TangemError.self) { try ExtendedKey(vector.input.text("key"), network: network) }
    }

    @Test("roots that need a second try", arguments: Vector.of("master_key"))
    func masters(_ vector: Vector) throws {
        let root = try ImportedKey.root(seed: vector.input.hex("seed"), curve: vector.input.curve())
        #expect(root.privateKey == (try vector.expected.hex("privateKey")))
        #expect(root.chainCode == (try vector.expected.hex("chainCode")))
    }

    @Test("mnemonics become keys to import", arguments: Vector.of("key_import", "key_import_public"))
    func imports(_ vector: Vector) throws {
        let mnemonic = try Mnemonic(vector.input.text("mnemonic"))
        if vector.input["entropy"] != nil { #expect(mnemonic.entropy == (try vector.input.hex("entropy"))) }
        let key = try ImportedKey.root(
            of: mnemonic,
            passphrase: vector.input["passphrase"]?.string ?? "",
            curve: vector.input.curve()
        )
        #expect(key.publicKey == (try vector.expected.hex("publicKey")))
        if vector.expected["privateKey"] != nil {
            #expect(key.privateKey == (try vector.expected.hex("privateKey")))
        }
        if let chainCode = vector.expected["chainCode"]?.string {
            #expect((key.chainCode ?? []) == (try hex(chainCode)))
        }
    }

    @Test("BLS keys of key material", arguments: Vector.of("bls_keygen"))
    func blsKeys(_ vector: Vector) throws {
        #expect(try BLSKeys.privateKey(vector.input.hex("ikm")) == vector.expected.hex("privateKey"))
    }

    @Test("HKDF", arguments: Vector.of("hkdf_sha256"))
    func hkdf(_ vector: Vector) throws {
        let key = try HKDF.extract(salt: vector.input.hex("salt"), material: vector.input.hex("ikm"))
        #expect(key == (try vector.expected.hex("prk")))
        let output = try HKDF.expand(
            key,
            info: vector.input.hex("info"),
            length: vector.input.number("length")
        )
        #expect(output == (try vector.expected.hex("okm")))
    }

    @Test("roots as Cardano has them", arguments: Vector.of("slip23_master"))
    func ikarus(_ vector: Vector) throws {
        let key = try ImportedKey.root(
            of: Mnemonic(vector.input.text("mnemonic")),
            passphrase: vector.input.text("passphrase"),
            curve: .ed25519
        )
        if vector.expected["kl"] != nil {
            #expect(key.privateKey == (try vector.expected.hex("kl") + vector.expected.hex("kr")))
            #expect(key.publicKey == (try vector.expected.hex("publicKey")))
            #expect(key.chainCode == (try vector.expected.hex("chainCode")))
        } else {
            #expect(
                key.privateKey + (key.chainCode ?? []) == (try vector.expected.hex("privateKeyAndChainCode"))
            )
        }
    }

    @Test("base 58", arguments: Vector.of("base58"))
    func base58(_ vector: Vector) throws {
        let bytes = try vector.input.hex("data")
        #expect(Base58.text(bytes) == (try vector.expected.text("base58")))
        #expect(Base58.bytes(try vector.expected.text("base58")) == bytes)
        #expect(Base58.bytes("0OIl") == nil)
    }

    @Test("wallet import format", arguments: Vector.of("wif"))
    func wif(_ vector: Vector) throws {
        #expect(
            Base58.walletImportFormat(try vector.input.hex("privateKey")) == (try vector.expected.text("wif"))
        )
    }

    @Test("seeds of mnemonics", arguments: Vector.of("mnemonic_seed"))
    func seeds(_ vector: Vector) throws {
        let seed = try Mnemonic(vector.input.text("mnemonic")).seed(
            passphrase: vector.input.text("passphrase")
        )
        #expect(seed == (try vector.expected.hex("seed")))
        #expect(
            try ImportedKey.root(seed: seed, curve: .secp256k1).privateKey
                == vector.expected.hex("masterPrivateKey")
        )
    }

    @Test("words and seeds of entropy", arguments: Vector.of("bip39"))
    func bip39(_ vector: Vector) throws {
        let mnemonic = try Mnemonic(entropy: vector.input.hex("entropy"))
        #expect(mnemonic.text == (try vector.expected.text("mnemonic")))
        #expect(try Mnemonic(mnemonic.text) == mnemonic)
        let seed = try mnemonic.seed(passphrase: vector.input.text("passphrase"))
        #expect(seed == (try vector.expected.hex("seed")))
        let extended = try ExtendedKey(vector.expected.text("masterXprv"))
        let root = try ImportedKey.root(seed: seed, curve: .secp256k1)
        #expect(extended.isPrivate)
        #expect(extended.keyBytes == [0] + root.privateKey)
        #expect(extended.chainCode == root.chainCode)
    }

    @Test("mnemonics are read from any text", arguments: Vector.of("mnemonic_parse"))
    func mnemonics(_ vector: Vector) throws {
        #expect(try Mnemonic(vector.input.text("text")).text == vector.expected.text("mnemonic"))
    }

    @Test("wrong mnemonics are refused", arguments: Vector.of("mnemonic_parse_error"))
    func wrongMnemonics(_ vector: Vector) throws {
        #expect(throws: TangemError.self) { try Mnemonic(vector.input.text("text")) }
    }

    @Test("hashes are cut into commands", arguments: Vector.of("hash_chunks"))
    func chunks(_ vector: Vector) throws {
        let chunks = try HashChunks(vector.input.hexes("hashes")).chunks
        let expected = try #require(vector.expected["chunks"]?.array).map { chunk in
            "\(try chunk.number("hashSize")): \(try #require(chunk["indices"]?.array).compactMap(\.integer))"
        }
        #expect(Set(chunks.map { "\($0.hashSize): \($0.indices)" }) == Set(expected))
        #expect(chunks.count == expected.count)
    }
}
