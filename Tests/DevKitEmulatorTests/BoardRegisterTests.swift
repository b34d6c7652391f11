// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated kit behind its probe")
struct BoardRegisterTests {
    /// The output register of the LED's port, as the probe reads it.
    private func led(_ bench: ProbeBench, at address: String = "80 06 31 40") throws -> String {
        String(try bench.ask("05 00 02 05 \(address) 0F").dropFirst(6))
    }

    /// Writes FILE_1 over NFC and takes the field away.
    private func wish(_ byte: String, on bench: ProbeBench) throws {
        try bench.bench.fieldOn()
        #expect(try bench.bench.write(byte, to: "E1A1") == "9000")
        bench.bench.fieldOff()
    }

    @Test func `the register and the kit show the same LED, whoever switches it`() throws {
        let bench = try ProbeBench.started()
        try wish("01", on: bench)
        #expect(try led(bench) == "80000000")
        bench.kit.pressButton()
        bench.bench.clock.wait(.milliseconds(25))
        #expect(try led(bench) == "00000000")
        #expect(bench.kit.led() == .lit)
        try bench.say("05 00 02 05 88 06 31 40 0D 80 00 00 00", "05 02 01")
        #expect(bench.kit.led() == .dark)
    }

    @Test func `a store to INTR_SET is a press of the button`() throws {
        let bench = try ProbeBench.started()
        try wish("01", on: bench)
        try bench.say("05 00 02 05 20 00 31 40 0D 10 00 00 00", "05 02 01")
        // The handler has taken the interrupt; the firmware acts when its latency is over.
        try bench.say("05 00 02 05 14 00 31 40 0F", "05 02 01 00 00 00 00")
        #expect(bench.kit.led() == .dark)
        bench.bench.clock.wait(.milliseconds(25))
        #expect(bench.kit.led() == .lit)
        try bench.bench.fieldOn()
        #expect(try bench.bench.read("E1A2") == "019000")
    }

    @Test func `a dead button leaves the interrupt pending`() throws {
        let bench = try ProbeBench.started(kit: ["button": "dead"])
        try wish("01", on: bench)
        try bench.say("05 00 02 05 20 00 31 40 0D 10 00 00 00", "05 02 01")
        try bench.say("05 00 02 05 14 00 31 40 0F", "05 02 01 10 00 00 00")
        try bench.say("05 00 02 05 18 00 31 40 0F", "05 02 01 10 00 00 00")
        try bench.say("05 00 02 05 1C 00 31 40 0F", "05 02 01 10 00 00 00")
        try bench.say("05 00 02 05 14 00 31 40 0D 10 00 00 00", "05 02 01")
        try bench.say("05 00 01 0F", "05 01 01 00 00 00 00")
        bench.bench.clock.wait(.seconds(1))
        #expect(bench.kit.led() == .dark)
    }

    @Test func `the reset pin takes firmware and debug link away, and the loop runs once afterwards`() throws
    {
        let bench = try ProbeBench.started()
        try wish("01", on: bench)
        try bench.say("10 00 80 00 00 00 00", "10 23")
        bench.bench.clock.wait(.seconds(1))
        #expect(bench.kit.led() == .dark)
        try bench.say("05 00 01 02", "05 00 07")
        bench.kit.pressButton()
        try bench.say("10 80 80 00 00 00 00", "10 A3")
        try bench.say("05 00 01 02", "05 00 07")
        #expect(bench.kit.led() == .dark)
        bench.bench.clock.wait(.milliseconds(50))
        #expect(bench.kit.led() == .lit)
        // A new start-up is needed, and enough.
        _ = try bench.replay("start-up.txt")
        #expect(bench.kit.disturbances.isEmpty)
    }

    @Test func `a reset by command works too, and may leave the link alone`() throws {
        let bench = try ProbeBench.started(probe: ["reset-link": "kept"])
        try wish("01", on: bench)
        try bench.say("0A", "0A 00 01")
        bench.bench.clock.wait(.milliseconds(50))
        #expect(try led(bench) == "00000000")
        let without = try ProbeBench.started(probe: ["reset-target": "nothing"])
        try without.say("0A", "0A 00 00")
        #expect(try led(without) == "80000000")
    }

