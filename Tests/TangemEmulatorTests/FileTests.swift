// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Files of the emulated card")
struct FileTests {
    /// The objects that start a file of the issuer.
    static func issuerStart(_ bench: CardBench, size: Int, counter: Int) -> [(TangemTag, [UInt8])] {
        let message = bench.cardID + counter.bigEndian(4) + size.bigEndian(2)
        do {
            return bench.access + [
                (.interactionMode, [1]), (.size, size.bigEndian(2)),
                (.issuerDataCounter, counter.bigEndian(4)),
                (.issuerDataSignature, try DataTests.issuerSignature(message)),
            ]
        } catch {
            Issue.record("no signature: \(error)")
            return []
        }
    }

    private func blocks(_ bench: CardBench, _ data: [UInt8], index: UInt8) -> Set<String> {
        var words: Set<String> = []
        for offset in stride(from: 0, to: data.count, by: 900) {
            let block = Array(data[offset..<min(offset + 900, data.count)])
            let items: [(TangemTag, [UInt8])] = [
                (.interactionMode, [2]), (.issuerData, block), (.offset, offset.bigEndian(2)),
                (.fileIndex, [index]),
            ]
            words.insert(bench.send(.writeFileData, bench.access + items).sw)
        }
        return words
    }

    private func writeByUser(
        _ bench: CardBench,
        _ data: [UInt8],
        _ more: [(TangemTag, [UInt8])] = []
    ) throws -> UInt8 {
        let start: [(TangemTag, [UInt8])] = [(.interactionMode, [1]), (.size, data.count.bigEndian(2))]
        let started = bench.send(.writeFileData, bench.fullAccess + start + more)
        #expect(started.sw == "9000")
        let index = try #require(started[.fileIndex]?.first)
        #expect(blocks(bench, data, index: index) == ["9000"])
        let finish: [(TangemTag, [UInt8])] = [
            (.interactionMode, [3]), (.fileIndex, [index]), (.codeHash, SHA256.digest(data)),
        ]
        #expect(bench.send(.writeFileData, bench.fullAccess + finish).sw == "9000")
        return index
    }

    private func read(
        _ bench: CardBench,
        _ index: UInt8,
        offset: Int = 0,
        _ more: [(TangemTag, [UInt8])] = []
    )
        -> Answer
    {
        bench.send(
            .readFileData,
            bench.access + [(.fileIndex, [index]), (.offset, offset.bigEndian(2))] + more
        )
    }

    @Test("a user's file goes in and comes out in blocks", arguments: ["3.34d", "4.12r", "6.33d"])
    func byUser(firmware: String) throws {
        let bench = try CardBench(firmware)
        let data = (0..<2000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try writeByUser(bench, data) == 0)
        #expect(try writeByUser(bench, [1, 2, 3]) == 1)
        var got: [UInt8] = []
        while got.count < data.count {
            let answer = read(bench, 0, offset: got.count)
            #expect(answer[.size]?.number == 2000)
            got += try #require(answer[.issuerData])
        }
        #expect(got == data)
        #expect(read(bench, 1)[.fileSettings] == (firmware < "4" ? [0, 1] : [1]))
        #expect(read(bench, 2).sw == "6A82")
        let sum = bench.send(.readFileData, bench.access + [(.interactionMode, [1]), (.fileIndex, [0])])
        #expect(sum[.codeHash] == SHA256.digest(data))
        #expect(sum[.fileIndex] == [0])
    }

    @Test("an issuer's file needs both signatures and a growing counter")
    func byIssuer() throws {
        let bench = try CardBench("3.34d")
        let data: [UInt8] = [9, 8, 7, 6]
        let counter = 3.bigEndian(4)
        func finish(_ signature: [UInt8]) -> String {
            let items: [(TangemTag, [UInt8])] = [
                (.interactionMode, [3]), (.fileIndex, [0]), (.issuerDataSignature, signature),
            ]
            return bench.send(.writeFileData, bench.access + items).sw
        }
        #expect(bench.send(.writeFileData, Self.issuerStart(bench, size: 4, counter: 3)).sw == "9000")
        #expect(finish([UInt8](repeating: 1, count: 64)) == "6985")
        #expect(blocks(bench, data, index: 1) == ["6A82"])
        #expect(blocks(bench, data, index: 0) == ["9000"])
        #expect(finish([UInt8](repeating: 1, count: 64)) == "6A86")
        #expect(finish(try DataTests.issuerSignature(bench.cardID + data + counter)) == "9000")
        let answer = read(bench, 0)
        #expect(answer[.issuerData] == data)
        #expect(answer[.fileOwnerIndex] == [0])
        #expect(answer[.issuerPublicKey]?.count == 65)
        #expect(bench.send(.writeFileData, Self.issuerStart(bench, size: 4, counter: 3)).sw == "6A86")
        var forged = Self.issuerStart(bench, size: 4, counter: 4)
        forged[forged.count - 1].1[0] ^= 1
        #expect(bench.send(.writeFileData, forged).sw == "6A86")
    }

