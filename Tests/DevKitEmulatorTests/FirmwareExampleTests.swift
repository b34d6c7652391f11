// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import NBTEmulator
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated kit: other firmware examples")
struct FirmwareExampleTests {
    @Test func `in pass-through the phone's commands switch the LED`() throws {
        let bench = try KitBench(kit: ["firmware-loop": "pass-through"])
        bench.chip.nfc.powerOn()
        // With and without Le, as iOS and Android send it.
        #expect(try bench.send("00A40400050102030405") == "9000")
        #expect(try bench.send("00000001") == "9000")
        #expect(bench.kit.led() == .lit)
        #expect(try bench.send("00A4040005010203040500") == "9000")
        #expect(try bench.send("00000000") == "9000")
        #expect(bench.kit.led() == .dark)
        let texts = bench.kit.uartLines(since: 0).map(\.line)
        #expect(texts.first == "\u{1B}[2J\u{1B}[;HNBT: Pass Through")
        #expect(texts.contains("[APDU-PROTOCOL] [DEBUG  ] >> 38 ca 00 00"))
        #expect(texts.contains("[APDU-PROTOCOL] [DEBUG  ] >> 38 da 00 00 02 90 00"))
        #expect(texts.contains("[NBT example] [DEBUG  ] Turning on LED"))
    }

    @Test(
        "the demo application refuses what it does not know",
        arguments: [
            ("000000010155", "6A80"), ("000000020155", "6A80"), ("000001000155", "6B00"),
            ("00000002", "6B00"), ("00000100", "6B00"), ("00010000", "6D00"),
            ("80000001", "6E00"), ("00A40400050102030406", "6A82"), ("00A40000050102030405", "6B00"),
        ]
    )
    func refusals(command: String, status: String) throws {
        let bench = try KitBench(kit: ["firmware-loop": "pass-through"])
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A40400050102030405") == "9000")
        #expect(try bench.send(command) == status)
        #expect(bench.kit.led() == .dark)
    }

    @Test func `a command for the LED may carry an Le`() throws {
        let bench = try KitBench(kit: ["firmware-loop": "pass-through"])
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A4040005010203040500") == "9000")
        #expect(try bench.send("0000000100") == "9000")
        #expect(bench.kit.led() == .lit)
    }

    @Test func `the application is selected from the first right SELECT until the firmware starts anew`()
        throws
    {
        let bench = try KitBench(kit: ["firmware-loop": "pass-through"])
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A40400050102030406") == "6A82")
        // P2 is looked at before the selection is.
        for (command, sw) in [("00000001", "6D00"), ("00000000", "6D00"), ("00000002", "6B00")] {
            #expect(try bench.send(command) == sw)
        }
        #expect(bench.kit.led() == .dark)
        #expect(try bench.send("00A40400050102030405") == "9000")
        bench.fieldOff()
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A40400050102030406") == "6A82")
        #expect(try bench.send("00000001") == "9000")
        #expect(bench.kit.led() == .lit)
        bench.fieldOff()
        bench.kit.reset()
        bench.clock.wait(.seconds(1))
        bench.kit.settle()
        bench.chip.nfc.powerOn()
        #expect(try bench.send("00A40400050102030406") == "6A82")
        #expect(try bench.send("00000001") == "6D00")
    }

    @Test func `the handover example leaves a Bluetooth record, with other values after each start`() throws {
        let bench = try KitBench(kit: ["firmware-loop": "handover"])
        let file = try #require(bench.chip.contents(of: .ndef))
        #expect(file.prefix(5).hex == "0071D2204E")
        let type = Array("application/vnd.bluetooth.le.oob".utf8)
        #expect(Array(file[5..<37]) == type)
        // Length and type of each field, up to the end of the message.
        var offset = 37
        var fields: [UInt8] = []
        while offset < 2 + 0x71 {
            fields.append(file[offset + 1])
            offset += Int(file[offset]) + 1
        }
        #expect(offset == 2 + 0x71)
        #expect(fields == [0x1B, 0x1C, 0x22, 0x23, 0x10, 0x01, 0x09])
        bench.kit.reset()
        bench.clock.wait(.milliseconds(50))
        bench.kit.settle()
        let again = try #require(bench.chip.contents(of: .ndef))
        let changed = file.indices.filter { file[$0] != again[$0] }
        #expect(changed == Array(39..<45) + Array(51..<67) + Array(69..<85))
    }
}
