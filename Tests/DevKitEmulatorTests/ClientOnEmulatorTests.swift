// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import NBTEmulator
import Testing

@testable import DevKit
@testable import DevKitEmulator

/// The rig's client and the emulated probe share no code, so what both agree on is worth something.
@Suite("Emulated probe: the rig's own client")
struct ClientOnEmulatorTests {
    /// A kit as the rig sees it, through the probe of an emulated one.
    private struct Desk {
        let bench: ProbeBench
        let link: InProcessLink
        let kit: ProbedKit

        init(
            kit options: [String: String] = [:],
            probe probeOptions: [String: String] = [:],
            board: BoardProfile = .prototypingBoard
        ) throws {
            let bench = try ProbeBench(kit: options, probe: probeOptions)
            let link = InProcessLink(bench.probe)
            self.bench = bench
            self.link = link
            kit = ProbedKit(name: "kit", board: board, clock: bench.bench.clock) {
                () throws(ProbeError) in link
            }
        }

        /// Writes FILE_1 over NFC and takes the field away.
        func wish(_ byte: String) throws {
            try bench.bench.fieldOn()
            #expect(try bench.bench.write(byte, to: "E1A1") == "9000")
            bench.bench.fieldOff()
        }
    }

    @Test(arguments: BoardProfile.known, ["64", "512"])
    func `sees the LED follow the button on each board, at each packet size`(
        board: BoardProfile,
        packet: String
    ) throws {
        let desk = try Desk(kit: ["board": board.name], probe: ["probe-packet": packet], board: board)
        #expect(try desk.kit.led() == .dark)
        for (byte, state) in [("01", LEDState.lit), ("00", .dark)] {
            try desk.wish(byte)
            try desk.kit.pressButton()
            let verdict = try LEDJudge(clock: desk.bench.bench.clock).judge(
                was: state.other,
                is: state,
                sample: { () throws(TransportFault) in try desk.kit.led() }
            )
            #expect(verdict.holds, "\(verdict.text)")
        }
        #expect(try desk.kit.warning() == nil)
        #expect(desk.bench.kit.disturbances.isEmpty)
    }

    @Test(
        "gets through what a probe and its wires may do",
        arguments: [
            ["probe-wait": "5"], ["probe-wait": "80"], ["probe-deaf": "2"], ["probe-fastest": "100"],
            ["probe-fault": "6"], ["probe-fault": "12"], ["probe-fault": "6", "late-errors": "counted"],
            ["system-port": "closed"], ["reset-link": "kept"],
        ]
    )
    func endures(options: [String: String]) throws {
        let desk = try Desk(probe: options)
        try desk.wish("01")
        #expect(try desk.kit.led() == .dark)
        try desk.kit.pressButton(by: .reset)
        desk.bench.bench.clock.wait(.milliseconds(60))
        #expect(try desk.kit.led() == .lit)
        let look = try desk.kit.lookAtLED()
        #expect(look.steady == .lit)
        #expect(desk.bench.kit.disturbances.isEmpty)
    }

    @Test(
        "tells a fault of the rig from one of the product",
        arguments: [
            (["target-power": "off"], "does not answer on SWD"),
            (["probe-deaf": "99"], "does not answer on SWD"),
            (["probe-wait": "81"], "access port"), (["probe-mute": "3"], "no answer"),
            (["probe-gone-after": "12"], "unplugged"), (["probe-garble": "12"], "step"),
        ]
    )
    func rigFaults(options: [String: String], text: String) throws {
        let desk = try Desk(probe: options)
        do {
            let state = try desk.kit.led()
            Issue.record("the LED was seen \(state)")
        } catch {
            #expect(error.kind == .probe)
            #expect(error.detail.contains(text), "\(error)")
        }
    }

    @Test func `does not judge a pin that another block drives`() throws {
        let desk = try Desk(kit: ["led-pin": "given-away"])
        let look = try desk.kit.lookAtLED()
        #expect(look.doubt?.contains("another block") == true)
        #expect(throws: TransportFault.self) { try desk.kit.led() }
        // The direct kit says the same.
        #expect(desk.bench.kit.lookAtLED().doubt != nil)
    }

    @Test func `warns of a chip that is another one`() throws {
        let desk = try Desk(probe: ["target-id": "2BA01477"])
        #expect(try desk.kit.warning()?.contains("2BA01477") == true)
        #expect(try desk.kit.led() == .dark)
    }

    @Test func `sees a LED that blinks change within a look or between looks`() throws {
        let desk = try Desk(kit: ["led": "blinking", "led-blink": "3ms"])
        var seen: Set<LEDState> = []
        for _ in 0..<20 {
            seen.formUnion(try desk.kit.lookAtLED().samples)
            desk.bench.bench.clock.wait(.milliseconds(1))
        }
        #expect(seen == [.lit, .dark])
    }

    @Test func `lets the probe itself wait for the LED`() throws {
        let desk = try Desk()
        try desk.wish("01")
        #expect(try desk.kit.wait(for: desk.kit.board.led, toBe: .lit, retries: 10) == false)
        try desk.kit.pressButton()
        let start = desk.bench.bench.clock.now
        #expect(try desk.kit.wait(for: desk.kit.board.led, toBe: .lit, retries: 65_535))
        // The firmware has its usual latency, and the time on the wires counts.
        let time = desk.bench.bench.clock.now - start
        #expect(time > .milliseconds(20) && time < .milliseconds(40), "\(time)")
    }

    @Test func `holds the board in reset and lets it go`() throws {
        let desk = try Desk()
        try desk.wish("01")
        #expect(try desk.kit.led() == .dark)
        try desk.kit.holdReset(true)
        desk.bench.bench.clock.wait(.seconds(1))
        #expect(throws: TransportFault.self) { try desk.kit.led() }
        try desk.kit.holdReset(false)
        desk.bench.bench.clock.wait(.milliseconds(60))
        #expect(try desk.kit.led() == .lit)
    }

    @Test func `goes on where a probe comes back, and never with a wrong packet`() throws {
        let desk = try Desk()
        #expect(try desk.kit.led() == .dark)
        desk.bench.probe.unplug()
        #expect(throws: TransportFault.self) { try desk.kit.led() }
        // No vendor command, which might switch the probe's mode.
        #expect(desk.link.sent.allSatisfy { !(0x80...0x9F ~= ($0.first ?? 0)) })
        #expect(desk.link.sent.allSatisfy { $0.count <= 64 })
    }
}
