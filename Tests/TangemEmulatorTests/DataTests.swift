// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Issuer and user data of the emulated card")
struct DataTests {
    static func issuerSignature(_ message: [UInt8]) throws -> [UInt8] {
        let bytes = CardBench.bytes(TangemDevelopmentKeys.issuerData.privateKey)
        let key = try PrivateKey(bytes, curve: .secp256k1)
        return try ECDSA.sign(message: message, with: key).raw(for: .secp256k1)
    }

    private func write(_ bench: CardBench, _ data: [UInt8], counter: Int?, signed: Int? = nil) throws
        -> String
    {
        let counterBytes = counter?.bigEndian(4) ?? []
        let signedBytes = signed?.bigEndian(4) ?? counterBytes
        let signature = try Self.issuerSignature(bench.cardID + data + signedBytes)
        let more = counter.map { [(TangemTag.issuerDataCounter, $0.bigEndian(4))] } ?? []
        let items = bench.access + [(.issuerData, data), (.issuerDataSignature, signature)] + more
        return bench.send(.writeIssuerData, items).sw
    }

    @Test("issuer data are signed, and a replayed counter is refused")
    func issuerData() throws {
        let bench = try CardBench("3.05r")
        let empty = bench.send(.readIssuerData, bench.access)
        #expect(empty.tags == ["01", "32", "33"])
        #expect(empty[.issuerData]?.isEmpty == true)
        let data = [UInt8](0..<200)
        #expect(try write(bench, data, counter: nil) == "6A86")
        #expect(try write(bench, data, counter: 5) == "9000")
        #expect(try write(bench, data, counter: 5) == "6A86")
        #expect(try write(bench, data, counter: 4) == "6A86")
        #expect(try write(bench, data, counter: 6, signed: 7) == "6A86")
        #expect(try write(bench, [], counter: 6) == "9000")
        #expect(try write(bench, [UInt8](repeating: 1, count: 512), counter: 7) == "9000")
        #expect(try write(bench, [UInt8](repeating: 1, count: 513), counter: 8) == "6A86")
        bench.powerCycle()
        let answer = bench.send(.readIssuerData, bench.access)
        #expect(answer[.issuerData]?.count == 512)
        #expect(answer[.issuerDataCounter]?.number == 7)
    }

    @Test("without protection a counter is not needed, but counts in the signature")
    func unprotected() throws {
        let bench = try CardBench("4.12r")
        #expect(try write(bench, [1, 2], counter: nil) == "9000")
        #expect(try write(bench, [1, 2], counter: 3) == "9000")
        #expect(try write(bench, [1, 2], counter: 3) == "9000")
        let off = try CardBench("6.33d")
        #expect(try write(off, [1], counter: nil) == "6D00")
        #expect(off.send(.readIssuerData, off.access).sw == "6D00")
        let other = try CardBench("6.33d", ["switched-off": "6985"])
        #expect(try write(other, [1], counter: nil) == "6985")
    }

    private func extra(_ bench: CardBench, _ data: [UInt8], counter: Int, blockSize: Int = 900) throws
        -> [String]
    {
        let counterBytes = counter.bigEndian(4)
        let start = try Self.issuerSignature(bench.cardID + counterBytes + data.count.bigEndian(2))
        let finish = try Self.issuerSignature(bench.cardID + data + counterBytes)
        var words: [String] = []
        words.append(
            bench.send(
                .writeIssuerData,
                bench.access + [
                    (.interactionMode, [1]), (.size, data.count.bigEndian(2)), (.issuerDataSignature, start),
                    (.issuerDataCounter, counterBytes),
                ]
            ).sw
        )
        for offset in stride(from: 0, to: data.count, by: blockSize) {
            let block = Array(data[offset..<min(offset + blockSize, data.count)])
            words.append(
                bench.send(
                    .writeIssuerData,
                    bench.access + [
                        (.interactionMode, [2]), (.issuerData, block), (.offset, offset.bigEndian(2)),
                    ]
                ).sw
            )
        }
        let end: [(TangemTag, [UInt8])] = [(.interactionMode, [3]), (.issuerDataSignature, finish)]
        words.append(bench.send(.writeIssuerData, bench.access + end).sw)
        return words
    }

    private func readExtra(_ bench: CardBench) -> (data: [UInt8], signature: [UInt8]?, rounds: Int) {
        var data: [UInt8] = []
        for round in 1...50 {
            let items = bench.access + [(.interactionMode, [1]), (.offset, data.count.bigEndian(2))]
            let answer = bench.send(.readIssuerData, items)
            #expect(answer.sw == "9000")
            data += answer[.issuerData] ?? []
            if let signature = answer[.issuerDataSignature] { return (data, signature, round) }
            if answer[.size]?.number == 0 { return (data, nil, round) }
        }
        return (data, nil, 50)
    }

