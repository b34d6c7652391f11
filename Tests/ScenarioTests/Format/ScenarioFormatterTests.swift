// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Scenario

/// A file as somebody wrote it, and its canonical form.
struct FormatCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let canonical: String

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ canonical: String) {
        self.name = name
        self.text = text
        self.canonical = canonical
    }

    static let all = [
        FormatCase(
            "two blanks of indent, lists below their key",
            "rig:   1\nsuite: a\ntags:\n- x\n-   y\ncases:\n   -    name: b\n        steps:\n          - field:    on\n",
            "rig: 1\nsuite: a\ntags:\n  - x\n  - y\ncases:\n  - name: b\n    steps:\n      - field: on\n"
        ),
        FormatCase(
            "short collections stay in brackets",
            "limits: {apdu: 500ms,case:  20s}\ntags: [a,b , c ,]\nempty: [ ]\nnone: {}\n",
            "limits: { apdu: 500ms, case: 20s }\ntags: [a, b, c]\nempty: []\nnone: {}\n"
        ),
        FormatCase(
            "brackets over several lines become one line",
            "limits: {\n  apdu: 500ms,\n  case: 20s\n}\n",
            "limits: { apdu: 500ms, case: 20s }\n"
        ),
        FormatCase(
            "long brackets become a block",
            "words: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccc, dddddddd]\n",
            "words:\n  - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  - bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  - cccccccccccccccccccc\n  - dddddddd\n"
        ),
        FormatCase(
            "comments in brackets make a block",
            "tags: [   # why\n  a,  # first\n  # before\n  b\n]  # behind\nnext: 1\n",
            "tags:  # why\n  - a  # first\n  # before\n  - b\n  # behind\nnext: 1\n"
        ),
        FormatCase(
            "a comment behind a long line speaks of all of it",
            "words: { aaaaaaaaaaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2, ccccccccccccccccccc: 3, dddddddddddddddd: 4 } # all\n",
            "words:  # all\n  aaaaaaaaaaaaaaaaaaaaaaaa: 1\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2\n  ccccccccccccccccccc: 3\n  dddddddddddddddd: 4\n"
        ),
        FormatCase(
            "comments follow what they speak of",
            "# head\n\n\nrig: 1 # one\n\n\n# of suite\nsuite: a\nsetup: # before\n    # first\n    - field: on # on\n    # last\n# of cases\ncases: []\n# end\n",
            "# head\n\nrig: 1  # one\n\n# of suite\nsuite: a\nsetup:  # before\n  # first\n  - field: on  # on\n  # last\n# of cases\ncases: []\n# end\n"
        ),
        FormatCase(
            "a comment of the next item stays with it",
            "steps:\n- a: 1\n  b: 2\n  # of a\n# of c\n- c: 3\n# of next\nnext: 1\n",
            "steps:\n  - a: 1\n    b: 2\n    # of a\n  # of c\n  - c: 3\n# of next\nnext: 1\n"
        ),
        FormatCase(
            "a comment between key and value",
            "a: # one\n  value\nb:\n  # two\n  value # three\nc:\n  # four\n  # five\n  [x]\n",
            "a: value  # one\n# two\nb: value  # three\n# four\n# five\nc: [x]\n"
        ),
        FormatCase(
            "texts keep their quotes and their lines",
            "a: 'it''s'\nb: \"x\\ty\"\nc: one\n    two\n\n    three\nd: \"one\n  two \\\n  three\"\ne:    |  # kept\n     x\n       y\n\n     z\n\nf: >-\n  long\n  text\n",
            "a: 'it''s'\nb: \"x\\ty\"\nc: one\n  two\n\n  three\nd: \"one\n  two \\\n  three\"\ne: |  # kept\n  x\n    y\n\n  z\n\nf: >-\n  long\n  text\n"
        ),
        FormatCase(
            "kept empty lines of a text are counted once",
            "a: |+\n  x\n\n\nb: 1\n",
            "a: |+\n  x\n\n\nb: 1\n"
        ),
        FormatCase(
            "a document's start and end are left out, line ends are LF",
            "---\r\nrig: 1\r\n# c\r\nsuite: a\r\n...\r\n",
            "rig: 1\n# c\nsuite: a\n"
        ),
        FormatCase(
            "nothing stays nothing",
            "setup:\ncases: ''\nlist:\n  -\n  - {a: , b}\n  - [a: 1]\n",
            "setup:\ncases: ''\nlist:\n  -\n  - { a: , b: }\n  - [{ a: 1 }]\n"
        ),
        FormatCase("lists in lists", "a:\n- - x\n  - y\n-\n  - z\n", "a:\n  - - x\n    - y\n  - - z\n"),
        FormatCase("a dash in brackets", "a: [-]\n", "a: [\"-\"]\n"),
        FormatCase(
            "letters of two and four bytes",
            "a:   grün # ü\nb:   [🙂, \"é\"]\n",
            "a: grün  # ü\nb: [🙂, \"é\"]\n"
        ),
        FormatCase(
            "numbers that lose letters",
            "vars: {a: 0123, b: 12, c: 1e5, d: 0x10}\n",
            "vars: { a: \"0123\", b: 12, c: \"1e5\", d: 0x10 }\n"
        ),
    ]
}

