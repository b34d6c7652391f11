// SPDX-License-Identifier: MIT

internal import SmartCard

/// Which bytes will do: hex with `xx` (any byte), `x` (any nibble), `...` (any rest), `(n)` (any n bytes), or `re:`.
public struct BytePattern: Hashable, Sendable, CustomStringConvertible {
    private struct Cell: Hashable {
        var value: UInt8
        var mask: UInt8
    }

    private enum Rule: Hashable {
        case exact([UInt8])
        case cells(head: [Cell], tail: [Cell], isOpen: Bool)
        case expression(Expression)
    }

    private let rule: Rule
    /// The text as the file has it.
    public let description: String

    /// Takes these bytes and no others.
    public init(_ bytes: [UInt8], description: String? = nil) {
        rule = .exact(bytes)
        self.description = description ?? bytes.hex
    }

    private init(rule: Rule, description: String) {
        self.rule = rule
        self.description = description
    }

    /// The bytes when just these will do, else nil.
    public var exact: [UInt8]? {
        guard case .exact(let bytes) = rule else { return nil }
        return bytes
    }

    /// True when the bytes will do, from the first to the last.
    ///
    /// - Throws: ``TextError`` when a regular expression takes too many tries.
    public func matches(_ bytes: [UInt8]) throws(TextError) -> Bool {
        switch rule {
        case .exact(let wanted): return wanted == bytes
        case .cells: return firstDifference(from: bytes) == nil
        case .expression(let expression): return try expression.matches(bytes.hex)
        }
    }

    /// The offset of the first byte that does not fit, or where one is missing or too many; nil when all fit.
    ///
    /// A regular expression has no such place: it is nil.
    public func firstDifference(from bytes: [UInt8]) -> Int? {
        switch rule {
        case .exact(let wanted):
            for index in 0..<Swift.min(wanted.count, bytes.count) where wanted[index] != bytes[index] {
                return index
            }
            return wanted.count == bytes.count ? nil : Swift.min(wanted.count, bytes.count)
        case .cells(let head, let tail, let isOpen):
            for index in 0..<Swift.min(head.count, bytes.count)
            where bytes[index] & head[index].mask != head[index].value {
                return index
            }
            guard bytes.count >= head.count + tail.count, isOpen || bytes.count == head.count else {
                return Swift.min(head.count, bytes.count)
            }
            let start = bytes.count - tail.count
            for index in 0..<tail.count where bytes[start + index] & tail[index].mask != tail[index].value {
                return start + index
            }
            return nil
        case .expression: return nil
        }
    }

    /// What stands at an offset: a byte, or nil where any will do or none is.
    func expectedByte(at offset: Int) -> UInt8? {
        switch rule {
        case .exact(let wanted): offset < wanted.count ? wanted[offset] : nil
        case .cells(let head, _, _):
            offset < head.count && head[offset].mask == 0xFF ? head[offset].value : nil
        case .expression: nil
        }
    }

    /// Reads a pattern.
    ///
    /// Blanks, colons, dashes, commas and `0x` before a whole byte count for nothing. `0x` with nothing behind it is a
    /// byte whose lower nibble is free.
    ///
    /// - Parameter text: The pattern; without any of its signs it is plain hex.
    /// - Returns: The pattern.
    /// - Throws: ``TextError`` with the column of what does not belong.
    public static func parse(_ text: String) throws(TextError) -> BytePattern {
        if text.hasPrefix("re:") {
            let source = String(text.dropFirst(3))
            do {
                return BytePattern(rule: .expression(try Expression(source)), description: text)
            } catch {
                throw error.shifted(by: 3)
            }
        }
        if !text.utf8.contains(where: { $0 | 0x20 == 0x78 || $0 == 0x2E || $0 == 0x28 }) {
            do {
                let bytes = try HexText.bytes(text)
                return BytePattern(bytes, description: bytes.hex)
            } catch {
                throw TextError(error, in: text)
            }
        }
        var reader = PatternReader(text)
        try reader.read()
        let cells = reader.head.map { Cell(value: $0.value, mask: $0.mask) }
        let tail = reader.tail.map { Cell(value: $0.value, mask: $0.mask) }
        if !reader.isOpen, cells.allSatisfy({ $0.mask == 0xFF }) {
            let bytes = cells.map(\.value)
            return BytePattern(bytes, description: bytes.hex)
        }
        return BytePattern(
            rule: .cells(head: cells, tail: tail, isOpen: reader.isOpen),
            description: text.trimmed
        )
    }
}

