// SPDX-License-Identifier: MIT

import JSONText

/// The part of the schema that depends on the target: cases, steps, verbs.
struct SchemaOfSteps {
    private typealias Piece = SchemaPieces

    private let vocabulary: Vocabulary
    private let words: VerbWords
    /// The names that stand for bytes.
    private let names: [String]
    /// The word before the names of this target's definitions.
    private let prefix: String
    private let specs: [VerbSpec]
    /// The lists of errors that verbs know; many verbs share one.
    private let errorLists: [[String]]

    /// Prepares the definitions of a target; nil takes the words of all of them, as a library may use them.
    init(_ vocabulary: Vocabulary, target: String?) {
        self.vocabulary = vocabulary
        words = VerbWords(vocabulary, target: target)
        let dictionaries =
            target.map { [vocabulary.dictionaries[$0]] } ?? Array(vocabulary.dictionaries.values)
        names = Set(dictionaries.compactMap { $0 }.flatMap(\.bytes.keys)).sorted()
        prefix = target ?? "any"
        let verbs = Dictionary(words.table.values.map { ($0.name, $0) }) { first, _ in first }
        specs = verbs.values.sorted { $0.name < $1.name }
        var lists: [[String]] = []
        for spec in specs where !spec.errors.isEmpty && !lists.contains(spec.errors) {
            lists.append(spec.errors)
        }
        errorLists = lists
    }

    /// The definitions, in order.
    var definitions: [JSON.Member] {
        return [
            JSON.Member("\(prefix).case", testCase), JSON.Member("\(prefix).step", step),
            JSON.Member("\(prefix).bytes", bytes),
        ]
            + errorLists.indices.map {
                JSON.Member("\(prefix).errors.\($0)", Piece.several(Piece.choice(errorLists[$0])))
            }
            + specs.map { JSON.Member("\(prefix).verb.\($0.name)", value(of: $0)) }
            + specs.map { JSON.Member("\(prefix).expect.\($0.name)", expectation(of: $0, isPart: false)) }
            + specs.filter(\.exchanges).map {
                JSON.Member("\(prefix).exchange.\($0.name)", expectation(of: $0, isPart: true))
            }
    }

    // MARK: Cases and steps

    private var testCase: JSON {
        let known = Piece.mapping(
            [JSON.Member("issue", Piece.word), JSON.Member("until", Piece.date)],
            required: ["issue", "until"]
        )
        let retry = Piece.mapping(
            [
                JSON.Member("on", Piece.several(Piece.choice(vocabulary.errorTypes))),
                JSON.Member("max", Piece.number(1...100)), JSON.Member("delay", Piece.ref("duration")),
            ],
            required: ["on", "max"]
        )
        let properties = [
            JSON.Member("name", Piece.word), JSON.Member("id", Piece.word),
            JSON.Member("tags", Piece.several(Piece.word)), JSON.Member("needs", Piece.ref("needs")),
            JSON.Member("links", Piece.several(Piece.word)), JSON.Member("known", known),
            JSON.Member("matrix", .object(["type": "object", "minProperties": 1])),
            JSON.Member(
                "limits",
                Piece.mapping(["apdu", "case", "teardown"].map { JSON.Member($0, Piece.ref("duration")) })
            ),
            JSON.Member("retry", retry),
            JSON.Member("fault", .object(["allOf": [Piece.ref("fault"), Piece.needs("at")]])),
            JSON.Member("steps", Piece.list(of: Piece.ref("\(prefix).step"), fewest: 1)),
        ]
        return Piece.mapping(properties, required: ["name", "steps"])
    }

