// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated kit: debug UART as a device")
struct KitTerminalTests {
    @Test func `what the kit says from now on comes out of the device`() throws {
        let bench = try KitBench(chip: ["state": "adt"])
        let terminal = try KitTerminal(kit: bench.kit)
        #expect(terminal.path.hasPrefix("/dev/pts/"))
        let reader = open(terminal.path, O_RDONLY | O_NOCTTY)
        try #require(reader >= 0)
        defer { close(reader) }
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(25))
        terminal.send()
        terminal.send()
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.hasSuffix("<< 90 00\r\n") || text.filter({ $0 == "\r\n" }).count < 11 {
            let count = read(reader, &buffer, buffer.count)
            try #require(count > 0)
            text += String(decoding: buffer[0..<count], as: UTF8.self)
        }
        let lines = text.split(separator: "\r\n")
        #expect(lines.count == 11)
        #expect(lines[0] == "[APDU-PROTOCOL] [DEBUG  ] >> 00 a4 04 00 07 d2 76 00 00 85 01 01 00")
        #expect(lines.contains("[NBT example] [INFO   ] LED turned OFF"))
    }
}
