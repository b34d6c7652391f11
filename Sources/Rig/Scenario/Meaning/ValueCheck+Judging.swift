// SPDX-License-Identifier: MIT

internal import SmartCard

extension ValueCheck {
    /// True when a value is as expected.
    ///
    /// - Throws: ``ScenarioMistake`` when a variable has no value, its value cannot stand here, or a regular
    ///   expression, which stands at the position, takes too many tries.
    func holds(_ value: Value, at position: SourcePosition, in scope: Scope) throws(ScenarioMistake) -> Bool {
        switch self {
        case .status(let pattern):
            guard let word = value.statusWord else { return false }
            return pattern.matches(word)
        case .bytes(let pattern):
            guard let bytes = Self.bytes(of: value) else { return false }
            return try Self.tried(at: position) { () throws(TextError) in try pattern.matches(bytes) }
        case .count(let range):
            guard
                case .number(let number)? = try? value.converted(to: .number(.min ... .max), dictionary: nil)
            else {
                return false
            }
            return range.contains(number)
        case .time(let bound):
            guard case .duration(let duration) = value else { return false }
            return bound.contains(duration)
        case .text(let text): return value.text == text
        case .contains(let part): return value.text.contains(part)
        case .expression(let expression):
            return try Self.tried(at: position) { () throws(TextError) in try expression.matches(value.text) }
        case .boolean(let wanted): return value == .boolean(wanted)
        case .ascii(let check):
            guard let bytes = Self.bytes(of: value) else { return false }
            return try check.holds(.text(String(decoding: bytes, as: UTF8.self)), at: position, in: scope)
        case .value(let wanted):
            return try Self.tried(at: position) { () throws(TextError) in
                try Self.isSame(wanted, value, scope)
            }
        case .bound(let bound): return try bound.holds(value, in: scope)
        case .template: return try settled(in: scope).holds(value, at: position, in: scope)
        case .anyOf(let checks):
            for check in checks where try check.holds(value, at: position, in: scope) { return true }
            return false
        case .allOf(let checks):
            for check in checks where try !check.holds(value, at: position, in: scope) { return false }
            return true
        case .not(let check): return try !check.holds(value, at: position, in: scope)
        case .length(let check):
            guard let count = value.count else { return false }
            return try check.holds(.number(count), at: position, in: scope)
        case .elements(let checks):
            guard case .list(let values) = value, values.count == checks.count else { return false }
            for (check, value) in zip(checks, values) where try !check.holds(value, at: position, in: scope) {
                return false
            }
            return true
        case .some(let check):
            guard case .list(let values) = value else { return false }
            for value in values where try check.holds(value, at: position, in: scope) { return true }
            return false
        case .entries(let entries):
            guard case .map(let values) = value else { return false }
            for entry in entries where try !entry.check.holds(values[entry.key], at: position, in: scope) {
                return false
            }
            return true
        case .present: return true
        case .absent: return false
        }
    }

    /// True when a value that may be missing is as expected.
    func holds(_ value: Value?, at position: SourcePosition, in scope: Scope) throws(ScenarioMistake) -> Bool
    {
        guard let value else { return acceptsNothing }
        return try holds(value, at: position, in: scope)
    }

    private static func tried(at position: SourcePosition, _ match: () throws(TextError) -> Bool)
        throws(ScenarioMistake) -> Bool
    {
        do throws(TextError) {
            return try match()
        } catch {
            throw ScenarioMistake(position, error.description)
        }
    }

    /// True when a missing value will do.
    var acceptsNothing: Bool {
        switch self {
        case .absent: true
        case .anyOf(let checks): checks.contains(where: \.acceptsNothing)
        case .allOf(let checks): checks.allSatisfy(\.acceptsNothing)
        case .not(.present): true
        default: false
        }
    }

