// SPDX-License-Identifier: MIT

import RunRecord
import Runner
import Testing

/// What a case sees of an emulated chip besides its answers.
@Suite struct EmulatedChipCaseTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func outcome(_ steps: String, options: String = "") throws -> CaseRecord {
        try bench.runCase(
            """
            rig: 1
            suite: t
            target: nbt
            options: { firmware-loop: off\(options) }
            cases:
              - name: a
                steps:
            \(steps)
            """
        )
    }

    @Test func `A chip that is mute says why`() throws {
        let inField = try outcome("      - select: D2760000850101\n        on: i2c")
        #expect(inField.problem?.type == "RigTimeout")
        #expect(inField.problem?.hint == "the NFC field is on, and I2C does not answer until it is off")
        let switchedOff = try outcome(
            """
                  - nbt.set-configuration: { setting: interfaces, value: i2c-only }
                  - field: { state: off, for: 20ms }
                  - select: D2760000850101
            """
        )
        #expect(switchedOff.problem?.hint == "the configuration (tag C060) has NFC switched off")
    }

    @Test(arguments: [
        ("state: delivery", "nbt.policy: {}", "profile: delivery"),
        ("state: brand-protection", "nbt.policy: {}", "profile: brand-protection"),
        ("state: pass-through", "nbt.policy: {}", "profile: pass-through"),
        ("state: adt", "nbt.policy: {}", "profile: adt"),
        ("mlc: 52", "nbt.policy: {}", "profile: adt"),
        ("state: delivery, firmware-loop: adt", "nbt.policy: {}", "profile: adt"),
        ("configuration: C0300104", "nbt.get-configuration: gpio-function", "word: pass-through-interrupt"),
        ("configuration: C0530101", "nbt.policy: {}", "profile: adt"),
    ])
    func `The board's firmware leaves what the options say of the chip`(
        options: String,
        step: String,
        expected: String
    ) throws {
        let outcome = try bench.runCase(
            kitHead + """
                options: { \(options) }
                cases:
                  - name: c
                    steps:
                      - delay: 100ms
                      - select: D2760000850101
                      - \(step)
                        expect: { \(expected) }
                """
        )
        #expect(outcome.verdict == .passed, "\(outcome.problem?.message ?? "")")
    }

    @Test func `A blank chip has no certificate and no token`() throws {
        let blank = try outcome(
            """
                  - select: D2760000850101
                  - nbt.prove-genuine: {}
                    expect: { error: noCertificate }
                  - nbt.read-certificate: {}
                    expect: { error: noCertificate }
                  - nbt.verify-token: {}
                    expect: { status: 400 }
                  - nbt.verify-token: {}
                    expect: { error: malformedToken }
            """
        )
        #expect(blank.verdict == .passed, "\(blank.problem?.message ?? "")")
    }

    @Test func `The reader's GET DATA tells UID and historical bytes`() throws {
        let seen = try outcome(
            """
                  - send: FFCA000000
                    expect: { data: 05112233445566 }
                  - send: FFCA000004
                    raw: yes
                    expect: { sw: 6C07 }
                  - send: FFCA010000
                    expect: { data: A5A6 }
                  - send: FFCA020000
                    expect: { sw: 6B00 }
            """,
            options: ", uid: 05112233445566, ats: 0778807002A5A6"
        )
        #expect(seen.verdict == .passed, "\(seen.problem?.message ?? "")")
    }
}
