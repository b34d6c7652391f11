// SPDX-License-Identifier: MIT

import Testing

/// What the shipped verbs refuse before anything is sent.
@Suite struct LintedArgumentTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private func mistakes(_ steps: String, target: String = "nbt", header: String = "") throws -> [String] {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        return try bench.mistakes(
            "rig: 1\nsuite: t\ntarget: \(target)\n\(header)cases:\n  - name: a\n    steps:\n\(lines)"
        )
    }

    @Test(
        arguments: [
            ("nbt", "- send: 00B0", "this takes 4 bytes at least; here are 2"),
            ("nbt", "- send: { cla: 0000, ins: B0 }", "this takes 1 byte; here are 2"),
            ("nbt", "- send: { cla: 00, p1: 00 }", "'send' needs 'apdu' or 'ins'"),
            ("nbt", "- send: { apdu: 00B0000001, ins: B0 }", "'apdu' and 'ins' exclude each other; keep one"),
            (
                "nbt", "- write: { file: FILE_1, data: \"\" }",
                "this takes 1 byte at least; here are 0"
            ),
            (
                "nbt", "- nbt.create-password: { id: 5, password: 00 }",
                "this takes 4 bytes; here is 1"
            ),
            ("nbt", "- kit.led: { was: dark }", "'kit.led' needs 'is' or 'blink'"),
            ("nbt", "- kit.led: { is: lit, blink: 1s }", "'is' and 'blink' exclude each other; keep one"),
            (
                "nbt", "- ndef.write: { uri: \"a:b\", text: a }",
                "'uri' and 'text' exclude each other; keep one"
            ),
            ("iso7816", "- get-data: 010203", "this takes 1 to 2 bytes; here are 3"),
            ("nbt", "- log: a\n  raw: true", "'log' sends no command, so 'raw' says nothing here"),
            ("nbt", "- delay: 1s\n  allow: [6A82]", "'delay' sends no command, so 'allow' says nothing here"),
            (
                "nbt", "- nbt.authenticate: {}\n  expect: { error: wrongSignatur }",
                "unknown error 'wrongSignatur'; did you mean 'wrongSignature'?"
            ),
            (
                "nbt", "- nbt.authenticate: {}\n  expect: { error: nope }",
                "unknown error 'nope'; possible are malformedAnswer, argument, refused, ndef, "
            ),
            (
                "tangem", "- purge: { wallet: 00 }\n  expect: { error: walletNotFond }",
                "unknown error 'walletNotFond'; did you mean 'walletNotFound'?"
            ),
            (
                "tangem", "- purge: { wallet: 00 }\n  expect: { error: nope }",
                "unknown error 'nope'; 'taprig verbs errors' lists them"
            ),
            (
                "iso7816", "- verify: {}\n  expect: { error: nope }",
                "there is no device library behind 'iso7816.verify'"
            ),
        ]
    )
    func `What cannot work is a mistake of the file`(target: String, steps: String, message: String) throws {
        let found = try mistakes(steps, target: target)
        #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
    }

    @Test func `A retry after nothing is a mistake`() throws {
        let found = try bench.mistakes(
            "rig: 1\nsuite: t\ntarget: nbt\ncases:\n  - name: a\n    retry: { on: [], max: 1 }\n    steps: [{ log: a }]\n"
        )
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix("'on' names no error after which to try again, such as LinkLost") == true
        )
    }

    @Test func `What a variable holds is known at the run only`() throws {
        let steps = "- send: \"${a}\"\n- nbt.create-password: { id: 5, password: \"${a}\" }"
        #expect(try mistakes(steps, header: "vars: { a: 00B0000001 }\n") == [])
    }
}
