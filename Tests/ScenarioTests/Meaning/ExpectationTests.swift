// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Testing

@Suite("Expectations")
struct ExpectationTests {
    private func judge(
        _ tree: Tree,
        _ observation: Observation,
        verb: VerbSpec = Words.read,
        values: [String: Value] = [:],
        isRaw: Bool = false,
        allow: [String] = []
    ) throws -> Judgement {
        let context = Words.context()
        let expectation = Expectation.read(tree.node, verb: verb, in: context)
        #expect(context.mistakes.mistakes.map(\.description) == [])
        return try #require(expectation).judge(
            observation,
            scope: Words.scope(values),
            isRaw: isRaw,
            allow: StatusPattern.allowed(allow)
        )
    }

    @Test("holds")
    func good() throws {
        let answer = try Observation.answers("0102039000")
        let cases: [(Tree, Observation)] = [
            (["sw": "9000", "data": "010203"], answer), (["data": "01xx..."], answer),
            (["data": ["00", "010203"]], answer),
            (["data": ["not": "01"]], answer), (["data": ["len": "3", "match": "...03"]], answer),
            (["len": "1..3"], answer),
            (["sw": ["6A82", "9000"]], answer), (["sw": ["not": "6982"]], answer),
            (["sw": "not 6982"], answer),
            (["time": "<60ms", "total": "40ms..60ms"], answer), (["exchanges": "1"], answer),
            (["not": ["data": "01"]], answer), (["not": ["sw": "6982"]], answer),
            (["every": ["time": "<1s"]], answer), (["wire": [["data": "010203"]]], answer),
            (["sw": "6982"], try .answers("6982")), (["sw": "63Cx"], try .answers("9000", "63C2")),
            (["ascii": "abc"], try .answers("6162639000")), (["ascii": "re:a.c"], try .answers("6162639000")),
            (["data": .quoted("")], try .answers("9000")), (["len": "0"], try .answers("9000")),
            (["data": "FILE_1"], try .answers("E1A59000")),
            (["wire": [["sw": "6A82"], ["sw": "9000"]]], try .answers("6A82", "9000")),
            (["every": ["sw": ["9000", "6A82"]]], try .answers("6A82", "9000")),
            (["every": ["sw": ["9000", "6A82"]]], try .answers("9000", "6A82")),
        ]
        for (tree, observation) in cases {
            let judgement = try judge(tree, observation)
            #expect(judgement.mismatches.map(\.message) == [], "\(tree)")
            #expect(judgement.assertions > 0)
        }
    }

    @Test("does not hold, and says why")
    func bad() throws {
        let long = "000102030405060708090A0B0C0D0E0F10"
        let cases: [(Tree, Observation, [String])] = [
            (["sw": "9000"], try .answers("6982"), ["UnexpectedStatus: expected SW 9000, got 6982"]),
            (["data": "01"], try .answers("009000"), ["UnexpectedData: expected data 01, got 00"]),
            (["data": "01"], try .answers("6A82"), ["UnexpectedStatus: expected SW 9000, got 6A82"]),
            (
                ["sw": ["not": "9000"]], try .answers("9000"),
                ["UnexpectedStatus: expected SW not 9000, got 9000"]
            ),
            (
                ["data": .text(long)], try .answers("000102030405060708090A0B0C0D0E0FFF9000"),
                ["UnexpectedData: data differs at byte 16, counted from 0: expected 10, got FF"]
            ),
            (
                ["data": "0102"], try .answers("019000"),
                ["UnexpectedData: expected data of 2 bytes, got 1; the first 1 are equal"]
            ),
            (["data": "0102"], try .answers("9000"), ["UnexpectedData: expected data of 2 bytes, got none"]),
            (
                ["data": ["01", "02"]], try .answers("039000"),
                ["UnexpectedData: expected data 01 or 02, got 03"]
            ),
            (
                ["data": "re:0[12]"], try .answers("039000"),
                ["UnexpectedData: expected data re:0[12], got 03"]
            ),
            (["len": ">=2"], try .answers("039000"), ["UnexpectedData: expected len >=2, got 1"]),
            (["ascii": "ab"], try .answers("61639000"), ["UnexpectedData: expected ascii ab, got ac"]),
            (["time": "<10ms"], try .answers("9000"), ["TimingExceeded: expected time <10ms, took 12.3ms"]),
            (
                ["time": "<10ms"], try .answers("9000", "9000"),
                ["TimingExceeded: expected time <10ms, took 12.3ms (command 1 of 2, READ BINARY 00B00000)"]
            ),
            (["total": "<10ms"], try .answers("9000"), ["TimingExceeded: expected total <10ms, took 50ms"]),
            (["exchanges": "2..3"], try .answers("9000"), ["UnexpectedData: expected exchanges 2..3, got 1"]),
            (
                ["sw": "9000"], try .answers("6A82", "9000", commands: ["00A4040007D276000085010100"]),
                ["UnexpectedStatus: command 1 of 2 (SELECT 00A40400): expected SW 9000, got 6A82"]
            ),
            (
                ["not": ["sw": "9000"]], try .answers("9000"),
                ["UnexpectedStatus: SW 9000 was not expected, but is so"]
            ),
            (
                ["not": ["data": "01", "len": "1"]], try .answers("019000"),
                ["UnexpectedData: data 01, len 1 was not expected, but is so"]
            ),
            (
                ["every": ["len": "1"]], try .answers("019000", "9000"),
                ["UnexpectedData: command 2 of 2 (READ BINARY 00B00000): expected len 1, got 0"]
            ),
            (
                ["wire": [["sw": "9000"]]], try .answers("9000", "9000"),
                ["UnexpectedData: expected 1 command on the wire, saw 2"]
            ),
            (
                ["wire": [["data": "01"], ["data": "02"]]], try .answers("019000", "6A82"),
                ["UnexpectedStatus: command 2 of 2 (READ BINARY 00B00000): expected SW 9000, got 6A82"]
            ),
            (
                ["sw": "9000"], Observation(),
                ["UnexpectedStatus: expected SW 9000, but no command was answered"]
            ),
            (
                ["data": "01"], Observation(),
                ["UnexpectedData: 'data' is expected, but no command was answered"]
            ),
        ]
        for (tree, observation, wanted) in cases {
            let judgement = try judge(tree, observation)
            #expect(judgement.mismatches.map { "\($0.kind.rawValue): \($0.message)" } == wanted)
        }
    }

    @Test("a mismatch explains itself")
    func explained() throws {
        let status = try #require(try judge(["sw": "9000"], .answers("6982")).mismatches.first)
        #expect(status.expected == "SW 9000")
        #expect(status.received == "SW 6982 (security status not satisfied)")
        #expect(status.hint.contains("authentication"))
        #expect(status.position == Tree.place(5))

        let data = try #require(
            try judge(["data": "0102"], .answers("6F05840161A500" + "9000")).mismatches.first
        )
        #expect(data.expected == "data 0102")
        #expect(data.received == "data 6F05840161A500 (7 bytes)")
        #expect(data.decoded == ["6F 5", "  84 1 (aid): 61", "  A5 0"])
        #expect(data.hint == "they differ from byte 0 on, counted from 0")

        let text = try #require(try judge(["data": "0102"], .answers("48656C6C6F9000")).mismatches.first)
        #expect(text.decoded == ["text \"Hello\""])

        let hidden = try #require(
            try judge(["sw": "9000"], .answers("63C2", "9000", commands: ["0020000104313233FF"])).mismatches
                .first
        )
        #expect(!hidden.message.contains("313233"))
        #expect(hidden.received == "SW 63C2 (2 tries left)")
    }

    @Test("looks into TLV")
    func tags() throws {
        let answer = try Observation.answers(
            "6F1A8407D2760000850101A50F" + "61034F01AA" + "61034F01BB" + "60030102039000"
        )
        let good: [Tree] = [
            ["6F.84": "D2760000850101"], ["6F.aid": "D276..."], ["6F.A5.61.4F": "AA"],
            ["6F.A5.61(1).4F": "BB"],
            ["6F.A5.61.4F": ["match": "BB"]], ["6F.A5.61.4F": ["match": "${other}"]],
            ["6F.A5.walletPublicKey": "010203"],
            ["6F.A5.60": ["len": "3"]], ["6F.87": ["absent": "yes"]], ["6F.A5.60": ["absent": "no"]],
            ["6F.A5.60": ["01", "010203"]], ["6F.A5.60": ["not": "01"]],
        ]
        for tree in good {
            let judgement = try judge(["tlv": tree], answer, values: ["other": .bytes([0xBB])])
            #expect(judgement.mismatches.map(\.message) == [], "\(tree)")
        }
        let bad: [(Tree, String)] = [
            (["6F.84": "A0"], "expected tag 6F.84 A0, got D2760000850101"),
            (["6F.A5.61.4F": "BB"], "expected tag 6F.A5.61.4F BB, got AA"),
            (
                ["6F.A5.61.4F": ["match": "CC01"]],
                "expected tag 6F.A5.61.4F CC01, but none of 2 objects is that"
            ),
            (["6F.87": "01"], "expected tag 6F.87, but the answer has none"),
            (["6F.84": ["absent": "yes"]], "expected tag 6F.84 absent, got D2760000850101"),
        ]
        for (tree, wanted) in bad {
            #expect(
                try judge(["tlv": tree], answer).mismatches.map(\.message).map { $0.hasPrefix(wanted) } == [
                    true
                ],
                "\(wanted)"
            )
        }
        let broken = try judge(["tlv": ["84": "01"]], .answers("84059000"))
        #expect(
            broken.mismatches.first?.message.hasPrefix("expected tag 84, but the answer is no TLV") == true
        )
    }

    @Test("faults and typed errors are expected or not")
    func errors() throws {
        var fault = Observation()
        fault.fault = "card-removed"
        #expect(try judge(["fault": "card-removed"], fault) == Judgement(assertions: 1))
        #expect(try judge(["fault": ["timeout", "card-removed"]], fault).holds)
        // A fault that was not expected is booked elsewhere.
        #expect(try judge(["fault": "timeout"], fault) == Judgement())
        #expect(try judge(["sw": "9000"], fault) == Judgement())
        #expect(
            try judge(["fault": "timeout"], .answers("9000")).mismatches.map(\.message)
                == ["expected the fault timeout, but the step ended without one"]
        )

        var error = try Observation.answers("6A88")
        error.error = "walletNotFound"
        error.errorDetail = "the card has no such wallet"
        #expect(try judge(["error": "walletNotFound"], error, verb: Words.sign).holds)
        #expect(try judge(["sw": "6A88"], error, verb: Words.sign).holds)
        #expect(
            try judge(["error": "pinWrong"], error, verb: Words.sign).mismatches.map(\.message)
                == ["expected the error pinWrong, got walletNotFound"]
        )
        let unexpected = try #require(try judge(["count": "1"], error, verb: Words.sign).mismatches.first)
        #expect(unexpected.kind == .unexpectedError)
        #expect(unexpected.message == "got the error walletNotFound, expected none")
        #expect(
            unexpected.received
                == "error walletNotFound: the card has no such wallet, SW 6A88 (referenced data not found)"
        )
        #expect(
            try judge(["error": "pinWrong"], .answers("9000"), verb: Words.sign).mismatches.map(\.message)
                == ["expected the error pinWrong, but the step ended without one"]
        )
        #expect(
            Expectation.judgeDefault(error, at: Tree.place(1)).mismatches.map(\.kind) == [.unexpectedError]
        )
        #expect(Expectation.judgeDefault(fault, at: Tree.place(1)) == Judgement())
    }

    @Test("what must not be is judged beside an expected error as well")
    func negatedBesideError() throws {
        var error = try Observation.answers("6A88")
        error.error = "walletNotFound"
        let cases: [(Tree, [String])] = [
            (["total": "<1h"], ["total <1h was not expected, but is so"]),
            (["exchanges": "1..9"], ["exchanges 1..9 was not expected, but is so"]),
            (["len": "0"], ["len 0 was not expected, but is so"]),
            (["sw": "6A88"], ["SW 6A88 was not expected, but is so"]),
            (["error": "walletNotFound"], ["error walletNotFound was not expected, but is so"]),
            (["total": ">1h"], []), (["sw": "9000"], []), (["count": "1"], []), (["error": "pinWrong"], []),
        ]
        for (inner, messages) in cases {
            let judgement = try judge(
                ["error": "walletNotFound", "not": inner],
                error,
                verb: Words.sign
            )
            #expect(judgement.mismatches.map(\.message) == messages, "\(inner)")
        }
        // Only what is written for errors explains one.
        #expect(
            try judge(["not": ["total": ">1h"]], error, verb: Words.sign).mismatches.map(\.message)
                == ["got the error walletNotFound, expected none"]
        )
    }

    @Test("an exchange that another one went on from is not judged by the default status")
    func followed() throws {
        let command: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x02]
        func exchange(_ answer: String, _ milliseconds: Int) throws -> Observation.Exchange {
            Observation.Exchange(
                command: command,
                response: try ResponseAPDU(bytes: HexText.bytes(answer)),
                duration: .milliseconds(milliseconds)
            )
        }
        var seen = Observation()
        seen.note(try exchange("9000", 5))
        seen.note(
            try exchange("AABBCC6282", 80),
            on: [try exchange("6C01", 30), try exchange("AA6102", 30), try exchange("BBCC6282", 20)]
        )
        #expect(seen.exchanges.map(\.isContinued) == [false, true, true, false])
        #expect(seen.commands.map { $0.response?.data.count } == [0, 3])
        let good: [Tree] = [
            ["sw": "6282", "data": "AABBCC", "len": "3", "exchanges": "4", "time": "5ms..30ms"],
            ["wire": [["len": "0"], ["sw": "6C01"], ["data": "AA"], ["sw": "6282", "data": "BBCC"]]],
            ["every": ["time": "<40ms"], "sw": "6282"],
            ["every": ["sw": ["9000", "6Cxx", "61xx", "6282"]]],
        ]
        for tree in good {
            #expect(try judge(tree, seen).mismatches.map(\.message) == [], "\(tree)")
        }
        let bad: [(Tree, String)] = [
            (["wire": [["len": "0"], ["len": "0"], ["len": "1"], ["len": "2"]]], "command 4 of 4"),
            (["wire": [["sw": "9000"], ["sw": "9000"], ["len": "1"], ["sw": "6282"]]], "command 2 of 4"),
            (["every": ["sw": ["9000", "6Cxx", "6282"]]], "command 3 of 4"),
            (["time": "<30ms", "sw": "6282"], "expected time <30ms, took 30ms (command 2 of 4"),
        ]
        for (tree, start) in bad {
            let mismatches = try judge(tree, seen).mismatches
            #expect(mismatches.count == 1)
            #expect(mismatches.first?.message.hasPrefix(start) == true, "\(mismatches)")
        }
        #expect(try judge(bad[2].0, seen).mismatches[0].hint.hasPrefix("the command went on"))

        // A command that never got to the wire is the last one, and no exchange.
        seen.note(Observation.Exchange(command: command, response: nil, duration: .zero), on: [])
        #expect(seen.exchanges.count == 4)
        #expect(seen.commands.count == 3)
        #expect(seen.last == nil)
        seen.begin()
        seen.note(try exchange("9000", 5))
        #expect(seen.commands == seen.exchanges)
    }

    @Test("a step without an expectation asks for 9000 of every command")
    func byDefault() throws {
        let place = Tree.place(7)
        #expect(Expectation.judgeDefault(try .answers("9000", "9000"), at: place) == Judgement(assertions: 1))
        #expect(Expectation.judgeDefault(Observation(), at: place) == Judgement())
        let last = Expectation.judgeDefault(try .answers("9000", "6A82"), at: place)
        #expect(last.mismatches.map(\.message) == ["expected SW 9000, got 6A82"])
        #expect(last.mismatches.map(\.position) == [place])
        let earlier = Expectation.judgeDefault(try .answers("6A82", "9000"), at: place)
        #expect(earlier.mismatches.map(\.message).first?.hasPrefix("command 1 of 2") == true)
        let allow = StatusPattern.allowed(["guard", "6A82"])
        #expect(Expectation.judgeDefault(try .answers("6A82", "6A82"), at: place, allow: allow).holds)
        #expect(Expectation.judgeDefault(try .answers("6110", "9000"), at: place, isRaw: true).holds)
        #expect(!Expectation.judgeDefault(try .answers("6110", "9000"), at: place).holds)
    }

    @Test("result fields are compared by their type")
    func fields() throws {
        let fields: [String: Value] = [
            "signature": .bytes([1, 2]), "hashes": .list([.bytes([1]), .bytes([2])]),
            "firmware": .text("4.12r"), "count": .number(7),
            "took": .duration(.milliseconds(30)), "state": .text("open"), "isBackup": .boolean(true),
            "value": .bytes([9]),
            "settings": .map(["mask": .bytes([0xF0]), "tries": .number(3)]),
        ]
        let observation = try Observation.answers("9000", fields: fields)
        let values: [String: Value] = [
            "base": .number(3), "bytes": .bytes([1, 2]), "time": .duration(.milliseconds(20)),
            "text": .text("09"),
            "list": .list([.bytes([1]), .bytes([2])]), "counter": .bytes([0, 3]),
        ]
        let good: [Tree] = [
            ["signature": "01xx"], ["signature": "${bytes}"], ["signature": ["len": "2"]],
            ["signature": ["not": "02"]],
            ["hashes": ["01", "0x"]], ["hashes": "${list}"], ["hashes": ["match": "02"]],
            ["hashes": ["len": "2"]],
            ["firmware": "4.12r"], ["firmware": ["match": "4.12"]], ["firmware": ["match": "re:4\\.\\d+r"]],
            ["firmware": ["a", "4.12r"]],
            ["count": "7"], ["count": "5..9"], ["count": ">=2"], ["count": ">= 2 * ${base}"],
            ["count": "< 2.5 * ${counter}"],
            ["count": ["1", "7"]], ["count": ["not": "8"]],
            ["took": "<40ms"], ["took": "30ms"], ["took": "<= 1.5 * ${time}"], ["took": "> ${time}"],
            ["state": "open"], ["state": ["closed", "open"]], ["isBackup": "yes"], ["value": "09"],
            ["value": ["not": "08"]],
            ["value": "${text}"], ["value": "0x"], ["settings": ["mask": "F0", "tries": ">2"]],
        ]
        for tree in good {
            let judgement = try judge(tree, observation, verb: Words.sign, values: values)
            #expect(judgement.mismatches.map(\.message) == [], "\(tree)")
        }
        let bad: [(Tree, String)] = [
            (["signature": "0101"], "expected signature 0101, got 0102"),
            (["hashes": ["01"]], "expected hashes [01], got 01, 02"),
            (["firmware": "4.12"], "expected firmware 4.12, got 4.12r"),
            (["count": ">= 3 * ${base}"], "expected count >= 3 * ${base} (with ${base} = 3), got 7"),
            (["took": "<= 1.4 * ${time}"], "expected took <= 1.4 * ${time} (with ${time} = 20ms), got 30ms"),
            (["state": "closed"], "expected state closed, got open"),
            (["isBackup": "no"], "expected isBackup false, got true"),
            (["value": ["not": "${text}"]], "expected value not 09 (${text}), got 09"),
            (["settings": ["tries": "4"]], "expected settings {tries: 4}, got mask: F0, tries: 3"),
            (["signature": "${base}"], "expected signature 3 (${base}), got 0102"),
        ]
        for (tree, wanted) in bad {
            let judgement = try judge(tree, observation, verb: Words.sign, values: values)
            #expect(judgement.mismatches.map(\.message) == [wanted])
        }
        let missing = try judge(["count": "1"], .answers("9000"), verb: Words.sign)
        #expect(missing.mismatches.map(\.message) == ["the result has no 'count'"])
        var dark = Observation()
        dark.fields = ["state": .text("dark")]
        let led = try judge(["state": "lit"], dark, verb: Words.led)
        #expect(led.mismatches.map(\.kind) == [.probeMismatch])
    }

    @Test("looks at the records of an NDEF message")
    func ndef() throws {
        let records = Value.list([
            .map([
                "type": .text("U"), "payload": .bytes([1, 0x61]), "tnf": .number(1),
                "uri": .text("http://www.a"),
            ]),
            .map(["type": .bytes([0x54]), "payload": .bytes([2]), "tnf": .number(1), "id": .bytes([0x69])]),
        ])
        let observation = try Observation.answers("9000", fields: ["ndef": records])
        let good: [Tree] = [
            [["type": "U", "payload": "01xx"], ["type": "T"]],
            ["0": ["uri": "http://www.a"], "T": ["payload": "02"]],
            ["records": "2"], ["U": ["tnf": "1"]], ["1": ["id": "i"]],
        ]
        for tree in good {
            let judgement = try judge(["ndef": tree], observation, verb: Words.ndef)
            #expect(judgement.holds, "\(tree)")
        }
        for tree in [
            ["type": "U"], [["type": "U"]], ["2": ["type": "U"]], ["records": "1"], ["X": ["tnf": "1"]],
        ] as [Tree] {
            let judgement = try judge(["ndef": tree], observation, verb: Words.ndef)
            #expect(judgement.mismatches.map(\.message) == ["the NDEF message is not the expected one"])
            #expect(judgement.mismatches.first?.decoded.count == 2)
        }
    }

    @Test("a mistake in an expectation is told at its place")
    func mistakes() {
        let cases: [(Tree, VerbSpec, String)] = [
            (
                ["dta": "01"], Words.read,
                "a.yaml:3:5: unknown key 'dta' in what 'read' gives; did you mean 'data'?"
            ),
            (
                ["count": "1"], Words.led,
                "a.yaml:3:5: unknown key 'count' in what 'kit.led' gives; possible are total, within, fault, not, state"
            ),
            (["sw": "9000"], Words.led, "a.yaml:3:5: 'kit.led' sends no command, so 'sw' says nothing here"),
            (
                ["ndef": "x"], Words.read,
                "a.yaml:3:5: 'read' gives no NDEF message; expect 'ndef' of a verb that reads one"
            ),
            (
                "9000", Words.read,
                "a.yaml:3:10: a text stands where a mapping is wanted; write { sw: 9000 }, say"
            ),
            (
                .map([]), Words.read,
                "a.yaml:3:10: nothing is expected here; name what must hold, such as { sw: 9000 }"
            ),
            (
                ["sw": "900"], Words.read,
                "a.yaml:3:10: '900' is no status word; it has four hex digits, such as 9000, 61xx or 63Cx"
            ),
            (
                ["data": "FILE_9"], Words.read,
                "a.yaml:3:10: 'FILE_9' is neither hex nor a name of nbt; did you mean 'FILE_1'?"
            ),
            (
                ["data": "010"], Words.read,
                "a.yaml:3:12: 3 hex digits are no whole bytes; two digits make a byte"
            ),
            (
                ["data": ["nto": "01"]], Words.read,
                "a.yaml:3:5: unknown key 'nto' in an expected value; did you mean 'not'?"
            ),
            (["data": []], Words.read, "a.yaml:3:10: an empty list expects nothing; name what will do"),
            (["data": ""], Words.read, "a.yaml:3:10: what is expected is missing here"),
            (
                ["time": "60ms"], Words.read,
                "a.yaml:3:10: '60ms' is no bound; write \"<60ms\" in quotes, or a range such as 40ms..60ms"
            ),
            (["within": "60"], Words.led, "a.yaml:3:10: '60' has no unit; write 60ms or 60s"),
            (
                ["fault": "card-remove"], Words.read,
                "a.yaml:3:10: unknown fault 'card-remove'; did you mean 'card-removed'?"
            ),
            (["error": []], Words.sign, "a.yaml:3:10: 'error' takes a word, or a list of words"),
            (
                ["error": "walletNotFond"], Words.sign,
                "a.yaml:3:10: unknown error 'walletNotFond'; did you mean 'walletNotFound'?"
            ),
            (
                ["error": "nope"], Words.sign,
                "a.yaml:3:10: unknown error 'nope'; possible are walletNotFound, walletIsPurged, pinWrong"
            ),
            (
                ["error": "walletNotFound"], Words.read,
                "a.yaml:3:5: there is no device library behind 'read', so it never ends with an 'error'; expect 'sw', or a 'fault'"
            ),
            (
                ["error": "walletNotFound"], Words.led,
                "a.yaml:3:5: there is no device library behind 'kit.led', so it never ends with an 'error'; expect a 'fault', or what it gives"
            ),
            (
                ["within": "${a}"], Words.led,
                "a.yaml:3:10: 'within' cannot come from a variable; write it out"
            ),
            (
                ["within": "1s"], Words.read,
                "a.yaml:3:5: 'read' does not wait for a change, so 'within' says nothing here; 'total' limits its time, 'poll' tries again"
            ),
            (
                ["data": ["absent": "${a}"]], Words.read,
                "a.yaml:3:10: 'absent' cannot come from a variable; write it out"
            ),
            (
                ["tlv": ["6F.walletPublicKe": "01"]], Words.read,
                "a.yaml:3:8: 'walletPublicKe' is neither a tag in hex nor a tag of nbt; did you mean 'walletPublicKey'?"
            ),
            (["tlv": ["6F.9F": "01"]], Words.read, "a.yaml:3:8: '9F' is not one BER-TLV tag"),
            (
                ["tlv": "01"], Words.read,
                "a.yaml:3:10: 'tlv' takes a mapping of tags to what is expected, such as { 6F.84: A000000003 }"
            ),
            (
                ["wire": ["sw": "9000"]], Words.read,
                "a.yaml:3:10: 'wire' takes a list with one expectation for each command"
            ),
            (
                ["every": ["total": "<1s"]], Words.read,
                "a.yaml:3:5: unknown key 'total' in an exchange; possible are sw, data, len, ascii, tlv, time, not"
            ),
            (
                ["state": "lid"], Words.led,
                "a.yaml:3:10: 'lid' is not possible here; lit, dark are; did you mean 'lit'?"
            ),
            (
                ["settings": ["mas": "01"]], Words.sign,
                "a.yaml:3:5: unknown key 'mas' in the result; did you mean 'mask'?"
            ),
            (["data": "${a"], Words.read, "a.yaml:3:10: '${a' has no end; write ${a}"),
            (["data": "re:("], Words.read, ""),
        ]
        for (tree, verb, wanted) in cases {
            let context = Words.context()
            #expect(Expectation.read(tree.node, verb: verb, in: context) == nil)
            #expect(context.mistakes.mistakes.count == 1)
            if !wanted.isEmpty { #expect(context.mistakes.mistakes.first?.description == wanted) }
        }
    }

    @Test("variables of an expectation are named, filled, and told when they do not fit")
    func variables() throws {
        let tree: Tree = [
            "data": "01${rest}...", "sw": "${sw}", "count": ">= 2 * ${base}",
            "not": ["signature": "${bytes}"],
            "every": ["len": "${len}"],
        ]
        let context = Words.context()
        let expectation = try #require(Expectation.read(tree.node, verb: Words.sign, in: context))
        #expect(expectation.references.map(\.name) == ["rest", "sw", "base", "bytes", "len"])
        #expect(expectation.references.map(\.position.column) == [12, 10, 17, 10, 10])
        let values: [String: Value] = [
            "rest": .bytes([2]), "sw": .statusWord(StatusWord(rawValue: 0x6310)), "base": .number(2),
            "bytes": .bytes([1]),
            "len": .number(3),
        ]
        let observation = try Observation.answers(
            "0102036310",
            fields: ["count": .number(4), "signature": .bytes([2])]
        )
        #expect(
            try expectation.judge(observation, scope: Words.scope(values)).mismatches.map(\.message) == []
        )
        #expect(throws: ScenarioMistake.self) { try expectation.judge(observation, scope: Words.scope()) }

        let time = try #require(
            Expectation.read(Tree.map([("time", "${t}")]).node, verb: Words.read, in: context)
        )
        let mistake = #expect(throws: ScenarioMistake.self) {
            try time.judge(observation, scope: Words.scope(["t": .duration(.seconds(1))]))
        }
        #expect(mistake?.description == "a.yaml:3:10: ${t}: this takes a bound such as <60ms, not a time")
    }
}
