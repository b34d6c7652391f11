// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import NBTConstants
import SmartCard
import Testing
import Type4Tag

@testable import NBT

/// What the vendor's libraries and apps do wrong is done right here.
@Suite struct VendorDefectTests {
    private static let checks: [String: @Sendable () throws -> Void] = [
        "swift-nlen-255": { () throws -> Void in
            let message = [UInt8](repeating: 0x55, count: 255)
            let peer = ScriptedPeer([
                ("00A4000C02E10400", "9000"), ("00B0000000", "00FF" + message.prefix(254).hex + "9000"),
                ("00B0010001", "559000"),
            ])
            #expect(try NBTCommandSet(peer).readNDEF() == message)
            #expect(peer.isOver)
        },
        "swift-extended-read": { () throws -> Void in
            #expect(throws: NBTError.self) { try NBTCommandBuilder.readBinary(offset: 0, length: 257) }
            let peer = ScriptedPeer([
                ("00B0000000", [UInt8](repeating: 1, count: 256).hex + "9000"), ("00B0010001", "029000"),
            ])
            #expect(try NBTCommandSet(peer).read(length: 257).last == 2)
        },
        "swift-extended-data": { () throws -> Void in
            for count in [253, 254, 255, 256, 1024] {
                let data = [UInt8](repeating: 1, count: count)
                #expect(throws: NBTError.self) {
                    try NBTCommandBuilder.personalize(file: .file1, content: data)
                }
                #expect(throws: NBTError.self) {
                    try NBTCommandBuilder.setConfiguration(.atsConfiguration, value: data)
                }
            }
            let data = [UInt8](repeating: 1, count: 252)
            let command = try NBTCommandBuilder.personalize(file: .file1, content: data)
            #expect(command.bytes == [0x00, 0xE2, 0x00, 0x00, 0xFF, 0xE1, 0xA1, 0xFC] + data)
            #expect(try NBTCommandBuilder.setConfiguration(.rfHardware, value: data).bytes.count == 260)
        },
        "swift-empty-challenge": { () throws -> Void in
            #expect(throws: NBTError.self) { try NBTCommandBuilder.authenticateTag(challenge: []) }
        },
        "swift-empty-update": { () throws -> Void in
            #expect(throws: NBTError.self) { try NBTCommandBuilder.updateBinary(offset: 0, data: []) }
            #expect(throws: NBTError.self) { try NBTCommandSet(ScriptedPeer([])).update(data: []) }
        },
        "swift-memory-empty": { () throws -> Void in
            #expect {
                try NBTCommandSet(ScriptedPeer([("0030DF3B00", "6A86")])).availableMemory()
            } throws: {
                "\($0)" == "GET DATA was answered with 6A86: P1-P2 name no known object"
            }
            #expect(throws: NBTError.self) {
                try NBTCommandSet(ScriptedPeer([("0030DF3B00", "9000")])).availableMemory()
            }
        },
        "swift-short-answer": { () throws -> Void in
            for answer in ["", "90"] {
                #expect {
                    try NBTCommandSet(ScriptedPeer([("*", answer)])).version()
                } throws: { error in
                    guard case .transport? = error as? NBTError else { return false }
                    return true
                }
            }
        },
        "ios-adt-reads-file1": { () throws -> Void in
            let peer = ScriptedPeer([
                ("00A4040007D276000085010100", "9000"), ("00A4000C02E1A2", "9000"), ("00B0000001", "029000"),
            ])
            let state = try DataTransferExample(NBTCommandSet(peer)).state()
            // Firmware and apps disagree about this one.
            #expect(!state.isLitForFirmware && state.isLitForApps)
        },
        "bp-type-name": { () throws -> Void in
            for name in [BrandRecordName.ofApps, BrandRecordName.ofLibraries] {
                let record = try NDEFRecord(
                    format: .external,
                    type: Array(name.utf8),
                    payload: try Fixture.certificate("sample-device")
                )
                #expect(try BrandCertificate(in: NDEFMessage([record])).uid?.count == 7)
            }
        },
        "c-update-fap-uninitialised": { () throws -> Void in
            let peer = ScriptedPeer([("00A4000C02E1AF00", "9000"), ("00D6000006E1A140004040", "9000")])
            try NBTCommandSet(peer).write(
                FileAccessPolicy(
                    file: .file1,
                    i2cRead: .always,
                    i2cWrite: .never,
                    nfcRead: .always,
                    nfcWrite: .always
                )
            )
            #expect(peer.isOver)
        },
        "c-ndef-read-overlap": { () throws -> Void in
            let message = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
            let file = [0x02, 0x58] + message
            let pieces = stride(from: 0, to: file.count, by: 255).map {
                ("*", file[$0..<min($0 + 255, file.count)].hex + "9000")
            }
            let peer = ScriptedPeer([("00A4000C02E10400", "9000")] + pieces)
            #expect(try NBTCommandSet(peer).readNDEF(largestRead: 255) == message)
            #expect(peer.heard.dropFirst() == ["00B00000FF", "00B000FFFF", "00B001FE5C"])
        },
    ]

    @Test func `Each known defect has a check, and holds here`() throws {
        let items = try #require(try Fixture.json("vendor-defects.json").array)
        #expect(items.compactMap { $0["id"]?.string }.sorted() == Self.checks.keys.sorted())
        for check in Self.checks.values { try check() }
    }
}
