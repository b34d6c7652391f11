// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

@Suite("Emulated probe: transcripts")
struct ProbeTranscriptTests {
    @Test func `the start-up and the reading of a LED run byte for byte`() throws {
        let bench = try ProbeBench()
        #expect(try bench.replay("start-up.txt") == 17)
        #expect(try bench.replay("led.txt") == 19)
        #expect(bench.kit.disturbances.isEmpty)
    }

    @Test func `what pyOCD sent is answered as it was`() throws {
        // The record is of a board whose LED pin can be read back.
        let bench = try ProbeBench(kit: ["led-input-buffer": "on"])
        try bench.say("02 01", "02 01")
        #expect(try bench.replay("pyocd-deferred.txt") == 11)
    }

    @Test func `in immediate mode each register is a block of one`() throws {
        let bench = try ProbeBench()
        try bench.connect()
        // ABORT, CTRL/STAT and SELECT of the debug port, then CSW, TAR and DRW.
        try bench.say("06 00 01 00 00 1E 00 00 00", "06 01 00 01")
        try bench.say("06 00 01 00 04 00 0F 00 50", "06 01 00 01")
        try bench.say("06 00 01 00 06", "06 01 00 01 00 00 00 F0")
        try bench.say("06 00 01 00 08 00 00 00 00", "06 01 00 01")
        // Of 4F in the top byte, 43 stays.
        try bench.say("06 00 01 00 01 42 00 00 4F", "06 01 00 01")
        try bench.say("06 00 01 00 03", "06 01 00 01 42 00 00 43")
        try bench.say("06 00 01 00 05 80 06 31 40", "06 01 00 01")
        try bench.say("06 00 01 00 0F", "06 01 00 01 80 00 00 00")
        try bench.say("06 00 01 00 0E", "06 01 00 01 80 00 00 00")
    }
}
