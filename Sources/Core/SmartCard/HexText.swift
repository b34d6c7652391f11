// SPDX-License-Identifier: MIT

/// Hex text: bytes as people and tools write them.
public enum HexText {
    /// Reads bytes from hex text in any of the usual forms.
    ///
    /// Upper or lower case; blanks, tabs, line ends, colons, dashes and commas between bytes; a `0x` prefix before a
    /// byte or the whole; quotes around it. A separator inside a byte is refused: `00 A 4` is a slip of the pen.
    ///
    /// - Parameter text: The text, without a comment.
    /// - Returns: The bytes, none for an empty text.
    /// - Throws: ``HexError`` with the column of the character that does not belong.
    public static func bytes(_ text: some StringProtocol) throws(HexError) -> [UInt8] {
        let result = text.utf8.withContiguousStorageIfAvailable { HexReader.read($0) }
        switch result ?? Array(text.utf8).withUnsafeBufferPointer({ HexReader.read($0) }) {
        case .bytes(let bytes): return bytes
        case .badByte(let offset):
            let (character, column) = position(of: offset, in: text)
            throw HexError(cause: .notHex(character), column: column)
        case .oddCount(let count, let offset):
            throw HexError(cause: .oddDigitCount(count), column: position(of: offset, in: text).column)
        }
    }

    /// The character that holds a byte of the text, and its column from 1.
    private static func position(
        of offset: Int,
        in text: some StringProtocol
    ) -> (character: Character, column: Int) {
        var end = 0
        var column = 0
        var last: Character = " "
        for character in text {
            column += 1
            last = character
            end += character.utf8.count
            if end > offset { break }
        }
        return (last, column)
    }
}

/// One pass over UTF-8 bytes: all that is valid in hex text is ASCII, so characters are only needed for an error.
private enum HexReader {
    enum Outcome {
        case bytes([UInt8])
        case badByte(offset: Int)
        case oddCount(Int, offset: Int)
    }

    static func read(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
        var out: [UInt8] = []
        out.reserveCapacity(text.count / 2)
        var high: UInt8?
        var digitsInRow = 0
        // At the start and after a whole byte any number over one will do.
        var digitsAfterPrefix = 2
        for (offset, byte) in text.enumerated() {
            let kind = table[Int(byte)]
            if kind < 16 {
                digitsInRow += 1
                digitsAfterPrefix += 1
                if let upper = high {
                    out.append(upper << 4 | kind)
                    high = nil
                } else {
                    high = kind
                }
            } else if kind == separator, digitsAfterPrefix > 0 {
                guard high == nil else { return .oddCount(digitsInRow, offset: offset - 1) }
                digitsInRow = 0
            } else if kind == prefixLetter, high == 0, digitsAfterPrefix > 1 {
                // The zero of a `0x` prefix is no digit of a byte.
                high = nil
                digitsInRow -= 1
                digitsAfterPrefix = 0
            } else {
                return .badByte(offset: kind == separator ? offset - 1 : offset)
            }
        }
        if digitsAfterPrefix == 0 { return .badByte(offset: text.count - 1) }
        return high == nil ? .bytes(out) : .oddCount(digitsInRow, offset: text.count - 1)
    }

    private static let separator: UInt8 = 0x40
    private static let prefixLetter: UInt8 = 0x41
    private static let foreign: UInt8 = 0x42

    /// The value of each byte as a digit, or what else it is.
    private static let table: [UInt8] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "x"), UInt8(ascii: "X"): prefixLetter
        case 0x20, 0x09, 0x0A, 0x0D: separator
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","): separator
        case UInt8(ascii: "\""), UInt8(ascii: "'"): separator
        default: foreign
        }
    }
}

extension Sequence<UInt8> {
    /// Upper-case hex text without blanks, as files hold it.
    public var hex: String { hexText(of: Array(self), stride: 2) }

    /// Upper-case hex text with a blank between bytes, as logs show it.
    public var spacedHex: String { hexText(of: Array(self), stride: 3) }
}

private func hexText(of bytes: [UInt8], stride: Int) -> String {
    guard !bytes.isEmpty else { return "" }
    // The last byte has no blank after it.
    let length = bytes.count * stride - (stride - 2)
    return String(unsafeUninitializedCapacity: length) { out in
        var index = 0
        for byte in bytes {
            if stride == 3, index > 0 {
                out[index] = 0x20
                index += 1
            }
            out[index] = hexDigits[Int(byte >> 4)]
            out[index + 1] = hexDigits[Int(byte & 0x0F)]
            index += 2
        }
        return length
    }
}

private let hexDigits: [UInt8] = Array("0123456789ABCDEF".utf8)
