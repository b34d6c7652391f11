// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Sentences of lint")
struct LintSentenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lint(_ target: String, _ step: String, head: String = "vars: {}") throws -> [String] {
        let lines = step.split(separator: "\n").map { "      \($0)\n" }.joined()
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.sentences
            target: \(target)
            \(head)
            cases:
              - name: works
                steps:
            \(lines)
            """
        )
        let ending = try Taprig.run("lint", "suite.yaml", in: folder.path)
        return ending.everything.split(separator: "\n").map(String.init)
    }

    @Test(
        "tell results that a step can never have",
        arguments: [
            (
                "nbt", "- kit.led: { is: dark, for: 1s }\n  capture: { l: latency }",
                "suite.yaml:9:20: 'kit.led' gives no 'latency' beside 'for' without 'was' or 'within'"
            ),
            (
                "nbt", "- kit.led: { is: dark }\n  capture: { p: period }",
                "suite.yaml:9:20: 'kit.led' gives no 'period' without 'blink'"
            ),
            (
                "nbt", "- kit.led: { blink: 500ms }\n  expect: { sincePress: \"<1s\" }",
                "suite.yaml:9:19: 'kit.led' gives no 'sincePress' beside 'blink'"
            ),
            (
                "tangem", "- scan: {}\n  capture: { k: \"wallets(0).publicKeyy\" }",
                "suite.yaml:9:24: 'wallets' has no part 'publicKeyy'; did you mean 'publicKey'?"
            ),
            (
                "nbt", "- ndef.read: {}\n  capture: { k: \"ndef(0).shade\" }",
                "suite.yaml:9:24: 'ndef' has no part 'shade'; it has type, id, payload, tnf, name, uri, text, address"
            ),
        ]
    )
    func results(_ target: String, _ step: String, _ sentence: String) throws {
        #expect(try lint(target, step) == [sentence])
    }

    @Test(
        "leave results that may be there",
        arguments: [
            ("nbt", "- kit.led: { was: lit, is: dark, for: 1s }\n  capture: { l: latency }"),
            ("nbt", "- kit.led: { is: dark, for: 1s }\n  expect: { within: 1s }\n  capture: { l: latency }"),
            ("nbt", "- kit.led: { is: dark, for: 1s }\n  expect: { latency: { absent: true } }"),
            ("nbt", "- kit.led: { blink: 500ms }\n  capture: { p: period }"),
            ("nbt", "- ndef.read: {}\n  capture: { k: \"ndef(U).payload\" }"),
            ("nbt", "- check: { not: { hash: { message: \"01\", digest: \"01\" } } }"),
        ]
    )
    func possible(_ target: String, _ step: String) throws {
        #expect(try lint(target, step) == ["1 suite with 1 case: no mistakes"])
    }

    @Test(
        "tell literals that no card could make right",
        arguments: [
            (
                "hash: { message: \"01\", digest: \"01\" }",
                "a sha256 has 32 bytes; here 1 byte stands"
            ),
            (
                "cmac: { key: \"${k}\", message: \"01\", mac: \"010203\" }",
                "a CMAC has 4 to 16 bytes; here 3 bytes stand"
            ),
            (
                "bip340: { key: \"${k}\", hash: \"01\", signature: AABB }",
                "a signature of bip340 has 64 bytes; here 2 bytes stand"
            ),
            (
                "signature: { curve: bip340, key: \"${k}\", hash: \"01\", signature: AABB }",
                "a signature of bip340 has 64 bytes; here 2 bytes stand"
            ),
        ]
    )
    func literals(_ form: String, _ sentence: String) throws {
        let head = "secrets: [k]"
        let lines = try lint("nbt", "- check: { \(form) }", head: head)
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(": \(sentence)") == true, "\(lines)")
        let ecdsa = "ecdsa: { curve: secp256k1, key: \"${k}\", hash: \"01\", signature: AABB }"
        #expect(try lint("nbt", "- check: { \(ecdsa) }", head: head).count == 1)
    }

    @Test(
        "say where a key belongs and what to write",
        arguments: [
            (
                "- kit.led: { is: lit, within: 1s }",
                "suite.yaml:8:29: 'kit.led' has no argument 'within'; write it beside the verb: expect: {within: 1s}"
            ),
            (
                "- read: { length: 1, expect: { sw: \"9000\" } }",
                "suite.yaml:8:28: 'read' has no argument 'expect'; 'expect' stands beside the verb, not among its arguments"
            ),
            (
                "- log: a\n  repeat: \"${n}\"",
                "suite.yaml:9:17: 'repeat' cannot come from a variable; write it out"
            ),
            (
                "- read: { length: 1 }\n  mask: dat",
                "suite.yaml:9:15: 'dat' is neither a tag in hex nor a tag of nbt; 'mask' takes data, data(2..6) or tags "
                    + "such as 6F.84; did you mean 'data'?"
            ),
            (
                "- log: \"${f(0).name}\"",
                "suite.yaml:8:21: a variable has no parts; capture the part under a name of its own, such as "
                    + "capture: { part: f(0).name }"
            ),
        ]
    )
    func advice(_ step: String, _ sentence: String) throws {
        #expect(try lint("nbt", step, head: "vars: { n: 2, f: 3 }").contains(sentence))
    }

    @Test("call a library a library")
    func library() throws {
        try folder.write("lib.yaml", "steps:\n  look:\n    - log: here\n")
        let lint = try Taprig.run("lint", "lib.yaml", in: folder.path)
        #expect(lint.everything == "1 library of steps: no mistakes\n")
        let run = try Taprig.run("run", "lib.yaml", in: folder.path)
        #expect(
            run.sentence
                == "taprig: lib.yaml is a library of steps, which has no cases; run a suite that includes it"
        )
        #expect(run.status == 2)
    }

    @Test("tell the lines of a script that are left out, as a run does")
    func script() throws {
        try folder.write("tag.scriptor", "reset\n00A4040007D276000085010100\nexit\n00B0000001\n")
        for command in [["lint", "tag.scriptor"], ["run", "tag.scriptor", "--out", "out"]] {
            let ending = try Taprig.start(command, in: folder.path).wait(limit: .seconds(60))
            #expect(ending.errors.contains("tag.scriptor:4:1: the line behind exit is not imported"))
        }
    }

    @Test("numbers of vars increase beside literals")
    func increases() throws {
        let step = "- check: { increases: [\"${n}\", 4, \"${f}\"] }\n- check: { increases: [\"${t}\", 12ms] }"
        _ = try lint("nbt", step, head: "vars: { n: 2, f: 11, t: 9ms }")
        let ending = try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path)
        #expect(ending.status == 0, "\(ending.everything)")
    }

    @Test("a matrix key that sets an option says so")
    func matrix() throws {
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.sentences
            target: nbt
            cases:
              - name: works
                matrix: { led: [lit, dark] }
                steps:
                  - log: "${led}"
            """
        )
        let ending = try Taprig.run("lint", "suite.yaml", in: folder.path)
        #expect(ending.everything.contains("the matrix key 'led' sets the emulator's option of this name: "))
    }
}
