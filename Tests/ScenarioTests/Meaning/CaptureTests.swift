// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Testing

@Suite("Captures")
struct CaptureTests {
    private func capture(_ path: String, _ observation: Observation, verb: VerbSpec = Words.sign) -> String {
        let context = Words.context()
        let captures = Capture.read(Tree.map([("x", .text(path))]).node, verb: verb, in: context)
        guard let capture = captures.first else {
            return context.mistakes.mistakes.map(\.description).joined()
        }
        do {
            let value = try capture.value(from: observation, scope: Words.scope())
            return "\(value.kindName) \(value.text)"
        } catch {
            return error.description
        }
    }

    @Test("keep the type of what they take")
    func values() throws {
        let records = Value.list([
            .map(["type": .text("U"), "payload": .bytes([1])]),
            .map(["type": .text("T"), "payload": .bytes([2, 3])]),
        ])
        let observation = try Observation.answers(
            "9000",
            "6009010203040506070809" + "9000",
            fields: [
                "signature": .bytes([1, 2, 3]), "hashes": .list([.bytes([7]), .bytes([8])]),
                "count": .number(5), "ndef": records,
            ]
        )
        let cases = [
            ("sw", "a status word 9000"), ("data", "bytes 6009010203040506070809"),
            ("data(2..)", "bytes 010203040506070809"),
            ("data(2..6)", "bytes 01020304"), ("data(0)", "bytes 60"), ("data(11..)", "bytes "),
            ("tlv.60", "bytes 010203040506070809"),
            ("tlv.walletPublicKey", "bytes 010203040506070809"),
            ("walletPublicKey", "bytes 010203040506070809"),
            ("tlv.60(0..2)", "bytes 0102"), ("ms", "a time 12.3ms"), ("time", "a time 12.3ms"),
            ("total", "a time 50ms"),
            ("signature", "bytes 010203"), ("signature(1..)", "bytes 0203"), ("hashes(1)", "bytes 08"),
            ("hashes", "a list 07, 08"),
            ("count", "a number 5"),
            (
                "data(2..99)",
                "a.yaml:3:5: 'data(2..99)' has no value: there are 11 bytes, none at 98, counted from 0"
            ),
            (
                "hashes(2)",
                "a.yaml:3:5: 'hashes(2)' has no value: there are 2 elements, none at 2, counted from 0"
            ),
            (
                "tlv.61",
                "a.yaml:3:5: 'tlv.61' has no value: the answer 6009010203040506070809 has no such tag"
            ),
            ("count(0)", "a.yaml:3:5: 'count(0)' has no value: it asks too much of a number"),
            ("firmware", "a.yaml:3:5: 'firmware' has no value: the result has no 'firmware'"),
        ]
        for (path, wanted) in cases { #expect(capture(path, observation) == wanted) }
        #expect(capture("ndef(1).payload", observation, verb: Words.ndef) == "bytes 0203")
        #expect(capture("ndef(U).payload", observation, verb: Words.ndef) == "bytes 01")
        #expect(
            capture("ndef(V).payload", observation, verb: Words.ndef)
                == "a.yaml:3:5: 'ndef(V).payload' has no value: there is no record of type V"
        )
        #expect(capture("sw", Observation()) == "a.yaml:3:5: 'sw' has no value: no command was answered")
    }

