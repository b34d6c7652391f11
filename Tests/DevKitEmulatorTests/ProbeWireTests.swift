// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated probe: wires")
struct ProbeWireTests {
    @Test func `nobody answers before a line reset and the read of DPIDR`() throws {
        let bench = try ProbeBench()
        try bench.say("02 01", "02 01")
        try bench.say("05 00 01 02", "05 00 07")
        // The line speaks JTAG after power-up: a reset alone does not help.
        try bench.say("12 33 FF FF FF FF FF FF FF", "12 00")
        try bench.say("12 08 00", "12 00")
        try bench.say("05 00 01 02", "05 00 07")
        try bench.resetLine()
        // The wrong first access, and nothing works until the next reset.
        try bench.say("05 00 01 06", "05 00 07")
        try bench.say("05 00 01 02", "05 00 07")
        try bench.resetLine()
        try bench.say("05 00 01 02", "05 01 01 77 24 A0 6B")
        try bench.say("05 00 01 06", "05 01 01 00 00 00 00")
    }

    @Test(
        "a line reset has 50 ones and two idle cycles",
        arguments: [
            ("12 33 FF FF FF FF FF FF FF", "12 08 00", true),
            ("12 32 FF FF FF FF FF FF 03", "12 02 00", true),
            ("12 2E FF FF FF FF FF 3F", "12 08 00", false),
            ("12 33 FF FF FF FF FF FF FF", "12 01 00", false),
            ("12 33 FF FF FF FF FF FF FF", "12 08 08", false),
        ]
    )
    // The switch to SWD ends with three ones of its own.
    func lineReset(ones: String, idle: String, works: Bool) throws {
        let bench = try ProbeBench()
        for request in ["02 01", "12 33 FF FF FF FF FF FF FF", "12 10 9E E7", ones, idle] {
            _ = try bench.ask(request)
        }
        try bench.say("05 00 01 02", works ? "05 01 01 77 24 A0 6B" : "05 00 07")
    }

    @Test func `the line can be given back to JTAG`() throws {
        let bench = try ProbeBench.started()
        try bench.say("12 33 FF FF FF FF FF FF FF", "12 00")
        try bench.say("12 10 3C E7", "12 00")
        try bench.say("12 33 FF FF FF FF FF FF FF", "12 00")
        try bench.say("12 08 00", "12 00")
        try bench.say("05 00 01 02", "05 00 07")
        try bench.connect()
    }

    @Test func `a wrong turnaround loses the line`() throws {
        let bench = try ProbeBench.started()
        try bench.say("13 01", "13 00")
        try bench.say("05 00 01 02", "05 00 07")
        try bench.say("13 00", "13 00")
        try bench.say("05 00 01 02", "05 00 07")
        try bench.connect()
    }

