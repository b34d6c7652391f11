// SPDX-License-Identifier: MIT

import Testing

@testable import Cryptography

/// Vectors of RFC 8032 §7.1.
@Suite("Ed25519")
struct Ed25519Tests {
    struct Case: Sendable {
        let seed, key, message, signature: String
    }

    static let cases = [
        Case(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
                + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        Case(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da0"
                + "85ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        Case(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac1"
                + "8ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test("keys and signatures of the standard", arguments: cases)
    func standard(_ item: Case) throws {
        let key = try PrivateKey(hex(item.seed), curve: .ed25519)
        #expect(text(key.publicKey.uncompressed) == item.key)
        let signature = try Ed25519.sign(hex(item.message), with: key)
        #expect(text(signature) == item.signature)
        #expect(try Ed25519.verify(signature, message: hex(item.message), key: key.publicKey))
        #expect(try !Ed25519.verify(signature, message: hex(item.message) + [1], key: key.publicKey))
        #expect(
            try !Ed25519.verify(Array(signature.dropLast()), message: hex(item.message), key: key.publicKey)
        )
        #expect(try !Ed25519.verify([], message: hex(item.message), key: key.publicKey))
    }

    @Test("the group by itself signs as the library does", arguments: cases)
    func ownGroup(_ item: Case) throws {
        // RFC 8032 §5.1.5: scalar and nonce key are the two halves of the seed's digest.
        var expanded = SHA512.digest(hex(item.seed))
        expanded[0] &= 0xF8
        expanded[31] = expanded[31] & 0x7F | 0x40
        let key = try IkarusKey(extended: expanded, chainCode: [UInt8](repeating: 0, count: 32))
        #expect(text(key.publicKey.uncompressed) == item.key)
        #expect(text(try key.sign(hex(item.message))) == item.signature)
    }

    @Test("bytes that are no point are refused")
    func noPoint() {
        // y = 2 has no x; y = 2^255 - 19 is not reduced; x = 0 cannot be odd.
        for bytes in [
            [2] + [UInt8](repeating: 0, count: 31),
            [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
            [1] + [UInt8](repeating: 0, count: 30) + [0x80],
        ] {
            #expect(throws: CryptographyError.notAPoint(curve: .ed25519)) {
                try PublicKey(bytes, curve: .ed25519)
            }
        }
        #expect(throws: CryptographyError.self) { try PublicKey([1, 2], curve: .ed25519) }
    }
}
