// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import NBTConstants
import SmartCard
import TestSupport
import Testing
import Type4Tag

@testable import NBT

@Suite struct COTTTests {
    private static func vectors() throws -> [JSON] {
        try #require(try Fixture.json("cott.json")["vectors"]?.array)
    }

    /// The bytes of a vector, put together from its fields.
    private static func bytes(_ vector: JSON) throws -> [UInt8] {
        try vector.hex("header") + vector.hex("uid") + vector.hex("random") + vector.hex("mac")
    }

    @Test func `Tokens come apart, together, and prove their key`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 5)
        for vector in vectors {
            let token = try #require(COTTToken(bytes: try Self.bytes(vector)))
            #expect(try token.uid == vector.hex("uid"))
            #expect(try token.bytes == Self.bytes(vector))
            if let text = vector["token"]?.string {
                #expect(token.text == text)
                #expect(COTTToken(text: text) == token)
            }
            if let isValid = vector["valid"]?.boolean {
                #expect(token.isGenuine(key: try vector.hex("key")) == isValid)
            }
            #expect(!token.isGenuine(key: [1, 2, 3]))
        }
        #expect(try Fixture.json("cott.json").hex("development_kit_key") == COTTLayout.developmentKey)
    }

    @Test(.enabled(if: OpenSSLCommand.path != nil, "openssl is not installed"))
    func `The openssl command computes the same codes`() throws {
        for vector in try Self.vectors() {
            guard vector["valid"]?.boolean == true, let key = vector["key"]?.string else { continue }
            let token = try #require(COTTToken(bytes: try Self.bytes(vector)))
            let arguments = [
                "mac", "-cipher", "AES-128-CBC", "-macopt", "hexkey:\(key)", "-in", "message", "CMAC",
            ]
            let result = try OpenSSLCommand.run(arguments, ["message": token.signedBytes])
            #expect(result.output.filter(\.isHexDigit) == token.mac.hex)
        }
    }

    @Test func `A text that is no token is malformed`() throws {
        let listed = try #require(try Fixture.json("cott.json")["malformed_tokens"]?.array)
        let right = "AAECAwQFBgcICQoLDA0ODxDbq1lCP77Fp74yxIzhqA4z"
        let texts =
            listed.compactMap(\.string)
            + [
                "", String(right.dropLast()), right + "A", right.dropLast() + "=", "+" + right.dropFirst(),
                " " + right.dropFirst(), "ä" + right.dropFirst(2),
            ]
        #expect(texts.count == 10)
        for text in texts { #expect(COTTToken(text: text) == nil, "\(text)") }
        #expect(COTTToken(text: right) != nil)
        #expect(COTTToken(bytes: [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test(arguments: ["0000", "0002", "FFFF"])
    func `A token of another generation is malformed, whatever its code`(header: String) throws {
        let rest = try HexText.bytes("058C3FD9D4B2000001020304050607")
        let body = try HexText.bytes(header) + rest
        let code = try CMAC.code(of: body, key: COTTLayout.developmentKey)
        #expect(COTTToken(bytes: body + code) == nil)
        var verifier = COTTVerifier { _ in COTTLayout.developmentKey }
        #expect(verifier.judge(Base64URL.text(body + code)) == .malformed)
        let right = COTTLayout.header + rest
        #expect(
            COTTToken(bytes: right + (try CMAC.code(of: right, key: COTTLayout.developmentKey)))?.text
                == "AAEFjD_Z1LIAAAECAwQFBgfcsKOYg_n40QMhCkjZ0Z5M"
        )
    }

    @Test func `What the apps write in the token's place is no token`() {
        var verifier = COTTVerifier(keys: [:])
        #expect(verifier.judge(COTTLayout.placeholder) == .malformed)
    }

    @Test(arguments: ["", "66", "666F", "666F6F", "666F6F62", "FFFFFF", "FBEFBE"])
    func `Base64 goes both ways`(hex: String) throws {
        let bytes = try HexText.bytes(hex)
        #expect(Base64URL.bytes(Base64URL.text(bytes)) == bytes)
    }

    @Test func `Base64 is the URL-safe one, and takes no other spelling of a text`() {
        #expect(Base64URL.text([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.bytes("Zg") == [0x66])
        // The bits that are left over are not zero; one character alone has too few.
        #expect(Base64URL.bytes("Zh") == nil)
        #expect(Base64URL.bytes("A") == nil)
        #expect(Base64URL.bytes("Zg==") == nil)
    }

    @Test func `The server's cases have its status, in its order`() throws {
        let uid: [UInt8] = [2, 3, 4, 5, 6, 7, 8]
        let vectors = try Self.vectors()
        let right = try #require(vectors[0]["token"]?.string)
        let key = try vectors[0].hex("key")
        let forged = try #require(vectors[2]["token"]?.string)
        let stranger = try #require(vectors[3]["token"]?.string)
        var verifier = COTTVerifier(keys: [uid: key])
        let verdicts: [String: COTTVerdict] = [
            "parameter missing or malformed": verifier.judge(nil),
            "MAC mismatch": verifier.judge(forged),
            "no key for UID": verifier.judge(stranger),
            "valid first use": verifier.judge(right),
            "same token again": verifier.judge(right),
        ]
        let cases = try #require(try Fixture.json("cott.json")["server"]?.array)
        #expect(cases.count == verdicts.count)
        for item in cases {
            let name = try #require(item["case"]?.string)
            #expect(verdicts[name]?.rawValue == item["status"]?.integer, "\(name)")
        }
        #expect(verifier.judge("A") == .malformed)
        // A token that was refused does not count as seen.
        #expect(verifier.judge(forged) == .wrongCode)
        #expect(Set(COTTVerdict.allCases.map(\.word)).count == 5)
        #expect(COTTVerdict.allCases.allSatisfy { !$0.text.isEmpty })
    }

    @Test func `The token is found in the first link that has one`() throws {
        let token = String(repeating: "x", count: 44)
        let message = try NDEFMessage([
            .text("cott=not here"), .uri("https://example.com"),
            .uri("https://example.com/?cott=\(token)&more"),
        ])
        #expect(COTTToken.text(in: message) == token)
        #expect(COTTToken.text(in: try NDEFMessage([.uri("https://example.com/?cott=short")])) == "short")
        #expect(COTTToken.text(in: try NDEFMessage([.text("a")])) == nil)
    }
}
