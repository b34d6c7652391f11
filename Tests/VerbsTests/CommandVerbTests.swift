// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Testing
import Verbs

@Suite struct CommandVerbTests {
    // MARK: send

    @Test func `Send puts a whole command on the wire byte for byte, malformed ones too`() throws {
        let bench = VerbBench(["*": "6700"])
        for command in ["00B0000001", "00B00000FF01", "00D6000005AA", "80FB0000"] {
            let (_, stop) = try bench.call("send", ["apdu": .hex(command)])
            #expect(stop == nil)
        }
        #expect(bench.wire == ["00B0000001", "00B00000FF01", "00D6000005AA", "80FB0000"])
    }

    @Test(arguments: [
        (["ins": "B0", "le": "1"], "00B0000001"), (["ins": "B0", "le": "256"], "00B0000000"),
        (["ins": "B0", "le": "0"], "00B0000000"), (["ins": "B0", "le": "257"], "00B00000000101"),
        (["cla": "80", "ins": "CA", "p1": "9F", "p2": "7F", "le": "0"], "80CA9F7F00"),
        (["ins": "D6", "data": "AABB"], "00D6000002AABB"), (["ins": "70"], "00700000"),
        (["ins": "A4", "p1": "04", "data": "A000000001", "le": "0"], "00A4040005A00000000100"),
    ])
    func `Send computes Lc and Le from its fields`(fields: [String: String], command: String) throws {
        let bench = VerbBench(["*": "9000"])
        var arguments: [String: Value] = [:]
        for (name, text) in fields { arguments[name] = name == "le" ? .number(Int(text) ?? -1) : .hex(text) }
        let (_, stop) = try bench.call("send", arguments)
        #expect(stop == nil)
        #expect(bench.wire == [command])
    }

    @Test func `Extended length can be asked for`() throws {
        let bench = VerbBench(["*": "9000"])
        _ = try bench.call("send", ["ins": .hex("B0"), "le": .number(1), "extended": .boolean(true)])
        _ = try bench.call("send", ["ins": .hex("B0"), "le": .number(0), "extended": .boolean(true)])
        #expect(bench.wire == ["00B00000000001", "00B00000000000"])
    }

