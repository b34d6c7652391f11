// SPDX-License-Identifier: MIT

extension Template {
    /// Reads a value of a type; what holds no reference is settled and checked at once.
    ///
    /// - Parameters:
    ///   - node: The value as the file has it.
    ///   - type: What it stands for.
    ///   - context: Names, and where mistakes go.
    ///   - key: Where the key of the value stands; keys that are missing in a mapping are told there.
    /// - Returns: The value, or nil when a mistake was noted.
    public static func read(
        _ node: YAMLNode,
        as type: ArgumentType,
        in context: ReadingContext,
        key: SourcePosition? = nil
    ) -> Template? {
        switch (type, node.content) {
        case (.checked(let inner, let check), .sequence), (.checked(let inner, let check), .mapping):
            // What holds a variable waits for the run, where the verb has the last word.
            let template = read(node, as: inner, in: context, key: key)
            guard case .value(let value)? = template else { return template }
            do throws(TextError) {
                try check.check(value)
                return template
            } catch {
                context.mistakes.add(node.position, error.message, hint: error.hint)
                return nil
            }
        case (.list(let element), .sequence(let nodes)):
            return list(nodes, as: element, at: node.position, in: context)
        case (.any, .sequence(let nodes)):
            return list(nodes, as: .any, at: node.position, in: context)
        case (.list(.map(let specs)), .mapping(let entries)):
            return map(entries, specs, at: node.position, in: context, key: key).map { one in
                if case .value(let value) = one { return .value(.list([value])) }
                return .list([one], at: node.position)
            }
        case (.map(let specs), .mapping(let entries)):
            return map(entries, specs, at: node.position, in: context, key: key)
        case (.any, .mapping(let entries)):
            return map(entries, nil, at: node.position, in: context, key: key)
        case (_, .scalar(let text, let isQuoted)):
            return scalar(text, isQuoted: isQuoted, node, as: type, in: context)
        default:
            context.mistakes.add(node.position, "this takes \(type.wantedText), not \(node.kindName)")
            return nil
        }
    }

    /// The variables that it refers to, each with its place.
    public var references: [(name: String, position: SourcePosition)] {
        switch self {
        case .value: return []
        case .text(let pieces, _, let position):
            return TextTemplate.references(in: pieces, at: position)
        case .list(let templates, _): return templates.flatMap(\.references)
        case .map(let entries, _): return entries.flatMap(\.value.references)
        }
    }

    private static func scalar(
        _ text: String,
        isQuoted: Bool,
        _ node: YAMLNode,
        as type: ArgumentType,
        in context: ReadingContext
    ) -> Template? {
        if type.isBytes { context.hexPlaces?.note(node.position) }
        do throws(TextError) {
            if text.isEmpty, !isQuoted, type.refusesNothing {
                throw TextError("a value is missing; this takes \(type.wantedText)")
            }
            guard TextTemplate.hasReferences(text) else {
                return .value(try .read(text, as: type, dictionary: context.dictionary))
            }
            let pieces = try TextTemplate.pieces(text)
            if pieces.allSatisfy(\.isLiteral) {
                return .value(try .read(pieces.literalText, as: type, dictionary: context.dictionary))
            }
            return .text(pieces, type: type, at: node.textPlace)
        } catch {
            context.add(error, in: node)
            return nil
        }
    }

    private static func list(
        _ nodes: [YAMLNode],
        as element: ArgumentType,
        at position: SourcePosition,
        in context: ReadingContext
    ) -> Template? {
        var templates: [Template] = []
        var values: [Value] = []
        var isWhole = true
        for node in nodes {
            guard let template = read(node, as: element, in: context) else {
                isWhole = false
                continue
            }
            templates.append(template)
            if case .value(let value) = template { values.append(value) }
        }
        guard isWhole else { return nil }
        return values.count == templates.count ? .value(.list(values)) : .list(templates, at: position)
    }

    /// Reads a mapping; without specifications any key will do.
    private static func map(
        _ entries: [YAMLNode.Entry],
        _ specs: [ArgumentSpec]?,
        at position: SourcePosition,
        in context: ReadingContext,
        key: SourcePosition?
    ) -> Template? {
        var read: [MapEntry] = []
        var values: [String: Value] = [:]
        var isWhole = true
        for entry in entries {
            var type = ArgumentType.any
            if let specs {
                guard let spec = specs.first(where: { $0.name == entry.key }) else {
                    context.addUnknownKey(entry, of: "this mapping", known: specs.map(\.name))
                    isWhole = false
                    continue
                }
                type = spec.type
            }
            guard let template = self.read(entry.value, as: type, in: context, key: entry.keyPosition) else {
                isWhole = false
                continue
            }
            read.append(MapEntry(key: entry.key, position: entry.keyPosition, value: template))
            if case .value(let value) = template { values[entry.key] = value }
        }
        for spec in specs ?? [] where spec.isRequired && !entries.contains(where: { $0.key == spec.name }) {
            context.mistakes.add(key ?? position, "'\(spec.name)' is missing here (\(spec.summary))")
            isWhole = false
        }
        if let specs, entries.allSatisfy({ entry in specs.contains { $0.name == entry.key } }),
            !context.choices(of: specs, hold: entries, in: "this mapping", at: key ?? position)
        {
            isWhole = false
        }
        guard isWhole else { return nil }
        return values.count == read.count ? .value(.map(values)) : .map(read, at: position)
    }
}

extension TextTemplate {
    /// The references of a text that begins at a place.
    static func references(
        in pieces: [TextPiece],
        at place: TextPlace
    ) -> [(name: String, position: SourcePosition)] {
        columns(of: pieces).compactMap { piece, column in
            guard case .reference(let name, _) = piece else { return nil }
            return (name, place.position(column))
        }
    }
}

extension TextPiece {
    var isLiteral: Bool {
        guard case .literal = self else { return false }
        return true
    }
}

extension [TextPiece] {
    /// The letters of all literals.
    var literalText: String {
        reduce(into: "") { text, piece in
            if case .literal(let letters) = piece { text += letters }
        }
    }
}

extension ArgumentType {
    /// True for what is written in hex.
    var isBytes: Bool {
        switch self {
        case .bytes, .file, .selector: true
        case .list(let element), .checked(let element, _): element.isBytes
        default: false
        }
    }

    /// True when an unquoted nothing behind a key is a mistake.
    fileprivate var refusesNothing: Bool {
        switch self {
        case .text, .any: false
        case .checked(let inner, _): inner.refusesNothing
        default: true
        }
    }
}
