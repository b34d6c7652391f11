// SPDX-License-Identifier: MIT

extension ValueCheck {
    /// Reads what must hold of a value.
    ///
    /// A text is a value or pattern, a list is any of its elements (each in its turn where the value is a list), a
    /// mapping has the keys `not`, `match`, `len`, `ascii` and `absent`, or the keys of the value.
    ///
    /// - Parameters:
    ///   - node: The expectation as the file has it.
    ///   - form: How its texts are read.
    ///   - context: Names, and where mistakes go.
    /// - Returns: The check, or nil when a mistake was noted.
    static func read(_ node: YAMLNode, as form: CheckForm, in context: ReadingContext) -> ValueCheck? {
        switch node.content {
        case .scalar(let text, let isQuoted):
            if form.isHex { context.hexPlaces?.note(node.position) }
            do throws(TextError) {
                if text.isEmpty, !isQuoted { throw TextError("what is expected is missing here") }
                return try scalar(text, as: form, at: node.textPlace, dictionary: context.dictionary)
            } catch {
                context.add(error, in: node)
                return nil
            }
        case .sequence(let nodes):
            guard !nodes.isEmpty || form.isList else {
                context.mistakes.add(node.position, "an empty list expects nothing; name what will do")
                return nil
            }
            var checks: [ValueCheck] = []
            for node in nodes {
                guard let check = read(node, as: form.element, in: context) else { continue }
                checks.append(check)
            }
            guard checks.count == nodes.count else { return nil }
            return form.isList ? .elements(checks) : .anyOf(checks)
        case .mapping(let entries):
            return mapping(entries, node, as: form, in: context)
        }
    }

    /// Reads a text; one with variables is read again when they are known.
    private static func scalar(
        _ text: String,
        as form: CheckForm,
        at place: TextPlace,
        dictionary: DeviceDictionary?
    ) throws(TextError) -> ValueCheck {
        guard TextTemplate.hasReferences(text) else {
            return try compiled(text, as: form, dictionary: dictionary)
        }
        let pieces = try TextTemplate.pieces(text)
        if pieces.allSatisfy(\.isLiteral) {
            return try compiled(pieces.literalText, as: form, dictionary: dictionary)
        }
        if form.takesBounds, let bound = Bound(pieces, at: place) { return .bound(bound) }
        return .template(pieces, form: form, at: place)
    }

    /// Reads a text without references.
    static func compiled(
        _ text: String,
        as form: CheckForm,
        dictionary: DeviceDictionary?
    ) throws(TextError) -> ValueCheck {
        switch form {
        case .status: return .status(try StatusPattern.parse(text))
        case .count: return .count(try CountRange.parse(text, in: 0 ... .max))
        case .time: return .time(try TimeBound.parse(text))
        case .match(let type):
            switch type {
            case .text, .word, .any:
                return text.hasPrefix("re:") ? .expression(try expression(text)) : .contains(text)
            case .list(let element):
                return .some(try compiled(text, as: .match(element), dictionary: dictionary))
            default: return try compiled(text, as: .value(type), dictionary: dictionary)
            }
        case .value(let type): return try value(text, as: type, dictionary: dictionary)
        }
    }

    private static func value(
        _ text: String,
        as type: ArgumentType,
        dictionary: DeviceDictionary?
    ) throws(TextError) -> ValueCheck {
        switch type {
        case .bytes, .file, .selector: return .bytes(try pattern(text, dictionary: dictionary))
        case .number(let range): return .count(try CountRange.parse(text, in: range))
        case .duration:
            if text.utf8.contains(where: { $0 == 0x3C || $0 == 0x3E }) || text.contains("..") {
                return .time(try TimeBound.parse(text))
            }
            return .value(.duration(try DurationText.parse(text)))
        case .boolean: return .boolean(try Value.boolean(text))
        case .word(let words):
            guard words.contains(text) else { throw Value.unknownWord(text, words) }
            return .text(text)
        case .text: return text.hasPrefix("re:") ? .expression(try expression(text)) : .text(text)
        case .any: return text.hasPrefix("re:") ? .expression(try expression(text)) : .value(.text(text))
        case .list(let element): return .elements([try value(text, as: element, dictionary: dictionary)])
        case .map: throw TextError("this takes a mapping, such as { key: value }")
        case .checked(let inner, _): return try value(text, as: inner, dictionary: dictionary)
        }
    }

