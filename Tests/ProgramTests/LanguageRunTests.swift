// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// Words of the language whose effect is on the outcome of a whole run.
@Suite("Words of a scenario in a run")
struct LanguageRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ cases: String, header: String = "options: { firmware-loop: off }\n") throws -> (
        status: Int32, cases: [JSON]
    ) {
        try folder.write("suite.yaml", Scenarios.nbt(cases: cases, header: header))
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--seed",
            "1",
            "--out",
            "out",
            "--json",
            in: folder.path
        )
        return (ending.status, try ending.json().at("suites.0.cases")?.array ?? [])
    }

    private func steps(_ item: JSON) -> [JSON] { item.at("attempts.0.steps")?.array ?? [] }

    private static let failing = """
            steps:
              - select: D2760000850101
              - read: { file: FILE_1, length: 1 }
                expect: { data: EE }
        """

    @Test(
        "known: a failure is a skip until the day, and a failure after it",
        arguments: [
            (
                "2999-12-31", "skipped", 0,
                "known until 2999-12-31 (NBT-7): step 2 read FILE_1: expected data EE, got 00"
            ),
            ("2001-01-01", "failed", 1, "2001-01-01"),
        ] as [(String, String, Int32, String)]
    )
    func known(day: String, verdict: String, status: Int32, says: String) throws {
        let outcome = try run(
            """
              - name: has a known failure
                known: { issue: NBT-7, until: \(day) }
            \(Self.failing)
            \(Scenarios.passing)
            """
        )
        #expect(outcome.status == status)
        #expect(outcome.cases.map { $0["verdict"]?.string } == [verdict, "passed"])
        #expect(
            outcome.cases[0].at("problem.message")?.string?.contains(says) == true,
            "\(outcome.cases[0].text)"
        )
        if verdict == "failed" { #expect(outcome.cases[0].at("problem.type") == "KnownFailurePassed") }
    }

    @Test("known: a pass is a failure, since nobody knows then what is known")
    func knownPasses() throws {
        let outcome = try run(
            Scenarios.passing.replacing(
                "    steps:",
                with: "    known: { issue: NBT-7, until: 2999-12-31 }\n    steps:"
            )
        )
        #expect(outcome.status == 1)
        #expect(outcome.cases[0].at("problem.type") == "KnownFailurePassed")
    }

    @Test("optional: a step with an unmet need is skipped alone, and says why")
    func optional() throws {
        let outcome = try run(
            """
              - name: presses where it can
                steps:
                  - select: D2760000850101
                  - select: FILE_1
                    needs: [wallet.purge]
                    optional: yes
                  - select: FILE_2
                    on: second
                    optional: yes
                  - select: FILE_1
            """
        )
        #expect(outcome.status == 0)
        let steps = steps(outcome.cases[0])
        #expect(steps.map { $0["verdict"]?.string } == ["passed", "skipped", "skipped", "passed"])
        #expect(steps[1]["detail"]?.string?.contains("wallet.purge") == true)
        #expect(steps[2]["detail"]?.string?.contains("role second") == true)
    }

    @Test("on: a step goes to another connection, and to an unmet need where there is none")
    func role() throws {
        let outcome = try run(
            """
              - name: over both wires
                steps:
                  - select: D2760000850101
                  - write: { file: FILE_1, data: 5A }
                  - field: off
                  - select: D2760000850101
                    on: i2c
                  - read: { file: FILE_1, length: 1 }
                    on: i2c
                    expect: { data: 5A }
              - name: over a third one
                steps:
                  - select: D2760000850101
                    on: uart
            """
        )
        #expect(outcome.status == 0)
        #expect(outcome.cases.map { $0["verdict"]?.string } == ["passed", "skipped"], "\(outcome.cases)")
        #expect(
            outcome.cases[1].at("problem.message") == "needs role uart; nbt@emulator has no such connection"
        )
    }

    @Test("wire, exchanges and every: the commands of a step are counted and judged one by one")
    func wire() throws {
        let head = "    steps:\n      - select: D2760000850101\n      - read: { file: FILE_1, length: 1 }\n"
        let outcome = try run(
            [
                "wire: [{ sw: 9000, len: 0 }, { data: 00 }]", "exchanges: 2", "every: { time: \"<1s\" }",
                "wire: [{ sw: 9000 }, { data: 01 }]", "exchanges: 1", "every: { len: 1 }",
            ].enumerated().map { "  - name: c\($0)\n\(head)        expect: { \($1) }" }.joined(
                separator: "\n"
            )
        )
        #expect(outcome.status == 1)
        #expect(
            outcome.cases.map { $0["verdict"]?.string }
                == ["passed", "passed", "passed", "failed", "failed", "failed"],
            "\(outcome.cases)"
        )
        let messages = outcome.cases.suffix(3).compactMap { $0.at("problem.message")?.string }
        for (message, says) in zip(
            messages,
            ["command 2 of 2", "expected exchanges 1, got 2", "command 1 of 2"]
        ) {
            #expect(message.contains(says), "\(message)")
        }
    }

    @Test("between: steps between two tries of a poll do what it waits for")
    func between() throws {
        let outcome = try run(
            """
              - name: nudges
                steps:
                  - select: D2760000850101
                  - read: { file: FILE_1, length: 1 }
                    poll:
                      every: 100ms
                      max: 2s
                      until: { data: 01 }
                      between:
                        - write: { file: FILE_1, data: 01 }
              - name: waits in vain
                steps:
                  - select: D2760000850101
                  - read: { file: FILE_1, length: 1 }
                    poll: { every: 100ms, max: 2s, until: { data: 01 } }
            """
        )
        #expect(outcome.status == 1)
        #expect(outcome.cases.map { $0["verdict"]?.string } == ["passed", "failed"], "\(outcome.cases)")
        #expect(steps(outcome.cases[0])[1]["tries"] == 2)
        #expect(
            outcome.cases[1].at("problem.message")?.string?.contains("FILE_1 still 00 after 2000 ms (")
                == true
        )
    }
}
