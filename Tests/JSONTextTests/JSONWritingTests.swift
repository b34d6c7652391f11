// SPDX-License-Identifier: MIT

import JSONText
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test("a document is written on one line")
    func oneLine() {
        let value: JSON = .object([
            .init("n", 1), .init("list", [true, .null, "a"]), .init("empty", []), .init("none", .object([])),
            .init("x", .number(0.5)),
        ])
        #expect(value.text == #"{"n":1,"list":[true,null,"a"],"empty":[],"none":{},"x":0.5}"#)
    }

    @Test("a document is written for people")
    func pretty() {
        let value: JSON = .object([.init("a", [1, [2]]), .init("b", .object([.init("c", [])]))])
        #expect(
            value.prettyText == """
                {
                  "a": [
                    1,
                    [
                      2
                    ]
                  ],
                  "b": {
                    "c": []
                  }
                }

                """
        )
    }

    @Test("members without a value are left out")
    func leftOut() {
        let missing: String? = nil
        #expect(
            JSON.object(["a": 1, "b": missing.map { .string($0) }, "c": .null]).text == #"{"a":1,"c":null}"#
        )
    }

    @Test(
        "texts are escaped where JSON asks for it",
        arguments: [
            ("", #""""#), ("plain é😀", "\"plain é😀\""), ("a\"b\\c/", #""a\"b\\c/""#),
            ("\n\r\t\u{8}\u{0}\u{1F}", #""\n\r\t\u0008\u0000\u001f""#),
            ("\u{7F}", #""\u007f""#), ("e\u{301}\n", "\"e\u{301}\\n\""), ("\r\n", #""\r\n""#),
        ]
    )
    func escapes(_ text: String, _ json: String) throws {
        #expect(JSON.string(text).text == json)
        #expect(try JSON(parsing: json) == .string(text))
    }

    @Test(
        "numbers come back as they were",
        arguments: [
            0, -1, 0.1, 412.3, 1e16, 1e-7, 1.7976931348623157e308, Double.leastNonzeroMagnitude, -0.0,
            123_456_789.123,
        ]
    )
    func numbers(_ value: Double) throws {
        #expect(try JSON(parsing: JSON.number(value).text).double == value)
    }

    @Test("what JSON cannot say of a number is null", arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(_ value: Double) {
        #expect(JSON.number(value).text == "null")
    }

    @Test("integers at their limits come back", arguments: [Int.min, -1, 0, 1, Int.max])
    func integers(_ value: Int) throws {
        #expect(try JSON(parsing: JSON.integer(value).text) == .integer(value))
    }
}
