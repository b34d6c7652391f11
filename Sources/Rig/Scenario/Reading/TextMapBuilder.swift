// SPDX-License-Identifier: MIT

/// Walks over a scalar as the file has it and notes where each character of its text comes from.
///
/// Source: YAML 1.1 §9 (folding, escapes, indentation), as libyaml reads it.
struct TextMapBuilder {
    /// How a scalar is written.
    enum Style {
        case plain
        case singleQuoted
        case doubleQuoted
        case literal
        case folded
    }

    private let bytes: [UInt8]
    private var offset: Int
    private var line: Int
    private var column: Int
    private var map = TextMap()

    /// Makes the map of a scalar.
    ///
    /// - Parameters:
    ///   - style: How it is written.
    ///   - bytes: The file.
    ///   - range: Where the scalar stands, its quotation marks or its `|` included.
    ///   - line: Line of its start, from 0.
    ///   - column: Column of its start in characters, from 0.
    /// - Returns: The map.
    static func map(
        _ style: Style,
        of bytes: [UInt8],
        in range: Range<Int>,
        line: Int,
        column: Int
    ) -> TextMap {
        var builder = TextMapBuilder(bytes: bytes, offset: range.lowerBound, line: line, column: column)
        switch style {
        case .plain: builder.flow(.plain, to: range.upperBound)
        case .singleQuoted, .doubleQuoted:
            builder.pass()
            builder.flow(style, to: range.upperBound - 1)
        case .literal, .folded: builder.block(isFolded: style == .folded, to: range.upperBound)
        }
        return builder.map
    }

    private init(bytes: [UInt8], offset: Int, line: Int, column: Int) {
        self.bytes = bytes
        self.offset = offset
        self.line = line
        self.column = column
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private var isAtBlank: Bool { next == 0x20 || next == 0x09 }

    private var isAtBreak: Bool { next != nil && SourceText.breakEnd(bytes, at: offset) != nil }

    private mutating func note() {
        map.add(line: line + 1, column: column + 1)
    }

    /// Goes past one character.
    private mutating func pass() {
        guard offset < bytes.count else { return }
        offset += SourceText.width(of: bytes[offset])
        column += 1
    }

    private mutating func passBreak() {
        offset = SourceText.breakEnd(bytes, at: offset) ?? offset + 1
        line += 1
        column = 0
    }

    // MARK: Plain and quoted

    private mutating func flow(_ style: Style, to end: Int) {
        while offset < end {
            if isAtBlank || isAtBreak {
                blanks(isEscaped: false, to: end)
            } else if style == .singleQuoted, next == 0x27 {
                note()
                pass()
                pass()
            } else if style == .doubleQuoted, next == 0x5C {
                escape(to: end)
            } else {
                note()
                pass()
            }
        }
    }

    private mutating func escape(to end: Int) {
        var ahead = self
        ahead.pass()
        if ahead.isAtBreak {
            pass()
            blanks(isEscaped: true, to: end)
            return
        }
        note()
        pass()
        let digits =
            switch next {
            case UInt8(ascii: "x"): 2
            case UInt8(ascii: "u"): 4
            case UInt8(ascii: "U"): 8
            default: 0
            }
        for _ in 0...digits { pass() }
    }

    /// Blanks and line breaks: without a break they are text, with one they fold.
    private mutating func blanks(isEscaped: Bool, to end: Int) {
        var ahead = self
        var breaks = 0
        while ahead.offset < end, ahead.isAtBlank || ahead.isAtBreak {
            if ahead.isAtBreak {
                ahead.passBreak()
                breaks += 1
            } else {
                ahead.pass()
            }
        }
        if breaks == 0 {
            while offset < ahead.offset {
                note()
                pass()
            }
            return
        }
        let count = isEscaped ? breaks - 1 : max(1, breaks - 1)
        for _ in 0..<count { map.add(line: line + 1, column: column + 1) }
        (offset, line, column) = (ahead.offset, ahead.line, ahead.column)
    }

    // MARK: Blocks

    private mutating func block(isFolded: Bool, to end: Int) {
        while next != nil, !isAtBreak { pass() }
        guard next != nil else { return }
        passBreak()
        var indent = 0
        var pending = 0
        var ledByBlank = false
        var isFirst = true
        while offset < end {
            let start = (line, column)
            var spaces = 0
            while next == 0x20, isFirst || spaces < indent {
                pass()
                spaces += 1
            }
            if isAtBreak, spaces <= indent || isFirst {
                map.add(line: start.0 + 1, column: start.1 + 1)
                pending += 1
                passBreak()
                continue
            }
            if next == nil || offset >= end { break }
            if isFirst {
                indent = spaces
            } else {
                join(isFolded: isFolded && !ledByBlank && !isAtBlank, empty: pending)
            }
            isFirst = false
            ledByBlank = isAtBlank
            pending = 0
            while next != nil, !isAtBreak {
                note()
                pass()
            }
            lastBreak = (line + 1, column + 1)
            if next == nil { break }
            passBreak()
        }
    }

    /// Where the last line of a block ended.
    private var lastBreak = (line: 1, column: 1)

    /// The break between two lines; folded it is a blank, or nothing where empty lines stand between.
    private mutating func join(isFolded: Bool, empty: Int) {
        guard !isFolded || empty == 0 else { return }
        // The empty lines behind it have been noted already, which moves the break behind them; all of them are
        // line breaks, so that the number is right and the place a line off at most.
        map.add(line: lastBreak.line, column: lastBreak.column)
    }
}
