// SPDX-License-Identifier: MIT

import Foundation
import SmartCard
import Testing

@testable import PCSC

@Suite("What a reader says of itself")
struct ReaderPropertiesTests {
    @Test(
        "the property code is found in the feature list",
        arguments: [
            ("120442330012", UInt32(0x4233_0012)),
            ("060442330006" + "0A044233000A" + "120442330012", 0x4233_0012),
            ("060442330006", nil), ("", nil), ("12", nil), ("1204", nil), ("12044233", nil),
            ("1202423312044233AA12", 0x4233_AA12),
        ]
    )
    func code(list: String, expected: UInt32?) throws {
        #expect(ReaderProperties.controlCode(inFeatures: try HexText.bytes(list)) == expected)
    }

    @Test(
        "the largest APDU bounds command and answer",
        arguments: [
            ("01020000" + "030100" + "0A0400000100", 65_544, 65_538), ("0A0400000000", 261, 258),
            ("0A0400080000", 2057, 2050),
            ("0A0400010000", 265, 258),
        ]
    )
    func limits(list: String, command: Int, response: Int) throws {
        let properties = ReaderProperties(properties: try HexText.bytes(list))
        #expect(properties.largestCommand == command)
        #expect(properties.largestResponse == response)
    }

    @Test(
        "a reader that does not say has no limit",
        arguments: ["", "0A", "0A04", "0A040000", "01020000", "0A00", "0A05"]
    )
    func silent(list: String) throws {
        #expect(ReaderProperties(properties: try HexText.bytes(list)).largestCommand == nil)
    }

    @Test("the USB path is found by bus and device number")
    func usbPath() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (name, bus, device) in [
            ("usb1", 1, 1), ("1-1", 1, 2), ("1-1.3", 1, 7), ("1-1.3:1.0", 1, 7), ("2-1", 2, 7),
        ] {
            let folder = root.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("\(bus)\n".utf8).write(to: folder.appendingPathComponent("busnum"))
            try Data("\(device)\n".utf8).write(to: folder.appendingPathComponent("devnum"))
        }
        #expect(ReaderDetails.usbPath(ofChannel: [7, 1, 0x20, 0], root: root.path) == "1-1.3")
        #expect(ReaderDetails.usbPath(ofChannel: [7, 2, 0x20, 0], root: root.path) == "2-1")
        #expect(ReaderDetails.usbPath(ofChannel: [9, 1, 0x20, 0], root: root.path) == nil)
        #expect(ReaderDetails.usbPath(ofChannel: [1, 1, 0x20, 0], root: root.path) == nil)
        #expect(ReaderDetails.usbPath(ofChannel: [7, 1, 0x01, 0], root: root.path) == nil)
        #expect(ReaderDetails.usbPath(ofChannel: [7, 1], root: root.path) == nil)
        #expect(ReaderDetails.usbPath(ofChannel: [7, 1, 0x20, 0], root: root.path + "/none") == nil)
    }
}
