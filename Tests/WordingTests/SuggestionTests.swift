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
}
