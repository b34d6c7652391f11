// SPDX-License-Identifier: MIT

import CYAML

/// Sentences for what the YAML parser stumbles over, by cause.
extension YAMLReader {
    /// Notes why the parser stopped.
    func explainProblem() {
        guard let text = parser.pointee.problem else {
            mistakes.add(SourcePosition(file: file, line: 1, column: 1), "the file is too large to read")
            return
        }
        let problem = String(cString: text)
        if parser.pointee.error == YAML_READER_ERROR {
            let (line, column) = source.place(of: parser.pointee.problem_offset)
            mistakes.add(
                SourcePosition(file: file, line: line + 1, column: column + 1),
                "YAML does not take this character: \(problem)"
            )
            return
        }
        let context = parser.pointee.context.map { String(cString: $0) } ?? ""
        let mark = parser.pointee.problem_mark
        let (place, message) = explain(problem, context: context, at: mark)
        mistakes.add(position(of: place), message)
    }

    /// The sentence that asks for quotes: the text itself, and how to write it.
    static func quoteSentence(_ text: String) -> String {
        let start = text.first.map(String.init) ?? ""
        let shown = text.count > 60 ? String(text.prefix(60)) + "..." : text
        let quoted = shown.contains("\"") || shown.contains("\\") ? "'\(shown)'" : "\"\(shown)\""
        return "\(shown) must be quoted, since YAML takes a leading '\(start)' for its own; write \(quoted)"
    }

    private static let tabSentence = "a tab cannot indent YAML; use spaces"

    private func explain(
        _ problem: String,
        context: String,
        at mark: yaml_mark_t
    ) -> (yaml_mark_t, String) {
        let contextMark = parser.pointee.context_mark
        let offset = source.offset(line: mark.line, column: mark.column)
        switch context {
        case "while scanning a block scalar", "while scanning an alias", "while scanning an anchor",
            "while scanning a tag", "while parsing a tag":
            return (contextMark, Self.quoteSentence(value(at: contextMark)))
        case "while scanning a quoted scalar":
            return (contextMark, "the quote that opens here is never closed")
        case "while parsing a quoted scalar":
            return (mark, "a double-quoted text has an escape that YAML does not know; use single quotes")
        case "while scanning a simple key":
            return (
                contextMark,
                "'\(shortened(value(at: contextMark)))' has no ':' behind it; a key is followed by ': '"
            )
        case "while parsing a flow sequence", "while parsing a flow mapping":
            return explainFlow(
                isList: context.hasSuffix("sequence"),
                opening: contextMark,
                at: mark,
                offset: offset
            )
        case "while scanning a directive":
            return (mark, "a line cannot start with '%'; put the text in quotes")
        default:
            break
        }
        if problem.hasPrefix("found undefined tag handle") {
            return (contextMark, Self.quoteSentence(value(at: contextMark)))
        }
        if problem.hasPrefix("found a tab character") {
            return (mark, Self.tabSentence)
        }
        if problem.hasPrefix("found character that cannot start any token") {
            return explainStart(offset: offset, mark: mark)
        }
        if problem.hasPrefix("mapping values are not allowed") {
            return explainColon(offset: offset, mark: mark)
        }
        if problem.hasPrefix("block sequence entries are not allowed") {
            return (
                mark, "a list cannot start behind a key in the same line; start it with '- ' in the next line"
            )
        }
        if problem.hasPrefix("mapping keys are not allowed") {
            return (mark, "a value that starts with '?' must be quoted")
        }
        if context.hasPrefix("while parsing a block"),
            let leftover = explainLeftover(offset: offset, mark: mark)
        {
            return leftover
        }
        if problem.hasPrefix("did not find expected key") || problem.hasPrefix("did not find expected '-'")
            || problem.hasPrefix("did not find expected <document start>")
        {
            return (mark, "this line does not fit the indentation of the lines above it")
        }
        if problem.hasPrefix("did not find expected node content") {
            return (mark, "a value is missing here")
        }
        let more = context.isEmpty ? "" : " (\(context))"
        return (mark, "this is no YAML: \(problem)\(more)")
    }

