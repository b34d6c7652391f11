// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Synchronization
import Testing

/// Wrong passwords of a chip, which tells no counter, are counted by the rig, over runs.
@Suite struct PasswordGuardTests {
    private let bench: ScenarioBench
    private let ledger = RetryLedger()

    init() throws {
        bench = try ScenarioBench()
        bench.options.environment = ["RIG_VAR_SECRET": "11223344"]
    }

    /// A chip on a real reader that answers SELECT with a read password so, and 9000 to everything else.
    private func chip(
        _ answer: String,
        isEmulated: Bool = false,
        isNamed: Bool = true,
        policy: String = ""
    ) -> ScriptedRoute {
        ScriptedRoute(spec: "pcsc:x", isEmulated: isEmulated, isSampleNamed: isNamed) { command in
            if command.hasPrefix("00B0") { return policy + "9000" }
            return command.hasPrefix("00A4000C08") ? answer + "9000" : "9000"
        }
    }

    private func scenario(_ steps: String) -> String {
        """
        rig: 1
        suite: t
        target: nbt
        secrets: [secret]
        cases:
          - name: a
            steps:
        \(steps)
        """
    }

    private func attempts(at file: String = "FILE_1", _ count: Int, _ more: String = "") -> String {
        """
              - nbt.select: { file: \(file), read-password: DEADBEEF }
                repeat: \(count)
        \(more)
        """
    }

    private let creation = """
              - nbt.create-password: { id: 1, password: A1B2C3D4, tries: 2 }
              - nbt.policy: { file: FILE_1, rights: "40408140" }

        """

    @Test(arguments: ["52020000", "0000"])
    func `The last try of a password is not sent, nor is the next run's first`(_ wrong: String) throws {
        let first = try bench.runCase(scenario(attempts(2)), route: chip(wrong), ledger: ledger)
        #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
        let card = chip(wrong)
        let second = try bench.runCase(scenario(attempts(1)), route: card, ledger: ledger)
        #expect(second.problem?.type == "RetryGuard")
        #expect(second.problem?.message.contains("1 try of the password for reading FILE_1 left") == true)
        #expect(card.commands == [])
        // Another file's password may be the same one, and so may one that the next case knows.
        let other = chip(wrong)
        let third = try bench.runCase(scenario(attempts(at: "FILE_2", 1)), route: other, ledger: ledger)
        #expect(third.problem?.message.contains("1 try of the password for reading FILE_2 left") == true)
        #expect(third.problem?.hint.contains("read it with `nbt.policy: {}`") == true)
        #expect(other.commands == [])
        let known = creation.replacing("tries: 2", with: "tries: 3") + attempts(1)
        let fourth = try bench.runCase(scenario(known), route: chip(wrong), ledger: ledger)
        #expect(fourth.problem?.message.contains("1 try of the password 1 left") == true)
        #expect(ledger.triesLeft(sample: "another") == [:])
    }

    @Test func `A password whose id and tries the case has seen is counted by its id`() throws {
        let card = chip("52020000")
        let outcome = try bench.runCase(scenario(creation + attempts(2)), route: card, ledger: ledger)
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(outcome.problem?.message.contains("1 try of the password 1 left") == true)
        #expect(card.commands.filter { $0.hasPrefix("00A4000C08E1A1") }.count == 1)
        #expect(ledger.triesLeft(sample: "sample", reference: .init(code: "password 1")) == 1)
    }

