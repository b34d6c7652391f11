// SPDX-License-Identifier: MIT

/// Writes a document in the canonical form: two blanks of indent, short collections in brackets as they were, hex in
/// quotes where other readers would take it for a number, comments where they belong.
struct FormatWriter {
    /// The most characters of a line with brackets or braces; longer ones become blocks.
    static let lineLength = 110

    private let document: FormatDocument
    private let hexPlaces: HexPlaces
    private var nextComment = 0
    private var out = ""
    /// True where an empty line would stand between a key and what is below it.
    private var isAtStart = true

    /// Writes a document.
    static func text(of document: FormatDocument, hexPlaces: HexPlaces) -> String {
        var writer = FormatWriter(document: document, hexPlaces: hexPlaces)
        writer.block(document.root, indent: 0, lead: "", next: nil)
        writer.comments(before: Int.max, indent: 0)
        return writer.out
    }

    private init(document: FormatDocument, hexPlaces: HexPlaces) {
        self.document = document
        self.hexPlaces = hexPlaces
    }

    // MARK: Lines and comments

    private var pendingComment: FormatComment? {
        nextComment < document.comments.count ? document.comments[nextComment] : nil
    }

    /// An empty line, where the file has one before a line.
    private mutating func gap(before line: Int) {
        if !isAtStart, document.lines.isBlank(line - 1) { out += "\n" }
        isAtStart = false
    }

    /// Comments before a place, each in its own line.
    private mutating func comments(before offset: Int, indent: Int) {
        while let comment = pendingComment, comment.offset < offset { own(comment, indent: indent) }
    }

    private mutating func own(_ comment: FormatComment, indent: Int) {
        gap(before: comment.isOwnLine ? comment.line : -1)
        out += Self.blanks(indent) + comment.text + "\n"
        nextComment += 1
    }

    /// Ends a line, with the comment that stands behind its content in the file.
    private mutating func endLine(_ line: Int, before limit: Int = .max) {
        if let comment = pendingComment, comment.line == line, !comment.isOwnLine, comment.offset < limit {
            out += "  " + comment.text
            nextComment += 1
        }
        out += "\n"
    }

    /// Comments at the end of a block that are indented like it, and those inside brackets that became a block.
    private mutating func closing(_ node: FormatNode, indent: Int, next: FormatNode.Place?) {
        while let comment = pendingComment, comment.offset < next?.offset ?? .max {
            if node.isFlow {
                guard comment.offset < node.end.offset || comment.line == node.end.line else { return }
            } else {
                guard comment.isOwnLine, comment.column >= node.start.column,
                    next.map({ comment.column > $0.column }) ?? true
                else { return }
            }
            own(comment, indent: indent)
        }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    // MARK: Blocks

    /// Writes a collection as a block.
    ///
    /// - Parameters:
    ///   - node: The collection.
    ///   - indent: Blanks before each of its lines.
    ///   - lead: What stands before its first line: the blanks, or a dash of the list around it.
    ///   - next: What stands behind it in the file.
    private mutating func block(_ node: FormatNode, indent: Int, lead: String, next: FormatNode.Place?) {
        switch node.content {
        case .scalar: entry(lead, node, indent: indent, isItem: false, next: next)
        case .mapping(let entries):
            for (index, item) in entries.enumerated() {
                let isFirst = index == 0
                let behind = index + 1 < entries.count ? entries[index + 1].key.start : next
                if !isFirst || lead.allSatisfy({ $0 == " " }) {
                    comments(before: item.key.first.offset, indent: indent)
                    gap(before: item.key.start.line)
                }
                let start = isFirst ? lead : Self.blanks(indent)
                entry(start + key(item.key) + ":", item.value, indent: indent, isItem: false, next: behind)
            }
            closing(node, indent: indent, next: next)
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                let isFirst = index == 0
                var behind = next
                if index + 1 < items.count {
                    let first = items[index + 1].first
                    behind = FormatNode.Place(
                        offset: first.offset,
                        line: first.line,
                        column: node.isFlow ? first.column : node.start.column
                    )
                }
                if !isFirst || lead.allSatisfy({ $0 == " " }) {
                    comments(before: item.first.offset, indent: indent)
                    gap(before: item.first.line)
                }
                entry(
                    (isFirst ? lead : Self.blanks(indent)) + "-",
                    item,
                    indent: indent,
                    isItem: true,
                    next: behind
                )
            }
            closing(node, indent: indent, next: next)
        }
    }

