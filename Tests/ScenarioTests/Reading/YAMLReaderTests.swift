// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@testable import Scenario

/// A text that YAML takes for something else, and the sentence about it.
struct Clash: CustomTestStringConvertible, Sendable {
    /// What stands behind `      - select: ` in line 7.
    let value: String
    /// The mistakes, without the file's name.
    let told: [String]

    var testDescription: String { value }

    static let all = [
        Clash(
            value: "{ file: >40ms, x: 1 }",
            told: [#"7:25: >40ms must be quoted, since YAML takes a leading '>' for its own; write ">40ms""#]
        ),
        Clash(
            value: "{ file: !6982}",
            told: [#"7:25: !6982 must be quoted, since YAML takes a leading '!' for its own; write "!6982""#]
        ),
        Clash(
            value: "[${a}, 1]",
            told: [#"7:18: ${a} must be quoted inside brackets and braces; write "${a}""#]
        ),
        Clash(
            value: ">40ms",
            told: [#"7:17: >40ms must be quoted, since YAML takes a leading '>' for its own; write ">40ms""#]
        ),
        Clash(
            value: ">2",
            told: [#"7:17: >2 must be quoted, since YAML takes a leading '>' for its own; write ">2""#]
        ),
        Clash(
            value: ">= 2",
            told: [#"7:17: >= 2 must be quoted, since YAML takes a leading '>' for its own; write ">= 2""#]
        ),
        Clash(
            value: "|x",
            told: [#"7:17: |x must be quoted, since YAML takes a leading '|' for its own; write "|x""#]
        ),
        Clash(
            value: "* any",
            told: [#"7:17: * any must be quoted, since YAML takes a leading '*' for its own; write "* any""#]
        ),
        Clash(
            value: "*any",
            told: [
                "7:17: '*any' is an alias to YAML, which scenarios do not use; a value that starts with '*' must be quoted"
            ]
        ),
        Clash(
            value: "&any CC",
            told: [
                "7:17: '&any' is an anchor to YAML, which scenarios do not use; a value that starts with '&' must be quoted"
            ]
        ),
        Clash(
            value: "& any",
            told: [#"7:17: & any must be quoted, since YAML takes a leading '&' for its own; write "& any""#]
        ),
        Clash(
            value: "!6982",
            told: [
                "7:17: '!6982' is a tag to YAML, which scenarios do not use; a value that starts with '!' must be quoted"
            ]
        ),
        Clash(
            value: "!a!b",
            told: [#"7:17: !a!b must be quoted, since YAML takes a leading '!' for its own; write "!a!b""#]
        ),
        Clash(
            value: "!<",
            told: [#"7:17: !< must be quoted, since YAML takes a leading '!' for its own; write "!<""#]
        ),
        Clash(
            value: "[1] CC",
            told: [
                #"7:17: [1] CC must be quoted, since YAML takes a leading '[' for its own; write "[1] CC""#
            ]
        ),
        Clash(
            value: "{1} CC",
            told: [
                #"7:17: {1} CC must be quoted, since YAML takes a leading '{' for its own; write "{1} CC""#
            ]
        ),
        Clash(
            value: "[1",
            told: [
                "7:17: the '[' that opens here is not closed with ']'; a value that starts with '[' must be quoted"
            ]
        ),
        Clash(
            value: "{ a: 1",
            told: [
                "7:17: the '{' that opens here is not closed with '}'; a value that starts with '{' must be quoted"
            ]
        ),
        Clash(
            value: "[1, 2}",
            told: [
                "7:22: expected ',' or ']' in the list that opens with '[' in column 17; a text with brackets, braces, commas "
                    + "or ': ' must be quoted"
            ]
        ),
        Clash(
            value: "{ file: ${name} }",
            told: [#"7:25: ${name} must be quoted inside brackets and braces; write "${name}""#]
        ),
        Clash(value: "? CC", told: ["7:17: a value that starts with '?' must be quoted"]),
        Clash(
            value: "%CC",
            told: [#"7:17: %CC must be quoted, since YAML takes a leading '%' for its own; write "%CC""#]
        ),
        Clash(
            value: "@CC",
            told: [#"7:17: @CC must be quoted, since YAML takes a leading '@' for its own; write "@CC""#]
        ),
        Clash(
            value: "`CC`  # note",
            told: [#"7:17: `CC` must be quoted, since YAML takes a leading '`' for its own; write "`CC`""#]
        ),
        Clash(value: "CC: E103", told: [#"7:17: a text with ': ' in it must be quoted; write "CC: E103""#]),
        Clash(
            value: "\"CC\" E103",
            told: ["7:22: nothing may follow the closing quote; quote the whole text"]
        ),
        Clash(value: "\"CC", told: ["7:17: the quote that opens here is never closed"]),
        Clash(
            value: "\"\\d\"",
            told: ["7:18: a double-quoted text has an escape that YAML does not know; use single quotes"]
        ),
        Clash(
            value: "- CC",
            told: [
                "7:17: a list cannot start behind a key in the same line; start it with '- ' in the next line"
            ]
        ),
        Clash(value: "CC\n\t  optional: yes", told: ["8:1: a tab cannot indent YAML; use spaces"]),
        Clash(
            value: "CC\n     optional: yes",
            told: ["8:6: this line does not fit the indentation of the lines above it"]
        ),
        Clash(
            value: "CC\n        optional yes\n",
            told: ["8:9: 'optional yes' has no ':' behind it; a key is followed by ': '"]
        ),
    ]
}

@Suite("YAML of scenarios")
struct YAMLReaderTests {
    private static let head = "rig: 1\nsuite: t\ntarget: nbt\ncases:\n  - name: a\n    steps:\n"

    @Test("a clash with YAML is named by its cause", arguments: Clash.all)
    func clashes(_ clash: Clash) {
        let told = ReadingFixtures.mistakes(Self.head + "      - select: " + clash.value + "\n")
        #expect(told == clash.told)
    }

    @Test("scalars stay text, whatever they look like")
    func scalarsStayText() throws {
        let collector = MistakeCollector()
        let outcome = YAMLReader.read(
            Array(try ReadingFixtures.text("scalars.yaml").utf8),
            file: "scalars.yaml",
            mistakes: collector
        )
        let expected = try JSON(parsing: try ReadingFixtures.text("scalars.json"))
        let entries = try #require(outcome.root?.entries)
        #expect(collector.mistakes.isEmpty)
        #expect(entries.count == 12)
        let context = ReadingContext(vocabulary: ReadingVocabulary.shared, target: "nbt", mistakes: collector)
        for entry in entries {
            #expect(entry.value.text == expected["text"]?[entry.key]?.string)
            let wanted = expected["hex_ok"]?[entry.key]?.string
            let value = Template.read(entry.value, as: .bytes, in: context)
            if wanted == "error: not hex" {
                #expect(value == nil)
            } else {
                guard case .value(.bytes(let bytes)) = value else {
                    Issue.record("\(entry.key) is not read as bytes")
                    continue
                }
                #expect(bytes.map { String(format: "%02X", $0) }.joined() == wanted)
            }
        }
        #expect(collector.mistakes.map(\.position.description) == ["scalars.yaml:10:5"])
    }

    /// Values of one kind, with the bytes that each means; nil where it is no hex.
    private static let lookalikes: [[(text: String, hex: String?)]] = [
        // Octal, exponents, signs, times of day in base 60, infinity.
        [
            ("0700", "0700"), ("0010", "0010"), ("1E3A", "1E3A"), ("6E00", "6E00"), ("12E03456", "12E03456"),
            ("0o17", nil), ("0x1F", "1F"), ("12:30", "1230"), ("19:06:45", "190645"), ("+12", nil),
            (".inf", nil),
            ("1_0", nil), ("0b1010", "0B1010"),
        ],
        // Truth, dates, nothing, and text that is hex by chance.
        [
            ("2026-11-30", "20261130"), ("on", nil), ("yes", nil), ("true", nil), ("null", nil),
            ("FACE", "FACE"),
            ("dead", "DEAD"), ("00", "00"), ("0e0e", "0E0E"), ("-1", nil), ("1,2", nil),
        ],
    ]

    @Test(
        "values that loaders take for numbers, times or truth stay what they are (S41)",
        arguments: lookalikes.indices
    )
    func numbersStayText(index: Int) throws {
        for (text, hex) in Self.lookalikes[index] {
            let collector = MistakeCollector()
            let outcome = YAMLReader.read(Array("v: \(text)\n".utf8), file: "t.yaml", mistakes: collector)
            let node = try #require(outcome.root?.entries?.first?.value)
            #expect(node.text == text)
            let context = ReadingContext(
                vocabulary: ReadingVocabulary.shared,
                target: "nbt",
                mistakes: collector
            )
            let value = Template.read(node, as: .bytes, in: context)
            guard let hex else {
                #expect(value == nil, "\(text)")
                #expect(collector.mistakes.count == 1, "\(text)")
                #expect(collector.mistakes.first?.position.line == 1)
                #expect(collector.mistakes.first.map { $0.position.column >= 4 } == true)
                continue
            }
            #expect(collector.mistakes.isEmpty, "\(text)")
            guard case .value(.bytes(let bytes)) = value else {
                Issue.record("\(text) is not read as bytes")
                continue
            }
            #expect(bytes.map { String(format: "%02X", $0) }.joined() == hex, "\(text)")
        }
    }

    @Test("positions count characters from 1, quotes and wide letters too")
    func positions() throws {
        let collector = MistakeCollector()
        let text = "größe: \"€ 1\"\nliste: [ä, ö, { ü: x }]\r\nend: |\n  a\n  b\n"
        let root = try #require(YAMLReader.read(Array(text.utf8), file: "t", mistakes: collector).root)
        let entries = try #require(root.entries)
        let list = try #require(entries[1].value.elements)
        #expect(entries[0].value.position.description == "t:1:8")
        #expect(list.map(\.position.description) == ["t:2:9", "t:2:12", "t:2:15"])
        #expect(list[2].entries?.first?.value.position.description == "t:2:20")
        #expect(entries[2].value.content == .scalar("a\nb\n", isQuoted: true))
        #expect(entries[2].value.position.description == "t:3:6")
        #expect(collector.mistakes.isEmpty)
    }

    @Test("the rules of the subset have a sentence each")
    func subset() {
        let head = Array(Self.head.utf8)
        let step = Array("      - select: CC\n".utf8)
        #expect(ReadingFixtures.mistakes([]) == ["1:1: the file is empty; a scenario starts with 'rig: 1'"])
        #expect(
            ReadingFixtures.mistakes("# note\n") == [
                "1:1: the file is empty; a scenario starts with 'rig: 1'"
            ]
        )
        #expect(
            ReadingFixtures.mistakes("---\n") == ["1:1: the file is empty; a scenario starts with 'rig: 1'"]
        )
        #expect(
            ReadingFixtures.mistakes([0xEF, 0xBB, 0xBF] + head + step)
                == ["1:1: the file starts with a byte order mark; save it as UTF-8 without one"]
        )
        #expect(
            ReadingFixtures.mistakes([0xFF, 0xFE, 0x72, 0x00])
                == ["1:1: the file is UTF-16 text; save it as UTF-8 without a byte order mark"]
        )
        #expect(
            ReadingFixtures.mistakes(head + step + Array("---\nrig: 1\n".utf8))
                == ["8:1: a second document starts here; a scenario file holds one, so remove the '---'"]
        )
        #expect(ReadingFixtures.mistakes(head + step + Array("...\n".utf8)) == [])
        #expect(
            ReadingFixtures.mistakes("- a\n") == [
                "1:1: a scenario is a mapping that starts with 'rig: 1', not a list"
            ]
        )
        #expect(
            ReadingFixtures.mistakes(head + Array("      - select: C\u{7}C\n".utf8))
                == ["7:18: the character U+0007 is not text; remove it"]
        )
        #expect(
            ReadingFixtures.mistakes([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2])
                == ["1:1: the character U+007F is not text; remove it"]
        )
        #expect(
            ReadingFixtures.mistakes([0x41, 0, 0x42]) == [
                "1:2: the character U+0000 is not text; is it a binary file?"
            ]
        )
        #expect(
            ReadingFixtures.mistakes(head + [0x20, 0xC3, 0x28])
                == ["7:2: the file is not UTF-8 here; save it as UTF-8"]
        )
        #expect(
            ReadingFixtures.mistakes(head + Array("      - select: C\u{85}C\u{FFFE}\n".utf8)).count == 1
        )
    }

    @Test("nesting stops at 32 levels, however it is written")
    func nesting() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let sentence = "lists and mappings are nested deeper than 32 levels here"
        #expect(ReadingFixtures.mistakes("a: " + nested(31)).contains { $0.contains(sentence) } == false)
        #expect(ReadingFixtures.mistakes("a: " + nested(32)) == ["1:35: " + sentence])
        #expect(ReadingFixtures.mistakes("a: " + nested(200_000)) == ["1:35: " + sentence])
        #expect(ReadingFixtures.mistakes(String(repeating: "- ", count: 100_000)) == ["1:65: " + sentence])
    }

    @Test("a file of 1 MiB is read and one byte more refused")
    func size() {
        let head = Array((Self.head + "      - select: CC\n").utf8)
        let filler = [UInt8](repeating: 0x23, count: 1_048_576 - head.count)
        let sentence = "1:1: the file is longer than 1 MiB (1048576 bytes); split it into several suites"
        #expect(ReadingFixtures.mistakes(head + filler) == [])
        #expect(ReadingFixtures.mistakes(head + filler + [0x23]) == [sentence])
        #expect(ReadingFixtures.mistakes(head + filler + head + filler) == [sentence])
    }

    @Test("a key with many twins is found among many keys")
    func duplicates() {
        let lines = (0..<40).map { "k\($0): 1\n" }.joined() + "k7: 2\nk39: 2\n"
        let told = ReadingFixtures.mistakes(lines).filter { $0.contains("twice") }
        #expect(
            told == [
                "41:1: the key 'k7' is given twice; the first is in line 8",
                "42:1: the key 'k39' is given twice; the first is in line 40",
            ]
        )
    }
}