    @Test func `What a case has counted of a password holds where the next has not read the policy`() throws {
        let seen = creation.replacing("tries: 2", with: "tries: 3") + attempts(2)
        #expect(
            try bench.runCase(scenario(seen), route: chip("52020000"), ledger: ledger).verdict == .passed
        )
        for file in ["FILE_1", "FILE_2"] {
            let card = chip("52020000")
            let outcome = try bench.runCase(scenario(attempts(at: file, 1)), route: card, ledger: ledger)
            #expect(outcome.problem?.type == "RetryGuard")
            #expect(card.commands == [])
        }
    }

    @Test func `The limit of a password is kept for the next case`() throws {
        let made = creation.replacing("tries: 2", with: "tries: 1")
        #expect(try bench.runCase(scenario(made), route: chip(""), ledger: ledger).verdict == .passed)
        let card = chip("52020000")
        let outcome = try bench.runCase(scenario(attempts(1)), route: card, ledger: ledger)
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(card.commands == [])
        #expect(ledger.triesLeft(sample: "sample", reference: .init(code: "limit of password 1")) == 1)
        let gone = "      - nbt.delete-password: 1"
        #expect(try bench.runCase(scenario(gone), route: chip(""), ledger: ledger).verdict == .passed)
        #expect(ledger.triesLeft(sample: "sample") == [:])
    }

    @Test func `Two values of one command may be of one password`() throws {
        let card = ScriptedRoute(spec: "pcsc:x", isEmulated: false) { command in
            command.hasPrefix("00A4000C0E") ? "52020000540200009000" : "9000"
        }
        let both = "      - nbt.select: { file: FILE_1, read-password: DEADBEEF, write-password: DEADBEEF }"
        let known = creation.replacing("tries: 2", with: "tries: 3").replacing("8140", with: "8181")
        let first = try bench.runCase(scenario(known + both), route: card, ledger: ledger)
        #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
        #expect(ledger.triesLeft(sample: "sample", reference: .init(code: "password 1")) == 1)
        let blind = RetryLedger()
        _ = try bench.runCase(scenario(attempts(1)), route: chip("52020000"), ledger: blind)
        let second = try bench.runCase(scenario(both), route: card, ledger: blind)
        #expect(second.problem?.type == "RetryGuard")
    }

    @Test func `The right value at a side forgets what was wrong there, and nowhere else`() throws {
        for file in ["FILE_1", "FILE_2"] {
            _ = try bench.runCase(scenario(attempts(at: file, 1)), route: chip("52020000"), ledger: ledger)
        }
        let known =
            creation
            + attempts(1).replacing("repeat: 1", with: "allow: guard").replacing(
                "DEADBEEF",
                with: "\"${secret}\""
            )
        let outcome = try bench.runCase(scenario(known), route: chip("5202A1A1"), ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(
            ledger.triesLeft(sample: "sample") == [
                "limit of password 1": 2, "password for reading FILE_2": 2,
            ]
        )
    }

    @Test(arguments: [
        "nbt.unblock-password: 1", "nbt.change-password: { id: 1, password: 00112233 }",
        "nbt.create-password: { id: 1, password: A1B2C3D4 }", "nbt.delete-password: 1",
    ])
    func `What gives the chip's tries back gives them back here`(_ step: String) throws {
        let steps = creation + attempts(1, "      - \(step)\n" + attempts(1))
        let outcome = try bench.runCase(scenario(steps), route: chip("52020000"), ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `The right value gives all tries back`() throws {
        _ = try bench.runCase(scenario(attempts(1)), route: chip("52020000"), ledger: ledger)
        _ = try bench.runCase(scenario(attempts(1)), route: chip("5202A1A1"), ledger: ledger)
        #expect(
            ledger.triesLeft(sample: "sample", reference: .init(code: "password for reading FILE_1")) == nil
        )
    }

    @Test func `A blocked password is at its end at once`() throws {
        _ = try bench.runCase(scenario(attempts(1)), route: chip("5202FFFF"), ledger: ledger)
        #expect(
            ledger.triesLeft(sample: "sample", reference: .init(code: "password for reading FILE_1")) == 0
        )
    }

    @Test func `Where the answer does not tell, the read after it does`() throws {
        let card = ScriptedRoute(spec: "pcsc:x", isEmulated: false) { command in
            command.hasPrefix("00B0") ? "6982" : "9000"
        }
        let steps = attempts(1, "      - read: { length: 1 }\n        expect: { sw: \"6982\" }")
        let outcome = try bench.runCase(scenario(steps), route: card, ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(
            ledger.triesLeft(sample: "sample", reference: .init(code: "password for reading FILE_1")) == 2
        )
    }

    @Test func `A wrong master password is counted wherever it goes along`() throws {
        let card = ScriptedRoute(spec: "pcsc:x", isEmulated: false) { command in
            command.hasPrefix("00E1") ? "6982" : command.hasPrefix("0024") ? "6985" : "9000"
        }
        let steps = """
                  - nbt.create-password: { id: 1, password: A1B2C3D4, master: DEADBEEF }
                    expect: { sw: "6982" }
                  - nbt.unblock-password: { id: 1, master: DEADBEEF }
                    expect: { sw: "6985" }
                  - nbt.create-password: { id: 1, password: A1B2C3D4, master: DEADBEEF }
            """
        let outcome = try bench.runCase(scenario(steps), route: card, ledger: ledger)
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(outcome.problem?.message.contains("1 try of the master password left") == true)
        #expect(card.commands.count == 2)
    }

    @Test func `A password without limit is not counted`() throws {
        let steps = creation.replacing("tries: 2", with: "tries: 65535") + attempts(20)
        let outcome = try bench.runCase(scenario(steps), route: chip("52020000"), ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A step may let one through`() throws {
        let steps = """
            \(creation)      - nbt.select: { file: FILE_1, read-password: "${secret}" }
                    repeat: 1
                  - nbt.select: { file: FILE_1, read-password: "${secret}" }
                    allow: guard
            """
        let outcome = try bench.runCase(scenario(steps), route: chip("52020000"), ledger: ledger)
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
        #expect(ledger.triesLeft(sample: "sample", reference: .init(code: "password 1")) == 0)
    }

    @Test(arguments: [15, 65535])
    func `What is known of a chip without identifier lets nothing through on the next`(_ tries: Int) throws {
        let generous = creation.replacing("tries: 2", with: "tries: \(tries)")
        let first = try bench.runCase(
            scenario(generous + attempts(6)),
            route: chip("52020000", isNamed: false),
            ledger: ledger
        )
        #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
        #expect(ledger.triesLeft(sample: "sample", reference: .init(code: "limit of password 1")) == nil)
        let policy = "      - nbt.policy: { file: FILE_1, rights: \"40408140\" }\n"
        let card = chip("52020000", isNamed: false)
        let second = try bench.runCase(scenario(policy + attempts(3)), route: card, ledger: ledger)
        #expect(second.problem?.type == "RetryGuard")
        #expect(card.commands.filter { $0.hasPrefix("00A4000C08E1A1") }.count == 2)
    }

    @Test func `The limit of an earlier run is not taken for that of a chip without identifier`() throws {
        ledger.setTriesLeft(0, sample: "sample", reference: .init(code: "limit of password 1"))
        let policy = "      - nbt.policy: { file: FILE_1, rights: \"40408140\" }\n"
        let card = chip("52020000", isNamed: false)
        let outcome = try bench.runCase(scenario(policy + attempts(9)), route: card, ledger: ledger)
        #expect(outcome.problem?.type == "RetryGuard")
        #expect(card.commands.filter { $0.hasPrefix("00A4000C08E1A1") }.count == 2)
    }

    @Test func `A chip without identifier is not believed to have the password of an earlier run`() throws {
        let lock = "      - nbt.policy: { file: FAP, rights: \"40814081\" }"
        for isNamed in [true, false] {
            let ledger = RetryLedger()
            let made = "      - nbt.create-password: { id: 1, password: A1B2C3D4 }"
            let first = try bench.runCase(
                scenario(made),
                route: chip("", isNamed: isNamed),
                ledger: ledger
            )
            #expect(first.verdict == .passed)
            let card = chip("", isNamed: isNamed)
            let second = try bench.runCase(scenario(lock), route: card, ledger: ledger)
            #expect((second.verdict == .passed) == isNamed, "\(second.problem?.message ?? "")")
            #expect(card.commands.contains { $0.hasPrefix("00D6") } == isNamed)
        }
    }

    /// FILE_1 asks for password 1 to be read, FILE_2 for password 2; nothing else asks for one.
    private let policy = "E10340004000E10440404040E1A140408140E1A240408240E1A340404040E1AF40404040"

    @Test(arguments: ["5202FFFF", "52020000"])
    func `What was wrong where the policy was not seen is of one password once it is read`(
        _ answer: String
    ) throws {
        let first = try bench.runCase(scenario(attempts(1)), route: chip(answer), ledger: ledger)
        #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
        let read = "      - nbt.policy: {}\n" + attempts(at: "FILE_2", 1)
        let second = try bench.runCase(
            scenario(read),
            route: chip("5202A1A1", policy: policy),
            ledger: ledger
        )
        #expect(second.verdict == .passed, "\(second.problem?.message ?? "")")
        #expect(ledger.triesLeft(sample: "sample") == ["password 1": answer == "5202FFFF" ? 0 : 2])
    }

    @Test func `What was wrong before the policy was written, or on an unnamed chip, stays anyone's`() throws
    {
        let read = "      - nbt.policy: {}\n" + attempts(at: "FILE_2", 1)
        for isNamed in [true, false] {
            let ledger = RetryLedger()
            let written = "      - nbt.policy: { file: FILE_1, rights: \"40408140\" }"
            let blind = attempts(2, isNamed ? written : "")
            let first = try bench.runCase(
                scenario(blind),
                route: chip("52020000", isNamed: isNamed),
                ledger: ledger
            )
            #expect(first.verdict == .passed, "\(first.problem?.message ?? "")")
            let second = try bench.runCase(
                scenario(read),
                route: chip("52020000", isNamed: isNamed, policy: policy),
                ledger: ledger
            )
            #expect(second.problem?.type == "RetryGuard")
            #expect(second.problem?.message.contains("1 try of the password 2 left") == true)
            let hint = second.problem?.hint ?? ""
            #expect(
                !hint.contains("nbt.policy") && hint.contains("of the password for reading FILE_1"),
                "\(hint)"
            )
        }
    }

    @Test func `A deletion that may take the policy's password tells that the policy may be read first`()
        throws
    {
        let gone = "      - nbt.delete-password: { id: 1, master: A1B2C3D4 }"
        let blind = try bench.runCase(scenario(gone), route: chip(""), ledger: ledger)
        #expect(blind.problem?.message.contains("may be the one that rules the policy") == true)
        #expect(blind.problem?.hint.contains("read the policy first with `nbt.policy: {}`") == true)
        let read = "      - nbt.policy: {}\n" + gone
        let seen = try bench.runCase(scenario(read), route: chip("", policy: policy), ledger: ledger)
        #expect(seen.verdict == .passed, "\(seen.problem?.message ?? "")")
    }

    @Test func `An emulated chip is new in each case, and nothing is counted`() throws {
        let card = chip("52020000", isEmulated: true)
        #expect(try bench.runCase(scenario(attempts(9)), route: card, ledger: ledger).verdict == .passed)
    }
}
