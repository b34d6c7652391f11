// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// Vectors of FIPS 180-4, RFC 4231, RFC 5869, RFC 7914 §11 and the RIPEMD-160 page of its authors.
@Suite("Hashes")
struct HashTests {
    @Test(
        "every hash has the known digest of abc",
        arguments: [
            (HashAlgorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                    + "454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (.ripemd160, "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ]
    )
    func digests(_ hash: HashAlgorithm, _ digest: String) throws {
        let found = try hash.digest(Array("abc".utf8))
        #expect(text(found) == digest)
        #expect(found.count == hash.digestLength)
    }

    @Test("the shorthands agree with the algorithms by name")
    func shorthands() throws {
        let message = Array("a message".utf8)
        #expect(try SHA1.digest(message) == HashAlgorithm.sha1.digest(message))
        #expect(try SHA512.digest(message) == HashAlgorithm.sha512.digest(message))
        #expect(SHA256.digestTwice(message) == SHA256.digest(SHA256.digest(message)))
        #expect(try SHA256.fingerprint(message) == HashAlgorithm.ripemd160.digest(SHA256.digest(message)))
    }

    @Test("names with and without dashes are found, others are not")
    func names() {
        #expect(HashAlgorithm(name: "SHA-256") == .sha256)
        #expect(HashAlgorithm(name: "ripemd_160") == .ripemd160)
        #expect(HashAlgorithm(name: "md5") == nil)
        #expect(HashAlgorithm(digestLength: 48) == .sha384)
        #expect(HashAlgorithm(digestLength: 21) == nil)
    }

    @Test("HMAC of the first two cases of RFC 4231")
    func hmac() throws {
        let key = [UInt8](repeating: 0x0B, count: 20)
        let message = Array("Hi There".utf8)
        #expect(
            text(HMAC.sha256(key: key, message: message))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        )
        #expect(
            text(HMAC.sha512(key: key, message: message))
                == "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        )
        let short = try HMAC.code(
            .sha256,
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8)
        )
        #expect(text(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("HMAC takes an empty key and an empty message")
    func emptyHMAC() {
        #expect(
            text(HMAC.sha256(key: [], message: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        )
    }

    @Test(
        "PBKDF2 has the known keys",
        arguments: [
            (1, "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"),
            (4096, "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"),
        ]
    )
    func pbkdf2(_ rounds: Int, _ key: String) throws {
        let found = try PBKDF2.key(
            password: Array("password".utf8),
            salt: Array("salt".utf8),
            rounds: rounds,
            length: 32
        )
        #expect(text(found) == key)
    }

    @Test("PBKDF2 refuses no rounds and no length", arguments: [(0, 32), (-1, 32), (1, 0), (1, 70_000)])
    func pbkdf2Refusals(_ rounds: Int, _ length: Int) {
        #expect(throws: CryptographyError.self) {
            try PBKDF2.key(password: [1], salt: [2], rounds: rounds, length: length)
        }
    }

    @Test("HKDF has the keys of the vendor's tests", arguments: try WalletVector.load("hkdf_sha256"))
    func hkdf(_ item: WalletVector) throws {
        let length = try #require(item.input["length"]?.number)
        let key = try HKDF.extract(salt: item.inputBytes("salt"), material: item.inputBytes("ikm"))
        #expect(try key == item.expectedBytes("prk"))
        let output = try HKDF.expand(key, info: item.inputBytes("info"), length: length)
        #expect(try output == item.expectedBytes("okm"))
        #expect(throws: CryptographyError.self) { try HKDF.expand(key, info: [], length: 255 * 32 + 1) }
    }

    @Test("seeds of mnemonics follow from PBKDF2 with SHA-512", arguments: try WalletVector.load("bip39"))
    func mnemonicSeeds(_ item: WalletVector) throws {
        let mnemonic = try #require(item.expected["mnemonic"]?.text)
        let passphrase = try #require(item.input["passphrase"]?.text)
        let seed = try PBKDF2.key(
            password: Array(mnemonic.utf8),
            salt: Array("mnemonic\(passphrase)".utf8),
            rounds: 2048,
            length: 64,
            hash: .sha512
        )
        #expect(try seed == item.expectedBytes("seed"))
    }

    @Test("digests of the wallet card's tests", arguments: try WalletVector.load("sha256", "sha512"))
    func walletDigests(_ item: WalletVector) throws {
        let hash = try #require(HashAlgorithm(rawValue: item.kind))
        #expect(try hash.digest(item.inputBytes("data")) == item.expectedBytes(item.kind))
    }
}