    /// A pattern, or a name of the dictionary.
    static func pattern(_ text: String, dictionary: DeviceDictionary?) throws(TextError) -> BytePattern {
        if let bytes = dictionary?.bytes[text] { return BytePattern(bytes) }
        do {
            return try BytePattern.parse(text)
        } catch {
            throw Value.unknownName(text, dictionary: dictionary) ?? error
        }
    }

    private static func expression(_ text: String) throws(TextError) -> Expression {
        do {
            return try Expression(String(text.dropFirst(3)))
        } catch {
            throw error.shifted(by: 3)
        }
    }

    private static func mapping(
        _ entries: [YAMLNode.Entry],
        _ node: YAMLNode,
        as form: CheckForm,
        in context: ReadingContext
    ) -> ValueCheck? {
        guard !entries.isEmpty else {
            context.mistakes.add(node.position, "an empty mapping expects nothing; name what must hold")
            return nil
        }
        let isOfValue = form.keys != nil && !entries.allSatisfy { form.signs.contains($0.key) }
        var checks: [ValueCheck] = []
        var keys: [Entry] = []
        for entry in entries {
            if isOfValue {
                guard let type = form.type(of: entry.key) else {
                    context.addUnknownKey(entry, of: "the result", known: form.keys ?? [])
                    continue
                }
                guard let check = read(entry.value, as: .value(type), in: context) else { continue }
                keys.append(Entry(key: entry.key, check: check))
            } else if let check = sign(entry, as: form, in: context) {
                checks.append(check)
            }
        }
        guard keys.count + checks.count == entries.count else { return nil }
        if isOfValue { return .entries(keys) }
        return checks.count == 1 ? checks[0] : .allOf(checks)
    }

    private static func sign(_ entry: YAMLNode.Entry, as form: CheckForm, in context: ReadingContext)
        -> ValueCheck?
    {
        guard form.signs.contains(entry.key) else {
            context.addUnknownKey(entry, of: "an expected value", known: form.signs)
            return nil
        }
        switch entry.key {
        case "not": return read(entry.value, as: form, in: context).map { .not($0) }
        case "match": return read(entry.value, as: form.matching, in: context)
        case "len": return read(entry.value, as: .count, in: context).map { .length($0) }
        case "ascii": return read(entry.value, as: .value(.text), in: context).map { .ascii($0) }
        default:
            return context.writtenOut(entry, as: .boolean) { value in
                guard case .boolean(let isAbsent) = value else { return nil }
                return isAbsent ? .absent : .present
            }
        }
    }
}

extension CheckForm {
    /// The signs that a mapping may have in place of a value.
    var signs: [String] {
        switch self {
        case .status, .count, .time: return ["not"]
        case .value(let type), .match(let type):
            switch type {
            case .bytes, .file, .selector, .any: return ["not", "match", "len", "ascii", "absent"]
            case .text, .list: return ["not", "match", "len", "absent"]
            default: return ["not", "absent"]
            }
        }
    }

    /// True for what is written in hex.
    var isHex: Bool {
        switch self {
        case .status: true
        case .value(let type), .match(let type): type.isBytes
        case .count, .time: false
        }
    }

    var isList: Bool {
        guard case .value(.list) = self else { return false }
        return true
    }

    /// The form of an element of a list.
    var element: CheckForm {
        guard case .value(.list(let element)) = self else { return self }
        return .value(element)
    }

    /// The form of what stands behind `match`.
    var matching: CheckForm {
        guard case .value(let type) = self else { return self }
        return .match(type)
    }

    /// The keys of a value that is a mapping; nil for others, empty when any key will do.
    var keys: [String]? {
        switch self {
        case .value(.map(let specs)): specs.map(\.name)
        case .value(.any): []
        default: nil
        }
    }

    /// The type of a key of a value that is a mapping.
    func type(of key: String) -> ArgumentType? {
        switch self {
        case .value(.map(let specs)): specs.first { $0.name == key }?.type
        case .value(.any): .any
        default: nil
        }
    }

    /// True when `>= 2 * ${name}` may stand here.
    var takesBounds: Bool {
        switch self {
        case .count, .time, .value(.number), .value(.duration), .value(.any): true
        default: false
        }
    }
}
