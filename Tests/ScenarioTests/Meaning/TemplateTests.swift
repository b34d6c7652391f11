// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Scenario
import SmartCard
import Testing

@Suite("Values of arguments")
struct TemplateTests {
    /// Reads an argument; the mistakes come as text.
    private func read(_ tree: Tree, _ type: ArgumentType) -> (template: Template?, mistakes: [String]) {
        let context = Words.context()
        let template = Template.read(tree.node, as: type, in: context, key: Tree.place(5))
        return (template, context.mistakes.mistakes.map(\.description))
    }

    private func value(_ tree: Tree, _ type: ArgumentType, _ values: [String: Value]) -> String {
        let (template, mistakes) = read(tree, type)
        guard let template else { return mistakes.joined() }
        do {
            return "\(try template.value(in: Words.scope(values)))"
        } catch {
            return error.description
        }
    }

    @Test("reads literals by the type of the argument")
    func literals() throws {
        let cases: [(Tree, ArgumentType, Value)] = [
            ("0700", .bytes, .bytes([7, 0])), ("6E00", .bytes, .bytes([0x6E, 0])),
            (.quoted(""), .bytes, .bytes([])),
            ("CC", .bytes, .bytes([0xE1, 3])), ("FILE_2", .file, .bytes([0xE1, 0xA6])),
            ("E1A2", .file, .bytes([0xE1, 0xA2])),
            ("APPLICATION", .selector, .bytes([0xD2, 0x76, 0, 0, 0x85, 1, 1])),
            ("0x10", .number(0...255), .number(16)), ("200ms", .duration, .duration(.milliseconds(200))),
            ("on", .word(["on", "off"]), .text("on")), ("yes", .boolean, .boolean(true)),
            ("0700", .any, .text("0700")),
            ("a $${b}", .text, .text("a ${b}")),
            (["01", "02"], .list(.bytes), .list([.bytes([1]), .bytes([2])])),
            ("01", .list(.bytes), .list([.bytes([1])])),
            (["a", ["b"]], .any, .list([.text("a"), .list([.text("b")])])),
            (["k": "1"], .any, .map(["k": .text("1")])),
            (["n": "2"], .map([ArgumentSpec("n", .number(0...9), "a number")]), .map(["n": .number(2)])),
        ]
        for (tree, type, wanted) in cases {
            let (template, mistakes) = read(tree, type)
            #expect(template == .value(wanted), "\(tree) \(mistakes)")
        }
    }

    @Test("tells what is wrong with a literal, and where")
    func mistakes() {
        let cases: [(Tree, ArgumentType, String)] = [
            ("1_000", .bytes, "a.yaml:3:11: '_' is not a hex digit"),
            (.quoted("00zz"), .bytes, "a.yaml:3:13: 'z' is not a hex digit"),
            ("01020", .bytes, "a.yaml:3:14: 5 hex digits are no whole bytes; two digits make a byte"),
            (
                "FILE_9", .bytes,
                "a.yaml:3:10: 'FILE_9' is neither hex nor a name of nbt; did you mean 'FILE_1'?"
            ),
            ("banana", .file, "a.yaml:3:10: 'banana' is neither hex nor a name of nbt"),
            (
                "E1A2A3", .file,
                "a.yaml:3:10: a file is two bytes, such as E104, or a name; 3 bytes stand here"
            ),
            (
                "E1A2A3", .selector,
                "a.yaml:3:10: 3 bytes are neither a file (2 bytes) nor an AID (5 to 16 bytes)"
            ),
            ("", .bytes, "a.yaml:3:10: a value is missing; this takes bytes (hex, or a name)"),
            ("300", .number(0...255), "a.yaml:3:10: 300 is not possible here; 0 to 255 are"),
            ("0", .number(1 ... .max), "a.yaml:3:10: 0 is too small; 1 is the least"),
            (
                "offf", .word(["on", "off"]),
                "a.yaml:3:10: 'offf' is not possible here; on, off are; did you mean 'off'?"
            ),
            ("on", .boolean, "a.yaml:3:10: 'on' is neither yes nor no; did you mean 'no'?"),
            ("200", .duration, "a.yaml:3:10: '200' has no unit; write 200ms or 200s"),
            (["01"], .bytes, "a.yaml:3:10: this takes bytes (hex, or a name), not a list"),
            ("x", .map([]), "a.yaml:3:10: this takes a mapping, such as { key: value }"),
            ("${key", .bytes, "a.yaml:3:10: '${key' has no end; write ${key}"),
            (
                ["lenght": "2"], .map([ArgumentSpec("length", .number(0...9), "how many")]),
                "a.yaml:3:5: unknown key 'lenght' in this mapping; did you mean 'length'?"
            ),
            (
                .map([]), .map([ArgumentSpec("length", .number(0...9), isRequired: true, "how many")]),
                "a.yaml:3:5: 'length' is missing here (how many)"
            ),
        ]
        for (tree, type, wanted) in cases {
            let (template, mistakes) = read(tree, type)
            #expect(mistakes == [wanted])
            #expect(template == nil)
        }
    }

