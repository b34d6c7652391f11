// SPDX-License-Identifier: MIT

import CYAML

/// Reads the YAML of scenarios into nodes that know their place.
///
/// Scalars stay text. What the language leaves out of YAML (tags, anchors, merge keys, a second document, duplicate
/// keys, deep nesting) is a mistake with a sentence of its own.
final class YAMLReader {
    /// The most bytes of a file.
    static let largestFile = 1_048_576
    /// The deepest nesting of lists and mappings.
    static let deepestNesting = 32

    /// Thrown when nothing more can be read; the mistake has been noted.
    struct Halt: Error {}

    let file: String
    /// The first place of the file.
    private let start: SourcePosition
    let mistakes: MistakeCollector
    /// What is said of a file without anything in it.
    private let emptySentence: String
    var source: SourceText
    /// Places where YAML took a value for something else, so that nothing more need be said of them.
    private(set) var spoiled: Set<SourcePosition> = []
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    private var hasEvent = false
    private let openElements = OpenNodes<YAMLNode>()
    private let openEntries = OpenNodes<YAMLNode.Entry>()

    /// A file's tree and what was wrong with its YAML.
    struct Outcome {
        /// The tree; nil when it could not be read to its end.
        let root: YAMLNode?
        /// Places of which nothing more need be said.
        let spoiled: Set<SourcePosition>
    }

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - file: The file as it is shown to people.
    ///   - mistakes: Where mistakes go.
    ///   - opening: How a file of this kind starts, for the sentence about an empty one.
    /// - Returns: The tree, as far as it could be read.
    static func read(
        _ bytes: [UInt8],
        file: String,
        mistakes: MistakeCollector,
        opening: String = "a scenario starts with 'rig: 1'"
    ) -> Outcome {
        guard let text = checkedText(bytes, file: file, mistakes: mistakes) else {
            return Outcome(root: nil, spoiled: [])
        }
        let reader = YAMLReader(text, file: file, mistakes: mistakes, opening: opening)
        let root = text.withUnsafeBufferPointer { buffer in
            yaml_parser_set_input_string(reader.parser, buffer.baseAddress, buffer.count)
            return try? reader.readStream()
        }
        return Outcome(root: root, spoiled: reader.spoiled)
    }

    private init(_ bytes: [UInt8], file: String, mistakes: MistakeCollector, opening: String) {
        self.file = file
        start = SourcePosition(file: file, line: 1, column: 1)
        emptySentence = "the file is empty; \(opening)"
        self.mistakes = mistakes
        source = SourceText(bytes)
        parser.initialize(to: yaml_parser_t())
        event.initialize(to: yaml_event_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        if hasEvent { yaml_event_delete(event) }
        yaml_parser_delete(parser)
        event.deallocate()
        parser.deallocate()
    }

    private func readStream() throws(Halt) -> YAMLNode? {
        try advance()
        try advance()
        guard event.pointee.type == YAML_DOCUMENT_START_EVENT else {
            mistakes.add(start, emptySentence)
            return nil
        }
        try advance()
        let root = try readNode(depth: 1)
        try advance()
        try advance()
        if event.pointee.type == YAML_DOCUMENT_START_EVENT {
            mistakes.add(
                mark,
                "a second document starts here; a scenario file holds one, so remove the '---'"
            )
        }
        if root.isEmptyScalar {
            mistakes.add(start, emptySentence)
            return nil
        }
        return root
    }

    private var mark: SourcePosition { position(of: event.pointee.start_mark) }

    func position(of mark: yaml_mark_t) -> SourcePosition {
        start.at(line: mark.line + 1, column: mark.column + 1)
    }

    private func advance() throws(Halt) {
        if hasEvent {
            yaml_event_delete(event)
            hasEvent = false
        }
        guard yaml_parser_parse(parser, event) == 1 else {
            explainProblem()
            throw Halt()
        }
        hasEvent = true
    }

    // MARK: Nodes

    private func readNode(depth: Int) throws(Halt) -> YAMLNode {
        switch event.pointee.type {
        case YAML_SCALAR_EVENT:
            return readScalar()
        case YAML_SEQUENCE_START_EVENT:
            let place = mark
            noteExtras(
                anchor: event.pointee.data.sequence_start.anchor,
                tag: event.pointee.data.sequence_start.tag
            )
            try refuseDepth(depth)
            let first = openElements.count
            try advance()
            while event.pointee.type != YAML_SEQUENCE_END_EVENT {
                openElements.append(try readNode(depth: depth + 1))
                try advance()
            }
            return YAMLNode(.sequence(openElements.take(behind: first)), at: place)
        case YAML_MAPPING_START_EVENT:
            let place = mark
            noteExtras(
                anchor: event.pointee.data.mapping_start.anchor,
                tag: event.pointee.data.mapping_start.tag
            )
            try refuseDepth(depth)
            return YAMLNode(.mapping(try readEntries(depth: depth)), at: place)
        case YAML_ALIAS_EVENT:
            let place = mark
            let name = event.pointee.data.alias.anchor.map { String(cString: $0) } ?? ""
            mistakes.add(
                place,
                "'*\(name)' is an alias to YAML, which scenarios do not use; a value that starts with '*' "
                    + "must be quoted"
            )
            spoil(place)
            return YAMLNode(.scalar("", isQuoted: true), at: place)
        default:
            mistakes.add(mark, "a value is missing here")
            throw Halt()
        }
    }

    private func readScalar() -> YAMLNode {
        let place = mark
        let scalar = event.pointee.data.scalar
        let told = spoiled.count
        noteExtras(anchor: scalar.anchor, tag: scalar.tag)
        if scalar.style == YAML_FOLDED_SCALAR_STYLE || scalar.style == YAML_LITERAL_SCALAR_STYLE {
            refuseCountedBlock()
        }
        let text = String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
            as: UTF8.self
        )
        // A spoiled value passes for a quoted one, so that an empty rest is not taken for a missing value.
        let isQuoted = scalar.style != YAML_PLAIN_SCALAR_STYLE || spoiled.count > told
        return YAMLNode(.scalar(text, isQuoted: isQuoted), at: place, map: map(of: text))
    }

