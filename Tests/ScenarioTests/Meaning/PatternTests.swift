// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Testing

@Suite("Byte patterns, templates and paths")
struct PatternTests {
    @Test(
        "takes the bytes that a pattern means",
        arguments: [
            ("01", ["01"], ["00", "0101", ""]),
            ("0102", ["0102"], ["0103", "01"]),
            ("01xx03", ["010203", "01FF03"], ["0102", "010204", "01020304"]),
            ("6x", ["60", "6F"], ["70", "6060"]),
            ("x1", ["01", "F1"], ["02"]),
            ("01...", ["01", "0102", "01020304"], ["", "02"]),
            ("...03", ["03", "010203"], ["0304", ""]),
            ("01...03", ["0103", "010203"], ["01", "0301", "03"]),
            ("...", ["", "01"], []),
            ("(2)", ["0102"], ["01", "010203"]),
            ("01(2)04", ["01020304"], ["010204"]),
            ("00:A4-04, 00", ["00A40400"], ["00A404"]),
            ("0x01,0x02", ["0102"], ["01"]),
            ("0x", ["00", "0F"], ["10"]),
            ("0x0x", ["0001", "0F0F"], ["1000"]),
            ("re:(01|02)+", ["01", "0102"], ["", "03", "0103"]),
            ("re:9f.*", ["9F38"], ["389F"]),
            ("re:[0-9]{4}", ["0102"], ["01020304", "0A02"]),
        ]
    )
    func pattern(_ text: String, _ good: [String], _ bad: [String]) throws {
        let pattern = try BytePattern.parse(text)
        for hex in good { #expect(try pattern.matches(HexText.bytes(hex)), "\(hex)") }
        for hex in bad { #expect(try !pattern.matches(HexText.bytes(hex)), "\(hex)") }
    }

    @Test(
        "refuses what is no pattern, at the right column",
        arguments: [
            ("0g", "1: 'g' is not a hex digit"), ("1_000", "1: '_' is not a hex digit"),
            ("01é", "2: the character U+00E9 is not a hex digit"),
            ("010", "2: 3 hex digits are no whole bytes; two digits make a byte"),
            ("01x", "2: 3 hex digits are no whole bytes; two digits make a byte"),
            ("0 1x", "0: 1 hex digits are no whole bytes; two digits make a byte"),
            ("1...", "0: 1 hex digits are no whole bytes; two digits make a byte"),
            ("01..02", "2: '.' is not a hex digit; any rest is '...'"),
            ("...01...", "5: '...' may stand only once"),
            ("(2", "2: ')' is missing behind the number of bytes"),
            ("(x)", "1: 'x' begins no number such as 16 or 0x10"),
            ("(99999999)", "1: (99999999) is not possible; 0 to 65536 bytes are"),
        ]
    )
    func noPattern(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try BytePattern.parse(text) } == wanted)
    }

    @Test(
        "refuses a regular expression that is none, and tells where",
        arguments: [
            ("re:(01", 6), ("re:01|[0-", 9), ("re:é{2,1}0", 8), ("re:\\C", 5), ("re:(.*){1,32000}x", 17),
        ]
    )
    func noExpression(_ text: String, _ column: Int) {
        let refused = refusal { () throws(TextError) in try BytePattern.parse(text) }
        #expect(refused?.hasPrefix("\(column): '\(text.dropFirst(3))' is no regular expression: ") == true)
    }

