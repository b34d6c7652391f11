// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Vectors: coding")
struct CodingVectorTests {
    @Test("frames have three bytes of Lc and Le only where asked for", arguments: Vector.of("apdu_serialize"))
    func frames(_ vector: Vector) throws {
        let input = vector.input
        let frame = try CommandFrame(
            TangemInstruction(rawValue: UInt8(try input.number("ins"))),
            p1: UInt8(try input.number("p1")),
            p2: UInt8(try input.number("p2")),
            body: try input["data"]?.string.map { try hex($0) } ?? [],
            le: input["le"]?.integer
        )
        #expect(frame.bytes.hex == (try vector.expected.text("apdu").uppercased()))
    }

    @Test("SELECT is the short one of the published hosts", arguments: Vector.of("raw_apdu"))
    func select(_ vector: Vector) throws {
        #expect(CommandFrame.select == (try vector.expected.hex("apdu")))
        #expect(TangemLimits.walletAID == (try vector.input.hex("aid")))
    }

    @Test("lists are written", arguments: Vector.of("tlv_encode"))
    func encode(_ vector: Vector) throws {
        let bytes = try vector.input.objects().bytes
        if let whole = vector.expected["bytes"]?.string {
            #expect(bytes.hex == whole.uppercased())
        } else {
            #expect(bytes.count == (try vector.expected.number("length")))
            #expect(bytes.prefix(4).hex == (try vector.expected.text("prefix")))
        }
    }

    @Test("lists are read", arguments: Vector.of("tlv_decode"))
    func decode(_ vector: Vector) throws {
        #expect(try CardObjects(parsing: vector.input.hex("bytes")) == vector.expected.objects())
    }

    @Test("cut lists are refused", arguments: Vector.of("tlv_decode_error"))
    func refuse(_ vector: Vector) throws {
        #expect(throws: TangemError.self) { try CardObjects(parsing: vector.input.hex("bytes")) }
    }

