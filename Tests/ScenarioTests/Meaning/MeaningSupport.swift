// SPDX-License-Identifier: MIT

import Scenario
import SmartCard

/// A piece of YAML written as Swift literals; texts stand at line 3, column 10, keys at line 3, column 5.
indirect enum Tree: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    case text(String)
    case quoted(String)
    case list([Tree])
    case map([(String, Tree)])

    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: Tree...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, Tree)...) { self = .map(elements) }

    var node: YAMLNode {
        let place = Self.place(10)
        switch self {
        case .text(let text): return YAMLNode(.scalar(text, isQuoted: false), at: place)
        case .quoted(let text): return YAMLNode(.scalar(text, isQuoted: true), at: place)
        case .list(let trees): return YAMLNode(.sequence(trees.map(\.node)), at: place)
        case .map(let pairs):
            let entries = pairs.map {
                YAMLNode.Entry(key: $0.0, keyPosition: Self.place(5), value: $0.1.node)
            }
            return YAMLNode(.mapping(entries), at: place)
        }
    }

    static func place(_ column: Int) -> SourcePosition {
        SourcePosition(file: "a.yaml", line: 3, column: column)
    }
}

/// The words that these tests know.
enum Words {
    static let dictionary = DeviceDictionary(
        target: "nbt",
        bytes: [
            "FILE_1": [0xE1, 0xA5], "FILE_2": [0xE1, 0xA6], "CC": [0xE1, 0x03],
            "APPLICATION": [0xD2, 0x76, 0, 0, 0x85, 1, 1],
        ],
        tags: ["walletPublicKey": "60", "aid": "84"]
    )

    static let read = VerbSpec("read", "Reads.")
    static let sign = VerbSpec(
        "tangem.sign",
        "Signs.",
        results: [
            ResultSpec("signature", .bytes, "The signature."),
            ResultSpec("hashes", .list(.bytes), "The hashes."),
            ResultSpec("firmware", .text, "The version."),
            ResultSpec("count", .number(0 ... .max), "How many."),
            ResultSpec("took", .duration, "How long."),
            ResultSpec("state", .word(["open", "closed"]), "The state."),
            ResultSpec("isBackup", .boolean, "A backup."),
            ResultSpec("value", .any, "Anything."),
            ResultSpec(
                "settings",
                .map([ArgumentSpec("mask", .bytes, "m"), ArgumentSpec("tries", .number(0...15), "t")]),
                "Settings."
            ),
        ],
        errors: ["walletNotFound", "walletIsPurged", "pinWrong"]
    )
    static let led = VerbSpec(
        "kit.led",
        "Looks.",
        results: [ResultSpec("state", .word(["lit", "dark"]), "The LED.")],
        exchanges: false,
        waits: true
    )
    static let ndef = VerbSpec(
        "ndef.read",
        "Reads a message.",
        results: [ResultSpec("ndef", .list(.any), "The records.")]
    )

    static let vocabulary = Vocabulary(
        verbs: [read, sign, led, ndef],
        dictionaries: [dictionary],
        capabilities: [],
        faults: ["transport", "timeout", "card-removed"],
        errorTypes: [],
        emulatorOptions: [:]
    )

    static func context() -> ReadingContext {
        ReadingContext(vocabulary: vocabulary, target: "nbt", mistakes: MistakeCollector())
    }

    static func scope(_ values: [String: Value] = [:]) -> Scope {
        let scope = Scope(dictionary: dictionary)
        for (name, value) in values { scope.define(name, value) }
        return scope
    }
}

extension Observation {
    /// What a verb saw that got these answers.
    static func answers(_ answers: String..., commands: [String] = [], fields: [String: Value] = [:]) throws
        -> Observation
    {
        var out = Observation()
        for (index, answer) in answers.enumerated() {
            let command =
                index < commands.count ? try HexText.bytes(commands[index]) : [0x00, 0xB0, 0x00, 0x00, 0x02]
            out.note(
                Exchange(
                    command: command,
                    response: try ResponseAPDU(bytes: HexText.bytes(answer)),
                    duration: .microseconds(12_300)
                )
            )
        }
        out.duration = .milliseconds(50)
        out.total = out.duration
        out.fields = fields
        return out
    }
}

/// The error that a parser throws, as `column: text`, or nil.
func refusal<T>(_ body: () throws(TextError) -> T) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return "\(error.column): \(error)"
    }
}
