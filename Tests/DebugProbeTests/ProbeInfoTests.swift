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
        port: String = "1-2",
        _ interfaces: [USBInterfaceInfo]
    ) -> USBDeviceInfo {
        USBDeviceInfo(
            identity: USBIdentity(vendor: 0x04B4, product: product),
            bus: 1,
            address: 7,
            portPath: port,
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
        #expect(probe?.address(among: []).description == "usb:102015B003137400")
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

    // MARK: Several probes

    private func probe(_ serial: String, at port: String, _ deviceClass: UInt8 = 0xFF) throws -> ProbeInfo {
        try #require(ProbeInfo(device(serial: serial, port: port, [dap(deviceClass)])))
    }

    private func choose(_ address: String, among all: [ProbeInfo]) throws(ProbeError) -> String {
        try ProbeFinder.choose(try ProbeAddress(address), among: all) { $0.objection == nil }.portPath
    }

    @Test func `Probes of one serial number are told apart by their place`() throws {
        let all = [try probe("AA", at: "1-1"), try probe("AA", at: "1-1.3"), try probe("BB", at: "2-4")]
        for address in ["usb", "usb:AA"] {
            let error = #expect(throws: ProbeError.self) { try choose(address, among: all) }
            #expect(error?.kind == .refused)
            #expect(error?.description.contains("usb:@1-1 (") == true)
            #expect(error?.description.contains("usb:@1-1.3 (") == true)
        }
        #expect(try choose("usb:@1-1.3", among: all) == "1-1.3")
        #expect(try choose("usb:BB", among: all) == "2-4")
        #expect(all.map { $0.address(among: all).description } == ["usb:@1-1", "usb:@1-1.3", "usb:BB"])
        let nobody = #expect(throws: ProbeError.self) { try choose("usb:@9-9", among: all) }
        #expect(nobody?.kind == .absent)
    }

    @Test func `A probe that cannot be used stands back where another can`() throws {
        let (good, bad) = (try probe("AA", at: "1-1"), try probe("BB", at: "1-2", 0x03))
        #expect(try choose("usb", among: [bad, good]) == "1-1")
        // Where none can, the only one there is says why.
        #expect(try choose("usb", among: [bad]) == "1-2")
        #expect(try choose("usb:BB", among: [bad, good]) == "1-2")
        #expect(throws: ProbeError.self) { try choose("usb", among: [good, try probe("CC", at: "1-3")]) }
    }

    @Test func `What a device calls itself cannot steer a terminal`() throws {
        let odd = try probe("A\u{1B}[31m", at: "1-1")
        #expect(odd.name == "KitProg3 CMSIS-DAP A\\u001B[31m")
        #expect(odd.address(among: []).description == "usb:@1-1")
        let error = #expect(throws: ProbeError.self) { try choose("usb:zz\u{1B}", among: [odd]) }
        #expect(error?.description.contains("\u{1B}") == false)
    }
}
