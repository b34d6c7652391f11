// SPDX-License-Identifier: MIT

import Wording

extension Template {
    /// The value with all references filled in.
    ///
    /// A reference that is the whole text keeps the type of its value as far as the argument's type allows; between
    /// letters it stands for its text.
    ///
    /// - Throws: ``ScenarioMistake`` when a variable has no value, or the text is no value of the type.
    public func value(in scope: Scope) throws(ScenarioMistake) -> Value {
        switch self {
        case .value(let value): return value
        case .text(let pieces, let type, let place):
            let value = try pieces.filled(in: scope, at: place.start)
            do {
                return try value.converted(to: type, dictionary: scope.dictionary)
            } catch {
                throw pieces.mistake(error, at: place.start, type.hiddenComplaint, in: scope)
            }
        case .list(let templates, _):
            var values: [Value] = []
            values.reserveCapacity(templates.count)
            for template in templates { values.append(try template.value(in: scope)) }
            return .list(values)
        case .map(let entries, _):
            var values: [String: Value] = [:]
            for entry in entries { values[entry.key] = try entry.value.value(in: scope) }
            return .map(values)
        }
    }
}

extension [TextPiece] {
    /// The value of a lone reference, else the text with all references filled in.
    func filled(in scope: Scope, at position: SourcePosition) throws(ScenarioMistake) -> Value {
        if count == 1, case .reference(let name, let index) = self[0] {
            return try Self.value(of: name, index, in: scope, at: position)
        }
        var text = ""
        for piece in self {
            switch piece {
            case .literal(let letters): text += letters
            case .reference(let name, let index):
                text += try Self.value(of: name, index, in: scope, at: position).text
            }
        }
        return .text(text)
    }

    /// The text as the file has it.
    var sourceText: String {
        map { piece in
            switch piece {
            case .literal(let letters): letters
            case .reference(let name, let index): "${\(name)\(index.map { "(\($0))" } ?? "")}"
            }
        }.joined()
    }

    /// The mistake of a text that came from variables, which are named; of a secret it shows nothing.
    func mistake(
        _ error: TextError,
        at position: SourcePosition,
        _ hiddenComplaint: String,
        in scope: Scope
    ) -> ScenarioMistake {
        let isSecret = contains { piece in
            guard case .reference(let name, _) = piece else { return false }
            return scope.secretNames.contains(name)
        }
        guard isSecret else {
            return ScenarioMistake(position, "\(sourceText): \(error.message)", hint: error.hint)
        }
        return ScenarioMistake(position, "\(sourceText): \(hiddenComplaint)")
    }

    private static func value(
        of name: String,
        _ index: Int?,
        in scope: Scope,
        at position: SourcePosition
    ) throws(ScenarioMistake) -> Value {
        let value = try scope.value(of: name, at: position)
        guard let index else { return value }
        switch value {
        case .list(let elements):
            guard index < elements.count else {
                throw ScenarioMistake(
                    position,
                    "'\(name)' has \(Amount.text(elements.count, "element")); there is none at index \(index), counted from 0"
                )
            }
            return elements[index]
        case .bytes(let bytes):
            guard index < bytes.count else {
                throw ScenarioMistake(
                    position,
                    "'\(name)' has \(Amount.text(bytes.count, "byte")); there is none at index \(index), counted from 0"
                )
            }
            return .bytes([bytes[index]])
        default:
            throw ScenarioMistake(position, "'\(name)' is \(value.kindName), not a list; it takes no index")
        }
    }
}
