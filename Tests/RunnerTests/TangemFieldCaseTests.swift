// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import Foundation
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import SmartCard
import Testing

/// The field cases that speak of a wallet card, each with two more instances of its kind.
@Suite struct TangemFieldCaseTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    // MARK: S25, the security delay

    struct Delay: Sendable, CustomTestStringConvertible {
        let options: String
        let steps: String
        let command: String
        let left: [String]
        var testDescription: String { command }
    }

    static let delays = [
        Delay(
            options: "start: loaded, delay: 15s, delay-tick: 7s",
            steps: "- sign: { wallet: \"${key}\", hashes: [\(hash)] }",
            command: "SIGN",
            left: ["15.00 s", "8.00 s", "1.00 s"]
        ),
        Delay(
            options: "start: loaded, delay: 2500ms",
            steps: "- create-wallet: ed25519",
            command: "CREATE_WALLET",
            left: ["2.50 s", "1.50 s", "0.50 s"]
        ),
        Delay(
            options: "start: loaded, delay: 9s, delay-tick: 4s, pause-length: 4",
            steps: "- purge: \"${key}\"",
            command: "PURGE_WALLET",
            left: ["9.00 s", "5.00 s", "1.00 s"]
        ),
    ]

    @Test(arguments: delays)
    func `S25: three polls end the delay, and the time left is told`(_ item: Delay) throws {
        let record = try bench.run(
            """
            rig: 1
            suite: t
            target: tangem
            options: { \(item.options) }
            cases:
              - name: a
                steps:
                  - scan: { attestation: none }
                    capture: { key: "wallets(0).publicKey" }
                  \(item.steps)
            """
        )
        #expect(record.messages == [])
        let attempt = try #require(record.suites.first?.cases.first?.attempts.first)
        let detail = try #require(attempt.steps.last?.detail)
        #expect(detail.hasPrefix("security delay: 3 answers 9789 in "))
        #expect(detail.hasSuffix("left \(item.left.joined(separator: ", "))"))
        let lines = try bench.traceRecords(attempt.trace).filter { $0["name"]?.string == item.command }
        #expect(Set(lines.compactMap { $0["c"]?.string }).count == 1)
        #expect(lines.compactMap { $0["r"]?.string?.suffix(4) } == ["9789", "9789", "9789", "9000"])
    }

    // MARK: S26, a reader without time extension

    /// A reader that gives a card so much time and no more.
    private final class ImpatientRoute: Route {
        let spec = "emulator"
        let isVirtualTime = true
        let isEmulated = true
        private let patience: Duration?

        init(_ patience: Duration?) {
            self.patience = patience
        }

        func capabilities(target: String, options: [String: String]) -> Set<Capability>? { [] }

        func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
            let clock = ModelClock()
            do throws(EmulatorOptionError) {
                let device = try EmulatorCatalog.make(
                    target: setup.target,
                    firmware: setup.firmware,
                    options: setup.options,
                    seed: setup.seed,
                    clock: clock
                )
                return OpenedCard(
                    connection: InProcessConnection(
                        card: device.card,
                        clock: clock,
                        deadline: setup.exchangeDeadline,
                        readerPatience: patience
                    ),
                    clock: clock,
                    capabilities: [],
                    sample: device.sample
                )
            } catch {
                throw TransportFault(.control, "\(error)")
            }
        }

        func close() {}
    }

    /// A case whose key generation takes a while, in a step that allows 12 s.
    private func keyGeneration(_ seconds: String) -> String {
        """
        rig: 1
        suite: t
        target: tangem
        options: { delay: 0s, key-time: \(seconds) }
        cases:
          - name: a
            steps:
              - create-wallet: secp256k1
                limits: { apdu: 12s }
        """
    }

    @Test(arguments: [("9s", 9000), ("4s", 4000), ("11500ms", 11_500)])
    func `S26: a good reader waits as long as the step allows`(_ text: String, _ milliseconds: Int) throws {
        let outcome = try bench.runCase(keyGeneration(text), route: ImpatientRoute(nil))
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        let lines = try bench.traceRecords(outcome.attempts[0].trace)
        let time = try #require(lines.first { $0["name"]?.string == "CREATE_WALLET" }?["us"]?.double)
        #expect(abs(time / 1000 - Double(milliseconds)) <= Double(milliseconds) * 0.05)
    }

    @Test(arguments: [("9s", "3.0"), ("4s", "3.5"), ("11500ms", "1.0")])
    func `S26: a reader that gives up first is named with both times`(_ time: String, _ patience: String)
        throws
    {
        let milliseconds = Int((Double(patience) ?? 0) * 1000)
        let outcome = try bench.runCase(
            keyGeneration(time),
            route: ImpatientRoute(.milliseconds(milliseconds))
        )
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "LinkLost")
        let message = outcome.problem?.message ?? ""
        #expect(message.contains("reader timeout after \(patience) s, step allows 12 s"), "\(message)")
    }

    // MARK: S36, codes and keys in traces and reports

    struct Secret: Sendable, CustomTestStringConvertible {
        let name: String
        let firmware: String
        let steps: String
        let forbidden: [String]
        var testDescription: String { name }
    }

    static let secrets = [
        Secret(
            name: "codes that are changed",
            firmware: "4.12r",
            steps: """
                - set-access-code: { new: "geheim1" }
                      - set-passcode: { new: "geheim2", access-code: "geheim1" }
                      - reset-codes: { access-code: "geheim1", passcode: "geheim2" }
                """,
            forbidden: ["geheim1", "geheim2"]
        ),
        Secret(
            name: "a code that is wrong",
            firmware: "6.33d",
            steps: """
                - scan: { access-code: "geheim1" }
                        expect: { error: wrongAccessCode }
                """,
            forbidden: ["geheim1"]
        ),
        Secret(
            name: "codes of a set of cards",
            firmware: "4.45d",
            steps: """
                - backup-start: {}
                        capture: { link: linkingKey, card: cardPublicKey }
                      - backup-join: "${link}"
                        on: backup
                        capture: { link2: linkingKey, attest2: attestSignature, card2: cardPublicKey }
                      - backup-link:
                          linking-keys: ["${link2}"]
                          card-keys: ["${card2}"]
                          attest-signatures: ["${attest2}"]
                          new-access-code: geheim1
                          new-passcode: geheim2
                """,
            forbidden: ["geheim1", "geheim2"]
        ),
    ]

    @Test(arguments: secrets)
    func `S36: neither codes nor their digests are in any file of a run`(_ item: Secret) throws {
        bench.options.firmware = item.firmware
        let record = try bench.run(
            """
            rig: 1
            suite: t
            target: tangem
            options: { start: loaded, delay: 1s }
            cases:
              - name: a
                steps:
                  \(item.steps)
            """
        )
        #expect(record.messages == [])
        let attempt = try #require(record.suites.first?.cases.first?.attempts.first)
        let trace = try bench.traceRecords(attempt.trace).map(\.text).joined(separator: "\n")
        let all = trace + record.json.text
        for code in item.forbidden + ["000000"] {
            #expect(!all.contains(SHA256.digest(Array(code.utf8)).hex), "\(code)")
        }
        for code in item.forbidden { #expect(!all.contains(code), "\(code)") }
        // Length and tag stay readable.
        #expect(trace.contains("1020" + String(repeating: "**", count: 32)))
    }

    private static let hash = String(repeating: "A5", count: 32)
}
