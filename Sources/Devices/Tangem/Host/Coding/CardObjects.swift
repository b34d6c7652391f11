// SPDX-License-Identifier: MIT

import SmartCard
public import TangemConstants

/// One data object of the card: a tag of one byte and its value.
public struct CardObject: Hashable, Sendable {
    /// The tag.
    public let tag: TangemTag
    /// The value.
    public let value: [UInt8]

    /// Makes an object.
    public init(_ tag: TangemTag, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
    }
}

/// A flat list of data objects, as commands and answers of the card carry it.
///
/// A length of 0 to 254 is one byte, 255 and more are written `FF` and two bytes. Objects are looked up by tag, the
/// first one counts, their order says nothing.
public struct CardObjects: Hashable, Sendable {
    /// The objects in their order.
    public private(set) var items: [CardObject]

    /// Makes a list.
    public init(_ items: [CardObject] = []) {
        self.items = items
    }

    /// Reads a list.
    ///
    /// - Parameter bytes: The whole list.
    /// - Throws: `deserializeApduFailed` when the bytes end within an object, or hold the tag 00, which no card uses.
    public init(parsing bytes: [UInt8]) throws(TangemError) {
        items = []
        var offset = 0
        while offset < bytes.count {
            let start = offset
            let tag = bytes[offset]
            guard tag != 0 else {
                throw TangemError(.deserializeApduFailed, "there is a tag 00 at byte \(start)")
            }
            guard offset + 1 < bytes.count else {
                throw TangemError(.deserializeApduFailed, "the tag at byte \(start) has no length")
            }
            var length = Int(bytes[offset + 1])
            offset += 2
            if length == Int(TangemLimits.longLengthMark) {
                guard offset + 1 < bytes.count else {
                    throw TangemError(.deserializeApduFailed, "the length at byte \(start + 1) is cut off")
                }
                length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
                offset += 2
            }
            guard length <= bytes.count - offset else {
                throw TangemError(
                    .deserializeApduFailed,
                    "the tag \([tag].hex) at byte \(start) has a length of \(length), "
                        + "\(bytes.count - offset) bytes are left"
                )
            }
            items.append(CardObject(TangemTag(rawValue: tag), Array(bytes[offset..<offset + length])))
            offset += length
        }
    }

    /// The list on the wire; a value is cut off at 65 535 bytes, which no command comes near.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        for item in items {
            let value = item.value.prefix(0xFFFF)
            out.append(item.tag.rawValue)
            if value.count < TangemLimits.longLengthFrom {
                out.append(UInt8(truncatingIfNeeded: value.count))
            } else {
                out.append(TangemLimits.longLengthMark)
                out += BigEndian.bytes(value.count, count: 2)
            }
            out += value
        }
        return out
    }

    /// True when there is nothing in it.
    public var isEmpty: Bool { items.isEmpty }

    /// Adds an object of bytes.
    public mutating func add(_ tag: TangemTag, _ value: [UInt8]) {
        items.append(CardObject(tag, value))
    }

    /// Adds an object of bytes where there are any.
    public mutating func add(_ tag: TangemTag, _ value: [UInt8]?) {
        if let value { add(tag, value) }
    }

    /// Adds a number of so many bytes, big-endian.
    ///
    /// - Parameters:
    ///   - tag: The tag.
    ///   - number: The number, not negative.
    ///   - count: Number of bytes.
    /// - Throws: `encodingFailed` when the number does not fit.
    public mutating func add(_ tag: TangemTag, number: Int, count: Int) throws(TangemError) {
        guard number >= 0, count >= 8 || number < 1 << (8 * count) else {
            throw TangemError(
                .encodingFailed,
                "\(number) does not fit the \(count) bytes of \(tag.title)"
            )
        }
        add(tag, BigEndian.bytes(number, count: count))
    }

    /// Adds a text with a NUL behind it.
    public mutating func add(_ tag: TangemTag, text: String) {
        add(tag, Array(text.utf8) + [0])
    }

    /// Adds a truth value as `00` or `01`.
    public mutating func add(_ tag: TangemTag, flag: Bool) {
        add(tag, [flag ? 1 : 0])
    }

    /// Adds a list as the value of an object.
    public mutating func add(_ tag: TangemTag, list: CardObjects) {
        add(tag, list.bytes)
    }
}

/// Numbers as bytes, most significant first.
enum BigEndian {
    static func bytes(_ number: Int, count: Int) -> [UInt8] {
        (0..<count).map { index in
            let shift = 8 * (count - 1 - index)
            return shift >= Int.bitWidth ? 0 : UInt8(truncatingIfNeeded: number >> shift)
        }
    }

    static func number(_ bytes: [UInt8]) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 8 else { return nil }
        return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

extension TangemTag {
    /// Name and number of the tag, for messages.
    var title: String { "\(name ?? "a tag without a name") (\([rawValue].hex))" }
}