extension TextError {
    /// The error of a hex text, with its column from 0.
    init(_ error: HexError, in text: String) {
        self.init(error.description, column: Swift.max(0, error.column - 1))
    }
}

/// Reads the cells of a pattern, two digits at a time.
private struct PatternReader {
    var head: [(value: UInt8, mask: UInt8)] = []
    var tail: [(value: UInt8, mask: UInt8)] = []
    var isOpen = false
    private var cursor: TextCursor
    /// The first half of a byte.
    private var pending: (value: UInt8, mask: UInt8)?
    private var digits = 0

    init(_ text: String) {
        cursor = TextCursor(text)
    }

    mutating func read() throws(TextError) {
        var isTokenStart = true
        while let byte = cursor.next {
            if isTokenStart, skipPrefix() {
                isTokenStart = false
                continue
            }
            isTokenStart = false
            switch byte {
            case 0x20, 0x09, 0x3A, 0x2D, 0x2C, 0x22, 0x27:
                try checkWhole()
                digits = 0
                isTokenStart = true
                cursor.skip()
            case 0x2E: try readRest()
            case 0x28: try readGap()
            case 0x58, 0x78: add(0, mask: 0)
            default:
                guard let digit = byte.hexDigit else {
                    throw TextError("\(cursor.nextCharacter) is not a hex digit", column: cursor.column)
                }
                add(digit, mask: 0xF)
            }
        }
        try checkWhole()
    }

    /// Goes past `0x` where whole bytes of plain digits follow it.
    private mutating func skipPrefix() -> Bool {
        var ahead = cursor
        guard pending == nil, ahead.take("0x") || ahead.take("0X") else { return false }
        let behind = ahead
        let token = ahead.take { $0.isLetter || $0.isDigit }
        guard !token.isEmpty, token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ $0.hexDigit != nil })
        else {
            return false
        }
        cursor = behind
        return true
    }

    private mutating func add(_ value: UInt8, mask: UInt8) {
        cursor.skip()
        digits += 1
        guard let first = pending else {
            pending = (value, mask)
            return
        }
        append((first.value << 4 | value, first.mask << 4 | mask))
        pending = nil
    }

    private mutating func append(_ cell: (value: UInt8, mask: UInt8)) {
        if isOpen { tail.append(cell) } else { head.append(cell) }
    }

    private mutating func readRest() throws(TextError) {
        try checkWhole()
        let column = cursor.column
        guard cursor.take("...") else {
            throw TextError("'.' is not a hex digit; any rest is '...'", column: column)
        }
        guard !isOpen else { throw TextError("'...' may stand only once", column: column) }
        isOpen = true
    }

    private mutating func readGap() throws(TextError) {
        try checkWhole()
        cursor.skip()
        let start = cursor
        let count = try NumberText.parse(&cursor)
        guard (0...65_536).contains(count) else {
            throw TextError("(\(count)) is not possible; 0 to 65536 bytes are", column: start.column)
        }
        guard cursor.take(")") else {
            throw TextError("')' is missing behind the number of bytes", column: cursor.column)
        }
        for _ in 0..<count { append((0, 0)) }
    }

    /// Refuses half a byte.
    private func checkWhole() throws(TextError) {
        guard pending == nil else {
            throw TextError(
                "\(digits) hex digits are no whole bytes; two digits make a byte",
                column: Swift.max(0, cursor.column - 1)
            )
        }
    }
}
