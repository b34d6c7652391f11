// SPDX-License-Identifier: MIT

import JSONText
import Testing

@Suite("Reading JSON")
struct JSONParsingTests {
    @Test(
        "values are read",
        arguments: [
            ("null", JSON.null), ("true", true), (" false\n", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("999999999999999999", .integer(999_999_999_999_999_999)),
            ("1000000000000000000", .integer(1_000_000_000_000_000_000)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
            ("-0.0", .number(-0.0)),
            ("1e3", .number(1000)), ("1E-2", .number(0.01)), ("12.25e+2", .number(1225)), ("0e0", .number(0)),
            ("1e-400", .number(0)), ("[]", []), ("[ ]", []), ("{}", .object([])), ("{ }", .object([])),
            ("[1, \"a\",[null]]", [1, "a", [.null]]), ("\t\r\n [\t1\r\n]\n", [1]),
            (
                "{\"b\":1,\"a\":{\"c\":[]}}",
                .object([.init("b", 1), .init("a", .object([.init("c", [])]))])
            ),
        ] as [(String, JSON)]
    )
    func values(_ text: String, _ value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
    }

    @Test(
        "strings are decoded",
        arguments: [
            (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\uD83D\uDE00""#, "😀"), ("\"é€😀\"", "é€😀"), (#""x\u0000y""#, "x\u{0}y"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""\uD800""#, "\u{FFFD}"), (#""\uDC00x""#, "\u{FFFD}x"), (#""\uD800\n""#, "\u{FFFD}\n"),
            (#""\uD800\u0041""#, "\u{FFFD}A"), (#""\uD800\uD83D\uDE00""#, "\u{FFFD}😀"),
            ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
            (#""plain then \n plain""#, "plain then \n plain"), (#""\\""#, "\\"), (#""e\u0301""#, "e\u{301}"),
        ]
    )
    func strings(_ text: String, _ value: String) throws {
        #expect(try JSON(parsing: text).string?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
    }

    @Test(
        "what is no JSON is refused at its place",
        arguments: [
            ("", 1, 1, "the text ends where a value should be"),
            (" \n ", 2, 2, "the text ends where a value should be"),
            ("nul", 1, 1, "this is no value"), ("True", 1, 1, "this is no value"),
            ("01", 1, 1, "this is no value"),
            ("-", 1, 1, "this is no value"), ("+1", 1, 1, "this is no value"),
            (".5", 1, 1, "this is no value"),
            ("-01", 1, 1, "this is no value"), ("NaN", 1, 1, "this is no value"),
            ("1.", 1, 3, "digits are missing after '.'"),
            ("1e", 1, 3, "digits are missing in the exponent"),
            ("1e+", 1, 4, "digits are missing in the exponent"),
            ("1e400", 1, 1, "the number 1e400 is out of range"),
            ("1 2", 1, 3, "more text after the end of the document"),
            ("[1,\n 2,\n x]", 3, 2, "this is no value"), ("[1 2]", 1, 4, "',' or ']' is missing"),
            ("[1,]", 1, 4, "this is no value"),
            ("[", 1, 2, "the text ends where a value should be"), ("[1", 1, 3, "',' or ']' is missing"),
            ("{\"a\" 1}", 1, 6, "':' is missing after the key \"a\""),
            ("{\"a\":1,}", 1, 8, "a key in quotes is missing"),
            ("{a:1}", 1, 2, "a key in quotes is missing"),
            ("{\"a\":1 \"b\":2}", 1, 8, "',' or '}' is missing"),
            ("{\"a\":}", 1, 6, "this is no value"), ("{", 1, 2, "a key in quotes is missing"),
            ("\"abc", 1, 5, "the text ends inside a string"),
            ("\"a\\", 1, 4, "the text ends inside a string"),
            ("\"a\\n", 1, 5, "the text ends inside a string"),
            ("\"a\tb\"", 1, 3, "a control character in a string must be escaped"),
            ("\"\\n\u{1}\"", 1, 4, "a control character in a string must be escaped"),
            ("\"\\x\"", 1, 2, "'\\' is followed by no escape that JSON knows"),
            ("\"\\u12G4\"", 1, 6, "'\\u' needs four hex digits"),
            ("\"\\u12", 1, 6, "'\\u' needs four hex digits"),
            ("\"\\u+123\"", 1, 4, "'\\u' needs four hex digits"),
            ("\"\\uD800\\u00\"", 1, 12, "'\\u' needs four hex digits"), ("'a'", 1, 1, "this is no value"),
            ("[1]\u{0}", 1, 4, "more text after the end of the document"),
            ("// x\n1", 1, 1, "this is no value"),
        ]
    )
    func refusals(_ text: String, _ line: Int, _ column: Int, _ message: String) throws {
        let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error.description == "line \(line), column \(column): \(message)")
    }

    @Test(
        "bytes that are not UTF-8 are refused at the byte",
        arguments: [
            ([0x22, 0x41, 0xFF, 0x22], 3), ([0x22, 0xC3, 0xA9, 0xC3, 0x22], 4),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
            ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0x5C, 0x6E, 0x80, 0x22], 4), ([0xFF], 1),
            ([0xEF, 0xBB, 0xBF, 0x31], 1),
        ] as [([UInt8], Int)]
    )
    func notUTF8(_ bytes: [UInt8], _ column: Int) throws {
        let error = try #require(throws: JSONError.self) { try JSON(parsing: bytes) }
        #expect(error.column == column)
    }

    @Test("nesting is read to its limit and refused beyond")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try JSON(parsing: nested(JSON.depthLimit)).array?.count == 1)
        let error = try #require(throws: JSONError.self) { try JSON(parsing: nested(JSON.depthLimit + 1)) }
        #expect(error.message == "nested deeper than 128 levels")
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("every beginning of a document is refused, not crashed on")
    func beginnings() throws {
        let text =
            #"{"n":1,"t_us":0.5e1,"c":"00A4","r":"9000","ok":[true,false,null],"name":"\u00e9\n\uD83D\uDE00 x"}"#
        let bytes = Array(text.utf8)
        let whole = try JSON(parsing: bytes)
        #expect(whole["name"]?.string == "é\n😀 x")
        for count in 0..<bytes.count {
            #expect(throws: JSONError.self, "\(count) bytes") {
                try JSON(parsing: Array(bytes.prefix(count)))
            }
        }
    }

