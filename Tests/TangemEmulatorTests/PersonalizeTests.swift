// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Personalization of the emulated card")
struct PersonalizeTests {
    private let wrap = SHA256.digest(Array("1234".utf8))

    private func unwrap(_ data: [UInt8]) throws -> Answer {
        let packet = try AES(key: wrap).decrypt(data, mode: .cbcFromZeros, padding: .pkcs7)
        return Answer(data: Array(packet.dropFirst(4)), sw: "9000", time: .zero)
    }

    @Test("the published example makes a card out of a blank one")
    func example() throws {
        let vector = try CardBench.vector("personalize-example")
        let apdu = try #require(vector["expected"]).vectorBytes("apdu")
        let bench = try CardBench("4.45d", ["start": "blank"])
        #expect(bench.card.cardID == nil)
        let blank = bench.read()
        #expect(blank.sw == "9000")
        #expect(blank[.status] == [0])
        #expect(blank[.cardID] == nil)
        #expect(bench.once(.sign, [(.pin, bench.pin1)]).sw == "6985")
        #expect(bench.once(.depersonalize, []).sw == "6985")

        let made = bench.raw(apdu)
        #expect(made.sw == "9000")
        let record = try unwrap(made.data)
        #expect(record[.cardID]?.hex == "CB79000000000001")
        #expect(record[.status] == [1])
        let read = bench.read()
        #expect(read.data == record.data)
        #expect(read[.settingsMask]?.hex == "01E8BA20")
        #expect(read[.pauseBeforePIN2]?.number == 500)
        #expect(read[.walletsCount]?.number == 20)
        #expect(read[.cardData]?.hex.hasPrefix("8102CB798A0101820407E5030F") == true)
        #expect(read[.cardPublicKey] == bench.card.cardPublicKey)
        #expect(bench.raw(apdu).sw == "6985")
        #expect(bench.createWallet().sw == "9000")
        #expect(bench.pauses.first == 500)

        #expect(bench.raw([0, 0xE3, 0, 0]).sw == "9000")
        #expect(bench.read()[.status] == [0])
        #expect(bench.raw(apdu).sw == "9000")
        #expect(bench.read()[.status] == [1])
    }

    @Test("a wallet may be made at once, the wrapping has to be right")
    func variants() throws {
        let bench = try CardBench("3.05r", ["start": "blank"])
        let data = CardBench.list([
            (.batchID, [0, 1]), (.manufactureDate, [7, 0xE5, 1, 1]), (.issuerName, Array("TANGEM SDK".utf8)),
        ])
        let items: [(TangemTag, [UInt8])] = [
            (.cardID, CardBench.bytes("BB03000000000004")), (.curve, Array("ed25519".utf8) + [0]),
            (.maxSignatures, [0, 0, 0, 9]), (.signingMethod, [0]), (.settingsMask, [0x7E, 0x31]),
            (.pauseBeforePIN2, [0, 100]), (.cvc, Array("000".utf8)), (.createWalletAtPersonalize, [1]),
            (.newPIN, CardBench.defaultPIN1), (.newPIN2, CardBench.defaultPIN2), (.cardData, data),
            (.issuerPublicKey, CardBench.bytes(TangemDevelopmentKeys.issuerData.publicKey)),
        ]
        func personalize(_ items: [(TangemTag, [UInt8])], key: [UInt8]? = nil) throws -> Answer {
            let body = CardBench.list(items)
            let packet = body.count.bigEndian(2) + SessionCipher.crc(body) + body
            let sealed = try AES(key: key ?? wrap).encrypt(packet, mode: .cbcFromZeros, padding: .pkcs7)
            return bench.raw(CardBench.apdu(.personalize, body: sealed))
        }
        #expect(try personalize(items, key: [UInt8](repeating: 1, count: 32)).sw == "6A86")
        #expect(bench.raw(CardBench.apdu(.personalize, items)).sw == "6A86")
        for tag: TangemTag in [.cardID, .settingsMask, .newPIN, .newPIN2, .cardData, .issuerPublicKey] {
            #expect(try personalize(items.filter { $0.0 != tag }).sw == "6A86")
        }
        let bls = items.map { $0.0 == .curve ? ($0.0, Array("bls12381_G2".utf8)) : $0 }
        #expect(try personalize(bls).sw == "6A86")
        let made = try personalize(items)
        #expect(made.sw == "9000")
        let record = try unwrap(made.data)
        #expect(record[.status] == [2])
        #expect(record[.walletPublicKey]?.count == 32)
        #expect(record[.walletRemainingSignatures]?.number == 9)
        let sealed = try CardBench("4.12r", ["start": "blank", "personalizable": "no"])
        #expect(sealed.raw(CardBench.apdu(.personalize, body: [1])).sw == "6D00")
    }
}
