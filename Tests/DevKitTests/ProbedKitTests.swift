// SPDX-License-Identifier: MIT

import CardConnection
import DebugProbe
import DevKitEmulator
import Synchronization
import Testing

@testable import DevKit

/// The real client on the emulated probe: what is seen, what is done, and what goes wrong.
@Suite struct ProbedKitTests {
    @Test(arguments: [
        [:], ["probe-packet": "512"], ["system-port": "closed"], ["probe-deaf": "2"], ["probe-wait": "3"],
    ])
    func `The LED follows FILE_1 through button and probe`(options: [String: String]) throws {
        let bench = try ProbedBench(probe: options)
        let judge = LEDJudge(clock: bench.clock)
        for (byte, was) in [("01", LEDState.dark), ("00", LEDState.lit)] {
            try bench.writeFile1(byte)
            #expect(try bench.kit.led() == was)
            try bench.kit.pressButton()
            let verdict = try judge.watch(was: was, is: was.other) { () throws(TransportFault) in
                try bench.kit.lookAtLED()
            }
            #expect(verdict.holds, "\(verdict.text)")
        }
        #expect(bench.link.openings.withLock { $0 } == 1)
        // Field case S43: the board is not disturbed.
        #expect(bench.board.disturbances.isEmpty)
    }

    @Test func `A look is one packet, with the pin's owner, its drive, and thirteen samples`() throws {
        let bench = try ProbedBench()
        try bench.kit.open()
        let before = bench.link.requests.count
        let look = try bench.kit.lookAtLED()
        #expect(bench.link.requests.count == before + 1)
        #expect(look.samples == [LEDState](repeating: .dark, count: 13))
        #expect(look.steady == .dark)
        #expect(bench.link.requests.allSatisfy { $0.count <= 64 })
    }

    @Test func `A pin that another block drives cannot be judged`() throws {
        let bench = try ProbedBench(kit: ["led-pin": "given-away"])
        let look = try bench.kit.lookAtLED()
        #expect(look.doubt?.contains("P13.7 belongs to another block") == true)
        let fault = #expect(throws: TransportFault.self) { try bench.kit.led() }
        #expect(fault?.kind == .probe)
        #expect(fault?.description.hasPrefix("cannot judge the LED: the LED's pin P13.7") == true)
    }

    @Test func `A pin that no firmware has set up yet cannot be judged`() throws {
        let bench = try ProbedBench()
        try bench.kit.reset()
        #expect(try bench.kit.lookAtLED().doubt?.contains("is not driven (drive mode 0") == true)
        bench.clock.wait(.milliseconds(100))
        #expect(try bench.kit.lookAtLED().doubt == nil)
    }

    @Test func `The board of the profile decides which pin is looked at, and what lights`() throws {
        let other = try ProbedBench(kit: ["board": "CY8CKIT-062S2-43012"], profile: .pioneerBoard)
        #expect(try other.kit.led() == .dark)
        var profile = BoardProfile.prototypingBoard
        profile.led.isLitLow = false
        let inverted = try ProbedBench(kit: ["led-polarity": "high"], profile: profile)
        try inverted.writeFile1("01")
        try inverted.kit.pressButton()
        inverted.clock.wait(.milliseconds(30))
        #expect(try inverted.kit.led() == .lit)
    }

    @Test func `A reset of the micro-controller makes its firmware look at FILE_1`() throws {
        let bench = try ProbedBench()
        #expect(try bench.kit.led() == .dark)
        try bench.writeFile1("01")
        try bench.kit.pressButton(by: .reset)
        let verdict = try LEDJudge(clock: bench.clock).watch(was: .dark, is: .lit, before: nil) {
            () throws(TransportFault) in try bench.kit.lookAtLED()
        }
        #expect(verdict.firstNew?.state == .lit)
        #expect(try bench.kit.led() == .lit)
        #expect(bench.board.disturbances.isEmpty)
    }

    @Test func `While the reset line is held nothing can be seen, and afterwards all is well`() throws {
        let bench = try ProbedBench()
        #expect(try bench.kit.led() == .dark)
        try bench.kit.holdReset(true)
        let fault = #expect(throws: TransportFault.self) { try bench.kit.led() }
        #expect(fault?.description == "cannot judge the LED: the micro-controller is held in reset")
        try bench.kit.holdReset(false)
        bench.clock.wait(.milliseconds(100))
        #expect(try bench.kit.led() == .dark)
    }

    @Test func `A line that another program left low is named, and let go by a reset`() throws {
        let bench = try ProbedBench()
        try bench.kit.holdReset(true)
        // Another user of the same probe, who knows nothing of that.
        let other = bench.another()
        let fault = #expect(throws: TransportFault.self) { try other.led() }
        #expect(fault?.description.contains("its reset line is low; let it go with") == true)
        try other.reset()
        bench.clock.wait(.milliseconds(100))
        #expect(try other.led() == .dark)
    }

    @Test func `What a case left held is let go behind it, and when the kit is closed`() throws {
        let bench = try ProbedBench()
        try bench.kit.holdReset(true)
        try bench.kit.letGo()
        bench.clock.wait(.milliseconds(100))
        #expect(try bench.another().led() == .dark)
        let sent = bench.link.requests.count
        try bench.kit.letGo()
        #expect(bench.link.requests.count == sent)
        try bench.kit.holdReset(true)
        bench.kit.close()
        bench.clock.wait(.milliseconds(100))
        #expect(try bench.another().led() == .dark)
    }

