// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("Field cases as scenarios")
struct FieldScenarioTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: S12

    private static let resets: [(card: String, cases: String)] = [
        ("S12", "      - send: 00B0000002\n        expect: { data: 000A }"),
        ("own/S12-reset-after-first.card.json", "      - send: 00B0000002\n        expect: { data: 000A }"),
        (
            "own/S12-reset-in-a-step.card.json",
            "      - send: 00CA010000\n      - send: 00B0000002\n        expect: { data: 000A }"
        ),
    ]

    private func scenario(_ card: String, _ steps: String) throws {
        let name = card == "S12" ? try FieldCase.folder(of: "S12") + "/card.json" : card
        try folder.write("card.json", try FieldCase.text(name))
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.reset
            target: iso7816
            options: { card: card.json }
            setup:
              - send: 00A4040007D2760000850101
              - send: 00A4000C02E104
            cases:
              - name: reads
                steps:
            \(steps)
            """
        )
    }

    @Test(
        "S12: after a foreign reset the set-up runs again, the read is repeated, and the case is flaky",
        arguments: resets
    )
    func foreignReset(_ card: String, _ steps: String) throws {
        try scenario(card, steps)
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", "--json", in: folder.path)
        #expect(ending.status == 0)
        let record = try ending.json()
        #expect(record.at("suites.0.cases.0.verdict") == "passed")
        #expect(record.at("suites.0.cases.0.resent") == 1)
        #expect(record.at("suites.0.cases.0.warnings")?.array?.count == 1)
        #expect(ending.errors.contains("1 passed (1 flaky)"))
        #expect(folder.text("out/junit.xml").contains("flakyError") || ending.errors.contains("flaky"))

        let lines = try folder.text("out/traces/demo.reset/reads.jsonl").split(separator: "\n").map {
            try JSON(parsing: Array($0.utf8))
        }
        let story = lines.compactMap { line in
            line["fault"]?.string ?? line["event"]?.string ?? line["r"].map { _ in "ok" }
        }
        let fault = try #require(story.firstIndex(of: "card-reset"))
        #expect(story.filter { $0 == "card-reset" }.count == 1)
        #expect(Array(story[(fault + 1)...].prefix(2)) == ["recovery", "reconnect"])
        #expect(story.suffix(3).allSatisfy { $0 == "ok" })
    }

    @Test("S12: a step that forbids it is not repeated, and the case is an error")
    func notRepeatable() throws {
        try scenario("S12", "      - send: 00B0000002\n        repeatable: no")
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", "--json", in: folder.path)
        #expect(ending.status == 3)
        #expect(try ending.json().at("suites.0.cases.0.problem.type") == "CardReset")
    }

    // MARK: S35

    private static let selections: [(card: String, confirmed: String, unconfirmed: String, other: String)] = [
        ("S35", "D2760000850101", "F00102030405", "A0000002471001"),
        ("own/S35-df-name-is-longer.card.json", "A000000004", "F001020304", "A000000003"),
        ("own/S35-nested-fci.card.json", "A000000004", "F001020304", "A000000003"),
    ]

    @Test("S35: a SELECT is confirmed, unconfirmed with a warning, or a failure", arguments: selections)
    func select(_ card: String, _ confirmed: String, _ unconfirmed: String, _ other: String) throws {
        let name = card == "S35" ? try FieldCase.folder(of: "S35") + "/card.json" : card
        try folder.write("card.json", try FieldCase.text(name))
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.select
            target: iso7816
            options: { card: card.json }
            cases:
              - name: confirmed
                steps:
                  - select: { target: \(confirmed), le: true }
                    expect: { confirmation: confirmed }
              - name: unconfirmed
                steps:
                  - select: { target: \(unconfirmed), le: true }
              - name: unconfirmed, and expected
                steps:
                  - select: { target: \(unconfirmed), le: true }
                    expect: { confirmation: unconfirmed }
              - name: unconfirmed, strict
                steps:
                  - select: { target: \(unconfirmed), le: true, strict: true }
              - name: mismatch
                steps:
                  - select: { target: \(other), le: true }
            """
        )
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", "--json", in: folder.path)
        #expect(ending.status == 1)
        let cases = try ending.json().at("suites.0.cases")?.array ?? []
        #expect(cases.map { $0["verdict"]?.string } == ["passed", "passed", "passed", "failed", "failed"])
        #expect(cases.map { $0["warnings"]?.array?.count ?? 0 } == [0, 1, 0, 0, 0])
        #expect(cases.compactMap { $0.at("problem.type")?.string } == ["UnexpectedData", "UnexpectedData"])
        #expect(ending.errors.contains("9000 without tag 84: not confirmed"))
    }
}
