// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants
import TestSupport
import Testing

@testable import TangemEmulator

@Suite("READ of the emulated wallet card")
struct ReadTests {
    @Test("the card record has the order of real cards", arguments: ["2.11r", "3.05r", "3.34d"])
    func order(firmware: String) throws {
        let bench = try CardBench(firmware, ["start": "loaded"])
        let answer = bench.read()
        #expect(answer.sw == "9000")
        let order = [
            "01", "20", "02", "80", "03", "0A", "0C", "30", "05", "08", "07", "09", "60", "62", "63", "0F",
        ]
        #expect(answer.tags == order)
        let cardData = Answer.items(of: try #require(answer[.cardData])).map { [$0.tag].hex }
        #expect(cardData == ["81", "82", "83", "84", "86"])
    }

    @Test("the card is a development card", arguments: TangemCard.profiles)
    func development(firmware: String) throws {
        let bench = try CardBench(firmware)
        let answer = bench.read()
        let cardID = try #require(answer[.cardID])
        let data = Answer.items(of: try #require(answer[.cardData]))
        #expect(data.first { $0.tag == 0x83 }?.value == Array("TANGEM SDK".utf8) + [0])
        let signature = try #require(data.first { $0.tag == 0x86 }?.value)
        let manufacturer = CardBench.bytes(TangemDevelopmentKeys.manufacturer.publicKey)
        let key = try PublicKey(manufacturer, curve: .secp256k1)
        let parsed = try ECDSASignature(raw: signature, curve: .secp256k1)
        #expect(try ECDSA.verify(parsed, message: cardID, key: key))
        #expect(try OpenSSLCommand.verifies(signature, digest: SHA256.digest(cardID), key: key))
        #expect(answer[.issuerPublicKey]?.hex == TangemDevelopmentKeys.issuerData.publicKey)
        let text = cardID.hex
        #expect(CardIdentifier.checkDigit(of: String(text.dropLast())) == cardID[7] & 0x0F)
        #expect(answer[.firmwareVersion]?.last == 0)
        #expect(answer[.manufacturerName]?.last == 0)
    }

    @Test(
        "profiles differ in what they report",
        arguments: [
            ("2.11r", "2.11r", 1, []), ("3.05r", "3.05r", 1, []), ("3.34d", "3.34d SDK", 1, []),
            ("4.12r", "4.12r", 10, ["59", "66"]), ("4.45d", "4.45d SDK", 20, ["59", "5A", "66", "D0"]),
            ("6.33d", "6.33d SDK", 20, ["59", "5A", "66", "D0", "2F"]),
        ]
    )
    func profile(row: (name: String, firmware: String, wallets: Int, extra: [String])) throws {
        let bench = try CardBench(row.name)
        let answer = bench.read()
        #expect(answer[.firmwareVersion]?.text == row.firmware)
        #expect(answer[.walletsCount]?.number ?? 1 == row.wallets)
        #expect(Set(answer.tags).intersection(["59", "5A", "66", "D0", "2F"]) == Set(row.extra))
        #expect(answer[.status] == [1])
        #expect(bench.card.firmware == row.firmware)
        #expect((answer[.maxSignatures] == nil) == (row.wallets > 1))
    }

    @Test("a flag that is false is left out")
    func flags() throws {
        let bench = try CardBench("6.33d")
        #expect(bench.read()[.isPINDefault] != nil)
        let items: [(TangemTag, [UInt8])] = [(.newPIN, CardBench.newPIN), (.newPIN2, CardBench.newPIN)]
        #expect(bench.send(.setPIN, bench.fullAccess + items).sw == "9003")
        bench.pin1 = CardBench.newPIN
        let answer = bench.read()
        #expect(answer.sw == "9000")
        #expect(answer[.isPINDefault] == nil)
        #expect(answer[.isPIN2Default] == nil)
    }

    @Test("Le is optional, objects come in any order, the first counts, unknown ones are ignored")
    func tolerance() throws {
        let bench = try CardBench()
        let items: [(TangemTag, [UInt8])] = [
            (TangemTag(rawValue: 0xEE), [1, 2, 3]), (.interactionMode, [1]), (.pin, bench.pin1),
            (.pin, [1, 2]), (.legacyMode, [4]),
        ]
        let expected = bench.read()
        let command = CardBench.apdu(.read, items)
        for suffix: [UInt8] in [[], [0, 0]] {
            let answer = bench.raw(command + suffix)
            #expect(answer.sw == "9000")
            #expect(answer.data == expected.data)
        }
        let shortForm: [UInt8] = [0, 0xF2, 0, 0, 34] + [0x10, 32] + bench.pin1
        #expect(bench.raw(shortForm).sw == "9000")
        #expect(bench.raw(shortForm + [0]).sw == "9000")
        // The long form of a short length.
        let long: [UInt8] = [0, 0xF2, 0, 0, 36] + [0x10, 0xFF, 0, 32] + bench.pin1
        #expect(bench.raw(long).sw == "9000")
    }

    @Test("the list of wallets comes in as many answers as it needs, empty slots too")
    func walletsList() throws {
        let bench = try CardBench("4.45d", ["delay": "0s"])
        for index: UInt8 in 0..<20 { #expect(bench.createWallet(index: index).sw == "9000") }
        #expect(bench.purge(index: 3).sw == "9000")
        var wallets: [[UInt8]] = []
        var rounds = 0
        while wallets.count < 20, rounds < 20 {
            let more: [(TangemTag, [UInt8])] =
                wallets.isEmpty ? [] : [(.walletIndex, [UInt8(wallets.count)])]
            let answer = bench.send(.read, bench.access + [(.interactionMode, [3])] + more)
            #expect(answer.sw == "9000")
            #expect(answer[.cardID] == bench.cardID)
            #expect(answer.data.count <= TangemLimits.largestAnswer)
            #expect(!answer.all(.cardWallet).isEmpty)
            wallets += answer.all(.cardWallet)
            rounds += 1
        }
        #expect(rounds > 1)
        #expect(wallets.count == 20)
        for (index, wallet) in wallets.enumerated() {
            let items = Answer.items(of: wallet)
            #expect(items.first { $0.tag == 0x65 }?.value == [UInt8(index)])
            #expect(items.first { $0.tag == 0x02 }?.value == [index == 3 ? 1 : 2])
            #expect(items.contains { $0.tag == 0x60 } == (index != 3))
        }
        #expect(
            bench.send(.read, bench.access + [(.interactionMode, [3]), (.walletIndex, [20])]).sw == "6A86"
        )
    }

    @Test("cards before 4.0 do not look at the mode")
    func modeIgnored() throws {
        let bench = try CardBench("3.05r", ["start": "loaded"])
        let answer = bench.send(.read, bench.access + [(.interactionMode, [3])])
        #expect(answer[.walletPublicKey]?.count == 65)
        #expect(answer[.cardWallet] == nil)
    }

    @Test("an old host gets a wallet with the card record")
    func oldHost() throws {
        let bench = try CardBench("4.12r", ["start": "loaded"])
        let byIndex = bench.send(.read, [(.pin, bench.pin1), (.walletIndex, [0])])
        let key = try #require(byIndex[.walletPublicKey])
        #expect(key.count == 33)
        #expect(bench.send(.read, [(.pin, bench.pin1), (.walletPublicKey, key)]).data == byIndex.data)
        #expect(bench.send(.read, [(.pin, bench.pin1), (.walletIndex, [1])]).sw == "6A88")
    }

    @Test("a card that wants to be activated says so by a flag")
    func activation() throws {
        #expect(try CardBench("4.12r", ["settings": "000ABA33"]).read()[.isActivated] != nil)
        #expect(try CardBench("4.12r").read()[.isActivated] == nil)
    }

    @Test("SELECT of the wallet, of the tag, and of nothing known")
    func select() throws {
        let bench = try CardBench("4.12r", ["implicit-select": "no", "fci": "6F00", "ndef": "D1010155"])
        #expect(bench.read().sw == "6D00")
        let wallet = try HexText.bytes("00A4040008A000000812010208")
        #expect(bench.raw(wallet).data.hex == "6F00")
        #expect(bench.read().sw == "9000")
        #expect(bench.raw(wallet + [0]).sw == "9000")
        #expect(bench.raw(try HexText.bytes("00A4040005A000000812")).sw == "6A82")
        #expect(bench.raw(try HexText.bytes("00A4040007D2760000850101")).sw == "9000")
        #expect(bench.raw(try HexText.bytes("00B0000002")).sw == "6986")
        #expect(bench.raw(try HexText.bytes("00A4000C02E103")).sw == "9000")
        #expect(bench.raw(try HexText.bytes("00B000000F")).data.hex == "000F2000FF00FF0406E104040000FF")
        #expect(bench.raw(try HexText.bytes("00A4000C02E104")).sw == "9000")
        #expect(bench.raw(try HexText.bytes("00B0000006")).data.hex == "0004D1010155")
        #expect(bench.raw(try HexText.bytes("00B0040006")).sw == "6B00")
        #expect(bench.raw(try HexText.bytes("00A4000C02E105")).sw == "6A82")
        #expect(bench.read().sw == "6D00")
        bench.powerCycle()
        #expect(bench.read().sw == "6D00")
    }

    @Test("health other than 0 is in all answers with data")
    func health() throws {
        let bench = try CardBench("4.12r", ["health": "3", "start": "loaded"])
        #expect(bench.read().all(.health) == [[3]])
        #expect(bench.sign([[UInt8](repeating: 1, count: 32)])[.health] == [3])
        let pause = bench.once(.purgeWallet, bench.fullAccess + [(.walletIndex, [0])])
        #expect(pause.sw == "9789")
        #expect(pause[.health] == [3])
        let healthy = try CardBench()
        #expect(healthy.read().all(.health) == [[0]])
    }
}
