// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import Synchronization
import TangemConstants
import Testing

@testable import Tangem

extension RequestVectorTests {
    @Test("CHANGE_FILE_SETTINGS changes file by file", arguments: of("CHANGE_FILE_SETTINGS"))
    func changeFiles(_ vector: Vector) throws {
        let changes = try #require(parameters(vector)["changes"]?.members)
        let wanted = try Dictionary(
            uniqueKeysWithValues: changes.map { change in
                (try #require(Int(change.key)), FileSettings(isPublic: change.value.string == "public"))
            }
        )
        let vendor = try VendorCard()
        try vendor.sdk.changeFileSettings(wanted)
        let sent = try vendor.sent(.writeFileData)
        #expect(sent.map { $0[.interactionMode] } == [[0x06], [0x06]])
        #expect(sent.map { $0[.fileIndex] } == [[1], [2]])
        #expect(sent.map { $0[.fileSettings] } == [[0x00], [0x01]])
        #expect(sent.allSatisfy { $0[.pin2] == SHA256.digest(Array("000".utf8)) })
    }

    @Test("DELETE_FILES begins with the last one", arguments: of("DELETE_FILES"))
    func deleteFiles(_ vector: Vector) throws {
        let indices = try #require(parameters(vector)["indices"]?.array).compactMap(\.integer)
        let vendor = try VendorCard()
        try vendor.sdk.deleteFiles(indices: indices)
        let sent = try vendor.sent(.writeFileData)
        #expect(sent.map { $0[.interactionMode] } == [[0x05], [0x05], [0x05], [0x05]])
        #expect(sent.map { $0[.fileIndex] } == [[5], [3], [2], [1]])
        #expect(sent.allSatisfy { $0[.cardID]?.hex == VendorCard.id })
    }

    @Test("READ_FILES reads until there is none", arguments: of("READ_FILES"))
    func readFiles(_ vector: Vector) throws {
        let expected = try #require(vector.expected["result"]?.array)
        let file = try #require(expected.first)
        let data = try file.hex("data")
        let part = try VendorCard.answer([
            CardObject(.size, [0, UInt8(data.count)]), CardObject(.issuerData, data),
            CardObject(.fileIndex, [UInt8(try file.number("index"))]), CardObject(.fileSettings, [0x01]),
        ])
        let vendor = try VendorCard { instruction, objects in
            guard instruction == .readFileData else { return nil }
            return objects[.fileIndex] == [0] ? part : .sw(TangemStatus.fileNotFound)
        }
        let files = try vendor.sdk.readFiles()
        #expect(files.count == expected.count)
        let settings = try #require(file["settings"])
        #expect(files.first?.index == (try file.number("index")))
        #expect(files.first?.data == data)
        #expect(files.first?.settings?.isPublic == (try settings.text("visibility") == "public"))
        #expect(files.first?.settings?.isPermanent == settings["isPermanent"]?.boolean)
        let sent = try vendor.sent(.readFileData)
        #expect(sent.map { $0[.fileIndex] } == [[0], [1]])
        #expect(sent.allSatisfy { $0[.pin2] == nil && $0[.offset] == [0, 0] })
    }

    @Test("WRITE_FILES writes for the user and for owners", arguments: of("WRITE_FILES"))
    func writeFiles(_ vector: Vector) throws {
        let files = try #require(parameters(vector)["files"]?.array)
        let new = try files.map { file in
            let data = try file.hex("data")
            return NewFile(
                data: try file["fileName"]?.string.map { try NamedFile(name: $0, payload: data).data() }
                    ?? data,
                owner: file["counter"] == nil
                    ? nil
                    : NewFile.Owner(
                        startingSignature: try file.hex("startingSignature"),
                        finalizingSignature: try file.hex("finalizingSignature"),
                        counter: UInt32(try file.number("counter"))
                    )
            )
        }
        let count = Mutex(UInt8(0))
        let id = try hex(VendorCard.id)
        // The signatures of the samples are of nobody, so the card has to judge them.
        var configuration = SessionConfiguration()
        configuration.handlesErrors = false
        let vendor = try VendorCard(configuration: configuration) { instruction, objects in
            guard instruction == .writeFileData, objects[.interactionMode] == [TangemMode.start] else {
                return nil
            }
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return .objects(CardObjects([CardObject(.cardID, id), CardObject(.fileIndex, [index])]))
        }
        let indices = try vendor.sdk.writeFiles(new)
        #expect(indices == Array(files.indices))
        let sample = try #require(result(vector)["filesIndices"]?.array).compactMap(\.integer)
        #expect(Array(indices.prefix(2)) == sample)
        let sent = try vendor.sent(.writeFileData)
        try #require(sent.count == files.count * 3)
        for (index, file) in files.enumerated() {
            let (start, block, end) = (sent[index * 3], sent[index * 3 + 1], sent[index * 3 + 2])
            #expect([start, block, end].map { $0[.interactionMode] } == [[0x01], [0x02], [0x03]])
            var data = try file.hex("data")
            if let name = file["fileName"]?.string {
                data =
                    [0x70, UInt8(name.utf8.count + 1)] + Array(name.utf8) + [0, 0x71, UInt8(data.count)]
                    + data
            }
            #expect(start[.size] == [0, UInt8(data.count)])
            #expect(block[.issuerData] == data)
            #expect(block[.offset] == [0, 0])
            #expect([block, end].allSatisfy { $0[.fileIndex] == [UInt8(index)] })
            if let counter = file["counter"]?.integer {
                #expect(start[.issuerDataCounter] == [0, 0, 0, UInt8(counter)])
                #expect(start[.issuerDataSignature] == (try file.hex("startingSignature")))
                #expect(end[.issuerDataSignature] == (try file.hex("finalizingSignature")))
                #expect([start, end].allSatisfy { $0[.pin2] == nil && $0[.codeHash] == nil })
            } else {
                #expect(end[.codeHash] == SHA256.digest(data))
                #expect([start, end].allSatisfy { $0[.pin2] == SHA256.digest(Array("000".utf8)) })
                #expect([start, end].allSatisfy { $0[.issuerDataSignature] == nil })
            }
        }
    }
}
