// SPDX-License-Identifier: MIT

import Testing

@testable import Scenario

@Suite("Reference of verbs")
struct VerbReferenceTests {
    private let reference = VerbReference(
        vocabulary: ReadingVocabulary.shared,
        capabilities: [.init(word: "kit.led", summary: "the LED can be seen")]
    )

    @Test("a verb is found with and without its namespace")
    func finding() {
        #expect(reference.verbs(named: "tangem.sign").map(\.name) == ["tangem.sign"])
        #expect(reference.verbs(named: "sign").map(\.name) == ["tangem.sign"])
        #expect(reference.verbs(named: "read").map(\.name) == ["read"])
        #expect(reference.verbs(named: "nothing").isEmpty)
    }

    @Test("the text of a verb has its arguments and results")
    func text() throws {
        let sign = try #require(reference.verbs(named: "sign").first)
        #expect(
            reference.text(of: sign) == """
                tangem.sign
                  Signs.

                  arguments
                    wallet*  hex or a name: Key.
                    hashes*  list of hex or a name: Hashes.
                    (* must be given)

                  results, for 'expect' and 'capture'
                    signature  hex or a name: Signature.

                  It sends commands: 'sw', 'data', 'len', 'ascii', 'tlv', 'time', 'exchanges', 'wire', 'every', 'total', 'fault' and 'error' speak of them.

                  errors: walletNotFound, walletIsPurged

                """
        )
        let read = try #require(reference.verbs(named: "read").first)
        #expect(reference.text(of: read).contains("'total' and 'fault' speak of them."))
        #expect(!reference.text(of: read).contains("errors"))
        #expect(reference.errorsText.hasPrefix("tangem\n  walletNotFound\n  walletIsPurged\n"))
    }

    @Test("mappings show their keys, groups their rule, short forms their argument")
    func details() throws {
        let check = try #require(reference.verbs(named: "check").first)
        let text = reference.text(of: check)
        #expect(text.contains("      key*        hex or a name: public key: a point, SPKI or a certificate"))
        #expect(text.contains("(exactly one of hash, message)"))
        let select = try #require(reference.verbs(named: "select").first)
        #expect(reference.text(of: select).contains("short form: 'select: VALUE' gives 'file'"))
    }

    @Test("the steps of a library have their word, though it is no verb")
    func use() throws {
        let use = try #require(reference.verbs(named: "use").first)
        let text = reference.text(of: use)
        #expect(text.contains("short form: 'use: VALUE' gives 'name'"))
        #expect(text.contains("beside it stand 'name', 'needs', 'optional', 'if' and 'on'"))
        #expect(reference.overview(of: "core")?.contains("  use ") == true)
        #expect(reference.words.contains("use"))
        #expect(reference.markdown.contains("\n## use\n"))
    }

    @Test("the overview has each verb once, under its namespace")
    func overview() {
        let lines = reference.overview.split(separator: "\n").map(String.init)
        #expect(lines.first == "core")
        #expect(lines.contains("tangem (in suites with 'target: tangem' also without 'tangem.')"))
        #expect(lines.contains("kit"))
        #expect(lines.count { $0.hasPrefix("  tangem.sign ") } == 1)
    }

    @Test("the page has a section for each verb, and the needs")
    func page() {
        let page = reference.markdown
        for verb in ReadingVocabulary.shared.verbs.keys { #expect(page.contains("\n## \(verb)\n")) }
        #expect(page.contains("| `kit.led` | the LED can be seen |"))
        #expect(page.contains("[tangem.create-wallet](#tangemcreate-wallet)"))
        #expect(page.contains("| `signature.curve` \\* |"))
    }
}