    @Test("blame the card for what its answer lacks, and the scenario for what no answer could have")
    func blame() throws {
        var plain = try Observation.answers("01029000", fields: ["count": .number(5), "ndef": .list([])])
        let lacking = ["data(2..6)", "tlv.60", "firmware", "data(2)"]
        let wrong = ["count(0)"]
        func isMismatch(_ path: String, _ verb: VerbSpec = Words.sign) throws -> Bool {
            let captures = Capture.read(
                Tree.map([("x", .text(path))]).node,
                verb: verb,
                in: Words.context()
            )
            let capture = try #require(captures.first)
            do throws(CaptureError) {
                _ = try capture.value(from: plain, scope: Words.scope())
            } catch {
                if case .mismatch(let mismatch) = error { return mismatch.kind == .unexpectedData }
                return false
            }
            Issue.record("\(path) has a value")
            return false
        }
        for path in lacking { #expect(try isMismatch(path), "\(path)") }
        for path in wrong { #expect(try !isMismatch(path), "\(path)") }
        #expect(try isMismatch("ndef(0).payload", Words.ndef))
        plain.error = "walletNotFound"
        for path in lacking { #expect(try !isMismatch(path), "\(path)") }
        plain = Observation()
        #expect(try !isMismatch("data(2)"))
    }

    @Test("mistakes are told at their place")
    func mistakes() {
        let cases: [(Tree, VerbSpec, String)] = [
            (
                ["x": "sgnature"], Words.sign,
                "a.yaml:3:10: 'tangem.sign' gives no 'sgnature'; did you mean 'signature'?"
            ),
            (["x": "sw"], Words.led, "a.yaml:3:10: 'kit.led' sends no command, so 'sw' says nothing here"),
            (
                ["x": "colour"], Words.led,
                "a.yaml:3:10: 'kit.led' gives no 'colour'; it gives state, ms, total"
            ),
            (["x": "data(2"], Words.read, "a.yaml:3:16: ')' is missing in 'data(2'"),
            (
                ["x": "tlv.nonsense"], Words.read,
                "a.yaml:3:14: 'nonsense' is neither a tag in hex nor a tag of nbt"
            ),
            (
                ["1x": "sw"], Words.read,
                "a.yaml:3:5: '1x' is no name; a letter comes first, then letters, digits, '_' and '-'"
            ),
            (
                ["x": ""], Words.read,
                "a.yaml:3:5: a path is missing for 'x', such as data(2..), tlv.6F.84, sw or ms"
            ),
            (
                "sw", Words.read,
                "a.yaml:3:10: 'capture' takes names and paths, such as { key: tlv.60, rest: data(2..) }"
            ),
        ]
        for (tree, verb, wanted) in cases {
            let context = Words.context()
            #expect(Capture.read(tree.node, verb: verb, in: context) == [])
            #expect(context.mistakes.mistakes.map(\.description) == [wanted])
        }
    }
}

@Suite("Conditions")
struct ConditionTests {
    @Test("hold or not")
    func evaluation() throws {
        let values: [String: Value] = [
            "fw": .text("4.12r"), "key": .bytes([1, 2]), "n": .number(3), "ok": .boolean(true),
            "sw": .statusWord(.success),
            "list": .list([.number(1)]), "other": .bytes([1, 2]),
            "word": .text("it's"),
        ]
        let cases = [
            ("${fw} == 4.12r", true), ("${fw} != 4.12r", false), ("${fw} == \"4.12r\"", true),
            ("${fw} in [a, 4.12r]", true),
            ("${fw} in[ a,b ]", false), ("${key} == 0102", true), ("${key} == ${other}", true),
            ("${n} == 0x03", true),
            ("${n} in [1, 2]", false), ("${ok} == yes", true), ("${sw} == 9000", true),
            ("present ${fw}", true),
            ("present ${nothing}", false), ("present ${list(0)}", true), ("present ${list(1)}", false),
            ("  ${n}==3 ", true),
            ("${word} == 'it's'", true), ("${word} == \"it's\"", true), ("${word} == it's", true),
            ("${fw} == \"rock and roll\"", false), ("${fw} == and", false), ("${fw} != AAEC==", true),
            ("${n} == x", false), ("${n} != x", true), ("${list(0)} == 1", true),
        ]
        for (text, wanted) in cases {
            let context = Words.context()
            let condition = try #require(Condition.read(Tree.quoted(text).node, in: context))
            #expect(try condition.holds(in: Words.scope(values)) == wanted, "\(text)")
        }
        let condition = try #require(
            Condition.read(Tree.quoted("${a} in [x, ${b}]").node, in: Words.context())
        )
        #expect(condition.references.map(\.name) == ["a", "b"])
        #expect(condition.references.map(\.position.column) == [11, 23])
        #expect(throws: ScenarioMistake.self) { try condition.holds(in: Words.scope()) }
        #expect(
            Condition.read(Tree.quoted("present ${a}").node, in: Words.context())?.references.isEmpty == true
        )
    }

    @Test(
        "are one at a time, since the second would be part of the first one's value",
        arguments: [
            ("${a} == gold and ${b} == monday", "and", 23), ("${a} == gold or silver", "or", 23),
            ("${a} != x && ${b} == y", "&&", 20), ("${a} == x||${b} == y", "x||${b}", 18),
            ("${a} == \"x\" AND ${b} == \"y\"", "AND", 22), ("${a} == x == y", "==", 20),
        ]
    )
    func oneAtATime(_ text: String, _ word: String, _ column: Int) {
        let context = Words.context()
        #expect(Condition.read(Tree.quoted(text).node, in: context) == nil)
        #expect(
            context.mistakes.mistakes.map(\.description) == [
                "a.yaml:3:\(column + 1): 'if' takes one condition, and '\(word)' would be part of its value; "
                    + "make two steps of it, or put a value that is meant so into quotes"
            ]
        )
    }

    @Test("know nothing but what the language says")
    func mistakes() {
        let cases: [(Tree, String)] = [
            (
                "${a} > 3",
                "a.yaml:3:15: '>' stands where ==, != or in [a, b] is wanted; conditions know nothing else"
            ),
            (
                "${a}",
                "a.yaml:3:14: the end stands where ==, != or in [a, b] is wanted; conditions know nothing else"
            ),
            ("a == b", "a.yaml:3:10: a condition begins with ${name} or 'present'; 'a' stands here"),
            ("${a} ==", "a.yaml:3:17: a value to compare with is missing"),
            ("${a} in x", "a.yaml:3:18: 'in' takes a list: in [a, b]"),
            ("${a} in [x", "a.yaml:3:20: ']' is missing behind the list"),
            ("present ${a} x", "a.yaml:3:23: 'x' does not belong to the condition"),
            ("${a == 3", "a.yaml:3:13: ' ' does not belong to a variable's name"),
            (["a"], "a.yaml:3:10: 'if' takes a condition, such as \"${name} == value\""),
        ]
        for (tree, wanted) in cases {
            let context = Words.context()
            #expect(Condition.read(tree.node, in: context) == nil)
            #expect(context.mistakes.mistakes.map(\.description) == [wanted])
        }
    }
}
