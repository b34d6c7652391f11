// SPDX-License-Identifier: MIT

import RunRecord
import Testing

/// Verbs of the NBT, its kit, NDEF and the connection, through scenarios on the emulator.
@Suite struct DeviceVerbTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func expectPass(_ text: String) throws {
        let outcome = try bench.runCase(text)
        #expect(outcome.verdict == .passed, "\(outcome.problem.map { "\($0.message) \($0.details)" } ?? "")")
    }

    @Test func `An NDEF message comes back as it was written`() throws {
        try expectPass(
            nbtHead + """
                cases:
                  - name: round trip
                    steps:
                      - ndef.detect: {}
                        expect: { version: 0x20, mle: 256, mlc: 255, size: 4096, file: E104, writable: yes }
                      - ndef.write: { uri: "https://example.com/a" }
                        expect: { length: 18 }
                      - ndef.read: {}
                        expect:
                          length: 18
                          message: D1010E55046578616D706C652E636F6D2F61
                          ndef: [{ uri: "https://example.com/a" }]
                        capture: { link: ndef(0).uri }
                      - ndef.write: { text: "grüß dich", language: de }
                      - ndef.read: {}
                        expect: { ndef: [{ text: "grüß dich" }] }
                      - check: { differs: ["${link}", "grüß dich"] }
                """
        )
    }

    @Test func `A status word that ends the verb is judged as that of its last command`() throws {
        try expectPass(
            nbtHead + """
                setup:
                  - select: D2760000850101
                  - nbt.policy: { file: FAP, rights: 40404000 }
                cases:
                  - name: refused
                    steps:
                      - nbt.policy: { file: NDEF, rights: 40404000 }
                        expect: { sw: 6982 }
                """
        )
    }

    @Test func `A refused command of a library's sequence fails the step that says nothing of it`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                setup:
                  - select: D2760000850101
                  - nbt.policy: { file: NDEF, rights: 40404000 }
                cases:
                  - name: refused
                    steps:
                      - ndef.write: 0102
                """
        )
        #expect(outcome.problem?.type == "UnexpectedStatus")
        #expect(outcome.problem?.message == "step 1 ndef.write 0102: expected SW 9000, got 6982")
    }

    @Test func `The policy of a file is written and read`() throws {
        try expectPass(
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: policy
                    steps:
                      - nbt.policy: {}
                        expect:
                          policy: E10340004000E10440404040E1A140404040E1A240404040E1A340404040E1A440404040E1AF40404040
                      - nbt.policy: { file: FILE_4, rights: 40400000 }
                      - nbt.policy: {}
                        expect: { policy: re:.*E1A440400000.* }
                      - read: { file: FILE_4 }
                        expect: { sw: 6982 }
                      - nbt.version: {}
                        expect: { version: re:1\\..* }
                """
        )
    }

    @Test func `The kit's flow: the button, the LED, the log`() throws {
        // Field case S55.
        try expectPass(
            kitHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: flow
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - field: off
                      - kit.button: press
                      - kit.led: { was: dark, is: lit }
                        expect: { within: 1s, state: lit }
                      - kit.uart: LED turned ON
                        expect: { line: "[NBT example] [INFO   ] LED turned ON" }
                      - field: on
                      - select: D2760000850101
                      - read: { file: FILE_2, length: 1 }
                        poll: { every: 100ms, max: 2s, until: { data: 01 } }
                      - kit.led: { is: lit, for: 500ms }
                """
        )
    }

    /// Field case S55 with its own card: the third read matches.
    @Test func `Reads in a wait are one step with their number and time`() throws {
        try bench.writeCard([
            Rule("00A4040007D276000085010100", "9000"), Rule("00A4000C02E1A1", "9000"),
            Rule("00D600000101", "9000"), Rule("00A4000C02E1A2", "9000"),
            Rule("00B0000001", "009000", times: 2), Rule("00B0000001", "019000"),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: S55
                    steps:
                      - select: D2760000850101
                      - write: { file: E1A1, data: 01 }
                      - field: { state: off, for: 500ms }
                      - select: D2760000850101
                      - select: E1A2
                      - read: { length: 1 }
                        poll: { every: 100ms, max: 2000ms, until: { data: 01 } }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].steps.last?.tries == 3)
        #expect(outcome.attempts[0].steps.last?.detail == "3 tries in 200ms")
        #expect(
            try bench.trace(outcome.attempts[0]) == [
                "00A4040007D276000085010100 9000", "00A4000C02E1A1 9000", "00D600000101 9000", "(field off)",
                "(field on)", "00A4040007D276000085010100 9000", "00A4000C02E1A2 9000", "00B0000001 009000",
                "00B0000001 009000", "00B0000001 019000", "= passed",
            ]
        )
    }

    @Test func `A LED that is stuck is a failure of the product`() throws {
        let outcome = try bench.runCase(
            kitHead + """
                options: { led: stuck-lit }
                setup:
                  - select: D2760000850101
                cases:
                  - name: stuck
                    steps:
                      - write: { file: FILE_1, data: 01 }
                      - field: off
                      - kit.button: press
                      - kit.led: { was: dark, is: lit }
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.type == "ProbeMismatch")
    }

    @Test func `A kit verb on a target without a kit skips the case`() throws {
        try bench.writeCard([])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - kit.led: lit
                """
        )
        #expect(outcome.verdict == .skipped)
        #expect(outcome.problem?.message == "needs capability kit.led; iso7816@emulator does not offer it")
    }

    @Test func `Reset, connect and field take the selection away`() throws {
        try expectPass(
            nbtHead + """
                cases:
                  - name: volatile
                    steps:
                      - select: D2760000850101
                      - select: FILE_1
                      - reset: cold
                      - read: { length: 1 }
                        expect: { sw: 6986 }
                      - select: D2760000850101
                      - select: FILE_1
                      - connect: {}
                      - read: { length: 1 }
                        expect: { sw: 6986 }
                      - field: { state: off, for: 50ms }
                      - read: { length: 1 }
                        expect: { sw: 6986 }
                """
        )
    }

    @Test func `A log line is in the trace and in the report`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: c
                    steps:
                      - log: half way
                """
        )
        #expect(outcome.attempts[0].steps[0].detail == "half way")
        #expect(try bench.trace(outcome.attempts[0]) == ["# half way", "= passed"])
    }

    // MARK: Field cases with scripted cards

    @Test func `A message of 300 bytes is read in pieces of MLe`() throws {
        // Field case S30.
        var rules = [
            Rule(selectTag, "9000"), Rule("00A4000C02E103", "9000"),
            Rule("00B000000F", "000F20003B00340406E104020000009000"), Rule("00A4000C02E104", "9000"),
            Rule("00B0000002", "012C9000"),
        ]
        var wire = rules.map(\.command)
        var sent = 0
        while sent < 300 {
            let count = min(59, 300 - sent)
            let offset = hex(UInt8((sent + 2) >> 8)) + hex(UInt8((sent + 2) & 0xFF))
            let data = (0..<count).map { hex(UInt8(truncatingIfNeeded: sent + $0 + 1)) }.joined()
            rules.append(Rule("00B0\(offset)\(hex(UInt8(count)))", data + "9000"))
            wire.append(rules[rules.count - 1].command)
            sent += count
        }
        try bench.writeCard(rules)
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: S30
                    steps:
                      - ndef.read: {}
                        expect: { length: 300, exchanges: 11 }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(try bench.commands(outcome.attempts[0]) == wire)
    }

    @Test func `A message is written between two length fields, in pieces of MLc`() throws {
        // Field case S31.
        try bench.writeCard(
            [
                Rule("00B000000F", "000F20003B00340406E104020000009000")
            ],
            default: "9000"
        )
        let message = (0x30..<0xA8).map { hex(UInt8($0)) }.joined()
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: S31
                    steps:
                      - ndef.write: \(message)
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        let updates = try bench.commands(outcome.attempts[0]).filter { $0.hasPrefix("00D6") }
        #expect(
            updates.map { String($0.prefix(10)) } == [
                "00D6000002", "00D6000234", "00D6003634", "00D6006A10", "00D6000002",
            ]
        )
        #expect(updates.first == "00D60000020000")
        #expect(updates.last == "00D60000020078")
    }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
