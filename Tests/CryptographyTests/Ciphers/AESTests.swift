// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// Vectors of FIPS 197 appendix C, SP 800-38A appendix F, RFC 4493 and SP 800-38B appendix D.
@Suite("AES")
struct AESTests {
    private let plain = hex("00112233445566778899aabbccddeeff")
    private let message = hex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
            + "f69f2445df4f9b17ad2b417be66c3710"
    )
    private static let key128 = hex("2b7e151628aed2a6abf7158809cf4f3c")
    private static let key192 = hex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b")
    private static let key256 = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")

    @Test(
        "one block of each key length",
        arguments: [
            (16, "69c4e0d86a7b0430d8cdb78070b4c55a"), (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
            (32, "8ea2b7ca516745bfeafc49904b496089"),
        ]
    )
    func oneBlock(_ length: Int, _ expected: String) throws {
        let aes = try AES(key: (0..<length).map { UInt8($0) })
        let cipherText = try aes.encrypt(plain, mode: .ecb)
        #expect(text(cipherText) == expected)
        #expect(try aes.decrypt(cipherText, mode: .ecb) == plain)
    }

    @Test(
        "chained blocks",
        arguments: [
            (key128, "7649abac8119b246cee98e9b12e9197d"), (key192, "4f021db243bc633d7178183a9fa071e8"),
            (key256, "f58c4c04d6e5f1ba779eabfb5f7bfbd6"),
        ]
    )
    func chained(_ key: [UInt8], _ first: String) throws {
        let aes = try AES(key: key)
        let mode = CipherMode.cbc(iv: (0..<16).map { UInt8($0) })
        let cipherText = try aes.encrypt(message, mode: mode)
        #expect(text(cipherText.prefix(16)) == first)
        #expect(cipherText.count == message.count)
        #expect(try aes.decrypt(cipherText, mode: mode) == message)
    }

    @Test("padding is put on and taken off at every length", arguments: 0...33)
    func padding(_ length: Int) throws {
        let aes = try AES(key: Self.key256)
        let message = [UInt8](repeating: 0xA5, count: length)
        let cipherText = try aes.encrypt(message, mode: .cbcFromZeros, padding: .pkcs7)
        #expect(cipherText.count == (length / 16 + 1) * 16)
        #expect(try aes.decrypt(cipherText, mode: .cbcFromZeros, padding: .pkcs7) == message)
        let bare = try aes.decrypt(cipherText, mode: .cbcFromZeros)
        #expect(bare.last == UInt8(16 - length % 16))
    }

    @Test("a wrong key is told by the padding, and odd lengths are refused")
    func refusals() throws {
        let aes = try AES(key: Self.key128)
        let zeros = try aes.encrypt([UInt8](repeating: 0, count: 16), mode: .ecb)
        #expect(throws: CryptographyError.badPadding) { try aes.decrypt(zeros, mode: .ecb, padding: .pkcs7) }
        #expect(throws: CryptographyError.badPadding) { try aes.decrypt([], mode: .ecb, padding: .pkcs7) }
        #expect(
            throws: CryptographyError.wrongLength(
                what: "the message",
                length: 15,
                allowed: "a multiple of 16"
            )
        ) {
            try aes.encrypt([UInt8](repeating: 0, count: 15), mode: .ecb)
        }
        #expect(throws: CryptographyError.self) { try aes.decrypt([1], mode: .cbcFromZeros, padding: .pkcs7) }
        #expect(throws: CryptographyError.self) { try aes.encrypt(plain, mode: .cbc(iv: [1, 2])) }
        #expect(throws: CryptographyError.self) { try AES(key: [UInt8](repeating: 0, count: 17)) }
        let error = #expect(throws: CryptographyError.self) { try AES(key: []) }
        #expect(error?.description == "the AES key has 0 bytes; give 16, 24 or 32")
    }

    @Test("nothing in, nothing out")
    func empty() throws {
        #expect(try AES(key: Self.key128).encrypt([], mode: .ecb) == [])
        #expect(try AES(key: Self.key128).decrypt([], mode: .cbcFromZeros) == [])
    }

    @Test(
        "session packets of the wallet card",
        arguments: try WalletVector.load("encrypted_apdu", "encrypted_response")
    )
    func sessionPackets(_ item: WalletVector) throws {
        let aes = try AES(key: item.inputBytes("sessionKey"))
        let cipherText = try item.expectedBytes(item.kind == "encrypted_apdu" ? "cipherText" : "data")
        let packet = try item.expectedBytes("packet")
        #expect(try aes.encrypt(packet, mode: .cbcFromZeros, padding: .pkcs7) == cipherText)
        #expect(try aes.decrypt(cipherText, mode: .cbcFromZeros, padding: .pkcs7) == packet)
    }

    @Test(
        "CMAC at the published lengths",
        arguments: [
            (key128, 0, "bb1d6929e95937287fa37d129b756746"), (key128, 16, "070a16b46b4d4144f79bdd9dd04a287c"),
            (key128, 40, "dfa66747de9ae63030ca32611497c827"),
            (key128, 64, "51f0bebf7e3b9d92fc49741779363cfe"),
            (key256, 0, "028962f61b7bf89efc6b551f4667d983"), (key256, 16, "28a7023f452e8f82bd4bf28d8c37c35c"),
        ]
    )
    func cmac(_ key: [UInt8], _ length: Int, _ code: String) throws {
        #expect(text(try CMAC.code(of: Array(message.prefix(length)), key: key)) == code)
    }

    @Test("CMAC refuses a key of another length")
    func cmacRefusal() {
        #expect(throws: CryptographyError.self) { try CMAC.code(of: [], key: [1, 2, 3]) }
    }

    @Test("token codes of the NFC tag", arguments: try TagFixture.load().cott)
    func tokens(_ item: TagFixture.Token) throws {
        let code = try CMAC.code(of: hex(item.header + item.uid + item.random), key: hex(item.key))
        #expect((code == hex(item.mac)) == item.valid)
    }
}
