// SPDX-License-Identifier: MIT

import RunRecord
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
}
