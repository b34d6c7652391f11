// SPDX-License-Identifier: MIT

import JSONText

/// Pieces of JSON Schema that the scenario's schema is made of.
///
/// A loader of YAML may make a number or a truth value of a plain text, so each piece takes those too: `0700` must be
/// good as text and as number, and only texts are held against patterns.
enum SchemaPieces {
    /// Any text, number or truth value.
    static let scalar = JSON.object(["type": ["string", "number", "boolean"]])
    /// The same, and not empty.
    static let word = JSON.object(["type": ["string", "number", "boolean"], "minLength": 1])
    /// A text with a reference to a variable in it.
    static let reference = text(#"\$\{"#)
    static let boolean = JSON.object(["enum": [true, false, "true", "false", "yes", "no"]])
    static let duration = text("^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|min|h)$")
    static let name = text("^[A-Za-z_][A-Za-z0-9_-]*$")
    static let date = text("^[0-9]{4}-[0-9]{2}-[0-9]{2}")
    static let nothing = JSON.object(["enum": [.null, ""]])
    static let something = JSON.object(["not": .object(["type": "null"])])

    static func text(_ pattern: String) -> JSON {
        .object(["type": "string", "pattern": .string(pattern)])
    }

    static func ref(_ name: String) -> JSON { .object(["$ref": .string("#/$defs/\(name)")]) }

    static func anyOf(_ choices: [JSON]) -> JSON {
        choices.count == 1 ? choices[0] : .object(["anyOf": .array(choices)])
    }

    /// One of a few words, or a reference.
    static func choice(_ words: [String], orReference: Bool = false) -> JSON {
        let list = JSON.object(["enum": .array(words.map { .string($0) })])
        return orReference ? anyOf([list, reference]) : list
    }

    /// A whole number; within texts only its form can be judged.
    static func number(_ range: ClosedRange<Int>, orReference: Bool = false) -> JSON {
        let whole = JSON.object([
            "type": "integer",
            "minimum": range.lowerBound == .min ? nil : .integer(range.lowerBound),
            "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
        ])
        let sign = range.lowerBound < 0 ? "-?" : ""
        let written = text("^(0|\(sign)[1-9][0-9]*|0[xX][0-9A-Fa-f]+)$")
        return anyOf([whole, written] + (orReference ? [reference] : []))
    }

    static func list(of item: JSON, fewest: Int? = nil) -> JSON {
        .object(["type": "array", "items": item, "minItems": fewest.map { .integer($0) }])
    }

    /// Several of something, or one alone.
    static func several(_ item: JSON) -> JSON { anyOf([item, list(of: item)]) }

    /// A mapping with these keys and no others.
    static func mapping(
        _ properties: [JSON.Member],
        required: [String] = [],
        fewest: Int? = nil,
        more: [JSON.Member] = []
    ) -> JSON {
        var members = [
            JSON.Member("type", "object"), JSON.Member("properties", .object(properties)),
            JSON.Member("additionalProperties", false),
        ]
        if !required.isEmpty { members.append(JSON.Member("required", names(required))) }
        if let fewest { members.append(JSON.Member("minProperties", .integer(fewest))) }
        return .object(members + more)
    }

    static func names(_ words: [String]) -> JSON { .array(words.map { .string($0) }) }

    static func needs(_ name: String) -> JSON { .object(["required": names([name])]) }

    /// The same piece with a sentence for people.
    static func described(_ piece: JSON, _ sentence: String) -> JSON {
        guard case .object(let members) = piece, !sentence.isEmpty else { return piece }
        return .object([JSON.Member("description", .string(sentence))] + members)
    }
}