    private var step: JSON {
        let use = Piece.anyOf([
            Piece.word,
            Piece.mapping(
                [JSON.Member("name", Piece.word), JSON.Member("with", .object(["type": "object"]))],
                required: ["name"]
            ),
        ])
        let verbs = words.table.sorted { $0.key < $1.key }
        var properties = sideKeys
        for (word, verb) in verbs where word != "delay" {
            properties.append(JSON.Member(word, Piece.ref("\(prefix).verb.\(verb.name)")))
        }
        properties.append(JSON.Member("use", use))
        let main = verbs.map(\.key).filter { $0 != "delay" } + ["use"]
        let delayAlone = JSON.object([
            "required": ["delay"],
            "not": .object(["anyOf": .array(main.map(Piece.needs))]),
        ])
        let dependent = verbs.map { word, verb in
            let expectation = Piece.ref("\(prefix).expect.\(verb.name)")
            return JSON.Member(
                word,
                .object(["properties": .object(["expect": expectation, "poll": poll(expectation)])])
            )
        }
        // A wait beside another verb does not speak for it.
        let ofVerbs = dependent.filter { $0.key != "delay" }
        let foreign = StepReader.sideKeys.filter { !StepReader.keysOfUse.contains($0) }
        let ofUse = JSON.object(["properties": .object(foreign.map { JSON.Member($0, false) })])
        return Piece.mapping(
            properties,
            more: [
                JSON.Member("oneOf", .array(main.map(Piece.needs) + [delayAlone])),
                JSON.Member("dependentSchemas", .object(ofVerbs + [JSON.Member("use", ofUse)])),
                JSON.Member("not", .object(["required": ["stats", "poll"]])),
            ]
        )
    }