    /// Where the characters of the scalar stand; nil when they follow one another in one line.
    private func map(of text: String) -> TextMap? {
        let (start, end) = (event.pointee.start_mark, event.pointee.end_mark)
        let style: TextMapBuilder.Style
        switch event.pointee.data.scalar.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: style = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: style = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: style = .literal
        case YAML_FOLDED_SCALAR_STYLE: style = .folded
        default: style = .plain
        }
        if start.line == end.line {
            if style == .plain { return nil }
            if end.index - start.index == text.unicodeScalars.count + 2 { return nil }
        }
        let first = source.offset(ofCharacter: start.index)
        let range = first..<max(first, source.offset(ofCharacter: end.index))
        return TextMapBuilder.map(style, of: source.bytes, in: range, line: start.line, column: start.column)
    }

    /// Nothing more is said of a value here, nor of its first letter.
    private func spoil(_ place: SourcePosition) {
        spoiled.insert(place)
        spoiled.insert(place.at(line: place.line, column: place.column + 1))
    }

    private func readEntries(depth: Int) throws(Halt) -> [YAMLNode.Entry] {
        let first = openEntries.count
        var seen: [String: Int] = [:]
        try advance()
        while event.pointee.type != YAML_MAPPING_END_EVENT {
            let key = try readNode(depth: depth + 1)
            try advance()
            // The alias behind a merge key is part of the same mistake.
            let isMerge = key.isMergeKey
            if isMerge, event.pointee.type == YAML_ALIAS_EVENT {
                mistakes.add(key.position, Self.mergeSentence)
                try advance()
                continue
            }
            let value = try readNode(depth: depth + 1)
            try advance()
            guard let name = key.text else {
                mistakes.add(
                    key.position,
                    "a list or mapping cannot be a key; a leading '[' or '{' must be quoted"
                )
                continue
            }
            if isMerge {
                mistakes.add(key.position, Self.mergeSentence)
                continue
            }
            // Few keys are compared one by one; a table costs more than it saves there.
            let earlier: Int?
            if openEntries.count - first < 12 {
                earlier = openEntries.firstIndex(behind: first) { $0.key == name }
            } else {
                if seen.isEmpty {
                    for index in first..<openEntries.count { seen[openEntries[index].key] = index }
                }
                earlier = seen[name]
            }
            if let earlier {
                let line = openEntries[earlier].keyPosition.line
                mistakes.add(key.position, "the key '\(name)' is given twice; the first is in line \(line)")
                continue
            }
            if !seen.isEmpty { seen[name] = openEntries.count }
            openEntries.append(
                YAMLNode.Entry(
                    key: name,
                    keyPosition: key.position,
                    value: value,
                    isKeyQuoted: key.isQuoted,
                    keyMap: key.map
                )
            )
        }
        return openEntries.take(behind: first)
    }

    private static let mergeSentence = "'<<' merges mappings, which scenarios do not use; write the keys out"

    private func refuseDepth(_ depth: Int) throws(Halt) {
        guard depth > Self.deepestNesting else { return }
        mistakes.add(mark, "lists and mappings are nested deeper than \(Self.deepestNesting) levels here")
        throw Halt()
    }

    private func noteExtras(
        anchor: UnsafeMutablePointer<yaml_char_t>?,
        tag: UnsafeMutablePointer<yaml_char_t>?
    ) {
        if let anchor {
            let name = String(cString: anchor)
            mistakes.add(
                mark,
                "'&\(name)' is an anchor to YAML, which scenarios do not use; a value that starts with '&' "
                    + "must be quoted"
            )
            spoil(mark)
        }
        if tag != nil {
            let offset = source.offset(
                line: event.pointee.start_mark.line,
                column: event.pointee.start_mark.column
            )
            let text = String(source.restOfLine(from: offset).prefix { !" ,]}".contains($0) })
            mistakes.add(
                mark,
                "'\(text)' is a tag to YAML, which scenarios do not use; a value that starts with '!' "
                    + "must be quoted"
            )
            spoil(mark)
        }
    }

    /// A digit behind `>` or `|` is legal YAML that nobody means: `>2` would be an empty text.
    private func refuseCountedBlock() {
        let offset = source.offset(
            line: event.pointee.start_mark.line,
            column: event.pointee.start_mark.column
        )
        let text = source.restOfLine(from: offset)
        guard text.dropFirst().contains(where: { $0.isNumber }) else { return }
        mistakes.add(mark, Self.quoteSentence(text))
        spoil(mark)
    }
}

extension YAMLNode {
    fileprivate var isQuoted: Bool {
        guard case .scalar(_, isQuoted: true) = content else { return false }
        return true
    }

    fileprivate var isMergeKey: Bool {
        guard case .scalar(let text, isQuoted: false) = content else { return false }
        return text == "<<"
    }
}
