// SPDX-License-Identifier: MIT

/// A piece of a file as it is written: places, styles, the letters themselves.
struct FormatNode {
    /// A place in the file, from 0.
    struct Place: Hashable {
        /// In bytes.
        let offset: Int
        let line: Int
        /// In characters.
        let column: Int
    }

    /// What a node holds.
    enum Content {
        case scalar(TextMapBuilder.Style, text: String)
        case sequence([FormatNode])
        case mapping([Entry])
    }

    /// A key and its value.
    struct Entry {
        let key: FormatNode
        let value: FormatNode
    }

    let content: Content
    let start: Place
    let end: Place
    /// True for what stands in brackets or braces.
    let isFlow: Bool

    /// True for nothing at all, as behind a key without value.
    var isEmptyPlain: Bool {
        guard case .scalar(.plain, "") = content else { return false }
        return true
    }

    /// Where its first scalar starts, or its bracket when it holds none.
    var first: Place {
        switch content {
        case .scalar: start
        case .sequence(let items): items.first?.first ?? start
        case .mapping(let entries): entries.first?.key.first ?? start
        }
    }
}

/// A comment of a file.
struct FormatComment: Hashable {
    let offset: Int
    /// From 0.
    let line: Int
    /// From 0, in characters.
    let column: Int
    /// From its `#` to its last letter.
    let text: String
    /// True when nothing stands before it in its line.
    let isOwnLine: Bool
}

/// A file as it is written.
struct FormatDocument {
    let root: FormatNode
    let comments: [FormatComment]
    let lines: FormatLines
}

/// The lines of a file.
struct FormatLines {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var source = SourceText(bytes)
        starts = source.lineStarts
    }

    /// Number of lines.
    var count: Int { starts.count }

    /// True for a line with nothing but blanks, and for one before the first.
    func isBlank(_ line: Int) -> Bool {
        guard starts.indices.contains(line) else { return false }
        return text(line).allSatisfy { $0 == " " || $0 == "\t" }
    }

    /// The text of a line without its break.
    func text(_ line: Int) -> Substring {
        guard starts.indices.contains(line) else { return "" }
        var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
        while end > starts[line], SourceText.breakEnd(bytes, at: end - 1) != nil { end -= 1 }
        return Substring(decoding: bytes[starts[line]..<end], as: UTF8.self)
    }

    /// The text of a range.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