    @Test func `access ports want power first, and an error sticks until ABORT`() throws {
        let bench = try ProbeBench()
        try bench.connect()
        try bench.say("05 00 01 03", "05 00 04")
        try bench.say("05 00 01 06", "05 01 01 20 00 00 00")
        // SELECT is refused as well, ABORT is not.
        try bench.say("05 00 01 08 00 00 00 00", "05 00 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        try bench.say("05 00 03 04 00 00 00 50 08 00 00 00 00 03", "05 03 01 42 00 00 43")
    }

    @Test func `a bus fault keeps the words before it and drops what follows`() throws {
        let bench = try ProbeBench.started()
        // 40310680, then an address where nothing is, then 40310680 again.
        let list = "05 00 06 05 80 06 31 40 0F 05 00 00 00 60 0F 05 80 06 31 40 0F"
        try bench.say(list, "05 03 04 80 00 00 00")
        try bench.say("05 00 01 06", "05 01 01 20 00 00 F0")
        try bench.say("08 00 1E 00 00 00", "08 00")
        try bench.say("05 00 02 05 80 06 31 40 0F", "05 02 01 80 00 00 00")
        // Where it is the last one, the same; and a write.
        try bench.say("05 00 04 05 80 06 31 40 0F 05 00 00 00 60 0F", "05 03 04 80 00 00 00")
        try bench.say("08 00 1E 00 00 00", "08 00")
        try bench.say("05 00 02 05 00 00 00 60 0D 01 00 00 00", "05 01 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        // The address is still the one where nothing is.
        try bench.say("06 00 02 00 0F", "06 00 00 04")
    }

    @Test func `the reference firmware counts a transfer whose error shows late`() throws {
        let bench = try ProbeBench.started(probe: ["late-errors": "counted"])
        try bench.say("05 00 04 05 80 06 31 40 0F 05 00 00 00 60 0F", "05 04 04 80 00 00 00")
    }

    @Test func `the access that an option names fails once`() throws {
        // The first three are CSW, TAR and the first read.
        let bench = try ProbeBench.started(probe: ["probe-fault": "4"])
        try bench.say("05 00 04 05 80 06 31 40 0F 0F 0F", "05 01 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        try bench.say("05 00 02 0F 0F", "05 02 01 80 00 00 00 80 00 00 00")
    }

    @Test func `WAIT is retried as often as the client allows`() throws {
        let bench = try ProbeBench.started(probe: ["probe-wait": "3"])
        try bench.say("04 02 03 00 00 00", "04 00")
        try bench.say("05 00 02 05 80 06 31 40 0F", "05 02 01 80 00 00 00")
        try bench.say("04 02 01 00 00 00", "04 00")
        try bench.say("05 00 02 05 80 06 31 40 0F", "05 00 02")
        // Two of the three were used up; the next try comes through.
        try bench.say("05 00 01 05 80 06 31 40", "05 01 01")
    }

    @Test func `a value is waited for, on the kit's clock`() throws {
        let bench = try ProbeBench.started()
        try bench.say("04 02 50 00 FF FF", "04 00")
        bench.kit.pressButton()
        let start = bench.bench.clock.now
        // The LED stays dark: 65 535 retries at 1 MHz last about three seconds.
        try bench.say("05 00 03 20 80 00 00 00 05 80 06 31 40 1F 00 00 00 00", "05 02 11")
        #expect(bench.bench.clock.now - start > .seconds(2))
        // The mask stays, the value is there at once.
        try bench.say("05 00 01 1F 80 00 00 00", "05 01 01")
        // A match of a debug-port register.
        try bench.say("05 00 02 20 00 00 00 F0 16 00 00 00 F0", "05 02 01")
    }

    @Test func `RESEND gives the last word once more`() throws {
        let bench = try ProbeBench.started()
        try bench.say("05 00 02 06 0A", "05 02 01 00 00 00 F0 00 00 00 F0")
    }

    @Test func `SELECT leads to other access ports and banks`() throws {
        let bench = try ProbeBench.started()
        for (port, identity) in [
            ("00", "01 00 77 84"), ("01", "01 00 77 84"), ("02", "11 00 77 24"), ("03", "00 00 00 00"),
        ] {
            try bench.say("05 00 02 08 F0 00 00 \(port) 0F", "05 02 01 \(identity)")
        }
        // The processor answers on its own port only.
        try bench.say("05 00 04 08 00 00 00 02 01 02 00 00 23 05 00 ED 00 E0 0F", "05 04 01 41 C2 0F 41")
        try bench.say("05 00 04 08 00 00 00 00 01 02 00 00 23 05 00 ED 00 E0 0F", "05 03 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        // The link's own registers stand in banks of the debug port.
        try bench.say("05 00 02 08 03 00 00 00 06", "05 02 01 01 00 00 00")
    }

    @Test func `the address wraps in each kilobyte, and parts of words are reached`() throws {
        let bench = try ProbeBench.started(mode: "12 00 00 23")
        try bench.say("05 00 03 05 FC 03 00 08 0D 11 22 33 44 0D 55 66 77 88", "05 03 01")
        try bench.say("05 00 02 05 FC 03 00 08 0F", "05 02 01 11 22 33 44")
        try bench.say("05 00 01 07", "05 01 01 00 00 00 08")
        try bench.say("05 00 01 0F", "05 01 01 55 66 77 88")
        // Bytes: each on its own lanes, the address goes on by one.
        try bench.say(
            "05 00 05 01 10 00 00 23 05 FC 03 00 08 0F 0F 07",
            "05 05 01 11 00 00 00 00 22 00 00 FE 03 00 08"
        )
        try bench.say("05 00 02 0D 00 00 AB 00 07", "05 02 01 FF 03 00 08")
        try bench.say("05 00 03 01 02 00 00 23 05 FC 03 00 08 0F", "05 03 01 11 22 AB 44")
        // Halves, and one that lies across.
        try bench.say("05 00 03 01 01 00 00 23 05 FE 03 00 08 0F", "05 03 01 00 00 AB 44")
        try bench.say("05 00 02 05 FF 03 00 08 0F", "05 01 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        // The banked registers reach the four words around the address.
        try bench.say("05 00 03 05 04 00 00 08 08 10 00 00 00 03", "05 03 01 55 66 77 88")
    }

    @Test func `the port of the Cortex-M4 wraps in 4 KB`() throws {
        let bench = try ProbeBench.started()
        try bench.say("05 00 04 08 00 00 00 02 01 12 00 00 23 05 FC 03 00 08 0D 01 00 00 00", "05 04 01")
        try bench.say("05 00 01 07", "05 01 01 00 04 00 08")
        try bench.say("05 00 03 05 FC 0F 00 08 0D 01 00 00 00 07", "05 03 01 00 00 00 08")
    }

    @Test func `a closed system port is seen in CSW and fails`() throws {
        let bench = try ProbeBench.started(probe: ["system-port": "closed"])
        try bench.say("05 00 01 03", "05 01 01 02 00 00 23")
        try bench.say("05 00 02 05 80 06 31 40 0F", "05 01 04")
        try bench.say("08 00 1E 00 00 00", "08 00")
        try bench.say("05 00 04 08 00 00 00 02 01 02 00 00 23 05 80 06 31 40 0F", "05 04 01 80 00 00 00")
    }

    @Test func `a target that is off, or a line that is too fast or deaf, is silent`() throws {
        let off = try ProbeBench(probe: ["target-power": "off"])
        _ = try off.ask("02 01")
        try off.resetLine()
        try off.say("05 00 01 02", "05 00 07")

        let slow = try ProbeBench(probe: ["probe-fastest": "100"])
        _ = try slow.ask("02 01")
        try slow.resetLine()
        try slow.say("05 00 01 02", "05 00 07")
        try slow.say("11 A0 86 01 00", "11 00")
        try slow.connect()

        let deaf = try ProbeBench(probe: ["probe-deaf": "2"])
        _ = try deaf.ask("02 01")
        for _ in 0..<2 {
            try deaf.resetLine()
            try deaf.say("05 00 01 02", "05 00 07")
        }
        try deaf.connect()
    }
}