    @Test(arguments: [
        (["apdu": "00B0"], "t.yaml:3:9: apdu: "),
        (["apdu": "00B00000", "ins": "B0"], "t.yaml:3:9: apdu: a whole"),
        (["p1": "01"], "t.yaml:3:9: ins: it is missing"),
        (["ins": "B0B1"], "t.yaml:3:9: ins: one byte is needed, here are 2"),
    ])
    func `Send refuses what is no command`(fields: [String: String], message: String) throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call("send", fields.mapValues { .hex($0) })
        #expect(stop?.text.hasPrefix(message) == true, "\(stop?.text ?? "sent")")
        #expect(bench.wire == [])
    }

    @Test func `Bytes of the wrong kind are refused with what they are`() throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call("send", ["apdu": .number(5)])
        #expect(stop?.text == "t.yaml:3:9: apdu: bytes are needed, this is a number")
        let (_, text) = try bench.call("send", ["apdu": .text("00B00000 01")])
        #expect(text == nil)
        #expect(bench.wire == ["00B0000001"])
    }

    // MARK: check

    @Test(arguments: [
        ("equals", ["AA", "AA"], nil), ("equals", ["AA", "AB"], "AB is not equal to AA"),
        ("differs", ["AA", "AB", "AC"], nil), ("differs", ["AA", "AB", "AA"], "AA stands twice"),
        ("increases", ["0041", "0042", "0100"], nil),
        ("increases", ["0041", "0041"], "0041 is not larger than 0041"),
        ("increases", ["FF", "0100"], nil),
    ])
    func `Check compares bytes`(name: String, values: [String], complaint: String?) throws {
        let bench = VerbBench([:])
        let list = Value.list(values.map { .hex($0) })
        let (call, stop) = try bench.call("check", [name: list])
        #expect(stop?.text == complaint.map { "CheckFailed: \($0)" })
        #expect(call.assertions == 1)
        let (_, negated) = try bench.call("check", ["not": .map([name: list])])
        #expect((negated == nil) == (complaint != nil))
        #expect(bench.wire == [])
    }

    @Test func `A literal takes the type of the value beside it`() throws {
        let bench = VerbBench([:])
        let rows: [[Value]] = [
            [.hex("0A"), .text("0a")], [.number(16), .text("0x10")], [.number(10), .hex("0A")],
            [.statusWord(.success), .text("9000")], [.hex("9000"), .statusWord(.success)],
        ]
        for row in rows {
            let (_, stop) = try bench.call("check", ["equals": .list(row)])
            #expect(stop == nil, "\(row)")
        }
        let (_, wrong) = try bench.call("check", ["equals": .list([.number(1), .text("x")])])
        #expect(wrong?.text == "t.yaml:3:9: equals: 'x' is no number")
    }

    @Test func `Times increase, and decimal numbers beside bytes`() throws {
        let bench = VerbBench([:])
        let short = Value.duration(.microseconds(2_900))
        let long = Value.duration(.milliseconds(3))
        let rows: [([Value], String?)] = [
            ([short, long], nil), ([short, .text("2.95ms"), long], nil),
            ([long, long], "CheckFailed: 3ms is not larger than 3ms"),
            ([long, .text("2900us")], "CheckFailed: 2.9ms is not larger than 3ms"),
            ([long, .text("5")], "t.yaml:3:9: increases: '5' is no time: '5' has no unit; write 5ms or 5s"),
            (
                [long, .number(5)],
                "t.yaml:3:9: increases: 3ms and 5 are neither two numbers nor two times"
            ),
            ([.hex("04"), .text("5")], nil), ([.hex("00FF"), .text("256"), .hex("0101")], nil),
            ([.hex("0C"), .text("10")], "CheckFailed: 10 is not larger than 0C"),
            ([.hex("FF"), .text("0200")], nil), ([.hex("0101"), .text("0x0102")], nil),
        ]
        for (row, wanted) in rows {
            let (_, stop) = try bench.call("check", ["increases": .list(row)])
            #expect(stop?.text == wanted, "\(row)")
        }
        let (_, alike) = try bench.call("check", ["equals": .list([long, .text("3000us")])])
        #expect(alike == nil)
    }

    private static let forms =
        "equals, differs, increases, signature, ecdsa, ed25519, bip340, cmac, hash, x509"

    @Test func `A check needs something to compare`() throws {
        let bench = VerbBench([:])
        let (_, nothing) = try bench.call("check")
        #expect(nothing?.text == "t.yaml:3:9: check: it needs one of \(Self.forms), not")
        let (_, one) = try bench.call("check", ["equals": .list([.number(1)])])
        #expect(one?.text == "t.yaml:3:9: equals: it compares at least two values")
        let (_, unknown) = try bench.call("check", ["not": .map(["same": .list([])])])
        #expect(unknown?.text == "t.yaml:3:9: not: 'same' is no check; it takes \(Self.forms)")
    }

    // MARK: ISO/IEC 7816-4

    @Test(arguments: [
        ("iso7816.verify", ["reference": "01", "value": "31323334"], "002000010431323334"),
        ("iso7816.verify", ["reference": "81"], "00200081"),
        ("iso7816.get-data", ["tag": "9F7F"], "00CA9F7F00"),
        ("iso7816.get-data", ["tag": "66"], "00CA006600"),
        ("iso7816.get-data", ["tag": "9F36", "cla": "80"], "80CA9F3600"),
    ])
    func `Words of the standard build their commands`(
        verb: String,
        fields: [String: String],
        command: String
    ) throws {
        let bench = VerbBench(["*": "63C2"])
        let (call, stop) = try bench.call(verb, fields.mapValues { .hex($0) })
        #expect(stop == nil)
        #expect(bench.wire == [command])
        if verb == "iso7816.verify" { #expect(call.observation.fields["tries"] == .number(2)) }
    }

    @Test func `Records and challenges are asked for by number`() throws {
        let bench = VerbBench(["*": "9000"])
        _ = try bench.call("iso7816.read-record", ["record": .number(3), "sfi": .number(1)])
        _ = try bench.call("iso7816.read-record", ["record": .number(254)])
        _ = try bench.call("iso7816.get-challenge")
        _ = try bench.call("iso7816.get-challenge", ["length": .number(256)])
        #expect(bench.wire == ["00B2030C00", "00B2FE0400", "0084000008", "0084000000"])
    }

    // MARK: Connection and time

    @Test func `Field, reset, connect and delay act on the connection and the clock`() throws {
        let bench = VerbBench([:])
        _ = try bench.call("field", ["state": .text("off"), "for": .duration(.milliseconds(200))])
        #expect(bench.clock.now == .milliseconds(200))
        _ = try bench.call("field", ["state": .text("off")])
        #expect(bench.session.field == .off)
        _ = try bench.call("field", ["state": .text("on")])
        #expect(bench.session.field == .on)
        #expect(bench.session.fieldOnSince == .milliseconds(200))
        _ = try bench.call("reset")
        _ = try bench.call("reset", ["kind": .text("warm")])
        _ = try bench.call("connect")
        _ = try bench.call("delay", ["time": .duration(.seconds(1))])
        #expect(bench.clock.now == .milliseconds(1200))
        #expect(
            bench.events == [
                "field off", "field on", "field off", "field on", "reset cold", "reset warm", "reconnect",
            ]
        )
    }

    @Test func `A kit verb without a kit is a fault of the probe`() throws {
        let bench = VerbBench([:])
        let (_, stop) = try bench.call("kit.led", ["is": .text("lit")])
        #expect(stop?.text == "fault probe")
    }

    // MARK: The table

    @Test func `Each verb and argument has a line of help, and results are told apart`() {
        for spec in VerbTable.shipped.specs {
            #expect(spec.summary.hasSuffix("."), "\(spec.name)")
            #expect(spec.arguments.allSatisfy { !$0.summary.isEmpty && !$0.summary.hasSuffix(".") })
            #expect(Set(spec.arguments.map(\.name)).count == spec.arguments.count)
            #expect(Set(spec.results.map(\.name)).count == spec.results.count)
            if let bare = spec.bareArgument {
                #expect(spec.arguments.contains { $0.name == bare }, "\(spec.name)")
            }
            let known = Set(CapabilityList.words)
            #expect(spec.needs.allSatisfy(known.contains), "\(spec.name)")
        }
    }
}
