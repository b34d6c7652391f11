// SPDX-License-Identifier: MIT

/// XML text in a byte buffer, every character legal.
///
/// Source: Extensible Markup Language (XML) 1.0, fifth edition, §2.2 Char.
struct XMLText {
    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    /// Takes the bytes out and starts anew.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Takes the last bytes back.
    mutating func removeLast(_ count: Int) {
        bytes.removeLast(count)
    }

    /// Appends markup as it is.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends ` name="value"`.
    mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" ")
        markup(name)
        markup("=\"")
        escaped(value, isAttribute: true)
        markup("\"")
    }

    /// Appends ` name="number"`.
    mutating func attribute(_ name: StaticString, _ number: Int) {
        attribute(name, String(number))
    }

    /// Appends character data.
    mutating func text(_ text: String) {
        escaped(text, isAttribute: false)
    }

    private mutating func escaped(_ text: String, isAttribute: Bool) {
        var text = text
        text.withUTF8 { utf8 in
            var index = 0
            while index < utf8.count {
                let byte = utf8[index]
                index += 1
                switch byte {
                case UInt8(ascii: "&"): markup("&amp;")
                case UInt8(ascii: "<"): markup("&lt;")
                case UInt8(ascii: ">"): markup("&gt;")
                case UInt8(ascii: "\""): isAttribute ? markup("&quot;") : bytes.append(byte)
                case 0x09: isAttribute ? markup("&#9;") : bytes.append(byte)
                case 0x0A: isAttribute ? markup("&#10;") : bytes.append(byte)
                // Parsers turn a bare CR into LF, in text as well.
                case 0x0D: markup("&#13;")
                case 0x00..<0x20: visible(UInt16(byte))
                case 0xEF where index + 1 < utf8.count && utf8[index] == 0xBF && utf8[index + 1] >= 0xBE:
                    // U+FFFE and U+FFFF, the only characters of a Swift string above U+001F that XML forbids.
                    visible(utf8[index + 1] == 0xBE ? 0xFFFE : 0xFFFF)
                    index += 2
                default: bytes.append(byte)
                }
            }
        }
    }

    /// Appends a forbidden code point as people write it: `\u001B`.
    private mutating func visible(_ value: UInt16) {
        markup("\\u")
        for shift in [12, 8, 4, 0] {
            let nibble = UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 0x0F
            bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble)
        }
    }
}
