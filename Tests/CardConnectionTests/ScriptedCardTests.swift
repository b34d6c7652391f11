// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@Suite("Scripted card")
struct ScriptedCardTests {
    private func card(_ text: String) throws(ScriptedCardError) -> ScriptedCard {
        try ScriptedCard(json: Array(text.utf8), name: "card.json")
    }

    @Test("reads the cards of all field cases")
    func fieldCases() throws {
        let items = try FieldCase.load(
            "S01",
            "S02",
            "S03",
            "S04",
            "S06",
            "S07",
            "S08",
            "S09",
            "S12",
            "S13",
            "S25",
            "S29"
        )
        for item in items { #expect(throws: Never.self) { try item.card() } }
        #expect(items.count > 12)
    }

    @Test("knows what the file says of the card")
    func properties() throws {
        let full = try card(
            #"{"kind":"card","atr":"3B 02 04 05","protocol":"T=0","chaining":true,"rules":[],"note":"x"}"#
        )
        #expect(full.atr.hex == "3B020405")
        #expect(full.protocolName == "T=0")
        #expect(full.acceptsChaining)
        let bare = try card(#"{"rules":[]}"#)
        #expect(bare.atr.hex == "3B80800101")
        #expect(bare.protocolName == nil)
        #expect(!bare.acceptsChaining)
        #expect(bare.respond(to: [0x00]).bytes.hex == "6D00")
    }

    @Test("a rule that is used up gives way to the next, and power does not renew it")
    func times() throws {
        let card = try card(
            #"{"rules":[{"c":"00B0","r":"01","times":2},{"c":"00B0","r":"02","times":1}],"default":"6A82"}"#
        )
        let answers = (1...4).map { _ in
            card.powerOff()
            card.powerOn()
            return card.respond(to: [0x00, 0xB0]).bytes.hex
        }
        #expect(answers == ["01", "01", "02", "6A82"])
    }

    @Test("every fault becomes its ending")
    func faults() throws {
        let card = try card(
            """
            {"rules":[{"c":"01","r":"9000","fault":"reset-after","delay_ms":5},{"c":"02","fault":"mute"},
            {"c":"03","r":"9000","fault":"remove-at-2000ms"},{"c":"04","r":"6F00","delay_ms":0.5}]}
            """
        )
        #expect(
            card.respond(to: [1])
                == CardAnswer([0x90, 0x00], time: .milliseconds(5), ending: .resetAfterwards)
        )
        #expect(card.respond(to: [2]) == CardAnswer([], ending: .mute))
        #expect(card.respond(to: [3]) == CardAnswer([], time: .seconds(2), ending: .removed))
        #expect(card.respond(to: [4]) == CardAnswer([0x6F, 0x00], time: .microseconds(500)))
    }

    @Test("after needs-reset the card is mute until its power comes again")
    func needsReset() throws {
        let card = try card(#"{"rules":[{"c":"01","r":"6F00","fault":"needs-reset"},{"c":"02","r":"9000"}]}"#)
        let connection = InProcessConnection(card: card, clock: ModelClock(), deadline: .milliseconds(100))
        #expect(try connection.transmit([2]).hex == "9000")
        #expect(try connection.transmit([1]).hex == "6F00")
        #expect(fault(of: [2], on: connection)?.kind == .timeout)
        try connection.reconnect()
        #expect(try connection.transmit([2]).hex == "9000")
        #expect(card.events == [.powerOn, .powerOff, .powerOn])
    }

    @Test(
        "a mistake is one sentence with its place",
        arguments: [
            ("", "card.json:1:1: the text ends where a value should be"),
            ("[]", "card.json: a card is an object with \"rules\""),
            ("{}", "card.json: the list \"rules\" is missing"),
            (
                #"{"kind":"trace","rules":[]}"#,
                "card.json: \"kind\" is \"trace\", a scripted card has \"card\""
            ),
            (
                #"{"atr":"3B0","rules":[]}"#,
                "card.json: \"atr\", character 3: 3 hex digits are no whole bytes; two digits make a byte"
            ),
            (#"{"protocol":"T1","rules":[]}"#, "card.json: protocol \"T1\" is none of T=0, T=1, T=CL"),
            (#"{"chaining":"yes","rules":[]}"#, "card.json: \"chaining\" must be true or false"),
            (#"{"default":9000,"rules":[]}"#, "card.json: \"default\" must be a text in quotes"),
            (#"{"rules":["9000"]}"#, "card.json: rule 1: a rule is an object with \"c\" and \"r\""),
            (
                #"{"rules":[{"c":"00","r":""},{"c":"0G","r":""}]}"#,
                "card.json: rule 2: \"c\", character 2: 'G' is not a hex digit"
            ),
            (#"{"rules":[{"r":"9000"}]}"#, "card.json: rule 1: the command \"c\" is missing"),
            (#"{"rules":[{"c":"00"}]}"#, "card.json: rule 1: the response \"r\" is missing"),
            (
                #"{"rules":[{"c":"00","r":"","times":0}]}"#,
                "card.json: rule 1: \"times\" must be a whole number from 1"
            ),
            (
                #"{"rules":[{"c":"00","r":"","delay_ms":-1}]}"#,
                "card.json: rule 1: \"delay_ms\" must be a number from 0 to 86400000, a day"
            ),
            (
                #"{"rules":[{"c":"00","r":"","delay":5}]}"#,
                "card.json: rule 1: unknown key \"delay\"; a rule has c, r, times, delay_ms, fault, note"
            ),
            (
                #"{"rules":[{"c":"00","r":"","fault":"remove-at-xms"}]}"#,
                "card.json: rule 1: fault \"remove-at-xms\" is none of reset-after, remove-at-2000ms, mute, needs-reset"
            ),
        ]
    )
    func mistakes(_ text: String, _ sentence: String) {
        let error = #expect(throws: ScriptedCardError.self) { try card(text) }
        #expect(error?.description == sentence)
    }
}
