// SPDX-License-Identifier: MIT

import TangemConstants

/// The data objects of a command, as the card sees them.
///
/// They are looked up by number: order does not matter, the first of a kind counts, unknown ones are left alone.
struct CommandFields {
    private let items: [(tag: UInt8, value: ArraySlice<UInt8>)]

    /// Reads a list of tags (1 byte), lengths (1 byte, or `FF` and 2 bytes) and values; nil when one is cut off.
    init?(_ bytes: [UInt8]) {
        var items: [(tag: UInt8, value: ArraySlice<UInt8>)] = []
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            guard let first = rest.popFirst() else { return nil }
            var length = Int(first)
            if first == TangemLimits.longLengthMark {
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
                length = Int(high) << 8 | Int(low)
            }
            guard rest.count >= length else { return nil }
            items.append((tag, rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        self.items = items
    }

    /// Whether there is an object that no source names.
    var hasUnknown: Bool { items.contains { TangemTag(rawValue: $0.tag).name == nil } }

    /// The value of a tag, nil when it is not there.
    subscript(tag: TangemTag) -> [UInt8]? {
        items.first { $0.tag == tag.rawValue }.map { Array($0.value) }
    }

    /// All values of a tag in their order.
    func all(_ tag: TangemTag) -> [[UInt8]] {
        items.filter { $0.tag == tag.rawValue }.map { Array($0.value) }
    }

    /// The value of a tag that has to be there, with one of these lengths.
    func required(_ tag: TangemTag, count: ClosedRange<Int> = 0...Int.max) throws(Stop) -> [UInt8] {
        guard let value = self[tag], count.contains(value.count) else { throw .parameters }
        return value
    }

    /// The number of a tag, nil when it is not there.
    func number(_ tag: TangemTag) throws(Stop) -> Int? {
        guard let value = self[tag] else { return nil }
        guard (1...4).contains(value.count) else { throw .parameters }
        return value.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The number of a tag that has to be there.
    func requiredNumber(_ tag: TangemTag) throws(Stop) -> Int {
        guard let number = try number(tag) else { throw .parameters }
        return number
    }

    /// A truth value: hosts write `00` for false, and nothing for false as well.
    func flag(_ tag: TangemTag) -> Bool {
        self[tag].map { $0 != [0] } ?? false
    }

    /// A text without the NULs that end it; nil when it is not there.
    func text(_ tag: TangemTag) -> String? {
        self[tag].map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
    }
}