    private var sideKeys: [JSON.Member] {
        let capture = JSON.object([
            "type": "object", "minProperties": 1, "propertyNames": Piece.name,
            "additionalProperties": Piece.word,
        ])
        let figures = StatisticsFigure.allCases.map { JSON.Member($0.rawValue, Piece.ref("time")) }
        let counts = [
            JSON.Member("samples", Piece.number(1...StepReader.mostRepetitions)),
            JSON.Member("warmup", Piece.number(0...StepReader.mostRepetitions)),
        ]
        let statistics = Piece.mapping(
            figures + counts,
            more: [JSON.Member("anyOf", .array(figures.map { Piece.needs($0.key) }))]
        )
        return [
            JSON.Member("name", Piece.word), JSON.Member("expect", .object(["type": "object"])),
            JSON.Member("capture", capture), JSON.Member("poll", .object(["type": "object"])),
            JSON.Member("needs", Piece.ref("needs")), JSON.Member("optional", Piece.boolean),
            JSON.Member("if", Piece.text(#"^\s*(present\s+)?\$\{"#)),
            JSON.Member("repeat", Piece.number(1...StepReader.mostRepetitions)),
            JSON.Member("allow", Piece.several(Piece.anyOf([.object(["const": "guard"]), Self.statusText]))),
            JSON.Member("delay", Piece.anyOf([Piece.duration, Piece.reference])),
            JSON.Member("mask", Piece.several(Piece.word)),
            JSON.Member("limits", Piece.mapping([JSON.Member("apdu", Piece.ref("duration"))])),
            JSON.Member("raw", Piece.boolean), JSON.Member("stats", statistics),
            JSON.Member("fault", Piece.ref("fault")), JSON.Member("repeatable", Piece.boolean),
            JSON.Member("on", Piece.name),
        ]
    }

    private func poll(_ expectation: JSON) -> JSON {
        Piece.mapping(
            [
                JSON.Member("every", Piece.ref("duration")), JSON.Member("max", Piece.ref("duration")),
                JSON.Member("until", expectation), JSON.Member("while", expectation),
                JSON.Member("between", Piece.list(of: Piece.ref("\(prefix).step"))),
            ],
            required: ["max"],
            more: [JSON.Member("oneOf", [Piece.needs("until"), Piece.needs("while")])]
        )
    }

    // MARK: Verbs

    private func value(of verb: VerbSpec) -> JSON {
        let specs = verb.arguments
        let bare = specs.first { $0.name == verb.bareArgument }
        let sentence = verb.summary
        if let bare, specs.count == 1, bare.type.takesMapping {
            return Piece.described(value(of: bare.type), sentence)
        }
        var forms = [mapping(specs)]
        let needed = specs.filter { $0.isRequired || $0.choice?.isNeeded == true }
        if let bare,
            bare.beside.isEmpty,
            needed.allSatisfy({ $0.name == bare.name || $0.choice != nil && $0.choice == bare.choice })
        {
            // Nothing behind the verb is no value; a loader that keeps texts makes an empty one of it.
            let isNoValue = JSON.object(["not": Piece.nothing])
            forms.append(.object(["allOf": [value(of: bare.type), isNoValue]]))
        }
        if needed.isEmpty { forms.append(Piece.nothing) }
        return Piece.described(.object(["anyOf": .array(forms)]), sentence)
    }

    private func mapping(_ specs: [ArgumentSpec]) -> JSON {
        let properties = specs.map {
            JSON.Member($0.name, Piece.described(value(of: $0.type), $0.summary))
        }
        var rules: [JSON] = []
        var seen: Set<ArgumentChoice> = []
        for spec in specs {
            guard let choice = spec.choice, seen.insert(choice).inserted else { continue }
            let names = specs.filter { $0.choice == choice }.map { Piece.needs($0.name) }
            guard choice.isNeeded else {
                let none = JSON.object(["not": .object(["anyOf": .array(names)])])
                rules.append(.object(["oneOf": .array(names + [none])]))
                continue
            }
            rules.append(.object([JSON.Member(choice.isExclusive ? "oneOf" : "anyOf", .array(names))]))
        }
        for spec in specs {
            if !spec.beside.isEmpty {
                let others = JSON.object(["anyOf": .array(spec.beside.map { Piece.needs($0) })])
                rules.append(
                    .object(["dependentSchemas": .object([JSON.Member(spec.name, others)])])
                )
            }
            for other in spec.excludes {
                let both = JSON.object(["required": [.string(spec.name), .string(other)]])
                rules.append(.object(["not": both]))
            }
        }
        return Piece.mapping(
            properties,
            required: specs.filter(\.isRequired).map(\.name),
            more: rules.isEmpty ? [] : [JSON.Member("allOf", .array(rules))]
        )
    }

    private func value(of type: ArgumentType) -> JSON {
        switch type {
        case .bytes, .file, .selector: Piece.ref("\(prefix).bytes")
        case .number(let range): Piece.number(range, orReference: true)
        case .duration: Piece.anyOf([Piece.duration, Piece.reference])
        case .word(let words): Piece.choice(words, orReference: true)
        case .boolean: Piece.anyOf([Piece.boolean, Piece.reference])
        case .text: Piece.scalar
        case .list(let element): Piece.several(value(of: element))
        case .map(let specs): Piece.anyOf([mapping(specs), Piece.reference])
        case .any: Piece.something
        case .checked(let inner, _): value(of: inner)
        }
    }

    /// Hex, a name, or a reference; a number is what a loader made of hex.
    private var bytes: JSON {
        let words = names.isEmpty ? "" : "|" + names.joined(separator: "|")
        return .object([
            "type": ["string", "number"],
            "pattern": .string("^([0-9A-Fa-fxX\\s:,\"'-]*\(words))$|\\$\\{"),
        ])
    }

    // MARK: Expectations

    private func expectation(of verb: VerbSpec, isPart: Bool) -> JSON {
        let own = isPart ? "exchange" : "expect"
        let itself = Piece.ref("\(prefix).\(own).\(verb.name)")
        var properties: [JSON.Member] = []
        if verb.exchanges {
            properties += [
                JSON.Member("sw", Piece.ref("status")), JSON.Member("data", check(.bytes)),
                JSON.Member("len", Piece.ref("count")), JSON.Member("ascii", check(.text)),
                JSON.Member(
                    "tlv",
                    .object(["type": "object", "minProperties": 1, "additionalProperties": check(.bytes)])
                ),
                JSON.Member("time", Piece.ref("time")),
            ]
        }
        if verb.exchanges, !isPart {
            let part = Piece.ref("\(prefix).exchange.\(verb.name)")
            properties += [
                JSON.Member("exchanges", Piece.ref("count")), JSON.Member("wire", Piece.list(of: part)),
                JSON.Member("every", part),
            ]
        }
        if !isPart {
            properties += [
                JSON.Member("total", Piece.ref("time")),
                JSON.Member("fault", Piece.several(Piece.choice(vocabulary.faults))),
            ]
            if verb.waits { properties.append(JSON.Member("within", Piece.duration)) }
            if let list = errorLists.firstIndex(of: verb.errors) {
                properties.append(JSON.Member("error", Piece.ref("\(prefix).errors.\(list)")))
            }
        }
        let results = isPart ? [] : verb.results
        let taken = Set(results.map(\.name))
        properties = properties.filter { !taken.contains($0.key) } + [JSON.Member("not", itself)]
        properties += results.map { JSON.Member($0.name, Piece.described(check($0.type), $0.summary)) }
        return Piece.mapping(properties, fewest: 1)
    }

    /// Definitions that all verbs share.
    static let shared = [
        JSON.Member("duration", SchemaPieces.duration), JSON.Member("status", status),
        JSON.Member("time", check(timeText)), JSON.Member("count", check(countText)),
        JSON.Member(
            "bytes",
            check(SchemaPieces.scalar, signs: ["not", "match", "len", "ascii", "absent"])
        ),
        JSON.Member("text", check(SchemaPieces.scalar, signs: ["not", "match", "len", "absent"])),
        JSON.Member("number", check(countText, signs: ["not", "absent"])),
    ]

    /// What may be expected of a value of a type.
    private func check(_ type: ArgumentType) -> JSON {
        switch type {
        case .bytes, .file, .selector: Piece.ref("bytes")
        case .text: Piece.ref("text")
        case .word(let words): Self.check(Piece.choice(words, orReference: true), signs: ["not", "absent"])
        case .boolean:
            Self.check(Piece.anyOf([Piece.boolean, Piece.reference]), signs: ["not", "absent"])
        case .number: Piece.ref("number")
        case .duration: Self.check(Piece.scalar, signs: ["not", "absent"])
        case .list, .map, .any: Piece.something
        case .checked(let inner, _): check(inner)
        }
    }

    /// A value, a list of which any will do, or signs.
    private static func check(_ value: JSON, signs: [String] = ["not"]) -> JSON {
        let inner = SchemaPieces.anyOf([value, SchemaPieces.list(of: SchemaPieces.something, fewest: 1)])
        return SchemaPieces.anyOf([
            inner,
            SchemaPieces.mapping(signs.map { JSON.Member($0, SchemaPieces.something) }, fewest: 1),
        ])
    }

    /// A status word, a pattern of one, or a class.
    private static let statusText = JSON.object([
        "type": ["string", "number"],
        "pattern":
            #"^\s*(not\s+)?(ok|warning|error|(0[xX])?[0-9A-Fa-fxX]{4}(\.\.(0[xX])?[0-9A-Fa-fxX]{4})?)\s*$|\$\{"#,
    ])
    private static let status = check(SchemaPieces.several(statusText))
    /// A bound of time.
    private static let timeText = SchemaPieces.text(
        #"^\s*((<=|>=|<|>)\s*[0-9.]+(ns|us|ms|s|min|h)|[0-9.]+(ns|us|ms|s|min|h)\.\.[0-9.]+(ns|us|ms|s|min|h))\s*$|\$\{"#
    )
    /// A number or a range of numbers.
    private static let countText = SchemaPieces.anyOf([
        .object(["type": "integer"]),
        SchemaPieces.text(
            #"^\s*(<=|>=|<|>)?\s*-?(0[xX][0-9A-Fa-f]+|[0-9]+)(\.\.-?(0[xX][0-9A-Fa-f]+|[0-9]+))?\s*$|\$\{"#
        ),
    ])
}

extension ArgumentType {
    /// True when a mapping may be the value of a verb's only argument.
    var takesMapping: Bool {
        switch self {
        case .any, .map: true
        default: false
        }
    }
}