    @Test func `who stops or resets the processor is told on`() throws {
        let bench = try ProbeBench.started()
        try wish("01", on: bench)
        // Halt the core that the firmware runs on.
        try bench.say("05 00 04 08 00 00 00 02 01 02 00 00 23 05 F0 ED 00 E0 0D 03 00 5F A0", "05 04 01")
        try bench.say("05 00 01 0F", "05 01 01 03 00 03 00")
        bench.kit.pressButton()
        bench.bench.clock.wait(.seconds(1))
        #expect(bench.kit.led() == .dark)
        // It goes on, and sees the press that has waited.
        try bench.say("05 00 01 0D 01 00 5F A0", "05 01 01")
        #expect(bench.kit.led() == .lit)
        // A reset by the core's own register.
        try bench.say("05 00 02 05 0C ED 00 E0 0D 04 00 FA 05", "05 02 01")
        #expect(bench.kit.led() == .dark)
        #expect(
            bench.kit.disturbances == [
                CoreDisturbance(address: 0xE000_EDF0, value: 0xA05F_0003),
                CoreDisturbance(address: 0xE000_EDF0, value: 0xA05F_0001),
                CoreDisturbance(address: 0xE000_ED0C, value: 0x05FA_0004),
            ]
        )
    }

    @Test(
        "faults of the board are seen in its registers",
        arguments: [
            ("led", "stuck-lit", "00000000", LEDState.lit), ("led", "stuck-dark", "80000000", .dark),
            ("led-polarity", "high", "80000000", .lit), ("led-pin", "given-away", "00000000", .dark),
        ]
    )
    func boardFaults(option: String, value: String, register: String, state: LEDState) throws {
        let bench = try ProbeBench.started(kit: [option: value])
        try wish("01", on: bench)
        bench.kit.pressButton()
        bench.bench.clock.wait(.milliseconds(25))
        #expect(try led(bench) == register)
        #expect(bench.kit.led() == state)
        // Pin 7 stands in the highest byte of PORT_SEL1.
        try bench.say(
            "05 00 02 05 D4 00 30 40 0F",
            value == "given-away" ? "05 02 01 00 00 00 08" : "05 02 01 00 00 00 00"
        )
        try bench.bench.fieldOn()
        #expect(try bench.bench.read("E1A2") == "019000")
    }

    @Test func `a blinking LED changes under the probe's eyes`() throws {
        let bench = try ProbeBench.started(kit: ["led": "blinking", "led-blink": "10ms"])
        var changes = 0
        var last = try led(bench)
        for _ in 0..<100 {
            bench.bench.clock.wait(.milliseconds(1))
            let now = try led(bench)
            if now != last { changes += 1 }
            last = now
        }
        #expect(9...11 ~= changes)
        #expect((try led(bench) == "00000000") == (bench.kit.led() == .lit))
    }

    @Test func `the other board has its LED elsewhere`() throws {
        let bench = try ProbeBench.started(kit: ["board": "CY8CKIT-062S2-43012"])
        #expect(bench.kit.boardName == "CY8CKIT-062S2-43012")
        #expect(try led(bench, at: "80 00 31 40") == "20000000")
        #expect(try led(bench) == "00000000")
        // Port 1, pin 5: strong drive without an input buffer.
        try bench.say("05 00 02 05 C4 00 31 40 0F", "05 02 01 00 00 60 00")
        try wish("01", on: bench)
        bench.kit.pressButton()
        bench.bench.clock.wait(.milliseconds(25))
        #expect(try led(bench, at: "80 00 31 40") == "00000000")
    }

    @Test(
        "the pin cannot be read back unless its input buffer is on",
        arguments: [("off", "00000000", "00000060"), ("on", "80000000", "000000E0")]
    )
    func inputBuffer(buffer: String, input: String, mode: String) throws {
        let bench = try ProbeBench.started(kit: ["led-input-buffer": buffer])
        #expect(try led(bench) == "80000000")
        #expect(try led(bench, at: "90 06 31 40") == input)
        #expect(try led(bench, at: "C4 06 31 40") == mode)
    }

    @Test func `a board in whose firmware nothing happens has its pins set up`() throws {
        let bench = try ProbeBench.started(kit: ["firmware-loop": "off"])
        #expect(try led(bench) == "80000000")
        #expect(try led(bench, at: "C4 06 31 40") == "00000060")
    }
}