@Suite("Formatting scenarios")
struct ScenarioFormatterTests {
    private static let formatter = ScenarioFormatter(vocabulary: ReadingVocabulary.shared)

    private func format(_ text: String, path: String = "t.yaml") throws -> String {
        switch Self.formatter.format(Array(text.utf8), path: path) {
        case .formatted(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .refused(let mistakes):
            Issue.record("refused: \(mistakes)")
            return ""
        }
    }

    @Test("writes the canonical form, and leaves it alone", arguments: FormatCase.all)
    func canonical(_ item: FormatCase) throws {
        #expect(try format(item.text) == item.canonical)
        #expect(try format(item.canonical) == item.canonical)
    }

    @Test("hex is put in quotes where other readers take it for a number")
    func hex() throws {
        let text = """
            rig: 1
            suite: t
            target: nbt
            cases:
              - name: a
                fault: { at: 1, kind: sw, sw: 6581 }
                steps:
                  - write: { file: FILE_1, offset: 10, data: 01 }
                    expect: { sw: [9000, 63Cx, 6E00], len: 2, data: { match: 0700 } }
                    allow: [6300, guard]
                  - read: { file: 'E104', length: 1 }
                    expect: { tlv: { 84: '6982', 6F.A5: 9000 } }
                  - send: 00:04:00:10
                  - send: 00B0000001
                  - send: { cla: 00, ins: B0, p1: "00", le: 16 }

            """
        let expected = """
            rig: 1
            suite: t
            target: nbt
            cases:
              - name: a
                fault: { at: 1, kind: sw, sw: "6581" }
                steps:
                  - write: { file: FILE_1, offset: 10, data: "01" }
                    expect: { sw: ["9000", 63Cx, "6E00"], len: 2, data: { match: "0700" } }
                    allow: ["6300", guard]
                  - read: { file: "E104", length: 1 }
                    expect: { tlv: { "84": "6982", 6F.A5: "9000" } }
                  - send: "00:04:00:10"
                  - send: 00B0000001
                  - send: { cla: "00", ins: B0, p1: "00", le: 16 }

            """
        #expect(try format(text) == expected)
        #expect(try format(expected) == expected)
        #expect(ReadingFixtures.mistakes(text).count == ReadingFixtures.mistakes(expected).count)
    }

    @Test("a library knows its hex without a target")
    func library() throws {
        let text =
            "steps:\n  x:\n    - write: { file: FILE_1, data: 00 }\n  y:\n    args: [z]\n    steps:\n      - tangem.set-pin: 0001\n"
        #expect(try format(text).contains("data: \"00\""))
        #expect(try format(text).contains("tangem.set-pin: \"0001\""))
    }

    @Test(
        "the scenarios of the fixtures keep what they say",
        arguments: ["nbt/led.yaml", "tangem/sign-purge.yaml", "wallet/init-pay.yaml"]
    )
    func examples(_ name: String) throws {
        let path = "\(ReadingFixtures.folder)/examples/\(name)"
        let text = try ReadingFixtures.text("examples/\(name)")
        let once = try format(text, path: path)
        #expect(try format(once, path: path) == once)
        let before = text.split(separator: "\n").filter { $0.contains("#") }.count
        #expect(once.split(separator: "\n").filter { $0.contains("#") }.count == before)
    }

    @Test(
        "what is no YAML of scenarios is refused with its place",
        arguments: [
            ("a: &x 1\n", "t.yaml:1:4: '&x' is an anchor"),
            ("a: 1\na: 2\n", "t.yaml:2:1: the key 'a' is given twice"),
            ("a: [1\n", "t.yaml:1:4: the '[' that opens here"), ("", "t.yaml:1:1: the file is empty"),
            ("text\n", "t.yaml:1:1: a scenario is a mapping, not a text"),
        ]
    )
    func refusals(_ text: String, _ sentence: String) {
        guard case .refused(let mistakes) = Self.formatter.format(Array(text.utf8), path: "t.yaml") else {
            Issue.record("not refused: \(text)")
            return
        }
        #expect(mistakes.first?.description.hasPrefix(sentence) == true, "\(mistakes)")
    }

    @Test("whatever is done to a file, the canonical form says the same and is the last")
    func mutations() throws {
        let wild = """
            # head
            rig: 1
            suite: t   # name
            target: nbt
            text: |
              one
                two

              three
            other: >
              folded
              text
            quoted: "a \\
              b\\tc
              d"
            setup: [ { field: on }, # x
              {write: {file: FILE_1, data: 01}} ]
            cases:
            - name: 'a b'
              steps:
              # first
              - select: E103   # tail

              - - x
                - 'y'
              -
                # inner
                read:
                  file: FILE_1
                # end of read
            # of teardown
            teardown:
              - field: off
            """
        let original = Array(wild.utf8)
        let pieces: [[UInt8]] = [
            "{", "}", "[", "]", ": ", "\n", "- ", "\"", "'", "#", " # c\n", "  ", "\n\n", ", ", "|\n", "é",
            "\t", "? ", "0700",
        ]
        .map { Array($0.utf8) }
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var formatted = 0
        var changed = 0
        for _ in 0..<1000 {
            var bytes = original
            for _ in 0...next(3) {
                let at = next(bytes.count)
                switch next(4) {
                case 0: bytes[at] = UInt8(32 + next(95))
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + 1 + next(6)))
                case 2: bytes.insert(contentsOf: pieces[next(pieces.count)], at: at)
                default:
                    let from = next(bytes.count)
                    bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + next(30))], at: at)
                }
            }
            switch Self.formatter.format(bytes, path: "t.yaml") {
            case .refused(let mistakes):
                let isOwnFault = mistakes.contains { $0.message.contains("canonical form without a change") }
                if isOwnFault {
                    changed += 1
                }
            case .formatted(let once):
                formatted += 1
                guard case .formatted(let twice) = Self.formatter.format(once, path: "t.yaml") else {
                    Issue.record("refused its own work: \(String(decoding: once, as: UTF8.self))")
                    return
                }
                if once != twice {
                    Issue.record(
                        "not the last form:\n\(String(decoding: bytes, as: UTF8.self))\n--- once\n\(String(decoding: once, as: UTF8.self))\n--- twice\n\(String(decoding: twice, as: UTF8.self))"
                    )
                    return
                }
            }
        }
        #expect(formatted > 300)
        #expect(changed == 0)
    }
}
