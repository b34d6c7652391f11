// SPDX-License-Identifier: MIT

/// A tag of a BER-TLV object, one to four bytes.
///
/// Source: ISO/IEC 7816-4:2013 §5.2.2.1 (which stops at three bytes), ISO/IEC 8825-1.
public struct TLVTag: RawRepresentable, Hashable, Sendable {
    /// What a tag belongs to, told by its two highest bits.
    public enum Class: UInt8, Hashable, Sendable {
        /// `00`: a type of ASN.1.
        case universal = 0
        /// `01`: fixed by the standard of the application.
        case application = 1
        /// `10`: fixed by the object around it.
        case contextSpecific = 2
        /// `11`: the maker's own.
        case privateUse = 3
    }

    /// The tag bytes as one number, first byte highest: `0x9F38`.
    public let rawValue: UInt32

    /// The longest tag in bytes.
    public static let byteLimit = 4

    /// Makes a tag from its bytes as one number; nil when they are not exactly one tag.
    public init?(rawValue: UInt32) {
        let bytes = Self.bytes(of: rawValue)
        guard Self.length(in: bytes[...]) == bytes.count else { return nil }
        self.rawValue = rawValue
    }

    /// Makes a tag from hex text such as `9F38`; nil when it is not exactly one tag.
    public init?(hex text: some StringProtocol) {
        guard let bytes = try? HexText.bytes(text), bytes.count <= Self.byteLimit, bytes.first != 0 else {
            return nil
        }
        self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The tag as bytes.
    public var bytes: [UInt8] { Self.bytes(of: rawValue) }

    /// True when the value is made of TLV objects itself (bit 6 of the first byte).
    public var isConstructed: Bool { bytes[0] & 0x20 != 0 }

    /// What the tag belongs to.
    public var tagClass: Class { Class(rawValue: bytes[0] >> 6) ?? .universal }

    /// Number of bytes of the tag at the start of a text; nil when it is none, is cut off or has over four bytes.
    static func length(in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, first != 0 else { return nil }
        guard first & 0x1F == 0x1F else { return 1 }
        // Each further byte but the last has its high bit set.
        guard let more = bytes.dropFirst().prefix(byteLimit - 1).firstIndex(where: { $0 & 0x80 == 0 }) else {
            return nil
        }
        return more - bytes.startIndex + 1
    }

    private static func bytes(of value: UInt32) -> [UInt8] {
        let all = (0..<byteLimit).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * (byteLimit - 1 - $0))) }
        let used = all.drop { $0 == 0 }
        return used.isEmpty ? [0] : Array(used)
    }
}

extension TLVTag: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// Makes a tag that stands in the source code, for example `0x9F38`.
    public init(integerLiteral value: UInt32) {
        let tag = TLVTag(rawValue: value)
        precondition(tag != nil, "a literal in the source code is no BER-TLV tag")
        rawValue = value
    }

    /// Upper-case hex text.
    public var description: String { bytes.hex }
}