    @Test func `A line that is held while the probe goes away is let go by the next one`() throws {
        let bench = try ProbedBench()
        try bench.kit.open()
        try bench.kit.holdReset(true)
        bench.link.fail(next: 1)
        #expect(throws: TransportFault.self) { try bench.kit.letGo() }
        bench.kit.close()
        bench.clock.wait(.milliseconds(100))
        #expect(try bench.another().led() == .dark)
    }

    @Test(arguments: [
        (ProbeError.Kind.busy, FaultKind.busy), (.notPermitted, .permission), (.absent, .probe),
        (.gone, .probe),
        (.target, .probe),
    ])
    func `A probe's error keeps its kind in the fault`(kind: ProbeError.Kind, wanted: FaultKind) {
        let kit = ProbedKit(name: "kit", board: .prototypingBoard) { () throws(ProbeError) in
            throw ProbeError("no", kind: kind)
        }
        #expect(#expect(throws: TransportFault.self) { try kit.led() }?.kind == wanted)
        #expect(#expect(throws: TransportFault.self) { try kit.holdReset(true) }?.kind == wanted)
    }

    @Test func `A chip that waits to the end is told as waiting, not as restricted`() throws {
        let fault = #expect(throws: TransportFault.self) {
            try ProbedBench(probe: ["probe-wait": "200"]).kit.led()
        }
        #expect(fault?.description.contains("0 keeps asking to wait, 2 keeps asking to wait") == true)
        #expect(fault?.description.contains("restricted") == false)
    }

    @Test func `A blinking LED is no steady one for the probe either`() throws {
        for half in [9, 10, 11] {
            let bench = try ProbedBench(kit: ["led": "blinking", "led-blink": "\(half)ms"])
            for wanted in [LEDState.dark, .lit] {
                let verdict = try LEDJudge(clock: bench.clock).watch(is: wanted) {
                    () throws(TransportFault) in
                    try bench.kit.lookAtLED()
                }
                #expect(!verdict.holds, "\(half) ms: \(verdict.text)")
            }
        }
    }

    @Test func `A blinking LED is seen to blink`() throws {
        let bench = try ProbedBench(kit: ["led": "blinking", "led-blink": "50ms"])
        let verdict = try LEDJudge(clock: bench.clock).watchBlinking(period: .milliseconds(100)) {
            () throws(TransportFault) in try bench.kit.lookAtLED()
        }
        #expect(verdict.holds, "\(verdict.text)")
        let steady = try LEDJudge(clock: bench.clock).watchHold(is: .dark, for: .seconds(1)) {
            () throws(TransportFault) in try bench.kit.lookAtLED()
        }
        #expect(!steady.holds)
    }

    @Test func `The probe itself can wait for the LED`() throws {
        let bench = try ProbedBench()
        let led = bench.kit.board.led
        #expect(try bench.kit.wait(for: led, toBe: .dark))
        #expect(try !bench.kit.wait(for: led, toBe: .lit, retries: 10))
    }

    @Test func `A probe that was unplugged is a fault of the rig, and is taken again at the next use`() throws
    {
        let bench = try ProbedBench(probe: ["probe-gone-after": "20"])
        let fault = #expect(throws: TransportFault.self) {
            for _ in 0..<20 { _ = try bench.kit.led() }
        }
        #expect(fault?.kind == .probe)
        #expect(fault?.description == "the emulated probe was unplugged; plug it in again")
        #expect((try? bench.kit.led()) == nil)
        #expect(bench.link.openings.withLock { $0 } == 2)
    }

    @Test(arguments: [["probe-garble": "18"], ["probe-mute": "18"]])
    func `A probe out of step is opened anew`(options: [String: String]) throws {
        let bench = try ProbedBench(probe: options)
        var faults = 0
        for _ in 0..<6 where (try? bench.kit.led()) == nil { faults += 1 }
        #expect(faults == 1)
        #expect(bench.link.openings.withLock { $0 } == 2)
    }

    @Test func `An access that fails once is repeated, and nobody is the wiser`() throws {
        let bench = try ProbedBench(probe: ["probe-fault": "9"])
        for _ in 0..<4 { #expect(try bench.kit.led() == .dark) }
    }

    @Test func `A board without power is told in words`() throws {
        let bench = try ProbedBench(probe: ["target-power": "off"])
        let fault = #expect(throws: TransportFault.self) { try bench.kit.led() }
        #expect(fault?.description.contains("does not answer on SWD; is the board powered") == true)
    }

    @Test func `Another chip is worth a warning`() throws {
        #expect(try ProbedBench().kit.warning() == nil)
        let other = try ProbedBench(probe: ["target-id": "2BA01477"])
        #expect(
            try other.kit.warning()?.contains("calls itself 2BA01477, a CY8CPROTO-062S2-43439 has 6BA02477")
                == true
        )
        #expect(try other.kit.led() == .dark)
    }

    @Test func `A kit without a log says nothing and offers no log`() throws {
        let bench = try ProbedBench()
        #expect(bench.kit.uartLines(since: 0).isEmpty)
        #expect(bench.kit.capabilities.map(\.rawValue).sorted() == ["kit.button", "kit.led", "kit.reset"])
    }
}
