// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Vectors: identity")
struct IdentityVectorTests {
    @Test("check digits", arguments: Vector.of("card_id_check"))
    func checkDigits(_ vector: Vector) throws {
        let id = try CardID(vector.input.text("cardId"))
        #expect(id.hasRightCheckDigit == vector.expected["valid"]?.boolean)
        #expect(
            "\(CardID.checkDigit(of: id.description.prefix(15)))" == (try vector.expected.text("checkDigit"))
        )
        #expect(try CardID(id.description.lowercased()) == id)
    }

    @Test("identifiers are built from series and number", arguments: Vector.of("card_id_build"))
    func build(_ vector: Vector) throws {
        let id = try CardID(series: vector.input.text("series"), number: vector.input.number("number"))
        #expect(id.description == (try vector.expected.text("cardId")))
        #expect(id.hasRightCheckDigit)
    }

    @Test("identifiers are shown in groups", arguments: Vector.of("card_id_format"))
    func format(_ vector: Vector) throws {
        let id = try CardID(vector.input.text("cardId"))
        let word = try vector.input.text("style")
        let number = Int(word.filter(\.isNumber)) ?? 0
        let style: CardIDStyle =
            word == "full"
            ? .full : word.hasPrefix("lastLunh") ? .lastWithoutCheckDigit(number) : .last(number)
        let text = try #require(style.text(id)).replacing("\u{A0}", with: " ")
        #expect(text == (try vector.expected.text("text").replacing("\u{A0}", with: " ")))
    }

    @Test("ranges hold their ends", arguments: Vector.of("card_id_range"))
    func ranges(_ vector: Vector) throws {
        let range = try CardIDRange(
            start: CardID(vector.input.text("start")),
            end: CardID(vector.input.text("end"))
        )
        let isInside = range.contains(try CardID(vector.input.text("cardId")))
        #expect(isInside == vector.expected["contains"]?.boolean)
    }

    @Test("ranges that end before they start are refused", arguments: Vector.of("card_id_range_error"))
    func wrongRanges(_ vector: Vector) throws {
        #expect(throws: TangemError.self) {
            try CardIDRange(start: CardID(vector.input.text("start")), end: CardID(vector.input.text("end")))
        }
    }

    @Test("firmware versions are read", arguments: Vector.of("firmware_version"))
    func firmware(_ vector: Vector) throws {
        let firmware = CardFirmware(try vector.input.text("text"))
        #expect(firmware.major == (try vector.expected.number("major")))
        #expect(firmware.minor == (try vector.expected.number("minor")))
        #expect(firmware.patch == (try vector.expected.number("patch")))
        #expect(firmware.release.rawValue == (try vector.expected.text("type")))
    }

    @Test("the manufacturer of a card is found", arguments: Vector.of("manufacturer_key_select"))
    func manufacturers(_ vector: Vector) throws {
        let found = ManufacturerKeys.signer(
            firmware: CardFirmware(try vector.input.text("firmware")),
            name: try vector.input.text("manufacturerName")
        )
        #expect(found?.rawValue == vector.expected["keyOf"]?.string)
    }

    @Test("keys of manufacturers", arguments: Vector.of("public_key"))
    func manufacturerKeys(_ vector: Vector) throws {
        let name = try vector.input.text("manufacturerName")
        let manufacturer = try #require(ManufacturerKeys.Manufacturer(rawValue: name))
        #expect(manufacturer.publicKey == (try vector.expected.hex("publicKey")))
        #expect(throws: Never.self) { try PublicKey(manufacturer.publicKey, curve: .secp256k1) }
    }

    @Test("manufacturer, issuer and card hang together", arguments: Vector.of("online_attestation"))
    func online(_ vector: Vector) throws {
        let input = vector.input
        // What is no hex stands for a signature that cannot be right.
        func signature(_ key: String) -> [UInt8] {
            input[key]?.string.flatMap { try? HexText.bytes($0) } ?? []
        }
        let attestation = OnlineAttestation(
            manufacturerSignature: signature("manufacturerSignature"),
            issuerSignature: signature("issuerSignature")
        )
        let isValid = attestation.isValid(
            cardPublicKey: try input.hex("cardPublicKey"),
            issuerPublicKey: try input.hex("issuerPublicKey"),
            manufacturerPublicKey: try input.hex("manufacturerPublicKey")
        )
        #expect(isValid == vector.expected["valid"]?.boolean)
    }

    @Test("codes go out as digests", arguments: Vector.of("user_code", "sha256_text"))
    func codes(_ vector: Vector) throws {
        let text = try vector.input["code"]?.string ?? vector.input.text("text")
        #expect(UserCode(text).digest == (try vector.expected.hex("sha256")))
    }

    @Test("digests", arguments: Vector.of("sha256", "sha512"))
    func digests(_ vector: Vector) throws {
        let data = try vector.input.hex("data")
        let digest = vector.kind == "sha256" ? SHA256.digest(data) : SHA512.digest(data)
        #expect(digest == (try vector.expected.hex(vector.kind)))
    }
}
