// SPDX-License-Identifier: MIT

import Testing
import USB

@testable import DebugProbe

/// Which USB devices are taken for probes, and which of their interfaces.
@Suite struct ProbeInfoTests {
    private static let bulk = [
        USBEndpointInfo(address: 0x01, isBulk: true, packetSize: 64),
        USBEndpointInfo(address: 0x82, isBulk: true, packetSize: 64),
    ]

    private func device(
        product: UInt16 = 0xF155,
        name: String = "KitProg3 CMSIS-DAP",
        serial: String = "102015B003137400",
        _ interfaces: [USBInterfaceInfo]
    ) -> USBDeviceInfo {
        USBDeviceInfo(
            identity: USBIdentity(vendor: 0x04B4, product: product),
            bus: 1,
            address: 7,
            portPath: "1-2",
            product: name,
            serial: serial,
            interfaces: interfaces
        )
    }

    private func dap(_ deviceClass: UInt8, number: Int = 0, endpoints: [USBEndpointInfo] = bulk)
        -> USBInterfaceInfo
    {
        USBInterfaceInfo(
            number: number,
            deviceClass: deviceClass,
            text: "KitProg3 CMSIS-DAP",
            endpoints: endpoints
        )
    }

    @Test(arguments: [0xFF, 0x00] as [UInt8])
    func `The interface is found by its name, whether its class is that of the maker or none`(
        deviceClass: UInt8
    ) {
        let bridge = USBInterfaceInfo(
            number: 0,
            deviceClass: 0xFF,
            text: "KitProg3 bridge",
            endpoints: Self.bulk
        )
        let probe = ProbeInfo(device([bridge, dap(deviceClass, number: 1)]))
        #expect(probe?.channel?.interface == 1)
        #expect(probe?.channel?.output.address == 0x01)
        #expect(probe?.channel?.input.address == 0x82)
        #expect(probe?.objection == nil)
        #expect(probe?.name == "KitProg3 CMSIS-DAP 102015B003137400")
        #expect(probe?.address.description == "usb:102015B003137400")
    }

    @Test func `An interface of another class, or with its endpoints the other way round, is not taken`() {
        #expect(ProbeInfo(device([dap(0x0A)]))?.channel == nil)
        #expect(ProbeInfo(device([dap(0xFF, endpoints: Self.bulk.reversed())]))?.channel == nil)
        #expect(ProbeInfo(device([dap(0xFF, endpoints: [Self.bulk[0]])]))?.channel == nil)
        #expect(ProbeInfo(device([dap(0x0A)]))?.objection?.contains("no CMSIS-DAP v2 interface") == true)
    }

    @Test func `A probe in HID mode is named, with the way out`() {
        let hid = USBInterfaceInfo(number: 0, deviceClass: 0x03, text: "KitProg3 CMSIS-DAP", endpoints: [])
        let probe = ProbeInfo(device(product: 0xF154, [hid]))
        #expect(probe?.objection?.contains("HID mode (CMSIS-DAP v1)") == true)
        #expect(probe?.objection?.contains("fw-loader --mode kp3-bulk") == true)
    }

    @Test func `A probe whose names may not be read is known by its numbers`() {
        #expect(ProbeInfo(device(name: "", serial: "", [])) != nil)
        #expect(ProbeInfo(device(product: 0xF139, name: "KitProg", [])) == nil)
        #expect(ProbeInfo(device(product: 0x1234, name: "keyboard", [])) == nil)
    }

    @Test func `The rule names the device and who may open it`() {
        #expect(
            ProbeInfo(device([dap(0xFF)]))?.rule
                == "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"04b4\", ATTR{idProduct}==\"f155\", MODE=\"0660\", "
                + "GROUP=\"plugdev\", TAG+=\"uaccess\""
        )
    }

    @Test func `Trouble with a device becomes a sentence that says what to do`() throws {
        let probe = try #require(ProbeInfo(device([dap(0xFF)])))
        func trouble(_ kind: USBError.Kind) -> ProbeError {
            ProbeFinder.trouble(
                USBError(kind, action: "claim interface 0", device: "x"),
                probe,
                root: "/nowhere"
            )
        }
        #expect(trouble(.notPermitted).kind == .notPermitted)
        #expect(trouble(.notPermitted).description.contains(probe.rule))
        #expect(trouble(.busy).kind == .busy)
        #expect(trouble(.busy).description.contains("in use by another debugger"))
        #expect(trouble(.gone).kind == .gone)
        #expect(trouble(.stalled).kind == .gone)
    }
}
