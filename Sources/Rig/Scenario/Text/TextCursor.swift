// SPDX-License-Identifier: MIT

/// A place in a text while it is read from left to right.
///
/// It walks over UTF-8, since everything that the language gives a meaning to is ASCII; columns are told in characters.
struct TextCursor {
    /// The text's bytes.
    let bytes: [UInt8]
    /// The next byte.
    private(set) var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// True when nothing is left.
    var isAtEnd: Bool { index >= bytes.count }

    /// The next byte, or nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// What is left, as text.
    var rest: String { String(decoding: bytes[index...], as: UTF8.self) }

    /// The place of the next byte in characters from 0.
    var column: Int { column(at: index) }

    /// The place of a byte in characters from 0.
    func column(at index: Int) -> Int {
        bytes[..<Swift.min(index, bytes.count)].count { $0 & 0xC0 != 0x80 }
    }

    /// The character at the next byte, for messages.
    var nextCharacter: String { rest.first.map { "'\($0)'" } ?? "the end" }

    /// Goes on by a number of bytes.
    mutating func skip(_ count: Int = 1) {
        index += count
    }

    /// Goes past blanks and tabs.
    mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }

    /// Goes past a text if it comes next; false leaves the place.
    mutating func take(_ expected: StaticString) -> Bool {
        let length = expected.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset] != expected.utf8Start[offset] { return false }
        index += length
        return true
    }

    /// Takes bytes as long as they belong.
    mutating func take(while belongs: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, belongs(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}

extension UInt8 {
    /// True for `0` to `9`.
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// True for the letters `A` to `Z` and `a` to `z`.
    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

    /// True for what a name may hold behind its first letter.
    var isNamePart: Bool { isLetter || isDigit || self == 0x5F || self == 0x2D }

    /// The value of a hex digit in either case, else nil.
    var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}

extension StringProtocol {
    /// The text without blanks and tabs around it.
    var trimmed: String {
        var view = self[...]
        while let first = view.first, first == " " || first == "\t" { view = view.dropFirst() }
        while let last = view.last, last == " " || last == "\t" { view = view.dropLast() }
        return String(view)
    }
}