    /// The value that starts at a mark, to the end of its line or of the braces around it.
    private func value(at mark: yaml_mark_t) -> String {
        let text = source.restOfLine(from: source.offset(line: mark.line, column: mark.column))
        guard parser.pointee.flow_level > 0 else { return withoutComment(text) }
        return withoutComment(String(text.prefix { !",]}".contains($0) })).trimmed
    }

    private func withoutComment(_ text: String) -> String {
        var out = ""
        var previous: Character = "x"
        for character in text {
            if character == "#", previous == " " { break }
            out.append(character)
            previous = character
        }
        return out.trimmed
    }

    private func shortened(_ text: String) -> String {
        text.count > 60 ? String(text.prefix(60)) + "..." : text
    }

    private func explainFlow(
        isList: Bool,
        opening: yaml_mark_t,
        at mark: yaml_mark_t,
        offset: Int
    ) -> (yaml_mark_t, String) {
        let (open, close) = isList ? ("[", "]") : ("{", "}")
        if source.byte(at: offset) == UInt8(ascii: "{"), source.byte(at: offset - 1) == UInt8(ascii: "$") {
            let name = source.restOfLine(from: offset - 1)
            let reference = name.prefix { $0 != "}" } + (name.contains("}") ? "}" : "")
            var start = mark
            start.column -= 1
            return (start, "\(reference) must be quoted inside brackets and braces; write \"\(reference)\"")
        }
        if offset >= source.bytes.count || mark.line > opening.line {
            return (
                opening,
                "the '\(open)' that opens here is not closed with '\(close)'; "
                    + "a value that starts with '\(open)' must be quoted"
            )
        }
        return (
            mark,
            "expected ',' or '\(close)' in the \(isList ? "list" : "mapping") that opens with '\(open)' in "
                + "column \(opening.column + 1); a text with brackets, braces, commas or ': ' must be quoted"
        )
    }

    private func explainStart(offset: Int, mark: yaml_mark_t) -> (yaml_mark_t, String) {
        if source.byte(at: offset) == 0x09 {
            return (mark, Self.tabSentence)
        }
        return (mark, Self.quoteSentence(value(at: mark)))
    }

    private func explainColon(offset: Int, mark: yaml_mark_t) -> (yaml_mark_t, String) {
        let before = source.startOfLine(before: offset)
        guard let colon = before.range(ofFirst: ": ") else {
            return (mark, "a ':' cannot stand here; check the indentation, or put the text in quotes")
        }
        let value = before[colon.upperBound...].drop { $0 == " " }
        let column = before[..<value.startIndex].unicodeScalars.count
        var start = mark
        start.column = column
        let rest = withoutComment(source.restOfLine(from: source.offset(line: mark.line, column: column)))
        if let first = rest.first, "[{\"'".contains(first) {
            return (mark, "a ':' cannot stand here; only one key stands in a line")
        }
        return (start, "a text with ': ' in it must be quoted; write \"\(shortened(rest))\"")
    }

    /// Text behind a closed bracket, brace or quote: the value was meant to be one text.
    private func explainLeftover(offset: Int, mark: yaml_mark_t) -> (yaml_mark_t, String)? {
        let before = source.startOfLine(before: offset)
        let from: String.Index
        if let colon = before.range(ofFirst: ": ") {
            from = colon.upperBound
        } else if let dash = before.range(ofFirst: "- ") {
            from = dash.upperBound
        } else {
            return nil
        }
        let value = before[from...].drop { $0 == " " }
        guard let first = value.first, "[{\"'".contains(first) else { return nil }
        var start = mark
        start.column = before[..<value.startIndex].unicodeScalars.count
        let whole = withoutComment(
            source.restOfLine(from: source.offset(line: mark.line, column: start.column))
        )
        guard "[{".contains(first) else {
            return (mark, "nothing may follow the closing quote; quote the whole text")
        }
        return (start, Self.quoteSentence(whole))
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        var text = self[...]
        while let last = text.last, last == " " || last == "\t" || last.isNewline { text.removeLast() }
        while let first = text.first, first == " " || first == "\t" || first.isNewline { text.removeFirst() }
        return String(text)
    }

    /// The place of the first occurrence of a text.
    func range(ofFirst other: String) -> Range<String.Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(other) {
                return index..<self.index(index, offsetBy: other.count)
            }
            index = self.index(after: index)
        }
        return nil
    }
}
