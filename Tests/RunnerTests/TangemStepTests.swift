// SPDX-License-Identifier: MIT

import RunRecord
import Testing

private let seed = "000102030405060708090A0B0C0D0E0F"

private let zeros = String(repeating: "0", count: 64)

/// What a person reads of steps with a wallet card, before and after a run.
@Suite struct TangemStepTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func suite(
        _ steps: String,
        options: String = "delay: 0s",
        firmware: String = "4.12r",
        start: String = "loaded"
    ) -> String {
        """
        rig: 1
        suite: t
        target: tangem
        options: { start: \(start), card-id: CB79000000018201, \(options) }
        cases:
          - name: c
            matrix: { firmware: [\(firmware)] }
            steps:
              \(steps)
        """
    }

    @Test(arguments: [
        ("write-file: { data: \"00\", starting-signature: \"00\" }", "starting-signature", "counter"),
        ("write-file: { data: \"00\", finalizing-signature: \"00\" }", "finalizing-signature", "counter"),
        (
            "import-wallet: { curve: secp256k1, seed: 000102030405060708090A0B0C0D0E0F, passphrase: a }",
            "passphrase", "mnemonic"
        ),
        (
            "import-wallet: { curve: secp256k1, seed: \(seed), chain-code: \(seed)\(seed) }", "chain-code",
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

    @Test(arguments: [
        ("scan: { card-id: \"0102\" }", "this takes 8 bytes; here are 2"),
        ("personalize: { id: CB79000000018201, delay: 700s }", "a card keeps 655350ms at most"),
        ("personalize: { id: CB79000000018201, delay: 5ms }", "in steps of 10ms"),
        ("import-wallet: { curve: secp256k1, mnemonic: foo bar baz }", "here are 3"),
        ("import-wallet: { curve: secp256k1, seed: \"0102\" }", "this takes 16 to 64 bytes; here are 2"),
        (
            "import-wallet: { curve: secp256k1, private-key: \(seed)\(seed), chain-code: \"00\" }",
            "this takes 32 bytes; here is 1"
        ),
        (
            "import-wallet: { curve: secp256k1, private-key: \(zeros), chain-code: \(zeros) }",
            "the private key is zero"
        ),
        ("import-wallet: { curve: secp256k1, private-key: \(seed)\(seed) }", "a chain code has 32 bytes"),
        ("sign: { wallet: \"02\", hashes: [] }", "an empty list is nothing to do"),
        ("scan: { attestation: none, check-codes: yes }", "only reads and tries no code"),
    ])
    func `What no card can take is refused before the run`(_ step: String, _ sentence: String) throws {
        let mistakes = try bench.mistakes(suite("- \(step)"))
        #expect(mistakes.count == 1, "\(mistakes)")
        #expect(mistakes.first?.contains(sentence) == true, "\(mistakes)")
    }

    @Test func `Several slots on a card of one wallet are a mistake of the step`() throws {
        let step = "- personalize: { id: CB79000000018201, slots: 5 }"
        let record = try bench.runCase(suite(step, firmware: "3.34d", start: "blank"))
        #expect(record.verdict == .error)
        #expect(record.problem?.message.contains("has 1, not 5") == true)
    }

    @Test func `Scans try no passcode that nobody asked for`() throws {
        for firmware in ["2.11r", "3.34d"] {
            let scans = [String](repeating: "- scan: {}", count: 7).joined(separator: "\n      ")
            let record = try bench.runCase(
                suite(
                    "- set-passcode: { new: \"123456\" }\n      \(scans)",
                    options: "settings: \"00007E31\", delay: 0s",
                    firmware: firmware
                )
            )
            #expect(record.verdict == .passed, "\(record.problem?.message ?? "")")
        }
    }

    @Test func `Another value than the passcode costs the guard no try`() throws {
        let wallet = "- scan: {}\n        capture: { key: \"wallets(0).publicKey\" }"
        let sign = """
            - sign: { wallet: "${key}", hashes: ["0102"], passcode: "123456" }
                    expect: { error: invalidParams }
            """
        let signs = [String](repeating: sign, count: 7).joined(separator: "\n      ")
        let record = try bench.runCase(
            suite(
                "\(wallet)\n      - set-passcode: { new: \"123456\" }\n      \(signs)",
                options: "delay: 0s, hash-lengths: \"32\"",
                firmware: "6.33d"
            )
        )
        #expect(record.verdict == .passed, "\(record.problem?.message ?? "")")
    }

    @Test(arguments: ["6A86", "firmware"], ["4.12r", "6.33d"])
    func `The sixth wrong passcode is not sent, whatever word the card has for it`(
        _ word: String,
        _ firmware: String
    ) throws {
        let sign = """
            - sign: { wallet: "${key}", hashes: ["\(zeros)"], passcode: zzzzzz }
                    expect: { error: [wrongPasscode, invalidParams] }
                    repeat: 8
            """
        let record = try bench.runCase(
            suite(
                """
                - set-passcode: { new: "123456" }
                      - scan: { attestation: none }
                        capture: { key: "wallets(0).publicKey" }
                      - sign: { wallet: "${key}", hashes: ["\(zeros)"], passcode: "123456" }
                      \(sign)
                """,
                options: "delay: 0s, wrong-code: \"\(word)\", wrong-codes-free: 100",
                firmware: firmware
            )
        )
        #expect(record.problem?.type == "RetryGuard", "\(record.problem?.message ?? "")")
        #expect(record.problem?.message.contains("1 try of the passcode left") == true)
    }

    @Test func `A path that the card does not take is no wrong access code`() throws {
        let derive = """
            - derive: { wallet: "${key}", path: m/0/1, checks: no }
                    expect: { error: invalidParams }
            """
        let derives = [String](repeating: derive, count: 7).joined(separator: "\n      ")
        let record = try bench.runCase(
            suite(
                """
                - create-wallet: { curve: ed25519_slip0010 }
                        capture: { key: walletPublicKey }
                      \(derives)
                """,
                options: "delay: 0s, wrong-code: \"6A86\"",
                firmware: "6.33d"
            )
        )
        #expect(record.verdict == .passed, "\(record.problem?.message ?? "")")
    }

    @Test func `A signature on a path that its curve does not have is told as one`() throws {
        let record = try bench.runCase(
            suite(
                """
                - create-wallet: { curve: ed25519_slip0010 }
                        capture: { key: walletPublicKey }
                      - sign: { wallet: "${key}", hashes: ["\(zeros)"], path: m/0/1 }
                """,
                firmware: "6.33d"
            )
        )
        let text = record.problem?.details.joined(separator: "\n") ?? ""
        #expect(text.contains("SIGN: keys of this curve have hardened children only"), "\(text)")
    }

    @Test(arguments: [
        ("personalize: { id: CB79000000018201, reconnections: 5 }", "blank"),
        ("depersonalize: { reconnections: 5 }", "loaded"),
    ])
    func `The runner leaves the loss of a look at the UID to the library`(
        _ step: String,
        _ start: String
    ) throws {
        let count = Counter()
        for exchange in 1...4 {
            let record = try bench.runCase(
                suite(
                    "- \(step)\n        fault: { at: \(exchange), when: after-answer-lost, kind: remove }",
                    start: start
                )
            )
            guard record.problem?.type != "FaultNotStruck" else { continue }
            let commands = try bench.commands(record.attempts[0])
            guard commands.count >= exchange, commands[exchange - 1] == "FFCA000000" else { continue }
            _ = count.next()
            #expect(record.verdict == .passed, "\(record.problem?.message ?? "")")
            #expect(record.resentCommands == 0 && !record.isFlaky)
        }
        #expect(count.next() > 1)
    }

    @Test(arguments: [
        ("\"1\"", "long enough", "accessCodeTooShort"), ("long enough", "\"\"", "passcodeTooShort"),
    ])
    func `New codes of a set are no shorter than other ones`(
        _ access: String,
        _ pass: String,
        _ error: String
    ) throws {
        let codes = "new-access-code: \(access), new-passcode: \(pass)"
        let keys = "linking-keys: [\"02\"]"
        for step in [
            "backup-link: { \(keys), card-keys: [\"02\"], attest-signatures: [\"02\"], \(codes) }",
            "backup-accept: { primary: \"02\", card-key: \"02\", attest-signature: \"02\", \(keys), \(codes) }",
            "recovery-reset: { \(codes) }",
        ] {
            let record = try bench.runCase(
                suite("- \(step)\n        expect: { error: \(error) }", firmware: "6.33d")
            )
            #expect(record.verdict == .passed, "\(step): \(record.problem?.message ?? "")")
        }
    }
}
