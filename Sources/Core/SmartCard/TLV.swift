// SPDX-License-Identifier: MIT

/// A BER-TLV object: tag, length, value.
///
/// Source: ISO/IEC 7816-4:2013 §5.2.2.
public struct TLV: Hashable, Sendable {
    /// What the object is.
    public let tag: TLVTag
    /// The value field, also of a constructed object.
    public let value: [UInt8]
    /// The objects inside a constructed object; nil for a primitive one.
    public let children: [TLV]?

    /// How deep objects may nest.
    public static let depthLimit = 32

    /// What to do with bytes between objects.
    public enum Padding: Hashable, Sendable {
        /// Skip `00` and `FF` before, between and after objects. Tags that begin with `FF` cannot be read then.
        case skip
        /// Nothing but objects is allowed.
        case strict
    }

    /// Makes a primitive object, or one whose content is not looked at.
    public init(tag: TLVTag, value: [UInt8]) {
        self.init(tag: tag, value: value, children: nil)
    }

    /// Makes an object around others.
    public init(tag: TLVTag, children: [TLV]) {
        self.init(tag: tag, value: children.flatMap(\.encoded), children: children)
    }

    init(tag: TLVTag, value: [UInt8], children: [TLV]?) {
        self.tag = tag
        self.value = value
        self.children = children
    }

    /// Tag, shortest length field and value.
    public var encoded: [UInt8] { tag.bytes + Self.lengthField(value.count) + value }

    /// The shortest length field for a number of bytes.
    static func lengthField(_ count: Int) -> [UInt8] {
        guard count > 0x7F else { return [UInt8(truncatingIfNeeded: count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(truncatingIfNeeded: digits.count)] + digits
    }
}
