// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// `fmt`, `verbs` and `schema`.
@Suite struct LanguageCommandTests {
    private static let wild =
        "rig:  1\nsuite: a # name\ntarget: nbt\ncases:\n- name: b\n  steps:\n  - read: {file: FILE_1,length: 1}\n    expect: { data: 01 }\n"
    private static let canonical =
        "rig: 1\nsuite: a  # name\ntarget: nbt\ncases:\n  - name: b\n    steps:\n      - read: { file: FILE_1, length: 1 }\n        expect: { data: \"01\" }\n"

    // MARK: fmt

    @Test func `Fmt replaces what is not canonical, and names it`() throws {
        let folder = try TemporaryFolder()
        try folder.write("taprig.yaml", "")
        try folder.write("a.yaml", Self.wild)
        try folder.write("b.yaml", Self.canonical)
        try folder.write("bench.yaml", "readers:   []\n")
        let check = try Taprig.run("fmt", "--check", ".", in: folder.path)
        #expect(check.status == 1)
        #expect(check.output == "./a.yaml\n")
        #expect(folder.text("a.yaml") == Self.wild)
        let ending = try Taprig.run("fmt", ".", in: folder.path)
        #expect(ending.status == 0)
        #expect(ending.output == "./a.yaml\n")
        #expect(folder.text("a.yaml") == Self.canonical)
        #expect(folder.text("bench.yaml") == "readers:   []\n")
        #expect(folder.files() == ["a.yaml", "b.yaml", "bench.yaml", "taprig.yaml"])
        #expect(try Taprig.run("fmt", "--check", ".", in: folder.path).status == 0)
    }

    @Test func `Fmt writes standard input to standard output`() throws {
        let ending = try Taprig.run("fmt", "-", input: Self.wild)
        #expect(ending.status == 0)
        #expect(ending.output == Self.canonical)
        #expect(try Taprig.run("fmt", "--check", "-", input: Self.wild).status == 1)
        #expect(try Taprig.run("fmt", "--check", "-", input: Self.canonical).status == 0)
    }

    @Test func `What is no YAML is told and left alone`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.yaml", "a: [1\n")
        let ending = try Taprig.run("fmt", "a.yaml", in: folder.path)
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("a.yaml:1:4: the '[' that opens here"))
        #expect(folder.text("a.yaml") == "a: [1\n")
        #expect(try Taprig.run("fmt", "gone.yaml", in: folder.path).status == 2)
        #expect(try Taprig.run("fmt", "-", input: "a: *x\n").status == 2)
    }

    // MARK: verbs

    @Test func `The page of verbs is what the program prints`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/verbs.md").standardized
        let known = try String(contentsOf: page, encoding: .utf8)
        let printed = try Taprig.run("verbs", "--markdown").output
        #expect(printed == known, "write it anew with: taprig verbs --markdown > Documentation/verbs.md")
    }

    @Test func `Verbs tells of one word, of all, and of needs`() throws {
        #expect(try Taprig.run("verbs").output.contains("\n  kit.led "))
        #expect(try Taprig.run("verbs", "kit.led").output.contains("expected"))
        #expect(try Taprig.run("verbs", "policy").output.hasPrefix("nbt.policy\n"))
        #expect(try Taprig.run("verbs", "needs").output.contains("\noperator "))
        let namespace = try Taprig.run("verbs", "nbt")
        #expect(namespace.status == 0)
        #expect(namespace.output.contains("\n  nbt.policy "))
        #expect(!namespace.output.contains("kit.led"))
        #expect(try Taprig.run("verbs", "core").output.contains("\n  delay "))
        let wrong = try Taprig.run("verbs", "selcet")
        #expect(wrong.status == 2)
        #expect(wrong.errors == "taprig: there is no verb 'selcet'; did you mean 'select'?\n")
        let strange = try Taprig.run("verbs", "nosuch")
        #expect(strange.errors == "taprig: there is no verb 'nosuch'; `taprig verbs` lists them\n")
        #expect(try Taprig.run("verbs", "--markdown", "select").status == 2)
    }

    // MARK: schema

    @Test func `The schema is one JSON document that knows the verbs`() throws {
        let schema = try Taprig.run("schema").json()
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$defs"]?["nbt.step"]?["properties"]?["kit.led"] != nil)
    }
}
