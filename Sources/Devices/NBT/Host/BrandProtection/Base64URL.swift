// SPDX-License-Identifier: MIT

/// The URL-safe base64 of RFC 4648 §5, without padding.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// The text of bytes.
    static func text(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0...group.count { out.append(alphabet[bits >> (18 - 6 * index) & 0x3F]) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of a text; nil for characters outside of the alphabet, padding included, and for bits left over.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var out: [UInt8] = []
        var bits = 0
        var count = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        return count < 6 && bits == 0 ? out : nil
    }
}