    /// The check with its variables filled in.
    func settled(in scope: Scope) throws(ScenarioMistake) -> ValueCheck {
        guard case .template(let pieces, let form, let place) = self else { return self }
        let value = try pieces.filled(in: scope, at: place.start)
        do throws(TextError) {
            if case .text(let text) = value {
                return try Self.compiled(text, as: form, dictionary: scope.dictionary)
            }
            switch form {
            case .status:
                guard let word = value.statusWord else { break }
                return .status(StatusPattern(word))
            case .time: break
            case .count:
                guard
                    case .number(let number) = try value.converted(
                        to: .number(.min ... .max),
                        dictionary: nil
                    )
                else {
                    break
                }
                return .count(CountRange(number))
            case .value, .match:
                if case .match(.list) = form { return .some(.value(value)) }
                guard case .list(let values) = value else { return .value(value) }
                let checks = values.map { ValueCheck.value($0) }
                return form.isList ? .elements(checks) : .anyOf(checks)
            }
            throw TextError("this takes \(form.wantedText), not \(value.kindName)")
        } catch {
            let hidden = ArgumentType.hiddenComplaint(wanted: form.wantedText)
            throw pieces.mistake(error, at: place.start, hidden, in: scope)
        }
    }

    /// The variables that it refers to.
    var references: [(name: String, position: SourcePosition)] {
        switch self {
        case .template(let pieces, _, let place): TextTemplate.references(in: pieces, at: place)
        case .bound(let bound): bound.references
        case .anyOf(let checks), .allOf(let checks), .elements(let checks): checks.flatMap(\.references)
        case .not(let check), .length(let check), .ascii(let check), .some(let check): check.references
        case .entries(let entries): entries.flatMap(\.check.references)
        default: []
        }
    }

    static func bytes(of value: Value) -> [UInt8]? {
        switch value {
        case .bytes(let bytes): bytes
        case .statusWord(let word): [word.sw1, word.sw2]
        default: nil
        }
    }

    /// True when a value equals another one, with the type of the other; a text may be a pattern or bound for it.
    private static func isSame(_ wanted: Value, _ value: Value, _ scope: Scope) throws(TextError) -> Bool {
        if wanted == value { return true }
        guard case .text(let text) = wanted else {
            return wanted.converted(like: value, dictionary: scope.dictionary) == value
        }
        switch value {
        case .bytes(let bytes):
            if let pattern = try? pattern(text, dictionary: scope.dictionary) {
                return try pattern.matches(bytes)
            }
            return Array(text.utf8) == bytes
        case .number(let number): return (try? CountRange.parse(text))?.contains(number) ?? false
        case .duration(let duration):
            if let bound = try? TimeBound.parse(text) { return bound.contains(duration) }
            return (try? DurationText.parse(text)) == duration
        case .boolean(let boolean): return (try? Value.boolean(text)) == boolean
        case .statusWord(let word): return (try? StatusPattern.parse(text))?.matches(word) ?? false
        case .list(let values):
            guard values.count == 1 else { return false }
            return try isSame(wanted, values[0], scope)
        case .text, .map: return false
        }
    }
}

extension CheckForm {
    /// What a text of this form is, for messages.
    var wantedText: String {
        switch self {
        case .status: "a status word"
        case .count: "a number or range"
        case .time: "a bound such as <60ms"
        case .value(let type), .match(let type): type.wantedText
        }
    }
}

extension Value {
    /// The status word that the value is or that its two bytes are.
    var statusWord: StatusWord? {
        switch self {
        case .statusWord(let word): word
        case .bytes(let bytes): bytes.count == 2 ? StatusWord(sw1: bytes[0], sw2: bytes[1]) : nil
        case .number(let number): UInt16(exactly: number).map(StatusWord.init(rawValue:))
        default: nil
        }
    }

    /// How many bytes, elements, keys or characters it has; nil for others.
    var count: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .list(let values): values.count
        case .map(let entries): entries.count
        case .text(let text): text.count
        default: nil
        }
    }
}
