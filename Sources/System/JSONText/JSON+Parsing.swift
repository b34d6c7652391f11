// SPDX-License-Identifier: MIT

extension JSON {
    /// How deep arrays and objects may nest.
    public static let depthLimit = 128

    /// Reads one JSON document.
    ///
    /// - Parameter bytes: UTF-8 text of one value, with white space around it.
    /// - Throws: ``JSONError`` with the position of the first byte that does not belong.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> JSON in
            var parser = JSONParser(bytes: buffer)
            return try parser.document()
        }
    }

    /// Reads one JSON document whose long list is handed on element by element, so that it is never there as a whole.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text of one value, with white space around it.
    ///   - path: The keys from the document to the list; on the way each key holds a list of objects.
    ///   - element: Takes an element of the list, with its index in each list on the way, its own last. In the document
    ///     the list is empty.
    /// - Throws: ``JSONError`` with the position of the first byte that does not belong.
    public init(
        parsing bytes: [UInt8],
        handingOn path: [String],
        to element: (_ indexes: [Int], JSON) -> Void
    ) throws(JSONError) {
        self = try withoutActuallyEscaping(element) { (element) throws(JSONError) -> JSON in
            try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> JSON in
                var parser = JSONParser(bytes: buffer)
                parser.handOn = JSONParser.HandOn(path: path, element: element)
                return try parser.document()
            }
        }
    }

    /// Reads one JSON document from a text.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }
}

/// A recursive descent parser over UTF-8 bytes; it lives only as long as the buffer that it reads.
private struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    var handOn: HandOn?

    /// A list whose elements are handed on, and the way to it as far as it was gone.
    struct HandOn {
        let path: [String]
        let element: ([Int], JSON) -> Void
        var indexes: [Int] = []
        /// How many keys of the path lead to where the parser is; nil away from the path.
        var step: Int? = 0
    }

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw error("more text after the end of the document") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipBlanks()
        guard index < bytes.count else { throw error("the text ends where a value should be") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        guard depth <= JSON.depthLimit else { throw error("nested deeper than \(JSON.depthLimit) levels") }
        var members: [JSON.Member] = []
        index += 1
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(members) }
        members.reserveCapacity(8)
        while true {
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw error("a key in quotes is missing")
            }
            let key = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw error("':' is missing after the key \"\(key)\"") }
            members.append(JSON.Member(key, try member(key, depth: depth)))
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("',' or '}' is missing") }
        }
    }

    /// Reads the value of a key, and keeps account of the way to the list that is handed on.
    private mutating func member(_ key: String, depth: Int) throws(JSONError) -> JSON {
        guard let step = handOn?.step else { return try value(depth: depth) }
        // A list of the path is two levels deeper than the one before it: the object and the list.
        let isNext = depth == 2 * step + 1 && step < handOn?.path.count ?? 0 && handOn?.path[step] == key
        handOn?.step = isNext ? step + 1 : nil
        defer { handOn?.step = step }
        return try value(depth: depth)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        guard depth <= JSON.depthLimit else { throw error("nested deeper than \(JSON.depthLimit) levels") }
        var elements: [JSON] = []
        index += 1
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        let isOnPath = handOn?.step.map { depth == 2 * $0 } ?? false
        if isOnPath { handOn?.indexes.append(0) }
        defer { if isOnPath { handOn?.indexes.removeLast() } }
        while true {
            let element = try value(depth: depth)
            if isOnPath, let handOn, handOn.step == handOn.path.count {
                handOn.element(handOn.indexes, element)
            } else {
                elements.append(element)
            }
            if isOnPath, let last = handOn?.indexes.indices.last { handOn?.indexes[last] += 1 }
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw error("',' or ']' is missing") }
        }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        try skipPlainText()
        // Most strings have no escape: decode them in one go.
        if take(UInt8(ascii: "\"")) {
            return try decoded(UnsafeBufferPointer(rebasing: bytes[start..<index - 1]), at: start)
        }
        return try escapedString(from: start)
    }

    /// Reads a string in which an escape was met; `start` is where its text begins.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = try decoded(UnsafeBufferPointer(rebasing: bytes[start..<index]), at: start)
        while !take(UInt8(ascii: "\"")) {
            guard index < bytes.count else { throw error("the text ends inside a string") }
            if bytes[index] == UInt8(ascii: "\\") {
                text.unicodeScalars.append(try escape())
            } else {
                let start = index
                try skipPlainText()
                text += try decoded(UnsafeBufferPointer(rebasing: bytes[start..<index]), at: start)
            }
        }
        return text
    }

    /// Goes on to the next quote or backslash, or to the end of the bytes.
    private mutating func skipPlainText() throws(JSONError) {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            guard byte >= 0x20 else { throw error("a control character in a string must be escaped") }
            index += 1
        }
        throw error("the text ends inside a string")
    }

    private func decoded(_ part: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONError) -> String {
        if let text = String(validating: part, as: UTF8.self) { return text }
        var decoder = UTF8()
        var iterator = part.makeIterator()
        var good = start
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { good += UTF8.width(scalar) }
        throw error("a string is not UTF-8", at: good)
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = index
        index += 1
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
        default: throw error("'\\' is followed by no escape that JSON knows", at: start)
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
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else {
            index = mark
            return "\u{FFFD}"
        }
        return scalar
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard index + offset < bytes.count, let digit = Self.hexDigit(bytes[index + offset]) else {
                throw error("'\\u' needs four hex digits", at: index + offset)
            }
            value = value << 4 | digit
        }
        index += 4
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    // MARK: Numbers and words

    private mutating func number() throws(JSONError) -> JSON {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        let leadingZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        let (count, value) = digits()
        guard count > 0, !(leadingZero && count > 1) else { throw error("this is no value", at: start) }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits().count > 0 else { throw error("digits are missing after '.'") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits().count > 0 else { throw error("digits are missing in the exponent") }
        }
        if isWhole, let value { return .integer(isNegative ? -value : value) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw error("the number \(text) is out of range", at: start)
        }
        return .number(value)
    }

    /// Reads digits; the value is nil when it does not fit.
    private mutating func digits() -> (count: Int, value: Int?) {
        let start = index
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            // Eighteen digits always fit, more are looked at by whoever needs them.
            if index - start < 18 { value = value * 10 + Int(digit) }
            index += 1
        }
        return (index - start, index - start <= 18 ? value : nil)
    }

    private mutating func word(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count,
            (0..<count).allSatisfy({ bytes[index + $0] == text.utf8Start[$0] })
        else { throw error("this is no value") }
        index += count
        return value
    }

    // MARK: Bytes

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private func error(_ message: String) -> JSONError { error(message, at: index) }

    private func error(_ message: String, at place: Int) -> JSONError {
        var line = 1
        var lineStart = 0
        for (offset, byte) in bytes[..<min(place, bytes.count)].enumerated() where byte == 0x0A {
            line += 1
            lineStart = offset + 1
        }
        return JSONError(message: message, line: line, column: min(place, bytes.count) - lineStart + 1)
    }
}