    @Test("private files need the passcode, public ones no code at all from 4.0 on")
    func rights() throws {
        let bench = try CardBench("4.12r")
        #expect(try writeByUser(bench, [1], [(.fileSettings, [0])]) == 0)
        #expect(try writeByUser(bench, [2], [(.fileSettings, [1])]) == 1)
        #expect(read(bench, 0).sw == "6AF2")
        #expect(read(bench, 0, [(.pin2, bench.pin2)])[.issuerData] == [1])
        let open: [(TangemTag, [UInt8])] = [(.cardID, bench.cardID), (.fileIndex, [1])]
        #expect(bench.send(.readFileData, open)[.issuerData] == [2])
        let closed: [(TangemTag, [UInt8])] = [(.cardID, bench.cardID), (.fileIndex, [0])]
        #expect(bench.send(.readFileData, closed + [(.pin2, bench.pin2)]).sw == "6A86")
        let change: [(TangemTag, [UInt8])] = [
            (.interactionMode, [6]), (.fileIndex, [0]), (.fileSettings, [1]),
        ]
        #expect(bench.send(.writeFileData, bench.fullAccess + change).sw == "9000")
        #expect(read(bench, 0)[.issuerData] == [1])
        let twoBytes = change.dropLast() + [(.fileSettings, [0, 1])]
        #expect(bench.send(.writeFileData, bench.fullAccess + twoBytes).sw == "6A86")
        let old = try CardBench("3.34d", ["new-files": "private"])
        #expect(try writeByUser(old, [1]) == 0)
        #expect(read(old, 0).sw == "6A86")
        #expect(old.send(.writeFileData, old.fullAccess + twoBytes).sw == "9000")
        #expect(read(old, 0).sw == "9000")
    }

    @Test("deleting moves later files down, until there is none")
    func deletion() throws {
        let bench = try CardBench("4.12r", ["delay": "0s"])
        for byte: UInt8 in 1...3 { _ = try writeByUser(bench, [byte]) }
        #expect(try writeByUser(bench, [4], [(.fileSettings, [0x11])]) == 3)
        func delete(_ index: UInt8) -> String {
            let items: [(TangemTag, [UInt8])] = [(.interactionMode, [5]), (.fileIndex, [index])]
            return bench.send(.writeFileData, bench.fullAccess + items).sw
        }
        #expect(delete(3) == "6985")
        #expect(delete(4) == "6A82")
        #expect(delete(0) == "9000")
        #expect(read(bench, 0)[.issuerData] == [2])
        #expect(delete(1) == "9000")
        #expect(delete(0) == "9000")
        #expect(read(bench, 0)[.issuerData] == [4])
        let items: [(TangemTag, [UInt8])] = [
            (.interactionMode, [6]), (.fileIndex, [0]), (.fileSettings, [1]),
        ]
        #expect(bench.send(.writeFileData, bench.fullAccess + items).sw == "9000")
        #expect(delete(0) == "9000")
        #expect(delete(0) == "6286")
    }

    @Test("files are found by name and by wallet")
    func filters() throws {
        let bench = try CardBench("4.12r", ["delay": "0s"])
        let named = CardBench.list([(.fileTypeName, Array("File 1".utf8) + [0]), (.fileData, [0xAA])])
        _ = try writeByUser(bench, [1])
        _ = try writeByUser(bench, named)
        _ = try writeByUser(bench, [3], [(.walletIndex, [2])])
        #expect(read(bench, 0, [(.fileTypeName, Array("File 1".utf8))])[.fileIndex] == [1])
        #expect(read(bench, 0, [(.walletIndex, [2])])[.fileIndex] == [2])
        #expect(read(bench, 0, [(.walletIndex, [2])])[.walletIndex] == [2])
        #expect(read(bench, 0, [(.fileTypeName, Array("File 2".utf8))]).sw == "6A82")
    }

    @Test("there are limits, and firmware without files")
    func limits() throws {
        let bench = try CardBench("4.12r", ["delay": "0s"])
        _ = try writeByUser(bench, [UInt8](repeating: 1, count: 40 * 1024))
        let start: [(TangemTag, [UInt8])] = [(.interactionMode, [1]), (.size, (9 * 1024).bigEndian(2))]
        #expect(bench.send(.writeFileData, bench.fullAccess + start).sw == "6A86")
        #expect(bench.send(.writeFileData, bench.fullAccess + [(.interactionMode, [4])]).sw == "6A86")
        let old = try CardBench("3.05r")
        #expect(old.send(.readFileData, old.access).sw == "6D00")
        let off = try CardBench("4.12r", ["settings": "040ABA31"])
        #expect(off.send(.readFileData, off.access).sw == "6D00")
    }
}
