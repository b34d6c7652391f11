// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import NBTEmulator
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated kit")
struct EmulatedKitTests {
    @Test(
        "FILE_2 follows FILE_1 once the field was off and the button pressed",
        arguments: ["01", "00", "02", "FF"]
    )
    func flow(byte: String) throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write(byte, to: "E1A1") == "9000")
        bench.fieldOff()
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(30))
        // Only 01 lights the LED, whatever an app makes of other values.
        #expect(bench.kit.led() == (byte == "01" ? .lit : .dark))
        try bench.fieldOn()
        #expect(try bench.poll("E1A2", until: byte == "01" ? "01" : "00").found)
    }

    @Test("while the field stays on nothing happens, and the kit says why", arguments: [1, 3])
    func fieldStaysOn(presses: Int) throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        for _ in 0..<presses {
            bench.kit.pressButton()
            bench.clock.wait(.milliseconds(100))
        }
        let result = try bench.poll("E1A2", until: "01")
        #expect(!result.found)
        #expect(bench.kit.led() == .dark)
        #expect(bench.chip.i2cMuteReason == "the NFC field is on, and I2C does not answer until it is off")
        let warnings = bench.kit.uartLines(since: 0).filter { $0.level == "WARNING" }
        #expect(warnings.count == presses)
    }

    @Test("without the button nothing happens either")
    func noButton() throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        bench.fieldOff()
        bench.clock.wait(.seconds(5))
        #expect(bench.kit.led() == .dark)
        try bench.fieldOn()
        #expect(try bench.read("E1A2") == "009000")
    }

    @Test("a press that came too early is not made up for; the next one works")
    func earlyPress() throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(100))
        bench.fieldOff()
        bench.clock.wait(.seconds(1))
        #expect(bench.kit.led() == .dark)
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(25))
        #expect(bench.kit.led() == .lit)
    }

    @Test("the firmware acts a little after the press, and the field of that moment counts")
    func dueTime() throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        bench.fieldOff()
        bench.kit.pressButton()
        #expect(bench.kit.led() == .dark)
        bench.clock.wait(.milliseconds(24))
        #expect(bench.kit.led() == .dark)
        // Nobody looks while it is due; the field comes back later.
        bench.clock.wait(.milliseconds(10))
        try bench.fieldOn()
        #expect(bench.kit.led() == .lit)
        #expect(try bench.read("E1A2") == "019000")

        #expect(try bench.write("00", to: "E1A1") == "9000")
        bench.fieldOff()
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(10))
        try bench.fieldOn()
        bench.clock.wait(.seconds(1))
        #expect(bench.kit.led() == .lit)
    }

    @Test("the start-up personalizes a delivered chip, so a phone may not write FILE_2")
    func personalization() throws {
        let bench = try KitBench()
        let adt = try NBTChip(options: ["state": "adt"], clock: bench.clock)
        #expect(bench.chip.contents(of: .accessPolicy) == adt.contents(of: .accessPolicy))
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A2") == "6982")
        #expect(try bench.write("01", to: "E1A1") == "9000")
    }

    @Test("the UART shows the vendor's log")
    func uart() throws {
        let bench = try KitBench(chip: ["state": "adt"])
        let lines = bench.kit.uartLines(since: 0)
        #expect(lines.first?.line == "\u{1B}[2J\u{1B}[;HNBT: Asynchronous Data Transfer")
        let texts = lines.map(\.line)
        #expect(texts.contains("[NBT example] [INFO   ] LED turned OFF"))
        #expect(texts.contains("[APDU-PROTOCOL] [DEBUG  ] >> 00 a4 04 00 07 d2 76 00 00 85 01 01 00"))
        #expect(texts.contains("[APDU-PROTOCOL] [DEBUG  ] << 90 00"))
        // Nothing had to be changed in the policy.
        #expect(!lines.contains { $0.text.hasPrefix(">> 00 d6 00 00 06") })
        let count = lines.count
        bench.kit.pressButton()
        bench.clock.wait(.milliseconds(25))
        let added = bench.kit.uartLines(since: count)
        #expect(added.count == 11)
        #expect(added.allSatisfy { $0.time == .milliseconds(25) })
        #expect(bench.kit.uartLines(since: -1).count == count + 11)
        #expect(bench.kit.uartLines(since: 999).isEmpty)
    }

    @Test("faults can be built in")
    func faults() throws {
        #expect(try KitBench(kit: ["led": "stuck-lit"]).kit.led() == .lit)
        let lit = try KitBench(kit: ["led": "stuck-dark"])
        let dead = try KitBench(kit: ["button": "dead"])
        let off = try KitBench(kit: ["firmware-loop": "off"])
        for bench in [lit, dead, off] {
            try bench.fieldOn()
            #expect(try bench.write("01", to: "E1A1") == "9000")
            bench.fieldOff()
            bench.kit.pressButton()
            bench.clock.wait(.seconds(1))
            #expect(bench.kit.led() == .dark)
            try bench.fieldOn()
        }
        #expect(try lit.read("E1A2") == "019000")
        #expect(try dead.read("E1A2") == "009000")
        #expect(off.chip.contents(of: .accessPolicy) == AccessProfile.delivery)
        #expect(off.kit.uartLines(since: 0).isEmpty)
        #expect(throws: EmulatorOptionError.self) { try KitBench(kit: ["led": "purple"]) }
    }

    @Test("a reset of the board runs the loop once, without the button")
    func restart() throws {
        let bench = try KitBench()
        try bench.fieldOn()
        #expect(try bench.write("01", to: "E1A1") == "9000")
        bench.fieldOff()
        bench.kit.reset()
        #expect(bench.kit.led() == .dark)
        bench.clock.wait(.milliseconds(50))
        #expect(bench.kit.led() == .lit)
        try bench.fieldOn()
        bench.kit.reset()
        bench.clock.wait(.milliseconds(50))
        #expect(bench.kit.uartLines(since: 0).last?.level == "WARNING")
    }
}
