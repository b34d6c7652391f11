// SPDX-License-Identifier: MIT

/// Finds byte values in bytes and in text.
///
/// What is looked through stays as it is while stars are put into a copy: values may overlap.
enum TextMask {
    /// Calls `body` for every occurrence, overlapping ones included.
    static func find(_ value: [UInt8], in bytes: [UInt8], from start: Int, _ body: (Range<Int>) -> Void) {
        guard let first = value.first, bytes.count - start >= value.count else { return }
        for position in start...bytes.count - value.count where bytes[position] == first {
            var index = 1
            while index < value.count, bytes[position + index] == value[index] { index += 1 }
            if index == value.count { body(position..<position + value.count) }
        }
    }

    /// Replaces every occurrence of a value that stands there as text: one star a byte.
    static func hideLiteral(_ value: [UInt8], of original: [UInt8], in text: inout [UInt8]) {
        find(value, in: original, from: 0) { range in
            for index in range { text[index] = star }
        }
    }

    /// Replaces every occurrence of a value in hex, in either case, with or without separators between its bytes; also
    /// one that is cut and ends in dots.
    static func hideHex(_ value: [UInt8], of original: [UInt8], in text: inout [UInt8]) {
        guard let first = value.first else { return }
        let shortest = min(value.count, shortestCut)
        var position = 0
        while position + 2 * shortest <= original.count {
            guard isPair(first, at: position, in: original),
                let digits = match(value, at: position, in: original)
            else {
                position += 1
                continue
            }
            for index in digits { text[index] = star }
            position += 1
        }
    }

    /// The positions of the digits when the value stands at a position.
    private static func match(_ value: [UInt8], at start: Int, in text: [UInt8]) -> [Int]? {
        var digits: [Int] = []
        var position = start
        for (number, byte) in value.enumerated() {
            if number > 0 { position = skipSeparators(from: position, in: text) }
            guard isPair(byte, at: position, in: text) else {
                let isCut = number >= shortestCut && text[position...].starts(with: dots)
                return isCut ? digits : nil
            }
            digits += [position, position + 1]
            position += 2
        }
        return digits
    }

    private static func isPair(_ byte: UInt8, at position: Int, in text: [UInt8]) -> Bool {
        guard position + 1 < text.count else { return false }
        return digit(text[position]) == byte >> 4 && digit(text[position + 1]) == byte & 0x0F
    }

    /// At most a comma, a blank and a `0x` prefix stand between two bytes.
    private static func skipSeparators(from start: Int, in text: [UInt8]) -> Int {
        var position = start
        while position < text.count, position < start + 3, separators.contains(text[position]) {
            position += 1
        }
        if position + 1 < text.count, text[position] == UInt8(ascii: "0"),
            text[position + 1] | 0x20 == UInt8(ascii: "x")
        {
            position += 2
        }
        return position
    }

    /// How much of a value must stand before the dots.
    private static let shortestCut = 4
    private static let dots = Array("...".utf8)
    private static let separators: [UInt8] = Array(" :-,\t\n".utf8)
    private static let star = UInt8(ascii: "*")

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
