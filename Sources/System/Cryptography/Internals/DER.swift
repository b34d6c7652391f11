// SPDX-License-Identifier: MIT

/// The few DER shapes that signatures and public keys need.
///
/// Source: ITU-T X.690 §8.1, §8.3, §10.1.
enum DER {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let sequence: UInt8 = 0x30

    /// One element with its tag and its shortest length.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count > 0x7F else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// An INTEGER that is not negative, from unsigned big-endian bytes.
    static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
        let minimal = Array(bytes.drop { $0 == 0 })
        let needsZero = (minimal.first ?? 0x80) & 0x80 != 0
        return element(integer, needsZero ? [0] + minimal : minimal)
    }
}

/// Takes DER elements off the front of some bytes, and refuses what DER forbids.
struct DERReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(Array(bytes))
    }

    /// The content of the next element, which must carry the tag; or a reason.
    mutating func element(_ tag: UInt8, _ name: String) throws(CryptographyError) -> ArraySlice<UInt8> {
        guard let found = rest.popFirst() else { throw reason("\(name) is missing") }
        guard found == tag else { throw reason("\(name) has the tag \(hexByte(found))") }
        guard let first = rest.popFirst() else { throw reason("the length of \(name) is missing") }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), rest.count >= count else {
                throw reason("the length of \(name) is malformed")
            }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
            guard length > 0x7F, length >> (8 * (count - 1)) > 0 else {
                throw reason("the length of \(name) is not the shortest form")
            }
        }
        guard rest.count >= length else { throw reason("\(name) is cut short") }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    /// The next element as an unsigned number without leading zeros.
    mutating func unsigned(_ name: String) throws(CryptographyError) -> [UInt8] {
        let content = try element(DER.integer, name)
        guard let first = content.first else { throw reason("\(name) is empty") }
        guard first & 0x80 == 0 else { throw reason("\(name) is negative") }
        if first == 0, content.count > 1, content[content.startIndex + 1] & 0x80 == 0 {
            throw reason("\(name) has zeros in front")
        }
        return Array(content.drop { $0 == 0 })
    }

    /// Refuses bytes that stand behind the last element.
    func end(of name: String) throws(CryptographyError) {
        guard rest.isEmpty else { throw reason("something stands behind \(name) (length \(rest.count))") }
    }

    private func reason(_ text: String) -> CryptographyError {
        .malformedSignature(reason: text)
    }

    private func hexByte(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
