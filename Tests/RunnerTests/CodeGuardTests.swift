// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import SmartCard
import Synchronization
import Testing

/// Wrong codes of a wallet card, which tells no counter, are counted by the rig, over runs.
@Suite struct CodeGuardTests {
    private let bench: ScenarioBench
    private let ledger = RetryLedger()

    init() throws {
        bench = try ScenarioBench()
    }

    /// A card that answers each READ alike.
    private func route(refusal: String = "6AF1") -> ScriptedRoute {
        ScriptedRoute(spec: "pcsc:x", isEmulated: false) { command in
            command.hasPrefix("00A4") ? "9000" : refusal
        }
    }

    private func scenario(_ steps: Int) -> String {
        """
        rig: 1
        suite: t
        target: tangem
        cases:
          - name: a
            steps:
              - scan: { access-code: wrong }
                repeat: \(steps)
                expect: { error: [wrongAccessCode, accessCodeRequired] }
        """
    }

    @Test(arguments: ["6AF1", "6A86"])
    func `The sixth wrong access code is not sent, nor is the next run's first`(_ refusal: String) throws {
        let first = try bench.runCase(scenario(5), route: route(refusal: refusal), ledger: ledger)
        #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
        let card = route(refusal: refusal)
        let second = try bench.runCase(scenario(1), route: card, ledger: ledger)
        #expect(second.problem?.type == "RetryGuard")
        #expect(second.problem?.message.contains("1 try of the access code left, floor is 1") == true)
        #expect(card.commands.allSatisfy { $0.hasPrefix("00A4") })
    }

    @Test func `A step may let one through, and the right code gives all tries back`() throws {
        _ = try bench.runCase(scenario(5), route: route(), ledger: ledger)
        let allowed = """
            rig: 1
            suite: t
            target: tangem
            secrets: [code]
            cases:
              - name: a
                steps:
                  - scan: { access-code: "${code}" }
                    allow: guard
                    expect: { error: [wrongAccessCode, accessCodeRequired, deserializeApduFailed, decodingFailedMissingTag] }
            """
        bench.options.environment = ["RIG_VAR_CODE": "right"]
        let card = route(refusal: "9000")
        let outcome = try bench.runCase(allowed, route: card, ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(card.commands.contains { $0.hasPrefix("00F2") })
        #expect(
            ledger.triesLeft(sample: "sample", reference: RetryLedger.Reference(code: "access code")) == nil
        )
    }

    @Test func `A delay that is polled is one attempt`() throws {
        let answers = Mutex(["6AF1", "9789", "9789", "9789"])
        let card = ScriptedRoute(spec: "pcsc:x", isEmulated: false) { command in
            command.hasPrefix("00A4") ? "9000" : answers.withLock { $0.popLast() ?? "6AF1" }
        }
        let outcome = try bench.runCase(scenario(1), route: card, ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        let left = ledger.triesLeft(sample: "sample", reference: RetryLedger.Reference(code: "access code"))
        #expect(left == 5)
    }
}
