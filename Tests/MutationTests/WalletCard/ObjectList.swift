// SPDX-License-Identifier: MIT

import TangemConstants

/// The data objects of a command or an answer, in their order, open to any change.
struct ObjectList {
    private var items: [(tag: TangemTag, value: [UInt8])] = []

    /// nil when the bytes are no list.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            guard var length = rest.popFirst().map(Int.init) else { return nil }
            if length == 0xFF {
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
                length = Int(high) << 8 | Int(low)
            }
            guard rest.count >= length else { return nil }
            items.append((TangemTag(rawValue: tag), Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
    }

    var bytes: [UInt8] {
        items.flatMap { item -> [UInt8] in
            let count = item.value.count
            let length = count < 255 ? [UInt8(count)] : [0xFF, UInt8(count >> 8), UInt8(count & 0xFF)]
            return [item.tag.rawValue] + length + item.value
        }
    }

    /// The first object of a tag; nil removes all of them, a new one goes to the end.
    subscript(tag: TangemTag) -> [UInt8]? {
        get { items.first { $0.tag == tag }?.value }
        set {
            guard let newValue else { return items.removeAll { $0.tag == tag } }
            if let index = items.firstIndex(where: { $0.tag == tag }) {
                items[index].value = newValue
            } else {
                items.append((tag, newValue))
            }
        }
    }

    /// Turns a bit of the last byte around, where the object is there.
    mutating func spoil(_ tag: TangemTag) {
        guard var value = self[tag], let last = value.indices.last else { return }
        value[last] ^= 1
        self[tag] = value
    }
}