    @Test("takes hex scalars as text, whatever YAML would make of them")
    func hexScalars() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(
            path: "Fixtures/meaning/hex-scalars.json"
        )
        let json = try JSON(parsing: [UInt8](Data(contentsOf: folder)))
        let texts = try #require(json["text"]?.members)
        let wanted = try #require(json["hex_ok"]?.members)
        #expect(wanted.count == 12)
        for member in wanted {
            let (key, value) = (member.key, member.value)
            let text = try #require(texts.first { $0.key == key }?.value.string)
            let (template, mistakes) = read(.text(text), .bytes)
            if value.string == "error: not hex" {
                #expect(mistakes == ["a.yaml:3:11: '_' is not a hex digit"])
            } else {
                let bytes = try HexText.bytes(value.string ?? "?")
                #expect(template == .value(.bytes(bytes)), "\(text)")
            }
        }
    }

    @Test("fills references in, with the type of the argument")
    func filled() {
        let values: [String: Value] = [
            "key": .bytes([1, 0x2F]), "text": .text("E1A5"), "name": .text("FILE_2"), "n": .number(3),
            "sw": .statusWord(.success), "ms": .duration(.milliseconds(12)),
            "list": .list([.bytes([7]), .bytes([8])]),
            "no": .text("no hex"),
        ]
        let cases: [(Tree, ArgumentType, String)] = [
            ("${key}", .bytes, "bytes([1, 47])"), ("${text}", .bytes, "bytes([225, 165])"),
            ("${name}", .file, "bytes([225, 166])"), ("00${key}FF", .bytes, "bytes([0, 1, 47, 255])"),
            ("${key}", .number(0...999), "number(303)"), ("${n}", .number(0...9), "number(3)"),
            ("${sw}", .bytes, "bytes([144, 0])"), ("${list(1)}", .bytes, "bytes([8])"),
            ("${key(0)}", .number(0...9), "number(1)"),
            ("${list}", .list(.bytes), "list([Scenario.Value.bytes([7]), Scenario.Value.bytes([8])])"),
            ("${key}", .list(.bytes), "list([Scenario.Value.bytes([1, 47])])"),
            ("${n}-${key}", .text, "text(\"3-012F\")"), ("took ${ms}", .any, "text(\"took 12ms\")"),
            ("${key}", .any, "bytes([1, 47])"), ("${ms}", .number(0...99), "number(12)"),
            ("${ms}", .duration, "duration(0.012 seconds)"),
            (
                "${n}", .bytes,
                "a.yaml:3:10: ${n}: the number 3 does not tell how many bytes it is; write it in hex"
            ),
            ("${key}", .number(0...9), "a.yaml:3:10: ${key}: 303 is not possible here; 0 to 9 are"),
            ("${no}", .bytes, "a.yaml:3:10: ${no}: 'n' is not a hex digit"),
            (
                "${list(2)}", .bytes,
                "a.yaml:3:10: 'list' has 2 elements; there is none at index 2, counted from 0"
            ),
            ("${n(0)}", .bytes, "a.yaml:3:10: 'n' is a number, not a list; it takes no index"),
            ("${keys}", .bytes, "a.yaml:3:10: the variable 'keys' has no value yet; did you mean 'key'?"),
            ("${key}", .duration, "a.yaml:3:10: ${key}: this takes a time such as 200ms, not bytes"),
        ]
        for (tree, type, wanted) in cases { #expect(value(tree, type, values) == wanted) }
    }

    @Test("names its references with their columns")
    func references() throws {
        let tree: Tree = ["a": .quoted("x${one}$${no}${two(1)}"), "b": ["${three}", "4"]]
        let template = try #require(read(tree, .any).template)
        #expect(template.references.map(\.name) == ["one", "two", "three"])
        #expect(template.references.map(\.position.column) == [12, 24, 10])
    }

    @Test("gives a literal the type of the variable beside it")
    func literalBeside() {
        let dictionary = Words.dictionary
        #expect(Value.text("0102").converted(like: .bytes([9]), dictionary: dictionary) == .bytes([1, 2]))
        #expect(
            Value.text("9000").converted(like: .statusWord(.success), dictionary: nil)
                == .statusWord(.success)
        )
        #expect(Value.text("7").converted(like: .number(1), dictionary: nil) == .number(7))
        #expect(Value.text("x").converted(like: .number(1), dictionary: nil) == nil)
        #expect(
            Value.list([.text("01")]).converted(like: .list([.bytes([])]), dictionary: nil)
                == .list([.bytes([1])])
        )
    }

    @Test("bytes as a number are unsigned, the first byte highest")
    func bigNumbers() throws {
        let type = ArgumentType.number(.min ... .max)
        #expect(try Value.bytes([0x80]).converted(to: type, dictionary: nil) == .number(128))
        #expect(
            try Value.bytes([0, 0, 0, 0, 0, 0, 0, 0, 1, 0]).converted(to: type, dictionary: nil)
                == .number(256)
        )
        #expect(throws: TextError.self) {
            try Value.bytes([UInt8](repeating: 0xFF, count: 8)).converted(to: type, dictionary: nil)
        }
        #expect(throws: TextError.self) { try Value.bytes([]).converted(to: type, dictionary: nil) }
    }
}