    /// Writes a value behind its key or dash.
    private mutating func entry(
        _ prefix: String,
        _ value: FormatNode,
        indent: Int,
        isItem: Bool,
        next: FormatNode.Place?
    ) {
        if let text = inline(value),
            !value.isFilledCollection
                || prefix.unicodeScalars.count + 1 + text.unicodeScalars.count <= Self.lineLength
        {
            let line = prefix.isEmpty || text.isEmpty ? prefix + text : "\(prefix) \(text)"
            write([line[...]], of: value, indent: indent)
            return
        }
        if case .scalar(let style, _) = value.content {
            let parts =
                style == .literal || style == .folded
                ? counted(value, indent: indent + 2) : folded(value, style, indent: indent + 2)
            write([Substring("\(prefix) \(parts[0])")] + parts.dropFirst(), of: value, indent: indent)
            return
        }
        if isItem {
            block(value, indent: indent + 2, lead: prefix + " ", next: next)
            return
        }
        out += prefix
        // A comment behind brackets in one line speaks of all that is in them.
        let isOneLine = value.isFlow && value.start.line == value.end.line && !hasComments(value)
        endLine(
            value.isFlow ? value.start.line : lineOfKey,
            before: isOneLine ? .max : value.first.offset
        )
        isAtStart = true
        block(value, indent: indent + 2, lead: Self.blanks(indent + 2), next: next)
    }

    /// The line in the file of the key that was written last.
    private var lineOfKey = 0

    /// Writes the lines of a value; comments between key and value move before them, but for a lone one.
    private mutating func write(_ lines: [Substring], of value: FormatNode, indent: Int) {
        let isBlock = value.isCounted
        let end = isBlock ? value.start.offset : value.end.offset
        var inner = 0
        while nextComment + inner < document.comments.count,
            document.comments[nextComment + inner].offset < end
        {
            inner += 1
        }
        let behind =
            nextComment + inner < document.comments.count ? document.comments[nextComment + inner] : nil
        let lastLine = isBlock ? value.start.line : value.end.line
        let hasTrailing = behind.map { $0.line == lastLine && !$0.isOwnLine } ?? false
        if inner == 1, !hasTrailing, let comment = pendingComment {
            nextComment += 1
            finish(lines, with: comment, onLastLine: !isBlock)
            return
        }
        // They move before the line, so the line's own blanks come behind them.
        for _ in 0..<inner {
            if let comment = pendingComment { insert(comment, indent: indent) }
        }
        var trailing: FormatComment?
        if hasTrailing {
            trailing = behind
            nextComment += 1
        }
        finish(lines, with: trailing, onLastLine: !isBlock)
    }

    private mutating func insert(_ comment: FormatComment, indent: Int) {
        out += Self.blanks(indent) + comment.text + "\n"
        nextComment += 1
    }

    private mutating func finish(_ lines: [Substring], with comment: FormatComment?, onLastLine: Bool) {
        let place = onLastLine ? lines.count - 1 : 0
        for (index, line) in lines.enumerated() {
            out += line
            if index == place, let comment { out += "  " + comment.text }
            out += "\n"
        }
        // Empty lines that belong to a text are not for the next key.
        isAtStart = lines.count > 1 && lines.last?.isEmpty == true
    }

    private mutating func key(_ node: FormatNode) -> String {
        lineOfKey = node.start.line
        return scalar(node) ?? Self.quoted(node.scalarText)
    }

    // MARK: Scalars

    /// A value in one line; nil when it has several, or is a block, or has comments inside.
    private func inline(_ node: FormatNode) -> String? {
        switch node.content {
        case .scalar: return scalar(node)
        case .sequence(let items):
            if items.isEmpty { return "[]" }
            guard node.isFlow, !hasComments(node) else { return nil }
            var parts: [String] = []
            for item in items {
                guard let text = inline(item) else { return nil }
                parts.append(text)
            }
            return "[\(parts.joined(separator: ", "))]"
        case .mapping(let entries):
            if entries.isEmpty { return "{}" }
            guard node.isFlow, !hasComments(node) else { return nil }
            var parts: [String] = []
            for (index, entry) in entries.enumerated() {
                guard let key = scalar(entry.key), let value = inline(entry.value) else { return nil }
                let blank = value.isEmpty && index + 1 == entries.count ? "" : " "
                parts.append("\(key):\(blank)\(value)")
            }
            return "{ \(parts.joined(separator: ", ")) }"
        }
    }