    @Test("a key that comes twice is kept twice, the last one is found")
    func twice() throws {
        let object = try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)
        #expect(object.members?.count == 3)
        #expect(object["a"] == 3)
        #expect(object["c"] == nil)
    }

    @Test("a value is nothing else than what it is")
    func accessors() {
        #expect(JSON.integer(1).double == 1)
        #expect(JSON.number(1).integer == nil)
        #expect(JSON.string("1").integer == nil)
        #expect(JSON.boolean(true).integer == nil)
        #expect(JSON.null.string == nil)
        #expect(JSON.integer(1)["a"] == nil)
        #expect(JSON.boolean(true).boolean == true)
        #expect(JSON.array([1]).array?.count == 1)
        #expect(JSON.array([1]).members == nil)
    }

    @Test("a long document is read whole")
    func long() throws {
        let line =
            #"{"n":1,"t_us":1500.25,"c":"00A4040007D276000085010100","r":"9000","us":412.3,"step":"setup.1 select"}"#
        let text = "[" + Array(repeating: line, count: 20_000).joined(separator: ",\n") + "]"
        let records = try #require(try JSON(parsing: text).array)
        #expect(records.count == 20_000)
        #expect(records.allSatisfy { $0["us"] == .number(412.3) })
    }

    @Test("a long list is handed on, what stands beside it stays")
    func handingOn() throws {
        let text = """
            {"a": [{"b": [1, [2], {"a": [{"b": [9]}]}], "c": 3}, {"c": 4}, {"b": []}, {"b": [5]}], "b": [6],
            "d": {"b": [7]}, "e": [{"b": [8]}]}
            """
        var handed: [String] = []
        let document = try JSON(parsing: Array(text.utf8), handingOn: ["a", "b"]) { indexes, element in
            handed.append("\(indexes) \(element.text)")
        }
        #expect(handed == ["[0, 0] 1", "[0, 1] [2]", #"[0, 2] {"a":[{"b":[9]}]}"#, "[3, 0] 5"])
        #expect(
            document.text
                == #"{"a":[{"b":[],"c":3},{"c":4},{"b":[]},{"b":[]}],"b":[6],"d":{"b":[7]},"e":[{"b":[8]}]}"#
        )
    }

    @Test(
        "a list that is not on the way is not handed on",
        arguments: ["[{\"b\":[1]}]", "{\"a\":{\"b\":[1]}}", "{\"a\":[[{\"b\":[1]}]]}"]
    )
    func beside(_ text: String) throws {
        let document = try JSON(parsing: Array(text.utf8), handingOn: ["a", "b"]) { _, element in
            Issue.record("\(element.text) was handed on")
        }
        #expect(document.text == text)
    }

    @Test("a mistake behind elements that were handed on has its place")
    func handingOnMistake() {
        var count = 0
        let error = #expect(throws: JSONError.self) {
            try JSON(parsing: Array(#"{"a":[{"b":[1,2,}]}]}"#.utf8), handingOn: ["a", "b"]) { _, _ in
                count += 1
            }
        }
        #expect(count == 2)
        #expect(error?.column == 17)
    }
}
