// SPDX-License-Identifier: MIT

import CardConnection
import Routes
import RunRecord
import Runner
import Testing

/// What a step says of the commands on the wire, in a run.
@Suite struct WireTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    /// A step that sends three commands: a SELECT and two reads.
    private func run(_ expect: String) throws -> CaseRecord {
        let half = String(repeating: "A5", count: 256)
        try bench.writeCard([
            Rule("00A4000C02E104", "9000"), Rule("00B0000000", half + "9000"),
            Rule("00B0010002", "01026282"),
        ])
        return try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - read: { file: E104, length: 258 }
                        expect: { \(expect) }
                """
        )
    }

    @Test(arguments: [
        "exchanges: 3, sw: 6282", "exchanges: 2..4, sw: 62xx",
        "wire: [{ len: 0 }, { len: 256, data: A5... }, { sw: 6282, data: 0102 }]",
        "wire: [{ sw: 9000 }, { sw: 9000 }, { sw: warning }], exchanges: 3",
        "every: { time: \"<1s\" }, sw: 6282", "every: { sw: [9000, 6282] }",
    ])
    func `Commands on the wire are counted and judged one by one`(expect: String) throws {
        let outcome = try run(expect)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].exchangeCount == 3)
    }

    @Test(arguments: [
        ("exchanges: 1, sw: 6282", "UnexpectedData", "expected exchanges 1, got 3"),
        ("exchanges: 4..9, sw: 6282", "UnexpectedData", "expected exchanges 4..9, got 3"),
        ("wire: [{ sw: 6282 }]", "UnexpectedData", "expected 1 command on the wire, saw 3"),
        (
            "wire: [{ len: 0 }, { len: 255 }, { sw: 6282 }]", "UnexpectedData",
            "command 2 of 3 (READ BINARY 00B00000): expected len 255, got 256"
        ),
        (
            "wire: [{ sw: 6A82 }, { sw: 9000 }, { sw: 6282 }]", "UnexpectedStatus",
            "command 1 of 3 (SELECT 00A4000C): expected SW 6A82, got 9000"
        ),
        (
            "wire: [{ sw: 9000 }, { sw: 9000 }, { data: 0102 }]", "UnexpectedStatus",
            "command 3 of 3 (READ BINARY 00B00100): expected SW 9000, got 6282"
        ),
        (
            "every: { sw: 9000 }", "UnexpectedStatus",
            "command 3 of 3 (READ BINARY 00B00100): expected SW 9000, got 6282"
        ),
    ])
    func `What is not so on the wire is a failure that names the command`(
        expect: String,
        type: String,
        says: String
    ) throws {
        let outcome = try run(expect)
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.type == type)
        #expect(outcome.problem?.message.contains(says) == true, "\(outcome.problem?.message ?? "")")
    }

    // MARK: What is followed

    /// A step whose command takes four exchanges of 40 ms: `6Cxx`, `61xx`, `61xx`, and a warning at the end.
    private func runFollowed(_ sideKeys: String, raw: Bool = false) throws -> CaseRecord {
        try bench.writeCard([
            Rule("00B0000000", "6C04", delay: 40), Rule("00B0000004", "AA6102", delay: 40),
            Rule("00C0000002", "BB6101", delay: 40), Rule("00C0000001", "CC6282", delay: 40),
        ])
        return try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 00B0000000
                        raw: \(raw)
                        \(sideKeys)
                """
        )
    }

    @Test(arguments: [
        "expect: { sw: 6282, data: AABBCC, len: 3, exchanges: 4, time: 40ms..40ms, total: 160ms..160ms }",
        "expect: { wire: [{ sw: 6C04 }, { data: AA }, { data: BB }, { sw: 6282, data: CC }], data: AABBCC }",
        "expect: { wire: [{ len: 0 }, { len: 1 }, { len: 1 }, { len: 1 }], sw: 6282 }",
        "expect: { every: { time: \"<60ms\" }, sw: warning }", "allow: 6282",
        "stats: { max: 160ms..160ms, samples: 3 }\n        allow: 6282",
    ])
    func `What the card had the rig ask for is on the wire, and one answer for the step`(keys: String) throws
    {
        let outcome = try runFollowed(keys)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(outcome.attempts[0].exchangeCount == (keys.hasPrefix("stats") ? 12 : 4))
    }

    @Test(arguments: [
        ("exchanges: 1, sw: 6282", "expected exchanges 1, got 4"),
        (
            "sw: 6282, time: \"<40ms\"",
            "expected time <40ms, took 40ms (command 1 of 4, READ BINARY 00B00000)"
        ),
        ("wire: [{ data: AABBCC }], sw: 6282", "expected 1 command on the wire, saw 4"),
        (
            "wire: [{ len: 0 }, { len: 1 }, { len: 1 }, { len: 1 }]",
            "command 4 of 4 (GET RESPONSE 00C00000): expected SW 9000, got 6282"
        ),
        (
            "every: { sw: [6282, 61xx] }",
            "command 1 of 4 (READ BINARY 00B00000): expected SW 6282 or 61xx, got 6C04"
        ),
        ("len: 3", "expected SW 9000, got 6282"),
    ])
    func `An expectation of the wire sees each exchange that the trace has`(
        expect: String,
        says: String
    ) throws {
        let outcome = try runFollowed("expect: { \(expect) }")
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.message.contains(says) == true, "\(outcome.problem?.message ?? "")")
    }

    @Test func `In raw mode nothing is followed, and the status is judged as it came`() throws {
        #expect(try runFollowed("expect: { sw: 6C04, exchanges: 1 }", raw: true).verdict == .passed)
        #expect(try runFollowed("expect: { exchanges: 1 }", raw: true).verdict == .failed)
        #expect(try runFollowed("expect: { wire: [{ len: 0 }] }", raw: true).verdict == .failed)
    }

    @Test(arguments: [
        ("9000", "9000", "exchanges: 2, wire: [{ sw: 9000 }, { sw: 9000 }]", ""),
        ("9000", "6A84", "sw: 6A84, exchanges: 2", ""), ("6985", "9000", "sw: 6985, exchanges: 1", ""),
        ("9000", "9000", "exchanges: 1", "expected exchanges 1, got 2"),
        ("9000", "6A84", "exchanges: 2", "expected SW 9000, got 6A84"),
        (
            "6985", "9000", "wire: [{ len: 0 }]",
            "command 1 of 1 (UPDATE BINARY 10D60000): expected SW 9000, got 6985"
        ),
    ])
    func `The links of a chain are on the wire, and one command for the step`(
        first: String,
        second: String,
        expect: String,
        says: String
    ) throws {
        let (head, tail) = (String(repeating: "A5", count: 255), String(repeating: "5A", count: 45))
        try bench.writeCard([
            Rule("10D60000FF" + head, first), Rule("00D600002D" + tail, second),
        ])
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: c
                    steps:
                      - send: 00D6000000012C\(head)\(tail)
                        expect: { \(expect) }
                """,
            route: ShortRoute()
        )
        #expect(outcome.verdict == (says.isEmpty ? .passed : .failed), "\(outcome.problem?.message ?? "")")
        if !says.isEmpty { #expect(outcome.problem?.message.contains(says) == true) }
    }
}

/// The emulator behind a reader that knows short commands only, with a card that takes chains.
private final class ShortRoute: Route {
    let spec = "emulator"
    let isVirtualTime = true
    let isEmulated = true
    private let base = EmulatorRoute()

    private final class Short: ConnectionWrapper {
        let inner: any Connection
        var facts: ConnectionFacts {
            var facts = inner.facts
            facts.largestCommand = 261
            return facts
        }

        init(_ inner: any Connection) { self.inner = inner }

        func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] { try inner.transmit(command) }
    }

    func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        base.capabilities(target: target, options: options)
    }

    func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        var card = try base.open(setup)
        card.connection = Short(card.connection)
        card.acceptsChaining = true
        return card
    }

    func close() {}
}
