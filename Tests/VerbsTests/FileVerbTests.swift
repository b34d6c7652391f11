// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Testing
import Verbs

@Suite struct FileVerbTests {
    // MARK: select

    @Test(arguments: [
        ("E1A1", "nbt", "00A4000C02E1A1"), ("D2760000850101", "nbt", "00A4040007D276000085010100"),
        ("A000000812010208", "tangem", "00A4040008A000000812010208"),
        ("F001020304", "iso7816", "00A4040005F00102030400"),
    ])
    func `Select builds what the device wants`(name: String, target: String, command: String) throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call("select", ["target": .hex(name)], target: target)
        #expect(stop == nil)
        #expect(bench.wire == [command])
    }

    @Test func `Le can be forced on and off`() throws {
        let bench = VerbBench(["*": "9000"])
        _ = try bench.call("select", ["target": .hex("E1A1"), "le": .boolean(true)])
        _ = try bench.call("select", ["target": .hex("D2760000850101"), "le": .boolean(false)])
        #expect(bench.wire == ["00A4000C02E1A100", "00A4040007D2760000850101"])
    }

    @Test(arguments: ["E1", "E1A1A2", "E1A1A2A3", "0102030405060708090A0B0C0D0E0F1011"])
    func `What is neither a file nor an AID is refused before it is sent`(name: String) throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call("select", ["target": .hex(name)])
        #expect(
            stop?.text
                == "t.yaml:3:9: target: a file id has 2 bytes and an AID 5 to 16, here are \(name.count / 2)"
        )
        #expect(bench.wire == [])
    }

    /// Field case S35, and two more of its kind: a longer DF name, and tag 84 in a bare answer.
    @Test(arguments: [
        ("D2760000850101", "6F0B8407D2760000850101A5009000", "confirmed", false),
        ("F00102030405", "9000", "unconfirmed", true),
        ("A0000002471001", "6F0B8407D2760000850101A5009000", "mismatch", false),
        ("A000000247", "6F0D8409A00000024710010203A5009000", "confirmed", false),
        ("A0000002471001", "8407A00000024710029000", "mismatch", false),
    ])
    func `A SELECT is confirmed by tag 84`(
        aid: String,
        answer: String,
        word: String,
        warns: Bool
    ) throws {
        let bench = VerbBench(["*": answer])
        let (call, stop) = try bench.call("select", ["target": .hex(aid)], target: "iso7816")
        #expect(call.observation.fields["confirmation"] == .text(word))
        #expect(call.warnings.isEmpty != warns)
        if word == "mismatch" {
            #expect(stop?.text.hasPrefix("UnexpectedData: the card selected ") == true)
        } else {
            #expect(stop == nil)
        }
    }

    @Test func `Strict mode wants a confirmation; targets that promise none are not warned of`() throws {
        let bench = VerbBench(["*": "9000"])
        let arguments: [String: Value] = ["target": .hex("F00102030405"), "strict": .boolean(true)]
        let (_, stop) = try bench.call("select", arguments, target: "iso7816")
        #expect(stop?.text == "UnexpectedData: SELECT F00102030405 is not confirmed by the answer")
        let (call, none) = try bench.call("select", ["target": .hex("D2760000850101")], target: "nbt")
        #expect(none == nil)
        #expect(call.warnings == [])
    }

    // MARK: read and write

    @Test func `Read selects its file first and reads all that there is`() throws {
        let bench = VerbBench(["00A4000C02E103": "9000", "00B0000000": "0102039000"])
        let (call, stop) = try bench.call("read", ["file": .hex("E103")])
        #expect(stop == nil)
        #expect(bench.wire == ["00A4000C02E103", "00B0000000"])
        #expect(call.observation.fields["content"] == .hex("010203"))
        #expect(call.observation.exchanges.count == 2)
    }

    @Test func `A long read comes in pieces of 256 bytes, and ends at a short answer`() throws {
        let full = String(repeating: "AA", count: 256) + "9000"
        let bench = VerbBench(["00B0000A00": full, "00B0010A00": full, "00B0020A58": "BB9000"])
        let (call, stop) = try bench.call("read", ["offset": .number(10), "length": .number(600)])
        #expect(stop == nil)
        #expect(bench.wire == ["00B0000A00", "00B0010A00", "00B0020A58"])
        guard case .bytes(let content)? = call.observation.fields["content"] else {
            Issue.record("no content")
            return
        }
        #expect(content.count == 513)
        let short = VerbBench(["00B0000000": "AABB9000"])
        _ = try short.call("read", ["length": .number(600)])
        #expect(short.wire == ["00B0000000"])
    }

    @Test func `A refused SELECT or piece is named, and nothing more is sent`() throws {
        let bench = VerbBench(["*": "6A82"])
        let (_, stop) = try bench.call("read", ["file": .hex("E1A9"), "length": .number(1)])
        #expect(stop?.text == "SELECT E1A9 answered 6A82")
        #expect(bench.wire == ["00A4000C02E1A9"])
        let pieces = VerbBench(["*": "6982"])
        let (_, second) = try pieces.call("read", ["length": .number(300)])
        #expect(second?.text == "READ BINARY at 0 answered 6982")
    }

    @Test func `A long write goes out in pieces of 255 bytes`() throws {
        let bench = VerbBench(["*": "9000"])
        let data = Value.bytes([UInt8](repeating: 0x11, count: 300))
        let (_, stop) = try bench.call(
            "write",
            ["file": .hex("E104"), "offset": .number(2), "data": data]
        )
        #expect(stop == nil)
        #expect(bench.wire.map { String($0.prefix(10)) } == ["00A4000C02", "00D60002FF", "00D601012D"])
    }

    @Test func `An offset beyond 15 bits is refused`() throws {
        let bench = VerbBench(["*": String(repeating: "00", count: 256) + "9000"])
        let (_, stop) = try bench.call("read", ["offset": .number(32_767), "length": .number(300)])
        #expect(
            stop?.text == "t.yaml:3:9: offset: 33023 is beyond 32767, the largest offset that P1-P2 can hold"
        )
        let (_, empty) = try bench.call("write", ["data": .bytes([])])
        #expect(empty?.text == "t.yaml:3:9: data: at least one byte is needed")
    }

    // MARK: Lost commands

    @Test func `A lost command is sent as often as the recovery says`() throws {
        let bench = VerbBench(["*": "9000"])
        let lost = TransportFault(.transport, "lost")
        bench.faults["00B0000001"] = [lost, lost]
        var counts: [Int] = []
        let (call, stop) = try bench.call("read", ["length": .number(1)]) { _, _, resends in
            counts.append(resends)
            return true
        }
        #expect(stop == nil)
        #expect(counts == [0, 1])
        #expect(bench.wire.count == 3)
        #expect(call.observation.exchanges.count == 1)
    }

    @Test func `A command that stays lost is an exchange without an answer`() throws {
        let bench = VerbBench([:])
        bench.faults["00B0000001"] = [TransportFault(.cardRemoved, "gone")]
        let (call, stop) = try bench.call("read", ["length": .number(1)])
        #expect(stop?.text == "fault card-removed")
        #expect(call.observation.exchanges.map(\.response) == [nil])
        bench.faults["00B0000001"] = [TransportFault(.cardRemoved, "gone")]
        let (_, second) = try bench.call("read", ["length": .number(1)]) { _, _, _ in
            throw TransportFault(.noReader, "no reader")
        }
        #expect(second?.text == "fault no-reader")
    }
}
