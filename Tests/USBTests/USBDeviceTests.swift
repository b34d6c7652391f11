// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import USB

@Suite struct USBDeviceTests {
    private let probe = USBDeviceInfo(
        identity: USBIdentity(vendor: 0x04B4, product: 0xF155),
        bus: 3,
        address: 12,
        portPath: "3-1.2",
        product: "KitProg3 CMSIS-DAP",
        serial: "1A2B"
    )

    @Test func `Numbers are written as udev and lsusb write them`() {
        #expect(USBIdentity(vendor: 0x04B4, product: 0xF155).description == "04b4:f155")
        #expect(USBIdentity(vendor: 0x1, product: 0x20).description == "0001:0020")
    }

    @Test func `A device tells its name, place and node`() {
        #expect(probe.title == "KitProg3 CMSIS-DAP 1A2B (USB 3-1.2)")
        #expect(probe.node == "/dev/bus/usb/003/012")
        let nameless = USBDeviceInfo(identity: probe.identity, bus: 3, address: 1, portPath: "")
        #expect(nameless.title == "USB device 04b4:f155 (bus 3)")
    }

    @Test func `An endpoint that sends to the host has bit 7 set`() {
        #expect(USBEndpointInfo(address: 0x82, isBulk: true, packetSize: 64).isInput)
        #expect(!USBEndpointInfo(address: 0x01, isBulk: true, packetSize: 64).isInput)
    }

    @Test(
        arguments: [
            (-4, USBError.Kind.gone), (-6, .busy), (-3, .notPermitted), (-5, .absent), (-7, .timeout),
            (-9, .stalled), (-1, .other(-1)),
        ] as [(Int32, USBError.Kind)]
    )
    func `The library's numbers have kinds`(number: Int32, kind: USBError.Kind) {
        #expect(USBError.Kind(number) == kind)
        let error = USBError(kind, action: "claim interface 0", device: "the probe")
        #expect(error.description.hasPrefix("cannot claim interface 0 of the probe: "))
    }

    @Test func `A program that has a device open is found by the files of its process`() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("proc/4711/fd")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("5").path,
            withDestinationPath: probe.node
        )
        try "openocd\n".write(
            to: root.appendingPathComponent("proc/4711/comm"),
            atomically: true,
            encoding: .utf8
        )
        #expect(USBHolder.of(probe, root: root.path).map(\.description) == ["openocd (process 4711)"])
        let other = USBDeviceInfo(identity: probe.identity, bus: 3, address: 13, portPath: "3-1.3")
        #expect(USBHolder.of(other, root: root.path).isEmpty)
    }

    @Test func `A list of devices has neither hubs twice nor devices without a place`() throws {
        let devices = try USBContext().devices()
        #expect(Set(devices.map { "\($0.bus) \($0.address)" }).count == devices.count)
        #expect(devices.allSatisfy { $0.bus > 0 })
    }
}
