// SPDX-License-Identifier: MIT

import RunRecord
import Testing

/// What a person reads of steps with a wallet card, before and after a run.
@Suite struct TangemStepTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func suite(_ steps: String, options: String = "delay: 0s") -> String {
        """
        rig: 1
        suite: t
        target: tangem
        options: { start: loaded, card-id: CB79000000018201, \(options) }
        cases:
          - name: c
            steps:
              \(steps)
        """
    }

    @Test(arguments: [
        ("write-file: { data: \"00\", starting-signature: \"00\" }", "starting-signature", "counter"),
        ("write-file: { data: \"00\", finalizing-signature: \"00\" }", "finalizing-signature", "counter"),
        ("import-wallet: { curve: secp256k1, seed: \"00\", passphrase: a }", "passphrase", "mnemonic"),
        (
            "import-wallet: { curve: secp256k1, seed: \"00\", chain-code: \"00\" }", "chain-code",
            "private-key"
        ),
    ])
    func `An argument that would be passed over is refused before the run`(
        _ step: String,
        _ argument: String,
        _ companion: String
    ) throws {
        let mistakes = try bench.mistakes(suite("- \(step)"))
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains("'\(argument)' of ") == true)
        #expect(mistakes.first?.contains(" needs '\(companion)' beside it") == true)
    }

    private func problem(_ steps: String, options: String = "delay: 0s") throws -> Problem {
        let record = try bench.runCase(suite(steps, options: options))
        return try #require(record.problem)
    }

    @Test func `A status word has the meaning that the card's maker gave it`() throws {
        let refused = try problem("- send: { ins: F7, data: \"1000\", extended: yes }")
        #expect(refused.details.contains { $0.contains("SW 6A86 (invalidParams: the card refuses") })
        #expect(refused.hint == "")
        let other = try problem(
            "- send: { ins: F7, data: \"1000\", extended: yes }\n        expect: { sw: \"9000\" }"
        )
        #expect(other.details.contains { $0.contains("SW 6A86 (invalidParams: the card refuses") })
    }

    @Test func `What the library refuses itself is told without a status word`() throws {
        let refused = try problem("- set-passcode: { new: \"1\" }")
        let text = refused.details.joined(separator: "\n")
        #expect(text.contains("passcodeTooShort"))
        #expect(!text.contains("SW 9000"))
        // What the card says is told once, with the word.
        let card = try problem(
            "- set-passcode: { new: \"1234\", checks: no }",
            options: "settings: \"00008000\""
        )
        let words = card.details.joined(separator: "\n")
        #expect(words.split(separator: "6985", omittingEmptySubsequences: false).count == 2, "\(words)")
    }

    @Test(arguments: [("", "lies there, not BB03000000000004"), (", wait: 3s", "did not come within 3 s")])
    func `A step waits for the right card as long as it says`(_ wait: String, _ sentence: String) throws {
        let record = try bench.runCase(suite("- scan: { card-id: BB03000000000004\(wait) }"))
        let problem = try #require(record.problem)
        #expect(
            problem.details.contains { $0.contains("CB79000000018201 \(sentence)") || $0.contains(sentence) }
        )
    }
}
