// SPDX-License-Identifier: MIT

/// Why a text is no JSON document.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// Line, from 1.
    public let line: Int
    /// Byte in the line, from 1.
    public let column: Int

    /// Position and cause.
    public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSON {
    /// How deep arrays and objects may nest.
    public static let depthLimit = 128

    /// Reads one JSON document.
    ///
    /// - Parameter bytes: UTF-8 text of one value, with white space around it.
    /// - Throws: ``JSONError`` with the position of the first byte that does not belong.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
    }

    /// Reads one JSON document from a text.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }
}

/// A recursive descent parser over UTF-8 bytes.
private struct JSONParser {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw error("more text after the end of the document") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.depthLimit else { throw error("nested deeper than \(JSON.depthLimit) levels") }
        skipBlanks()
        guard index < bytes.count else { throw error("the text ends where a value should be") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        index += 1
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
            let key = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw error("':' is missing after the key \"\(key)\"") }
            members.append(JSON.Member(key, try value(depth: depth + 1)))
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("',' or '}' is missing") }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        index += 1
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw error("',' or ']' is missing") }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        // Most strings have no escape: find the end and decode in one go.
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            guard bytes[index] >= 0x20 else { throw error("a control character in a string must be escaped") }
            index += 1
        }
        var text = try decoded(start..<index)
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 1
                text.unicodeScalars.append(try escape())
            } else {
                let start = index
                while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
                    guard bytes[index] >= 0x20 else {
                        throw error("a control character in a string must be escaped")
                    }
                    index += 1
                }
                text += try decoded(start..<index)
            }
        }
        guard take(UInt8(ascii: "\"")) else { throw error("the text ends inside a string") }
        return text
    }

    private func decoded(_ range: Range<Int>) throws(JSONError) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw error("a string is not UTF-8")
        }
        return text
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard index < bytes.count else { throw error("the text ends inside a string") }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("'\\' is followed by no escape that JSON knows")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate must be followed by a low one; a lone one becomes U+FFFD, so that nothing is lost silently.
        guard (0xD800..<0xDC00).contains(first), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let mark = index
        index += 2
        let second = try fourDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else {
            index = mark
            return "\u{FFFD}"
        }
        return scalar
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        guard index + 4 <= bytes.count,
            bytes[index..<index + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw error("'\\u' needs four hex digits") }
        index += 4
        return value
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = index
        var isWhole = true
        _ = take(UInt8(ascii: "-"))
        let leadingZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !(leadingZero && whole > 1) else {
            index = start
            throw error("this is no value")
        }
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() > 0 else { throw error("digits are missing after '.'") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw error("digits are missing in the exponent") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("the number \(text) is out of range") }
        return .number(value)
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        return index - start
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[index...].starts(with: text.utf8) else { throw error("this is no value") }
        index += text.utf8.count
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private func error(_ message: String) -> JSONError {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.reversed().prefix { $0 != 0x0A }.count + 1
        return JSONError(message: message, line: line, column: column)
    }
}
