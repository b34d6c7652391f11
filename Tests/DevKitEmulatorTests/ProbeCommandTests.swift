// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated probe: commands")
struct ProbeCommandTests {
    @Test func `the probe says what it is`() throws {
        let bench = try ProbeBench(probe: ["probe-serial": "AABB"])
        for (request, text) in [
            ("00 01", "Cypress Semiconductor"), ("00 02", "KitProg3 CMSIS-DAP"), ("00 03", "AABB"),
            ("00 04", "2.0.0"), ("00 09", "2.80.1"),
        ] {
            let bytes = Array(text.utf8) + [0]
            try bench.say(request, "00" + [UInt8(bytes.count)].hex + bytes.hex)
        }
        try bench.say("00 FE", "00 01 40")
        try bench.say("00 05", "00 00")
        try bench.say("00 F1", "00 00")
        let wide = try ProbeBench(probe: ["probe-packet": "512"])
        try wide.say("00 FF", "00 02 00 02")
    }

    @Test(
        "what is no request is answered by FF",
        arguments: [
            "", "80", "FE", "00", "02", "05", "05 00", "05 00 01", "05 00 01 04 00", "06 00 02 00 0D 01",
            "12 00 FF", "10 00", "1D 02 08 00",
        ]
    )
    func malformed(request: String) throws {
        try ProbeBench.started().say(request, "FF")
    }

    @Test func `a packet above the probe's size is refused, as is an answer that would be`() throws {
        let bench = try ProbeBench.started()
        try bench.say("12 00" + String(repeating: "FF", count: 63), "FF")
        try bench.say(
            "05 00 0F" + String(repeating: "06", count: 15),
            "05 0F 01" + String(repeating: "000000F0", count: 15)
        )
        try bench.say("05 00 10" + String(repeating: "06", count: 16), "FF")
        try bench.say("06 00 FF FF 06", "FF")
    }

    @Test func `commands with a status answer with it`() throws {
        let bench = try ProbeBench()
        for (request, answer) in [
            ("01 00 01", "01 00"), ("01 01 01", "01 00"), ("01 07 01", "01 FF"), ("02 00", "02 01"),
            ("02 02", "02 00"),
            ("03", "03 00"), ("09 10 00", "09 00"), ("11 00 00 00 00", "11 FF"), ("13 00", "13 00"),
            ("1D 02 08 FF 88", "1D 00 FF"),
        ] {
            try bench.say(request, answer)
        }
        #expect(bench.bench.clock.now == .microseconds(16))
    }

    @Test func `without a connection nothing is transferred`() throws {
        let bench = try ProbeBench()
        try bench.say("05 00 01 02", "05 00 00")
        try bench.say("06 00 01 00 02", "06 00 00 00")
        try bench.say("08 00 1E 00 00 00", "08 FF")
        try bench.connect()
        try bench.say("05 00 00", "05 00 00")
        try bench.say("03", "03 00")
        try bench.say("05 00 01 02", "05 00 00")
    }

    @Test func `several commands fit into one packet, and packets can be kept back`() throws {
        let bench = try ProbeBench.started()
        try bench.say("7F 02 05 00 01 02 01 00 00", "7F 02 05 01 01 77 24 A0 6B 01 00")
        // One that is not known ends the list.
        try bench.say("7F 03 01 00 00 80 01 00 00", "7F 03 01 00 FF")
        try bench.say("7F 02 7F 00 00", "7F 02 FF")
        try bench.say("7E 01 01 00 00", "")
        try bench.say("7E 01 05 00 01 02", "")
        try bench.say("00 F0", "7F 01 01 00|7F 01 05 01 01 77 24 A0 6B|00 01 11")
        try bench.say("7F", "FF")
    }

    @Test func `an abort has no answer`() throws {
        let bench = try ProbeBench.started()
        try bench.say("07", "")
        try bench.say("05 00 01 06", "05 01 01 00 00 00 F0")
    }

    @Test func `a probe that is pulled out answers nothing`() throws {
        let bench = try ProbeBench(probe: ["probe-gone-after": "2"])
        try bench.say("00 F0", "00 01 11")
        try bench.say("00 F0", "00 01 11")
        #expect(!bench.probe.isGone)
        #expect(try bench.ask("00 F0") == "gone")
        #expect(bench.probe.isGone)
        #expect(try bench.ask("07") == "gone")
        let pulled = try ProbeBench()
        pulled.probe.unplug()
        #expect(try pulled.ask("00 F0") == "gone")
    }

    @Test func `answers can be missing or belong to another command`() throws {
        let bench = try ProbeBench(probe: ["probe-garble": "2", "probe-mute": "3"])
        try bench.say("00 F0", "00 01 11")
        try bench.say("00 F0", "55 01 11")
        try bench.say("00 F0", "")
        try bench.say("00 F0", "00 01 11")
    }

    @Test func `two probes tell themselves apart`() throws {
        let first = try ProbeBench(probe: ["probe-serial": "01"])
        let second = try ProbeBench(probe: ["probe-serial": "02"])
        #expect(first.probe.serial == "01")
        #expect(try first.ask("00 03") != second.ask("00 03"))
        #expect(throws: EmulatorOptionError.self) { try ProbeBench(probe: ["probe-packet": "65"]) }
    }

    @Test func `any bytes at all are survived`() throws {
        var generator = SplitMix(seed: 43)
        for round in 0..<200 {
            let bench = round.isMultiple(of: 2) ? try ProbeBench.started() : try ProbeBench()
            for _ in 0..<50 {
                let length = Int.random(in: 0...70, using: &generator)
                var packet = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                // Mostly commands that exist, or nothing but the first byte would be looked at.
                if !packet.isEmpty, Bool.random(using: &generator) {
                    packet[0] =
                        [4, 5, 6, 8, 0x10, 0x12, 0x1D, 0x7E, 0x7F].randomElement(using: &generator) ?? 0
                }
                // A wait of the probe itself may be long; it needs no retries here.
                if packet.first == 4 { packet = [4] }
                guard case .packets(let answers) = bench.probe.respond(to: packet) else {
                    Issue.record("the probe went away")
                    return
                }
                for answer in answers { #expect(1...64 ~= answer.count) }
            }
        }
    }
}

/// A small generator, so that a failure comes again.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
