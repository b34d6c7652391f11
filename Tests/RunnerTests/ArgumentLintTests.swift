// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Runner
import Testing

/// What stands in the file and cannot be right is told before anything is sent.
@Suite struct ArgumentLintTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func suite(_ step: String, target: String = "nbt", head: String = "") -> String {
        """
        rig: 1
        suite: t
        target: \(target)
        \(head)
        cases:
          - name: a
            steps:
              - select: D2760000850101
              - \(step)
        """
    }

    private static let wrong: [(target: String, step: String, sentence: String)] = [
        ("nbt", "kit.led: {}", "'kit.led' needs 'is' or 'blink'"),
        ("nbt", "kit.led: { blink: 500ms, is: lit }", "'blink' and 'is' exclude each other; keep one"),
        ("nbt", "kit.led: { blink: 500ms, was: lit }", "'was' and 'blink' exclude each other; keep one"),
        ("nbt", "kit.led: { blink: 1ms }", "1ms is too short; 2ms is the least"),
        ("nbt", "nbt.select: { file: FILE_1, read-password: 112233 }", "this takes 4 bytes; here are 3"),
        ("nbt", "nbt.select: { file: FILE_1, write-password: \"\" }", "this takes 4 bytes; here are 0"),
        (
            "nbt", "nbt.set-configuration: { setting: nope, value: 05 }",
            "'nope' is neither a setting nor a tag of two bytes"
        ),
        (
            "nbt", "nbt.get-configuration: interfces",
            "'interfces' is neither a setting nor a tag of two bytes; did you mean 'interfaces'?"
        ),
        (
            "nbt", "nbt.set-configuration: { setting: interfaces, value: all }",
            "'all' is neither hex nor one of: i2c-only, nfc-only, both"
        ),
        ("nbt", "nbt.policy: { file: FILE_1, rights: 404040 }", "this takes 4 bytes; here are 3"),
        ("nbt", "nbt.policy: { file: FILE_1 }", "'file' of 'nbt.policy' needs 'rights' beside it"),
        ("nbt", "nbt.policy: { rights: \"40404040\" }", "'rights' of 'nbt.policy' needs 'file' beside it"),
        ("nbt", "nbt.personalize: { ecc-key: 00 }", "this takes 32 bytes; here is 1"),
        ("nbt", "nbt.personalize: { cott-key: 00 }", "this takes 16 bytes; here is 1"),
        ("nbt", "nbt.personalize: { file: FILE_1 }", "'file' of 'nbt.personalize' needs 'data' beside it"),
        (
            "nbt", "nbt.personalize: { password: 11223344 }",
            "'password' of 'nbt.personalize' needs 'id' beside it"
        ),
        (
            "nbt", "nbt.personalize: { cott-key: 00112233445566778899AABBCCDDEEFF, data: 00 }",
            "'data' of 'nbt.personalize' needs 'file' or 'group' beside it"
        ),
        (
            "nbt", "nbt.personalize: { file: FAP, data: \(String(repeating: "00", count: 43)) }",
            "FAP (E1AF) has 42 bytes, here are 43"
        ),
        ("nbt", "nbt.authenticate: \"\"", "this takes 1 to 255 bytes; here are 0"),
        ("nbt", "nbt.authenticate: { challenge: 01, length: 3 }", "exclude each other; keep one"),
        ("nbt", "nbt.authenticate: { key: 0401 }", ""),
        ("nbt", "nbt.prove-genuine: { at: not a date }", "'not a date' is no day; write it like 2027-01-31"),
        ("nbt", "nbt.read-certificate: { issuer: [3000] }", ""),
        ("nbt", "nbt.verify-token: { key: 00 }", "this takes 16 bytes; here is 1"),
        ("nbt", "nbt.backend-test: { tests: [] }", "an empty list is nothing to do"),
        (
            "nbt", "nbt.write-message: \(String(repeating: "00", count: 4095))",
            "this takes at most 4094 bytes; here are 4095"
        ),
        ("nbt", "nbt.pass-through: { select: no }", "without 'led' and the selection there is nothing to do"),
        ("nbt", "nbt.put-response: 90", "this takes 2 to 65535 bytes; here is 1"),
        ("nbt", "nbt.create-password: { id: 1, password: 00 }", "this takes 4 bytes; here is 1"),
        ("nbt", "nbt.create-password: { id: 1, password: 00000000, response: 00 }", "this takes 2 bytes"),
        ("nbt", "send: 00A4", "this takes 4 bytes at least; here are 2"),
        ("nbt", "send: {}", "'send' needs 'apdu' or 'ins'"),
        ("nbt", "send: { apdu: 00B0000001, ins: B0 }", "exclude each other; keep one"),
        ("nbt", "send: { apdu: 00B0000001, le: 1 }", "'le' of 'send' needs 'ins' beside it"),
        ("nbt", "send: { ins: B0B0 }", "this takes 1 byte; here are 2"),
        ("nbt", "write: { file: FILE_1, data: \"\" }", "this takes 1 byte at least; here are 0"),
        (
            "nbt", "write: { offset: 32767, data: \(String(repeating: "00", count: 256)) }",
            "33022 is beyond 32767, the largest offset that P1-P2 can hold"
        ),
        ("nbt", "ndef.write: {}", "'ndef.write' needs one of 'message', 'uri', 'text', 'records'"),
        ("nbt", "ndef.write: { uri: x, text: y }", "exclude each other; keep one"),
        ("nbt", "ndef.write: { uri: x, language: de }", "'language' of 'ndef.write' needs 'text' beside it"),
        (
            "nbt", "ndef.write: { text: x, language: \(String(repeating: "x", count: 64)) }",
            "language"
        ),
        ("nbt", "ndef.write: { records: [{ uri: x, media: y/z }] }", "exclude each other; keep one"),
        ("nbt", "ndef.write: { records: [] }", ""),
        ("iso7816", "verify: { reference: 0102 }", "this takes 1 byte; here are 2"),
        ("iso7816", "get-data: 010203", "this takes 1 to 2 bytes; here are 3"),
        ("tangem", "personalize: { id: 01 }", "this takes 8 bytes; here is 1"),
        (
            "tangem", "personalize: { id: 0000000000000000, settings: 01 }",
            "this takes 2 or 4 bytes; here is 1"
        ),
        ("tangem", "scan: { terminal-key: 00 }", ""),
        ("tangem", "sign: { wallet: 00, hashes: [00], path: m/x }", ""),
        (
            "tangem", "backup-write: { data: [00, 01], salts: [00] }",
            "'salts' has 1 and 'data' 2; each slot needs one of both"
        ),
    ]

    @Test(arguments: wrong)
    func `A literal that cannot be right is a mistake of the file`(
        target: String,
        step: String,
        sentence: String
    ) throws {
        let mistakes = try bench.mistakes(suite(step, target: target))
        #expect(mistakes.count == 1, "\(mistakes)")
        #expect(mistakes.first?.contains(sentence) == true, "\(mistakes)")
        #expect(mistakes.first?.hasPrefix("scenario1.yaml:9:") == true, "\(mistakes)")
    }

    @Test(arguments: [
        "kit.led: { was: dark, is: lit, for: 1s }", "kit.led: { blink: 2ms }", "nbt.policy: {}",
        "nbt.select: { file: FILE_1, read-password: \"${secret}\" }",
        "nbt.personalize: { group: BF63, data: \"\" }", "nbt.backend-test: {}",
        "nbt.backend-test: { tests: random }",
        "nbt.set-configuration: { setting: C030, value: 05 }",
        "nbt.set-configuration: { setting: \"${secret}\", value: nope }",
        "nbt.set-configuration: { setting: flash-loader, value: FFFF }", "send: { ins: B0, data: \"\" }",
        "read: { offset: 32500, length: 600 }", "ndef.write: { records: [{}] }", "nbt.authenticate: {}",
        "nbt.pass-through: on", "nbt.pass-through: {}",
    ])
    func `What can be right is none`(step: String) throws {
        #expect(try bench.mistakes(suite(step, head: "vars: { secret: 112233 }")) == [])
    }

    @Test func `A value from a variable is told when its step comes`() throws {
        let outcome = try bench.runCase(
            suite(
                "nbt.select: { file: FILE_1, read-password: \"${secret}\" }",
                head: "vars: { secret: 112233 }"
            )
        )
        #expect(outcome.problem?.type == "ScenarioInvalid")
        #expect(outcome.problem?.message.contains("this takes 4 bytes; here are 3") == true)
    }

    @Test func `What the library never does is no failure of the product`() throws {
        let step = "nbt.set-configuration: { setting: flash-loader, value: FFFF }"
        let outcome = try bench.runCase(suite(step))
        #expect(outcome.verdict == .error)
        #expect(outcome.problem?.type == "NotPermitted")
        let expecting = suite(step + "\n        expect: { error: refused }")
        #expect(try bench.runCase(expecting).verdict == .passed)
    }

    @Test func `An argument that the library does not take is no failure of the product`() throws {
        let long = String(repeating: "00", count: 4095)
        let outcome = try bench.runCase(
            suite("nbt.write-message: \"${long}\"", head: "vars: { long: \"\(long)\" }")
        )
        #expect(outcome.problem?.type == "ScenarioInvalid")
    }
}