    @Test("values are written", arguments: Vector.of("tlv_encode_value"))
    func values(_ vector: Vector) throws {
        let input = vector.input
        let tag = TangemTag(rawValue: try #require(try input.hex("tag").first))
        var list = CardObjects()
        switch try input.text("type") {
        case "hexString", "data": list.add(tag, try input.hex("value"))
        case "utf8String", "curve": list.add(tag, text: try input.text("value"))
        case "uint32": try list.add(tag, number: input.number("value"), count: 4)
        case "uint16": try list.add(tag, number: input.number("value"), count: 2)
        case "byte", "status", "productMask": try list.add(tag, number: input.number("value"), count: 1)
        case "settingsMask":
            list.add(tag, TangemSettings(rawValue: UInt32(try input.number("value"))).bytes)
        case "signingMethod":
            list.add(tag, [TangemSigningMethod(reading: try #require(try input.hex("value").first)).rawValue])
        case "date":
            let parts = try input.text("value").split(separator: "-").compactMap { Int($0) }
            try #require(parts.count == 3)
            list.add(tag, CardDate(year: parts[0], month: parts[1], day: parts[2]).bytes)
        default: Issue.record("no such type")
        }
        #expect(list.bytes == (try vector.expected.hex("bytes")))
    }

    @Test("numbers are read and written most significant byte first", arguments: Vector.of("int_be"))
    func writeNumbers(_ vector: Vector) throws {
        var list = CardObjects()
        let count = try vector.input["bytes"]?.integer ?? vector.expected.hex("hex").count
        try list.add(.size, number: try vector.input.number("value"), count: count)
        #expect(list[.size] == (try vector.expected.hex("hex")))
    }

    @Test("numbers carry no sign", arguments: Vector.of("int_from_be"))
    func readNumbers(_ vector: Vector) throws {
        let list = CardObjects([CardObject(.size, try vector.input.hex("hex"))])
        #expect(try list.number(.size) == vector.expected.number("value"))
    }

    @Test("dates are read", arguments: Vector.of("date_decode"))
    func dates(_ vector: Vector) throws {
        #expect(CardDate(try vector.input.hex("hex"))?.description == vector.expected["date"]?.string)
    }

    @Test("texts lose their NULs", arguments: Vector.of("utf8_decode"))
    func texts(_ vector: Vector) throws {
        let list = CardObjects([CardObject(.curve, try vector.input.hex("hex"))])
        #expect(try list.text(.curve) == vector.expected.text("text"))
    }

    @Test("status words become errors", arguments: Vector.of("response_sw"))
    func statusWords(_ vector: Vector) throws {
        let sw = try vector.input.hex("sw")
        let error = TangemError(sw: StatusWord(sw1: sw[0], sw2: sw[1]))
        switch try vector.expected.text("status") {
        case "ProcessCompleted": #expect(error == nil)
        default: #expect(error?.kind == .unknownStatus)
        }
        #expect(throws: TangemError.self) { try CardObjects(parsing: vector.input.hex("data")) }
    }

    @Test("signing methods are read", arguments: Vector.of("signing_method"))
    func signingMethods(_ vector: Vector) throws {
        let list = try CardObjects(parsing: vector.input.hex("tlv"))
        let titles = TangemSigningMethod(reading: try #require(try list.byte(.signingMethod))).titles
        for name in try #require(vector.expected["contains"]?.array) {
            #expect(titles.contains(try #require(name.string)))
        }
        for name in try #require(vector.expected["notContains"]?.array) {
            #expect(!titles.contains(try #require(name.string)))
        }
        #expect(TangemSigningMethod(reading: 0x00).titles == ["signHash"])
        #expect(TangemSigningMethod(reading: 0x7F).titles.isEmpty)
    }

    @Test("rights of files are read", arguments: Vector.of("file_settings"))
    func fileSettings(_ vector: Vector) throws {
        let settings = try FileSettings(vector.input.hex("bytes"))
        #expect(settings.isPermanent == vector.expected["isPermanent"]?.boolean)
        #expect(settings.isPublic == (try vector.expected.text("visibility") == "public"))
        #expect(try settings.value(for: CardFirmware("4.12r")) == vector.input.hex("bytes"))
    }

    @Test("named files are written and read", arguments: Vector.of("named_file"))
    func namedFiles(_ vector: Vector) throws {
        let file = NamedFile(
            name: try vector.input.text("name"),
            payload: try vector.input.hex("payload")
        )
        #expect(try file.data() == vector.expected.hex("bytes"))
        #expect(try NamedFile(vector.expected.hex("bytes")) == file)
    }

    @Test("memory of tags without a processor is read", arguments: Vector.of("slix_ndef"))
    func slix(_ vector: Vector) throws {
        let objects = try SLIXMemory(vector.input.hex("bytes")).objects
        #expect(SLIXMemory.recordType == (try vector.expected.text("ndefRecordType")))
        let data = try #require(try objects.list(.cardData))
        #expect(data[.batchID] == (try vector.expected.hex("cardDataBatch")))
    }

    @Test("answers of real cards are read", arguments: Vector.of("read_response"))
    func readResponses(_ vector: Vector) throws {
        let objects = try CardObjects(parsing: vector.input.hex("data"))
        let expected = vector.expected
        #expect(objects.items.map { [$0.tag.rawValue].hex } == expected["tags"]?.array?.compactMap(\.string))
        let card = try CardRecord(objects)
        #expect(card.firmware.description == (try expected.text("firmware")))
        #expect(card.production.batchID == (try expected.text("batchId")))
        #expect(card.production.date.description == (try expected.text("manufactureDate")))
        #expect(card.production.issuerName == (try expected.text("issuerName")))
        #expect(card.production.blockchainName == (try expected.text("blockchainName")))
        #expect(card.maxSignatures == (try expected.number("maxSignatures")))
        #expect(card.securityDelayMilliseconds == (try expected.number("securityDelayMs")))
        #expect(Int(card.settings.rawValue) == (try expected.number("settingsMask")))
        #expect(card.manufacturerName == (try expected.text("manufacturerName")))
        #expect(card.health.map(Int.init) == (try expected.number("health")))
        #expect(card.status == UInt8(try expected.number("status")))
        #expect(card.signingMethods?.rawValue == (try expected.hex("signingMethods").first))
        #expect(card.id.description == (try expected.text("cardId")))
        #expect(card.publicKey == (try expected.hex("cardPublicKey")))
        #expect(card.issuerPublicKey == (try expected.hex("issuerPublicKey")))
        let wallet = try #require(card.wallets.first)
        #expect(wallet.publicKey == (try expected.hex("walletPublicKey")))
        #expect(wallet.curve == (try expected.curve()))
        #expect(wallet.remainingSignatures == (try expected.number("remainingSignatures")))
        #expect(wallet.signedHashes == (try expected.number("signedHashes")))
        let signature = try #require(card.production.manufacturerSignature)
        #expect(signature == (try expected.hex("cardIdManufacturerSignature")))
        #expect(ManufacturerKeys.owner(of: card.id, signature: signature) != nil)
        #expect(card.isPasscodeDefault == nil)
    }

    @Test("the card model of the vendor's documents agrees", arguments: Vector.of("card_json"))
    func cardModel(_ vector: Vector) throws {
        let expected = vector.expected
        let version = try #require(expected["firmwareVersion"])
        let firmware = CardFirmware(try version.text("stringValue"))
        #expect(firmware.major == (try version.number("major")))
        #expect(firmware.minor == (try version.number("minor")))
        #expect(firmware.patch == (try version.number("patch")))
        #expect(
            Set(firmware.curves(own: nil).map(\.rawValue))
                == Set(try #require(expected["supportedCurves"]?.array).compactMap(\.string))
        )
        #expect(try CardID(expected.text("cardId")).hasRightCheckDigit)
    }
}
