// SPDX-License-Identifier: MIT

public import JSONText

/// The JSON Schema of scenarios, made from the vocabulary: for editors, and for checks outside of this program.
///
/// It accepts whatever lint accepts. What needs to know names, files or the inside of a text is left to lint.
/// Source: JSON Schema draft 2020-12.
public struct ScenarioSchema {
    private typealias Piece = SchemaPieces

    private let vocabulary: Vocabulary

    /// Makes the schema of a vocabulary.
    public init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// The whole document.
    public var json: JSON {
        let targets = vocabulary.dictionaries.keys.sorted()
        let steps = targets.map { SchemaOfSteps(vocabulary, target: $0) }
        let anyTarget = SchemaOfSteps(vocabulary, target: nil)
        let definitions =
            [
                JSON.Member("suite", suite(targets)), JSON.Member("library", library),
                JSON.Member("needs", needs), JSON.Member("fault", fault),
            ] + SchemaOfSteps.shared + steps.flatMap(\.definitions) + anyTarget.definitions
        let marks = ["rig", "suite", "target", "cases", "setup", "teardown"]
        return .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "TapRig scenario, version 1",
            "type": "object",
            "if": .object(["anyOf": .array(marks.map(Piece.needs))]),
            "then": Piece.ref("suite"),
            "else": Piece.ref("library"),
            "$defs": .object(definitions),
        ])
    }

    // MARK: Files

    private func suite(_ targets: [String]) -> JSON {
        let anyList = JSON.object(["type": "array"])
        let properties = [
            JSON.Member("rig", Piece.described(.object(["enum": [1, "1"]]), "version of the language")),
            JSON.Member("suite", Piece.text("^[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9][A-Za-z0-9_-]*)*$")),
            JSON.Member("title", Piece.word), JSON.Member("target", Piece.choice(targets)),
            JSON.Member("tags", tags), JSON.Member("needs", Piece.ref("needs")),
            JSON.Member("limits", limits(["apdu", "case", "teardown"])),
            JSON.Member("options", .object(["type": "object"])),
            JSON.Member("include", Piece.several(Piece.word)), JSON.Member("vars", variables),
            JSON.Member("secrets", secrets), JSON.Member("raw", Piece.boolean),
            JSON.Member("setup", anyList), JSON.Member("cases", anyList), JSON.Member("teardown", anyList),
        ]
        let byTarget = targets.map { target in
            let options = vocabulary.emulatorOptions[target] ?? [:]
            let steps = Piece.list(of: Piece.ref("\(target).step"))
            return JSON.object([
                "if": .object([
                    "properties": .object(["target": .object(["const": .string(target)])]),
                    "required": ["target"],
                ]),
                "then": .object([
                    "properties": .object([
                        "setup": steps, "teardown": steps,
                        "cases": Piece.list(of: Piece.ref("\(target).case"), fewest: 1),
                        "options": Piece.mapping(options.keys.sorted().map { JSON.Member($0, Piece.word) }),
                    ])
                ]),
            ])
        }
        return Piece.mapping(
            properties,
            required: ["rig", "suite", "target", "cases"],
            more: [JSON.Member("allOf", .array(byTarget))]
        )
    }

    private var library: JSON {
        let steps = Piece.list(of: Piece.ref("any.step"))
        let named = JSON.object([
            "type": "object",
            "additionalProperties": Piece.anyOf([
                steps,
                Piece.mapping(
                    [JSON.Member("args", Piece.several(Piece.name)), JSON.Member("steps", steps)],
                    required: ["steps"]
                ),
            ]),
        ])
        return Piece.mapping(
            [JSON.Member("steps", named), JSON.Member("include", Piece.several(Piece.word))],
            fewest: 1
        )
    }

    // MARK: Header

    private var tags: JSON { Piece.several(.object(["type": ["string", "number"], "pattern": "^[^ ,]+$"])) }

    private var needs: JSON {
        Piece.several(
            Piece.anyOf([
                Piece.choice(vocabulary.capabilities),
                Piece.text("^firmware *(>=|<=|==|!=|>|<) *[0-9][0-9A-Za-z.-]*$"),
            ])
        )
    }

    private var variables: JSON {
        let sources = Piece.anyOf([
            Piece.mapping(
                [
                    JSON.Member("random", Piece.number(1...65_535)),
                    JSON.Member("count", Piece.number(1...1_000_000)),
                ],
                required: ["random"]
            ),
            Piece.mapping([JSON.Member("sha256", Piece.word)], required: ["sha256"]),
            Piece.mapping([JSON.Member("file", Piece.word)], required: ["file"]),
        ])
        return .object([
            "type": "object", "propertyNames": Piece.name,
            "additionalProperties": Piece.anyOf([Piece.scalar, .object(["type": "array"]), sources]),
        ])
    }

    private var secrets: JSON {
        let file = Piece.mapping([JSON.Member("file", Piece.word)], required: ["file"])
        return Piece.anyOf([
            Piece.several(Piece.name),
            .object([
                "type": "object", "propertyNames": Piece.name,
                "additionalProperties": Piece.anyOf([Piece.nothing, file]),
            ]),
        ])
    }

    private func limits(_ keys: [String]) -> JSON {
        Piece.mapping(keys.map { JSON.Member($0, Piece.ref("duration")) })
    }

    // MARK: Faults

    private var fault: JSON {
        let kinds = ReadingContext.faultKinds + Set(vocabulary.deviceFaults.values.flatMap { $0 }).sorted()
        return Piece.mapping(
            [
                JSON.Member("at", Piece.word), JSON.Member("when", Piece.choice(ReadingContext.faultMoments)),
                JSON.Member("kind", Piece.choice(kinds)),
                JSON.Member("times", Piece.number(1...10_000_000)),
                JSON.Member("sw", .object(["type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{4}$"])),
                JSON.Member("delay", Piece.ref("duration")),
                JSON.Member("truncate", Piece.number(0...65_538)),
            ],
            required: ["kind"]
        )
    }
}
