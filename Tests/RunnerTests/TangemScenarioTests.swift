// SPDX-License-Identifier: MIT

import Cryptography
import Foundation
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import Testing
import Verbs

/// Scenarios for the wallet card, on its emulator.
@Suite struct TangemScenarioTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios/tangem").path
    private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    @Test(arguments: files)
    func `A shipped scenario holds on every profile that it names`(_ file: String) throws {
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: ["\(Self.folder)/\(file)"])
        #expect(loaded.mistakes.map(\.description) == [])
        let bench = try ScenarioBench()
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        #expect(record.messages == [])
        let cases = record.suites.flatMap(\.cases)
        #expect(!cases.isEmpty)
        #expect(cases.filter { $0.verdict != .passed }.map(\.name) == [])
    }

    @Test(arguments: [
        ("pause-length", "1", ["delays"]), ("pause-length", "4", ["delays"]),
        ("delay-tick", "100ms", ["delays"]), ("new-files", "private", ["files", "faults", "firmware"]),
        ("wrong-card", "6982", ["card-rules", "scan"]),
        ("permanent-wallet", "6A86", ["card-rules", "wallets"]),
        ("code-change-refused", "6A86", ["card-rules", "codes"]),
        ("switched-off", "6A86", ["backup", "files", "issuer-data"]), ("bls-refused", "6D00", ["wallets"]),
        ("unknown-objects", "refuse", ["card-rules"]),
        ("unknown-instruction", "6E00", ["card-rules", "firmware"]),
    ])
    func `A card that differs where no source tells passes too`(
        _ option: String,
        _ value: String,
        _ names: [String]
    ) throws {
        let files = names.map { "\(Self.folder)/\($0).yaml" }
        let bench = try ScenarioBench()
        bench.options.emulatorOptions = [option: value]
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: files)
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let cases = Runner(options: bench.options, route: EmulatorRoute()).run(plan).suites.flatMap(\.cases)
        #expect(!cases.isEmpty)
        #expect(cases.filter { $0.verdict != .passed }.map(\.name) == [])
    }

    @Test(arguments: ["fast", "strong"])
    func `Sets of cards that ask for encryption reset each other's codes`(_ encryption: String) throws {
        let bench = try ScenarioBench()
        bench.options.emulatorOptions = ["encryption": encryption]
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: ["\(Self.folder)/backup.yaml"])
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        let cases = record.suites.flatMap(\.cases).filter { $0.name.hasPrefix("one backup card takes") }
        #expect(!cases.isEmpty)
        #expect(cases.filter { $0.verdict != .passed }.map(\.name) == [])
    }

    @Test func `Every profile and every verb has its scenario`() throws {
        let texts = try Self.files.map {
            try String(contentsOfFile: "\(Self.folder)/\($0)", encoding: .utf8)
        }
        for profile in ["2.11r", "3.05r", "3.34d", "4.12r", "4.45d", "6.33d"] {
            #expect(texts.contains { $0.contains(profile) }, "\(profile)")
        }
        for spec in VerbTable.shipped.specs where spec.name.hasPrefix("tangem.") {
            let word = spec.name.dropFirst("tangem.".count)
            #expect(texts.contains { $0.contains("- \(word):") }, "\(word)")
        }
    }

    @Test func `The security delay is polled, and each answer is in the trace`() throws {
        let bench = try ScenarioBench()
        let record = try bench.run(
            tangemHead + """
                options: { start: loaded, delay: 3s }
                cases:
                  - name: a
                    steps:
                      - scan: { attestation: none }
                        capture: { key: "wallets(0).publicKey" }
                      - sign: { wallet: "${key}", hashes: [\(hash)] }
                """
        )
        let attempt = try #require(record.suites.first?.cases.first?.attempts.first)
        #expect(attempt.steps.last?.detail.hasPrefix("security delay: 3 answers 9789 in 3.0") == true)
        let answers = try bench.traceRecords(attempt.trace)
            .filter { $0["name"]?.string == "SIGN" }.compactMap { $0["r"]?.string }
        #expect(Array(answers.dropLast()) == ["1C02012C9789", "1C0200C89789", "1C0200649789"])
        #expect(answers.last?.hasSuffix("9000") == true)
    }

    @Test func `The limit of the case ends a delay that takes too long`() throws {
        let bench = try ScenarioBench()
        let outcome = try bench.runCase(
            tangemHead + """
                options: { start: loaded, delay: 60s }
                limits: { case: 5s }
                cases:
                  - name: a
                    steps:
                      - scan: { attestation: none }
                        capture: { key: "wallets(0).publicKey" }
                      - sign: { wallet: "${key}", hashes: [\(hash)] }
                """
        )
        #expect(outcome.problem?.message.contains("the case took longer than its limit of 5s") == true)
    }

    @Test(arguments: [("1", Verdict.passed), ("2", .skipped), ("1000", .skipped)])
    func `A case about delays is skipped where they are cut short`(_ scale: String, _ verdict: Verdict) throws
    {
        let bench = try ScenarioBench()
        let outcome = try bench.runCase(
            tangemHead + """
                options: { start: loaded, delay: 2s, delay-scale: \(scale) }
                needs: [security-delay]
                cases:
                  - name: a
                    steps:
                      - scan: { attestation: none }
                        capture: { key: "wallets(0).publicKey" }
                      - sign: { wallet: "${key}", hashes: [\(hash)] }
                        expect: { total: ">=2s" }
                """
        )
        #expect(outcome.verdict == verdict)
        let message =
            "needs capability security-delay; tangem@emulator cuts its delays short, or has none"
        #expect(outcome.problem?.message == (verdict == .skipped ? message : nil))
    }

    @Test func `A typed error that nobody expects fails by its name`() throws {
        let bench = try ScenarioBench()
        let outcome = try bench.runCase(
            tangemHead + """
                cases:
                  - name: a
                    steps:
                      - purge: 02\(hash)
                """
        )
        #expect(outcome.verdict == .failed)
        #expect(outcome.problem?.message.contains("got the error walletNotFound") == true)
    }

    @Test func `Codes, imported keys and parts of session keys are in no trace`() throws {
        let bench = try ScenarioBench()
        let key = "E8F32E723DECF4051AEFAC8E2C93C9C5B214313817CDB01A1494B917C8436B35"
        let record = try bench.run(
            tangemHead + """
                options: { delay: 1s }
                cases:
                  - name: a
                    matrix:
                      firmware: [6.33d]
                    steps:
                      - set-access-code: { new: "1234" }
                      - set-passcode: { new: "geheim", access-code: "1234" }
                      - import-wallet:
                          curve: secp256k1
                          private-key: \(key)
                          chain-code: \(key)
                          access-code: "1234"
                          passcode: "geheim"
                      - scan: { access-code: "1234", encryption: strong }
                """
        )
        #expect(record.messages == [])
        let attempt = try #require(record.suites.first?.cases.first?.attempts.first)
        let text = try String(
            contentsOfFile: "\(bench.options.outputFolder)/\(attempt.trace)",
            encoding: .utf8
        )
        for code in ["1234", "geheim", "000000", "000"] {
            #expect(!text.contains(SHA256.digest(Array(code.utf8)).map { hex($0) }.joined()), "\(code)")
        }
        #expect(!text.contains("geheim"))
        // The chain code is no secret of its own; the private key of the command is.
        #expect(!text.contains("6F20\(key)"))
        #expect(text.contains("OPEN_SESSION strong"))
    }

    @Test func `Objects of an answer are found by the names of tags, long and nested ones too`() throws {
        let bench = try ScenarioBench()
        let code = SHA256.digest(Array("000000".utf8)).map { hex($0) }.joined()
        let record = try bench.run(
            tangemHead + """
                options: { start: loaded, card-id: BB03000000000004 }
                cases:
                  - name: a
                    steps:
                      - select: WALLET
                      - send: { ins: F2, data: "1020\(code)230101", extended: yes }
                        expect: { tlv: { cardId: BB03000000000004, cardData.batchId: FFFF, status: 02 } }
                        capture: { key: tlv.cardPublicKey, data: tlv.cardData }
                      - log: "${key}"
                """
        )
        #expect(record.messages == [])
    }

    @Test func `An answer that is not as expected is shown in the card's own coding`() throws {
        let bench = try ScenarioBench()
        let code = SHA256.digest(Array("000000".utf8)).map { hex($0) }.joined()
        let outcome = try bench.runCase(
            tangemHead + """
                options: { start: loaded, card-id: BB03000000000004 }
                cases:
                  - name: a
                    steps:
                      - send: { ins: F2, data: "1020\(code)230101", extended: yes }
                        expect: { tlv: { cardData.batchId: "0001" } }
                """
        )
        let lines = try #require(outcome.problem?.details)
        let tree = try #require(lines.firstIndex { $0.hasSuffix("01 8 (cardId): BB03000000000004") })
        let indent = lines[tree].prefix { $0 == " " }
        for line in [
            "80 6 (firmwareVersion): 342E31327200 \"4.12r\"", "  81 2 (batchId): FFFF",
            "  83 11 (issuerName): 54414E47454D2053444B00 \"TANGEM SDK\"", "0F 1 (health): 00",
        ] {
            #expect(lines.contains("\(indent)\(line)"), "\(line) in \(lines)")
        }
    }

    @Test func `Firmware words choose the profile, and needs are judged by it`() throws {
        let bench = try ScenarioBench()
        let record = try bench.run(
            tangemHead + """
                cases:
                  - name: a
                    needs: ["firmware>=4.39"]
                    matrix:
                      firmware: [4.12r, 4.45d]
                    steps:
                      - scan: {}
                """
        )
        #expect(record.verdicts == ["a [firmware=4.12r]: skipped", "a [firmware=4.45d]: passed"])
    }

    private let hash = String(repeating: "A5", count: 32)

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

/// The head of a scenario for the emulated wallet card.
private let tangemHead = """
    rig: 1
    suite: t
    target: tangem

    """
