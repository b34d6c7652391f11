// SPDX-License-Identifier: MIT

/// The text form of keys and certificates: base64 between two lines.
///
/// Source: RFC 7468.
enum PEM {
    struct Block {
        let label: String
        let bytes: [UInt8]
    }

    private static let begin = Array("-----BEGIN ".utf8)

    /// Whether bytes are such a text, perhaps with blanks or other text in front.
    static func isPEM(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, first == begin[0] || first < 0x80 && first != 0x30 else {
            return false
        }
        return position(of: begin, in: bytes[...]) != nil
    }

    /// The first block.
    static func decode(_ bytes: [UInt8]) throws(CryptographyError) -> Block {
        let dashes = Array("-----".utf8)
        guard let start = position(of: begin, in: bytes[...]),
            let labelEnd = position(of: dashes, in: bytes[(start + begin.count)...]),
            let end = position(of: Array("-----END ".utf8), in: bytes[(labelEnd + dashes.count)...])
        else { throw .malformedKey(reason: "its PEM has no closing line") }
        let label = String(decoding: bytes[(start + begin.count)..<labelEnd], as: UTF8.self)
        return Block(label: label, bytes: try base64(bytes[(labelEnd + dashes.count)..<end]))
    }

    private static func position(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).first {
            bytes[$0] == pattern[0] && bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
        }
    }

    private static func base64(_ text: ArraySlice<UInt8>) throws(CryptographyError) -> [UInt8] {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text where byte > 0x20 {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 97 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - 48 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: throw .malformedKey(reason: "its PEM is not base64")
            }
            guard padding == 0 else { throw .malformedKey(reason: "its PEM goes on after its padding") }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                out += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
            }
        }
        guard count % 4 != 1, (count + padding) % 4 == 0, padding <= 2 else {
            throw .malformedKey(reason: "its PEM is cut short")
        }
        if count % 4 == 2 { out.append(UInt8(bits >> 4 & 0xFF)) }
        if count % 4 == 3 { out += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)] }
        return out
    }
}
