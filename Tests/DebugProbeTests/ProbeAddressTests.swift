// SPDX-License-Identifier: MIT

import DebugProbe
import Testing

@Suite struct ProbeAddressTests {
    @Test(
        arguments: [
            ("usb", ProbeAddress.usb(serial: nil), "usb"),
            ("usb:102015B003137400", .usb(serial: "102015B003137400"), "usb:102015B003137400"),
            ("usb:@1-1.3", .usbPort("1-1.3"), "usb:@1-1.3"),
            ("tcp:lab1", .network(.openOCD, host: "lab1", port: 4441), "tcp:lab1:4441"),
            ("tcp:lab1:9000", .network(.openOCD, host: "lab1", port: 9000), "tcp:lab1:9000"),
            (
                "elaphure:10.0.0.7", .network(.elaphureLink, host: "10.0.0.7", port: 3240),
                "elaphure:10.0.0.7:3240"
            ),
            ("tcp:[::1]:4441", .network(.openOCD, host: "::1", port: 4441), "tcp:[::1]:4441"),
            ("tcp:[::1]", .network(.openOCD, host: "::1", port: 4441), "tcp:[::1]:4441"),
        ]
    )
    func `An address is read, and written in the same form`(
        text: String,
        address: ProbeAddress,
        written: String
    ) throws {
        #expect(try ProbeAddress(text) == address)
        #expect(address.description == written)
        #expect(try ProbeAddress(written) == address)
    }

    @Test(
        arguments: [
            "", "usb:", "usb:@", "usb:@1", "usb:@1-", "usb:@1-1.", "usb:@1-x", "tcp", "tcp:", "tcp::4441",
            "tcp:lab:0", "tcp:lab:70000", "tcp:lab:x", "tcp:::1:4441",
            "tcp:[::1]4441", "serial:1", "elaphure:",
        ]
    )
    func `What is no address is refused with the forms`(text: String) {
        let error = #expect(throws: ProbeError.self) { try ProbeAddress(text) }
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("elaphure:HOST[:PORT]") == true)
    }
}
