// SPDX-License-Identifier: MIT

import RunRecord
import Runner
import Testing

/// What steps are called in reports.
@Suite struct StepTitleTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
        try bench.writeCard(
            [Rule("00B0000002", "01029000"), Rule("00B0000010", "A1A2A3A4A5A6A7A8B1B2B3B4B5B6B7B89000")],
            default: "9000"
        )
        bench.options.environment = [
            "RIG_VAR_PIN": "34", "RIG_VAR_KEY": "A1A2A3A4A5A6A7A8B1B2B3B4B5B6B7B8",
        ]
    }

    private func titles(_ steps: String) throws -> [String] {
        try bench.write(
            "lib.yaml",
            "steps:\n  part:\n    args: [q]\n    steps:\n      - send: \"00B00000${q}\"\n"
        )
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        let outcome = try bench.runCase(
            scriptedHead + "include: [lib.yaml]\nvars: { p: \"03\", code: \"31323334\", words: [a, b] }\n"
                + "secrets: [pin, key]\ncases:\n  - name: c\n    steps:\n\(lines)"
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        return outcome.attempts[0].steps.map(\.title)
    }

    @Test(arguments: [
        (#"- send: "00B000${p}01""#, "send 00B0000301"),
        (#"- delay: "${p}ms""#, "delay 3ms"),
        (#"- log: "${words(1)}""#, "log b"),
        (#"- { send: 00B0000001, name: "row ${p}" }"#, "row 03"),
        (#"- { log: again, name: "row ${words(1)} $${p}" }"#, "row ${words(1)} ${p}"),
        (#"- use: { name: part, with: { q: "${p}" } }"#, "send 00B0000003"),
    ])
    func `Variables in what a step is about are filled in`(step: String, title: String) throws {
        #expect(try titles(step) == [title])
    }

    @Test func `A capture is told by the steps behind it`() throws {
        let titles = try titles(
            #"""
            - { send: 00B0000002, capture: { v: data } }
            - send: "00A4040002${v}"
            """#
        )
        #expect(titles == ["send 00B0000002", "send 00A40400020102"])
    }

    @Test(arguments: [
        (#"- send: "0084${pin}0001""#, "send 0084${pin}0001"),
        (#"- { send: 00B0000001, name: "with ${pin} of ${p}" }"#, "with ${pin} of 03"),
        (#"- use: { name: part, with: { q: "${pin}" } }"#, "send 00B00000${q}"),
        (#"- send: "0020000104${code}""#, "send 0020000104********"),
        (#"- { send: "00D6000004${code}", mask: [data] }"#, "send 00D6000004********"),
        (#"- { log: "${code}", name: "is ${code}" }"#, "is 31323334"),
    ])
    func `A secret keeps its name, and what the trace hides is hidden`(step: String, title: String) throws {
        #expect(try titles(step) == [title])
    }

    @Test func `Half a secret is not told where a title is cut`() throws {
        let filler = String(repeating: "x", count: 33)
        let titles = try titles(
            """
            - { send: 00B0000010, capture: { copy: data } }
            - log: "\(filler)${copy}"
            """
        )
        #expect(titles[1] == "log \(filler)${copy}", "what comes of a secret is one")
    }
}
