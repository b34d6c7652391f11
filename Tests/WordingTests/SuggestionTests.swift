// SPDX-License-Identifier: MIT

import Testing
import Wording

@Suite("Did you mean")
struct SuggestionTests {
    private static let verbs = [
        "connect", "reset", "field", "select", "read", "write", "send", "check", "delay", "log",
    ]
    private static let options = ["--via", "--junit", "--junit-flavor", "--json", "-f", "-o"]

    @Test(
        "the nearest word is offered, or none",
        arguments: [
            ("raed", "read"), ("selct", "select"), ("wrtie", "write"), ("sendd", "send"),
            ("conect", "connect"),
            ("READ", "read"), ("con", "connect"), ("zzz", nil), ("", nil), ("r", nil), ("transmit", nil),
            ("lgo", "log"),
        ] as [(String, String?)]
    )
    func words(_ typed: String, _ near: String?) {
        #expect(Suggestion.nearest(to: typed, among: Self.verbs) == near)
    }

    @Test(
        "dashes do not count",
        arguments: [
            ("--junti", "--junit"), ("-json", "--json"), ("--JSON", "--json"),
            ("--junit-flavour", "--junit-flavor"),
            ("--x", nil), ("-x", nil), ("--junit_flavor", "--junit-flavor"), ("--vai", "--via"), ("--", nil),
        ] as [(String, String?)]
    )
    func options(_ typed: String, _ near: String?) {
        #expect(Suggestion.nearest(to: typed, among: Self.options) == near)
    }

    @Test("the earlier one wins among equals, and nothing comes of nothing")
    func ties() {
        #expect(Suggestion.nearest(to: "cat", among: ["bat", "hat"]) == "bat")
        #expect(Suggestion.nearest(to: "caat", among: ["bat", "cats", "cat"]) == "cat")
        #expect(Suggestion.nearest(to: "cat", among: []) == nil)
    }

    @Test(
        "suggests the word that was meant",
        arguments: [
            ("raed", "read"), ("FILE_9", "FILE_1"), ("expct", "expect"), ("slect", "select"),
            ("Read", "read"), ("file-1", "FILE_1"),
            ("card_removed", "card-removed"),
        ]
    )
    func suggestion(_ word: String, _ wanted: String) {
        let words = ["select", "read", "write", "expect", "FILE_1", "FILE_2", "card-removed"]
        #expect(Suggestion.nearest(to: word, among: words) == wanted)
    }

    @Test(
        "suggests nothing when no word is near",
        arguments: ["", "banana", "xyz", "ab", String(repeating: "read", count: 99)]
    )
    func noSuggestion(_ word: String) {
        #expect(Suggestion.nearest(to: word, among: ["select", "read", "write", "w"]) == nil)
    }

    @Test("suggests within a moment for thousands of words")
    func manySuggestions() {
        let words = (0..<60).map { "some-word-\($0)" } + ["expectation"]
        let found = (0..<10_000).count {
            Suggestion.nearest(to: "expectatoin\($0 % 10)", among: words) == "expectation"
        }
        #expect(found == 10_000)
    }
}