    @Test("extra data come in blocks, between a starting and a finalizing signature")
    func extraData() throws {
        let bench = try CardBench("3.34d")
        #expect(readExtra(bench).data.isEmpty)
        let data = (0..<32 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let words = try extra(bench, data, counter: 1)
        #expect(words == [String](repeating: "9000", count: words.count))
        let read = readExtra(bench)
        #expect(read.data == data)
        #expect(read.signature?.count == 64)
        #expect(read.rounds == 37)
        #expect(try extra(bench, [1, 2, 3], counter: 1).first == "6A86")
        #expect(readExtra(bench).data == data)
        #expect(try extra(bench, [1, 2, 3], counter: 2) == ["9000", "9000", "9000"])
        #expect(readExtra(bench).data == [1, 2, 3])
        #expect(readExtra(bench).rounds == 1)
        #expect(try extra(bench, [UInt8](repeating: 1, count: 32 * 1024 + 1), counter: 3).first == "6A86")
    }

    @Test("extra data that are not finished leave the old ones")
    func unfinishedExtraData() throws {
        let bench = try CardBench("3.34d")
        #expect(try extra(bench, [1, 2, 3], counter: 1).last == "9000")
        let size = 2000.bigEndian(2)
        let counter = 2.bigEndian(4)
        let start: [(TangemTag, [UInt8])] = [
            (.interactionMode, [1]), (.size, size), (.issuerDataCounter, counter),
            (.issuerDataSignature, try Self.issuerSignature(bench.cardID + counter + size)),
        ]
        let finish: [(TangemTag, [UInt8])] = [
            (.interactionMode, [3]), (.issuerDataSignature, [UInt8](repeating: 1, count: 64)),
        ]
        func block(_ bytes: [UInt8], at offset: Int) -> String {
            let items: [(TangemTag, [UInt8])] = [
                (.interactionMode, [2]), (.issuerData, bytes), (.offset, offset.bigEndian(2)),
            ]
            return bench.send(.writeIssuerData, bench.access + items).sw
        }
        #expect(block([1], at: 0) == "6985")
        #expect(bench.send(.writeIssuerData, bench.access + start).sw == "9000")
        #expect(block([UInt8](repeating: 9, count: 900), at: 0) == "9000")
        #expect(block([UInt8](repeating: 9, count: 900), at: 0) == "9000")
        #expect(block([1], at: 901) == "6A86")
        #expect(bench.send(.writeIssuerData, bench.access + finish).sw == "6985")
        #expect(block([UInt8](repeating: 9, count: 900), at: 900) == "9000")
        #expect(block([UInt8](repeating: 9, count: 201), at: 1800) == "6A86")
        #expect(block([UInt8](repeating: 9, count: 200), at: 1800) == "9000")
        #expect(bench.send(.writeIssuerData, bench.access + finish).sw == "6A86")
        bench.powerCycle()
        #expect(bench.send(.writeIssuerData, bench.access + finish).sw == "6985")
        #expect(readExtra(bench).data == [1, 2, 3])
    }

    @Test("extra data may be written once only, and are gone from 4.0 on")
    func restrictedExtraData() throws {
        let bench = try CardBench("3.05r", ["settings": "00187E21"])
        #expect(try extra(bench, [1], counter: 1).last == "9000")
        #expect(try extra(bench, [2], counter: 2).first == "6985")
        let new = try CardBench("4.12r")
        #expect(try extra(new, [1], counter: 1).first == "6A86")
        #expect(new.send(.readIssuerData, new.access + [(.interactionMode, [1])]).sw == "6A86")
    }

    @Test("user data, open and protected", arguments: ["2.11r", "3.34d", "4.12r", "6.33d"])
    func userData(firmware: String) throws {
        let bench = try CardBench(firmware)
        #expect(
            bench.send(.writeUserData, bench.access + [(.userData, [1, 2]), (.userCounter, [0, 0, 0, 9])]).sw
                == "9000"
        )
        #expect(bench.pauses.isEmpty)
        let secret: [(TangemTag, [UInt8])] = [
            (.userProtectedData, [3]), (.userProtectedCounter, [0, 0, 0, 7]),
        ]
        #expect(bench.send(.writeUserData, bench.access + secret).sw == (firmware < "4" ? "6A86" : "6AF2"))
        // A published host writes the passcode twice.
        let twice = secret + [(.pin2, bench.pin2), (.pin2, bench.pin2)]
        #expect(bench.send(.writeUserData, bench.access + twice).sw == "9000")
        #expect(bench.pauses.count == 15)
        let answer = bench.send(.readUserData, bench.access)
        #expect(answer.tags == ["01", "2A", "2B", "2C", "2D"])
        #expect(answer[.userData] == [1, 2])
        #expect(answer[.userProtectedData] == [3])
        #expect(answer[.userCounter]?.number == 9)
        #expect(answer[.userProtectedCounter]?.number == 7)
        let long = [(TangemTag.userData, [UInt8](repeating: 1, count: 513))]
        #expect(bench.send(.writeUserData, bench.access + long).sw == "6A86")
    }

    @Test("user data are not there from 2.30 to below 3.34, and may be switched off")
    func noUserData() throws {
        let bench = try CardBench("3.05r")
        #expect(bench.send(.readUserData, bench.access).sw == "6D00")
        let off = try CardBench("4.12r", ["settings": "020ABA31"])
        #expect(off.send(.readUserData, off.access).sw == "6D00")
    }
}
