// SPDX-License-Identifier: MIT

import CYAML

/// Reads a file that the scenario's reader takes, with styles and comments.
///
/// Comments are what stands between the scalars and begins with `#`: nothing else there can hold one.
final class FormatReader {
    private struct Halt: Error {}

    private var source: SourceText
    private var scalars: [Range<Int>] = []
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    private var hasEvent = false

    /// Reads a file; nil when it is none that can be formatted.
    static func read(_ bytes: [UInt8]) -> FormatDocument? {
        let reader = FormatReader(bytes)
        let root = bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_input_string(reader.parser, buffer.baseAddress, buffer.count)
            return try? reader.readDocument()
        }
        guard let root else { return nil }
        return FormatDocument(root: root, comments: reader.comments(), lines: FormatLines(bytes))
    }

    private init(_ bytes: [UInt8]) {
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

    private func advance() throws(Halt) {
        if hasEvent {
            yaml_event_delete(event)
            hasEvent = false
        }
        guard yaml_parser_parse(parser, event) == 1 else { throw Halt() }
        hasEvent = true
    }

    private func readDocument() throws(Halt) -> FormatNode {
        try advance()
        try advance()
        guard event.pointee.type == YAML_DOCUMENT_START_EVENT else { throw Halt() }
        try advance()
        let root = try readNode(depth: 0)
        try advance()
        return root
    }

    private func place(_ mark: yaml_mark_t) -> FormatNode.Place {
        FormatNode.Place(
            offset: source.offset(ofCharacter: mark.index),
            line: mark.line,
            column: mark.column
        )
    }

    private func readNode(depth: Int) throws(Halt) -> FormatNode {
        guard depth <= YAMLReader.deepestNesting + 1 else { throw Halt() }
        let start = place(event.pointee.start_mark)
        switch event.pointee.type {
        case YAML_SCALAR_EVENT: return readScalar(start)
        case YAML_SEQUENCE_START_EVENT:
            let isFlow = event.pointee.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
            var items: [FormatNode] = []
            try advance()
            while event.pointee.type != YAML_SEQUENCE_END_EVENT {
                items.append(try readNode(depth: depth + 1))
                try advance()
            }
            let end = place(event.pointee.end_mark)
            return FormatNode(content: .sequence(items), start: start, end: end, isFlow: isFlow)
        case YAML_MAPPING_START_EVENT:
            let isFlow = event.pointee.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
            var entries: [FormatNode.Entry] = []
            try advance()
            while event.pointee.type != YAML_MAPPING_END_EVENT {
                let key = try readNode(depth: depth + 1)
                try advance()
                entries.append(FormatNode.Entry(key: key, value: try readNode(depth: depth + 1)))
                try advance()
            }
            let end = place(event.pointee.end_mark)
            return FormatNode(content: .mapping(entries), start: start, end: end, isFlow: isFlow)
        default: throw Halt()
        }
    }

    private func readScalar(_ start: FormatNode.Place) -> FormatNode {
        let scalar = event.pointee.data.scalar
        let style: TextMapBuilder.Style =
            switch scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        let text = String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
            as: UTF8.self
        )
        let end = place(event.pointee.end_mark)
        var from = start.offset
        if style == .literal || style == .folded {
            // A comment may stand behind the sign.
            while from < end.offset, SourceText.breakEnd(source.bytes, at: from) == nil { from += 1 }
        }
        if from < end.offset { scalars.append(from..<end.offset) }
        return FormatNode(content: .scalar(style, text: text), start: start, end: end, isFlow: false)
    }

    /// The comments, in their order.
    private func comments() -> [FormatComment] {
        var out: [FormatComment] = []
        var offset = 0
        for range in scalars + [source.bytes.count..<source.bytes.count] {
            while offset < range.lowerBound {
                guard source.bytes[offset] == UInt8(ascii: "#") else {
                    offset += 1
                    continue
                }
                let text = source.restOfLine(from: offset)
                let place = source.place(of: offset)
                let before = source.startOfLine(before: offset)
                out.append(
                    FormatComment(
                        offset: offset,
                        line: place.line,
                        column: place.column,
                        text: text,
                        isOwnLine: before.allSatisfy { $0 == " " || $0 == "\t" }
                    )
                )
                while offset < range.lowerBound, SourceText.breakEnd(source.bytes, at: offset) == nil {
                    offset += 1
                }
            }
            offset = max(offset, range.upperBound)
        }
        return out
    }
}