    @Test(
        "gives up an expression that tries without end",
        arguments: ["(0|00)*[1-9]", "(.*)*[1-9]", "((0+)+)+[1-9]"]
    )
    func endless(_ expression: String) throws {
        let pattern = try BytePattern.parse("re:\(expression)")
        let told = refusal { () throws(TextError) in try pattern.matches([UInt8](repeating: 0, count: 400)) }
        #expect(
            told == "0: 're:\(expression)' takes too many tries on 800 characters; "
                + "write it without a repetition inside a repetition"
        )
        #expect(try pattern.matches([0x01]))
    }

    @Test(
        "matches a long answer with one repetition in a moment",
        arguments: [("(00|ff)*", true), ("(00|ff)*01", false)]
    )
    func longAnswer(_ expression: String, _ fits: Bool) throws {
        let answer = [UInt8](repeating: 0xFF, count: 65_536)
        #expect(try BytePattern.parse("re:\(expression)").matches(answer) == fits)
    }

    @Test("tells where bytes differ from a pattern")
    func difference() throws {
        let differences = [
            ("0102", "0102"), ("0102", "0103"), ("0102", "01"), ("0102", "010203"), ("01xx03", "01FF04"),
            ("01...03", "010204"),
        ].map { try? BytePattern.parse($0.0).firstDifference(from: HexText.bytes($0.1)) }
        #expect(differences == [nil, 1, 1, 2, 2, 2])
    }

    @Test(
        "splits texts into letters and references",
        arguments: [
            ("pay ${amount}", [.literal("pay "), .reference(name: "amount", index: nil)]),
            ("${list(0)}", [.reference(name: "list", index: 0)]),
            ("$${x}", [.literal("${x}")]),
            ("a$b", [.literal("a$b")]), ("5$", [.literal("5$")]), ("", []),
            ("${a}${b-c}", [.reference(name: "a", index: nil), .reference(name: "b-c", index: nil)]),
            ("$$${a}", [.literal("$${a}")]),
        ] as [(String, [TextPiece])]
    )
    func template(_ text: String, _ wanted: [TextPiece]) throws {
        let pieces = try TextTemplate.pieces(text)
        #expect(pieces == wanted)
    }

    @Test(
        "refuses references that are wrong",
        arguments: [
            ("pay ${amount", "4: '${amount' has no end; write ${amount}"),
            ("${}", "2: a name is missing in '${}'; write ${name}, or $${ for the letters"),
            ("${1a}", "2: '1a' is no name; a letter comes first, then letters, digits, '_' and '-'"),
            ("${a b}", "3: ' ' does not belong to a variable's name"),
            ("${a(x)}", "4: 'x' begins no number such as 16 or 0x10"),
            ("${a(-1)}", "4: an index counts from 0"),
            ("${a(1}", "5: ')' is missing behind the index of 'a'"),
            ("ü${", "3: a name is missing in '${}'; write ${name}, or $${ for the letters"),
        ]
    )
    func noTemplate(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try TextTemplate.pieces(text) } == wanted)
    }

    @Test("reads paths of results")
    func paths() throws {
        func parts(_ text: String) throws -> ([ResultPath.Part], ResultPath.Root) {
            let path = try ResultPath.parse(text)
            return (path.parts, path.root)
        }
        #expect(try parts("sw") == ([], .status))
        #expect(try parts("ms") == ([], .time))
        #expect(try parts("time") == ([], .time))
        #expect(try parts("data(2..)") == ([.range(2, nil)], .data))
        #expect(try parts("data(2..6)") == ([.range(2, 6)], .data))
        #expect(try parts("data(0)") == ([.index(0)], .data))
        #expect(try parts("ndef(1).payload") == ([.index(1), .key("payload")], .field("ndef")))
        #expect(try parts("ndef(U).payload") == ([.type("U"), .key("payload")], .field("ndef")))
        #expect(
            try parts("ndef(example.com:t).id") == ([.type("example.com:t"), .key("id")], .field("ndef"))
        )
        #expect(try parts("signature") == ([], .field("signature")))
        guard case (let parts, .tlv(let steps)) = try parts("tlv.6F.61(1).9F38(2..)") else {
            Issue.record("no TLV path")
            return
        }
        #expect(steps.map(\.tag) == ["6F", "61", "9F38"])
        #expect(steps.map(\.index) == [nil, 1, nil])
        #expect(parts == [.range(2, nil)])
    }

    @Test(
        "refuses paths that are wrong",
        arguments: [
            ("", "0: the end begins no path such as data(2..) or tlv.6F.84"),
            ("tlv", "3: a tag is missing behind 'tlv'; write tlv.84, say"),
            ("tlv.6F.", "7: a tag is missing behind '.'"),
            ("tlv.6F5", "4: the tag '6F5' has 3 hex digits; two digits make a byte"),
            ("data(", "5: the end is neither a number nor a type; write (0), (2..6) or (TYPE)"),
            ("data(6..2)", "5: the range is empty: its start lies above its end"),
            ("data(2", "6: ')' is missing in 'data(2'"),
            ("data.", "5: a name is missing behind '.'"),
            ("sw!", "2: '!' does not belong to a path such as data(2..) or tlv.6F.84"),
        ]
    )
    func noPath(_ text: String, _ wanted: String) {
        #expect(refusal { () throws(TextError) in try ResultPath.parse(text) } == wanted)
    }

    @Test("no text makes a parser crash")
    func anyText() {
        let letters = Array("0123456789abcdefxX.()[]${}<>=!-, *:re:notinpresentmsdata_tlv.6FüK\u{1}\"'")
        var state: UInt64 = 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var refusals = 0
        for _ in 0..<5_000 {
            let text = String((0..<random(14)).map { _ in letters[random(letters.count)] })
            let found: [String?] = [
                refusal { () throws(TextError) in try DurationText.parse(text) },
                refusal { () throws(TextError) in try NumberText.parse(text) },
                refusal { () throws(TextError) in try StatusPattern.parse(text) },
                refusal { () throws(TextError) in try BytePattern.parse(text) },
                refusal { () throws(TextError) in try TimeBound.parse(text) },
                refusal { () throws(TextError) in try CountRange.parse(text) },
                refusal { () throws(TextError) in try TextTemplate.pieces(text) },
                refusal { () throws(TextError) in try ResultPath.parse(text) },
                refusal { () throws(TextError) in try ResultPath.tags(text) },
                refusal { () throws(TextError) in try FirmwareVersion(text) },
            ]
            refusals += found.count { $0 != nil }
            let context = Words.context()
            _ = Condition.read(Tree.quoted(text).node, in: context)
            _ = Template.read(Tree.quoted(text).node, as: .selector, in: context)
            _ = Expectation.read(
                Tree.map([("data", .quoted(text)), (text, "1")]).node,
                verb: Words.read,
                in: context
            )
            #expect(
                context.mistakes.mistakes.allSatisfy { $0.position.column >= 5 && $0.position.column <= 40 }
            )
        }
        #expect(refusals > 20_000)
    }

    @Test("edges of numbers are refused, not overrun")
    func edges() {
        #expect(refusal { () throws(TextError) in try CountRange.parse(">9223372036854775807") } != nil)
        #expect(refusal { () throws(TextError) in try CountRange.parse("<-9223372036854775808") } != nil)
        #expect(refusal { () throws(TextError) in try NumberText.parse("-9223372036854775808") } == nil)
        #expect(refusal { () throws(TextError) in try ResultPath.parse("data(9223372036854775808)") } != nil)
        #expect(refusal { () throws(TextError) in try DurationText.parse("9223372036854775807ns") } != nil)
        func nested(_ depth: Int) -> String {
            "re:" + String(repeating: "(", count: depth) + "0" + String(repeating: ")", count: depth)
        }
        #expect(refusal { () throws(TextError) in try BytePattern.parse(nested(20)) } == nil)
        #expect(refusal { () throws(TextError) in try BytePattern.parse(nested(499)) } != nil)
        #expect(refusal { () throws(TextError) in try BytePattern.parse(nested(100_000)) } != nil)
    }
}
