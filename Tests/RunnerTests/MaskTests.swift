// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import RunRecord
import Runner
import Testing

/// What a step or a secret hides stands in nothing that a run leaves behind.
@Suite struct MaskTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
        try bench.writeCard(
            [
                Rule("00B0000004", "AABBCCDD9000"),
                Rule("00B0000104", "6F098407A00000000310109000"),
                Rule("00B0000204", "4142434445469000"),
                Rule("00B0000501", "AA6102"), Rule("00C0000002", "BBCC9000"),
                Rule("00B0000601", "84016103"), Rule("00C0000003", "EE55669000"),
                Rule("00B0000704", "000000009000"),
                Rule("00B0000902", "1A2B9000"),
                Rule("00B0000A04", "00AABBCCDDEE9000"),
                Rule("00B0000B00", String(repeating: "C0FFEE17", count: 15) + "9000"),
            ],
            default: "9000"
        )
    }

    /// Everything that a case left: its record with all texts, and its trace.
    private func leftovers(_ steps: String, head: String = "", route: (any Route)? = nil) throws -> String {
        let outcome = try bench.runCase(
            scriptedHead + head + "cases:\n  - name: one\n    steps:\n" + steps.indented(by: 6),
            route: route
        )
        let attempt = try #require(outcome.attempts.first)
        let trace = try String(
            contentsOfFile: "\(bench.options.outputFolder)/\(attempt.trace)",
            encoding: .utf8
        )
        // The header has digests, in which any digits may stand.
        let lines = trace.split(separator: "\n").dropFirst().joined(separator: "\n")
        return lines + "\n" + String(describing: outcome)
    }

    @Test(arguments: [
        "expect: { data: FFFFFFFF }", "expect: { data: AABBCCDE }", "expect: { data: {not: AABBCCDD} }",
        "expect: { len: 5 }", "expect: { ascii: zz }", "expect: { tlv: { 84: 00 } }",
        "capture: { x: data(9) }",
        "capture: { x: tlv.84 }", "poll: { every: 5ms, max: 10ms, until: { data: 00 } }",
        "poll: { every: 5ms, max: 10ms, while: { data: xxxxxxxx } }",
        "expect: { wire: [{ data: 00 }] }", "expect: { every: { data: 00 } }", "expect: { sw: 6A82 }",
    ])
    func `A step that does not hold keeps what it masks to itself`(expectation: String) throws {
        let all = try leftovers("- send: 00B0000004\n  mask: [data]\n  \(expectation)\n")
        #expect(all.contains("\"r\":\"********9000\""))
        #expect(all.contains("failed"))
        // One byte of it would be too much as well, but for those that the scenario writes itself.
        for text in ["AABBCCDD", "got AA", "got DD", "received  data"] { #expect(!all.contains(text)) }
    }

    @Test func `A mask of some bytes hides the one that differs`() throws {
        let steps = """
            - send: 00B0000B00
              mask: ["data(20)"]
              expect: { data: "\(String(repeating: "C0FFEE17", count: 5))FFFFEE17..." }
            """
        let all = try leftovers(steps)
        #expect(all.contains("got something else"))
        #expect(!all.contains("got C0"))
    }

    @Test func `A value that was masked stays hidden in later steps, also where it is cut`() throws {
        let all = try leftovers(
            """
            - send: 00B0000B00
              mask: [data]
              capture: { x: data }
            - log: "x ${x}"
            - send: { ins: DA, data: "${x}" }
            - send: 00B0000B00
              expect: { data: 00 }
            """
        )
        #expect(!all.contains("C0FFEE17"))
        #expect(all.contains("# x **") || all.contains("x ****"))
    }

    @Test func `A part that was captured out of a masked answer is a secret`() throws {
        let all = try leftovers(
            """
            - send: 00B0000902
              mask: [data]
              capture: { short: data }
            - send: 00B0000004
              mask: [data]
              capture: { part: "data(1..3)" }
            - send: 00B0000704
              mask: [data]
              capture: { zeros: data }
            - log: "short ${short}, part ${part}, zeros ${zeros}"
            - send: { ins: DA, data: "${short}" }
            - check: { equals: ["${part}", "1234"] }
            """
        )
        #expect(all.contains("short ****, part ****, zeros ********"))
        #expect(all.contains("\"c\":\"00DA000002****\""))
        for text in ["1A2B", "BBCC"] { #expect(!all.contains(text)) }
    }

    @Test func `A part that was captured out of a secret answer is a secret too`() throws {
        bench.options.environment["RIG_VAR_key"] = "AABBCCDD"
        let all = try leftovers(
            """
            - send: 00B0000A04
              capture: { part: "data(1..3)", open: "data(5..6)" }
            - log: "part ${part}, open ${open}"
            - send: { ins: DA, data: "${key}" }
            """,
            head: "secrets: [key]\n"
        )
        #expect(all.contains("part ****, open EE"))
        #expect(!all.contains("AABB"))
    }

    @Test func `What is found everywhere is hidden in its own step alone`() throws {
        let all = try leftovers(
            """
            - send: 00B0000704
              mask: [data]
            - send: 00B0000704
            - send: 00B0000004
              mask: ["data(0)"]
            - send: 00B0000004
            """
        )
        #expect(all.contains("\"r\":\"********9000\""))
        #expect(all.contains("\"r\":\"000000009000\""))
        #expect(all.contains("\"r\":\"**BBCCDD9000\""))
        #expect(all.contains("\"r\":\"AABBCCDD9000\""))
    }

    @Test func `The name that a masked step selects by is hidden in no other step`() throws {
        let all = try leftovers("- select: A000000003\n  mask: [data]\n- select: A000000003\n")
        #expect(all.contains("\"c\":\"00A4040005**********"))
        #expect(all.contains("\"c\":\"00A4040005A000000003"))
    }

    @Test(arguments: [
        ("00B0000501", "data", ["**6102", "****9000"]),
        ("00B0000501", "data(1..3)", ["AA6102", "****9000"]),
        ("00B0000501", "data(0..2)", ["**6102", "**CC9000"]),
        // An object in two parts: both are hidden.
        ("00B0000601", "tlv.84", ["****6103", "******9000"]),
    ])
    func `A range counts in the whole answer, in however many parts it comes`(
        command: String,
        mask: String,
        answers: [String]
    ) throws {
        let rules = [
            Rule("00B0000501", "AA6102"), Rule("00C0000002", "BBCC9000"),
            Rule("00B0000601", "84026103"), Rule("00C0000003", "EE55669000"),
        ]
        try bench.writeCard(rules)
        let outcome = try bench.runCase(
            scriptedHead + """
                cases:
                  - name: one
                    steps:
                      - send: \(command)
                        mask: ["\(mask)"]
                """
        )
        #expect(outcome.verdict == .passed)
        let trace = try bench.traceRecords(outcome.attempts[0].trace)
        #expect(trace.compactMap { $0["r"]?.string } == answers)
    }

    /// Commands and answers that a case left in its trace, without those of the rig itself.
    private func exchanges(_ steps: String) throws -> [String] {
        let outcome = try bench.runCase(
            scriptedHead + "cases:\n  - name: one\n    steps:\n" + steps.indented(by: 6)
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        return try bench.traceRecords(outcome.attempts[0].trace).compactMap { record in
            record["c"]?.string.map { "\($0) \(record["r"]?.string ?? "-")" }
        }
    }

    @Test(arguments: [
        "- send: 10DA000004A1A2A3A4\n  mask: [\"data(0..2)\"]\n  repeat: 2\n  expect: { sw: SW }\n",
        """
        - send: 10DA000004A1A2A3A4
          mask: ["data(0..2)"]
          expect: { sw: SW }
        - reset: cold
        - send: 10DA000004A1A2A3A4
          mask: ["data(0..2)"]
          expect: { sw: SW }

        """,
        """
        - send: 10DA000004A1A2A3A4
          mask: ["data(0..2)"]
          expect: { sw: SW }
        - send: 10DA000004A1A2A3A4
          mask: ["data(0..2)"]
          expect: { sw: SW }

        """,
    ])
    func `A range does not count on from a link that was sent before`(steps: String) throws {
        for status in ["9000", "6D00"] {
            try bench.writeCard([], default: status)
            let shown = try exchanges(steps.replacing("SW", with: status))
            #expect(shown == Array(repeating: "10DA000004****A3A4 \(status)", count: 2))
        }
    }

    @Test func `A range does not count on from a link that was lost`() throws {
        let shown = try exchanges(
            """
            - send: 10DA000004A1A2A3A4
              mask: ["data(0..2)"]
              fault: { at: 1, when: before, kind: mute }
              expect: { fault: timeout }
            - connect: {}
            - send: 10DA000004A1A2A3A4
              mask: ["data(0..2)"]

            """
        )
        #expect(shown == ["10DA000004****A3A4 -", "10DA000004****A3A4 9000"])
    }

    @Test func `What a step fetches by hand has its own places, and no object of it is shown`() throws {
        let shown = try exchanges(
            """
            - send: 00B0000501
              raw: true
              expect: { sw: 6102 }
            - send: 00C0000002
              raw: true
              mask: ["data(0..2)"]
            - send: 00B0000601
              raw: true
              expect: { sw: 6103 }
            - send: 00C0000003
              raw: true
              mask: [tlv.84]
            - send: 10DA0000028404
              mask: [tlv.84]
            - send: 00DA0000041A2B3C4D
              mask: [tlv.84]

            """
        )
        #expect(
            shown == [
                "00B0000501 AA6102", "00C0000002 ****9000", "00B0000601 84016103", "00C0000003 ******9000",
                "10DA000002**** 9000", "00DA000004******** 9000",
            ]
        )
    }

    @Test func `A number of exchanges tells nothing of what a mask hides`() throws {
        let all = try leftovers("- send: 00B0000004\n  mask: [data]\n  expect: { exchanges: 2 }\n")
        #expect(all.contains("expected exchanges 2, got 1"))
        #expect(!all.contains("AABBCCDD"))
    }

    @Test func `A public value under a secret's name is shown, the secret behind it is not`() throws {
        bench.options.environment["RIG_VAR_pin"] = "0102"
        try bench.write(
            "lib.yaml",
            "steps:\n  show:\n    args: [pin]\n    steps:\n      - log: \"it is ${pin}\"\n"
        )
        let all = try leftovers(
            """
            - use: { name: show, with: { pin: "0304" } }
            - use: { name: show, with: { pin: "${pin}" } }
            - log: "then ${pin}"

            """,
            head: "include: [lib.yaml]\nsecrets: [pin]\n"
        )
        for text in ["it is 0304", "it is ****", "then ****"] { #expect(all.contains(text)) }
        #expect(!all.contains("0102"))
    }

    @Test func `The title of a step shows nothing that its mask hides`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: one
                    steps:
                      - send: 00A4040007D276000085010100
                      - send: 00A4000C02E1A1
                      - send: 00D6000004CAFEBABE
                        mask: [data]
                      - send: "00D60000${n}CAFEBABE"
                        mask: [data]
                      - ndef.write: CAFEBABE
                        mask: [data]
                        allow: [6982]
                      - write: { file: FILE_1, data: CAFEBABE }
                        poll: { every: 1ms, max: 2ms, until: { sw: 9000 }, between: [{ send: 00D6000004CAFEBABE, mask: [data] }] }
                        mask: [data]
                vars: { n: "04" }
                """
        )
        #expect(
            outcome.attempts[0].steps.map(\.title) == [
                "send 00A4040007D276000085010100", "send 00A4000C02E1A1", "send 00D6000004********",
                "send 00D6000004********", "ndef.write", "write FILE_1",
            ]
        )
        let trace = try bench.traceRecords(outcome.attempts[0].trace).map { "\($0)" }.joined()
        #expect(!trace.contains("CAFEBABE"))
    }

    @Test(arguments: [
        ("- send: 00DA010004CAFEBABE\n  mask: [data]", "00DA010004********"),
        ("- send: 00DA0100080102CAFEBABE0304\n  mask: [\"data(2..6)\"]", "00DA0100080102********0304"),
        // The command that hangs is the first to tell the code.
        ("- send: 0020008108313233343536FFFF", "0020008108****************"),
    ])
    func `A command that hangs is as hidden as one that is answered`(step: String, shown: String) throws {
        let command = step.split(separator: " ")[2].prefix { $0 != "\n" }
        let route = ScriptedRoute { $0 == command ? nil : "9000" }
        defer { route.release() }
        let all = try leftovers(step + "\n", head: "limits: { apdu: 300ms, teardown: 1s }\n", route: route)
        #expect(all.contains("\"c\":\"\(shown)\",\"fault\":\"timeout\""))
        for text in ["CAFEBABE", "313233343536"] { #expect(!all.contains(text)) }
    }

    @Test func `Secrets that one connection learned are hidden in the words of the other`() throws {
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: one
                    steps:
                      - field: off
                      - send: 00A4040007D276000085010100
                        on: i2c
                      - send: 00A4000C02E1A1
                        on: i2c
                      - send: 00D6000004CAFEBABE
                        on: i2c
                        mask: [data]
                      - log: "it was CAFEBABE"
                      - send: 00B0000004
                        on: i2c
                        expect: { data: 01020304 }
                """
        )
        #expect(outcome.verdict == .failed)
        let log = outcome.attempts[0].steps.first { $0.verb == "log" }
        #expect(log?.detail == "it was ********")
        #expect(!String(describing: outcome).contains("CAFEBABE"))
    }
}

extension String {
    /// The text with each line moved to the right.
    fileprivate func indented(by count: Int) -> String {
        split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
            + "\n"
    }
}