    private func hasComments(_ node: FormatNode) -> Bool {
        var low = 0
        var high = document.comments.count
        while low < high {
            let middle = (low + high) / 2
            if document.comments[middle].offset < node.start.offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < document.comments.count && document.comments[low].offset < node.end.offset
    }

    /// A scalar of one line as it is written; nil when it has several.
    private func scalar(_ node: FormatNode) -> String? {
        guard case .scalar(let style, let text) = node.content, node.start.line == node.end.line,
            !node.isCounted
        else { return nil }
        let raw = document.lines.text(node.start.offset..<node.end.offset)
        let isHex = hexPlaces.contains(line: node.start.line + 1, column: node.start.column + 1)
        switch style {
        case .plain:
            if text.isEmpty { return "" }
            let isMisread = isHex && PlainScalar.isNoText(text) || PlainScalar.losesItsText(text)
            // A dash alone is a text in brackets, and an item of a list outside of them.
            return isMisread || text == "-" ? "\"\(text)\"" : raw
        case .singleQuoted where isHex && !text.contains { $0 == "\"" || $0 == "\\" }: return "\"\(text)\""
        default: return raw
        }
    }

    /// A text in double quotes on one line.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// A text over several lines: each starts below the first, and line breaks stay where they are.
    private func folded(_ node: FormatNode, _ style: TextMapBuilder.Style, indent: Int) -> [Substring] {
        let last = node.end.line - node.start.line
        return (0...last).map { index in
            let line = node.start.line + index
            var text = document.lines.text(line)
            if index == last { text = text.prefix(characters: node.end.column) }
            if index == 0 { text = text.dropFirst(characters: node.start.column) }
            if index > 0 { text = text.drop { $0 == " " || $0 == "\t" } }
            if index < last {
                let whole = text
                while let end = text.last, end == " " || end == "\t" { text.removeLast() }
                // The blank behind a backslash is a letter.
                let slashes = text.reversed().prefix { $0 == "\\" }.count
                if style == .doubleQuoted, !slashes.isMultiple(of: 2), text.endIndex < whole.endIndex {
                    text = whole[..<whole.index(after: text.endIndex)]
                }
            }
            if index == 0 || text.isEmpty { return text }
            return Substring(Self.blanks(indent) + text)
        }
    }

    /// A text behind `|` or `>`.
    private func counted(_ node: FormatNode, indent: Int) -> [Substring] {
        let lines = document.lines
        var header = lines.text(node.start.line).dropFirst(characters: node.start.column)
            .prefix { "|>+-".contains($0) }
        // A text that ends with the file has no line break at its end, and the canonical form has.
        if node.end.column > 0 { header = header.prefix(1) + "-" }
        var end = node.end.column == 0 ? node.end.line : node.end.line + 1
        if !header.contains("+") {
            while end - 1 > node.start.line, lines.isBlank(end - 1) { end -= 1 }
        }
        let range = node.start.line + 1..<max(node.start.line + 1, end)
        let content = range.map { lines.text($0) }
        let depth = content.first { !$0.allSatisfy { $0 == " " } }.map { $0.prefix { $0 == " " }.count } ?? 0
        return [header]
            + content.map { line in
                let rest = line.dropFirst(min(depth, line.prefix { $0 == " " }.count))
                return rest.isEmpty ? "" : Substring(Self.blanks(indent) + rest)
            }
    }
}

extension FormatNode {
    /// True for a text behind `|` or `>`.
    fileprivate var isCounted: Bool {
        guard case .scalar(let style, _) = content else { return false }
        return style == .literal || style == .folded
    }

    /// True for a list or mapping that holds something.
    fileprivate var isFilledCollection: Bool {
        switch content {
        case .scalar: false
        case .sequence(let items): !items.isEmpty
        case .mapping(let entries): !entries.isEmpty
        }
    }

    fileprivate var scalarText: String {
        guard case .scalar(_, let text) = content else { return "" }
        return text
    }
}

extension Substring {
    /// The first characters, counted as YAML counts them: by code points.
    fileprivate func prefix(characters count: Int) -> Substring {
        Substring(unicodeScalars.prefix(count))
    }

    fileprivate func dropFirst(characters count: Int) -> Substring {
        Substring(unicodeScalars.dropFirst(count))
    }
}
