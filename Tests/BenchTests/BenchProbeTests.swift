// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import DevKit
import DevKitEmulator
import Glibc
import HostSystem
import NBTEmulator
import Scenario
import Testing

@testable import Bench

/// What a bench file says of debug probes, and the kits that come of it.
@Suite struct BenchProbeTests {
    private func probe(_ settings: String) -> (probe: BenchProbe?, mistakes: [String]) {
        let (found, mistakes) = bench(
            """
            bench: 1
            roles: {nbt: {reader: {serial: S1}, probe: kit}}
            probes: {kit: {\(settings)}}
            """
        )
        return (found?.probes.first, mistakes.map(\.description))
    }

    @Test func `A probe by serial number is on the USB, with the kit's own board`() throws {
        let setup = try #require(probe("kind: cmsis-dap, serial: 1A2B").probe?.kitSetup)
        #expect(setup.probe == .usb(serial: "1A2B"))
        #expect(setup.board == .prototypingBoard)
        #expect(setup.uart == .ofProbe)
    }

    @Test func `A probe by address may be anywhere, and a board of one's own is described`() throws {
        let read = probe(
            "kind: cmsis-dap, address: 'tcp:lab1:4441', board: mine, led: P7.1, led-lit: high, button: P0.2, "
                + "uart: /dev/ttyUSB3, speed: 9600"
        )
        #expect(read.mistakes == [])
        let setup = try #require(read.probe?.kitSetup)
        #expect(setup.probe.description == "tcp:lab1:4441")
        #expect(setup.board.name == "mine")
        #expect(setup.board.led == BoardLED(pin: try #require(GPIOPin("P7.1")), isLitLow: false))
        #expect(setup.board.button == GPIOPin("P0.2"))
        #expect(setup.board.uartSpeed == 9600)
        #expect(setup.uart == .path("/dev/ttyUSB3"))
    }

    @Test(
        arguments: [
            ("address: lab1", "'lab1' is no address of a probe"),
            ("address: usb, serial: 1A2B", "'address' and 'serial' both name the probe"),
            ("board: mine", "the board 'mine' is not known"),
            ("led: 13.7", "'13.7' is no pin"),
            ("led-lit: on", "'on' is no level that lights a LED"),
            ("uart: ttyACM0", "'ttyACM0' is no serial device"),
            ("speed: fast", "'fast' is no speed of a serial device"),
            ("adress: usb", "unknown key 'adress'"),
        ]
    )
    func `What is wrong with a probe is a mistake with its place`(setting: String, text: String) {
        let mistakes = probe("kind: cmsis-dap, \(setting)").mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains(text) == true, "\(mistakes)")
        #expect(mistakes.first?.hasPrefix("bench.yaml:3:") == true)
    }

    @Test func `A kind that is not known keeps its settings and gives no kit`() {
        let read = probe("kind: photodiode, channel: '3'")
        #expect(read.mistakes == [])
        #expect(read.probe?.settings == ["channel": "3"])
        #expect(read.probe?.kitSetup == nil)
    }

    @Test func `Programs go before the probe, which does the rest`() throws {
        let kit = try #require(
            BenchKit(
                programs: ExecKit(name: "programs", programs: [shell(.led, "echo lit")]),
                probed: try EmulatedBoardLink().kit(.prototypingBoard)
            )
        )
        #expect(kit.capabilities.map(\.rawValue).sorted() == ["kit.button", "kit.led", "kit.reset"])
        // The board's own LED is dark; the program's word counts.
        #expect(try kit.led() == .lit)
        #expect(try kit.lookAtLED().steady == .lit)
        #expect(kit.eye == "the LED's program")
        let seen = try #require(
            BenchKit(
                programs: ExecKit(name: "programs", programs: [shell(.button, "true")]),
                probed: try EmulatedBoardLink().kit(.prototypingBoard)
            )
        )
        #expect(seen.eye == "the probe")
        try kit.pressButton()
        try kit.reset()
        try kit.holdReset(true)
        try kit.holdReset(false)
        #expect(kit.uartLines(since: 0).isEmpty)
    }

    @Test func `A serial device that goes away is told, in this case and in the next`() throws {
        let clock = ModelClock()
        let emulated = try EmulatedKit(i2c: NBTChip(options: [:], clock: clock).i2c, clock: clock)
        var terminal: KitTerminal? = try KitTerminal(kit: emulated)
        let probed = try KitSetup(probe: .usb(serial: "NONE"), uart: .path(try #require(terminal).path))
            .makeKit(name: "kit")
        defer { probed.close() }
        let kit = try #require(BenchKit(programs: nil, probed: probed))
        try kit.checkUART()
        let before = emulated.uartLineCount
        emulated.reset()
        clock.wait(.seconds(5))
        let count = emulated.uartLineCount - before
        terminal?.send()
        let end = MonotonicTime.now + .seconds(60)
        while kit.uartLineCount < count, MonotonicTime.now < end { sched_yield() }
        #expect(count > 0)
        #expect(kit.uartLineCount == count)
        terminal = nil
        while (try? kit.checkUART()) != nil, MonotonicTime.now < end { sched_yield() }
        #expect(fault { () throws(TransportFault) in try kit.checkUART() }?.kind == .probe)
        // What came before it counts for this case only.
        let next = try #require(BenchKit(programs: nil, probed: probed))
        #expect(next.uartLineCount == 0)
        #expect(next.uartLines(since: 0).isEmpty)
        #expect(fault { () throws(TransportFault) in try next.checkUART() }?.kind == .probe)
    }

    @Test func `Without a probe only what a program does can be done`() throws {
        #expect(BenchKit(programs: nil, probed: nil) == nil)
        let kit = try #require(
            BenchKit(programs: ExecKit(name: "programs", programs: [shell(.led, "echo dark")]), probed: nil)
        )
        #expect(try kit.led() == .dark)
        #expect(fault { () throws(TransportFault) in try kit.pressButton() }?.kind == .control)
        #expect(fault { () throws(TransportFault) in try kit.holdReset(true) }?.kind == .control)
    }
}
