// SPDX-License-Identifier: MIT

import TangemConstants

/// The data objects of an answer, as the card writes them.
struct AnswerFields {
    private(set) var bytes: [UInt8]

    /// Starts a list; `raw` bytes stand for an answer that is none.
    init(raw: [UInt8] = []) {
        bytes = raw
    }

    /// Adds bytes.
    mutating func add(_ tag: TangemTag, _ value: [UInt8]) {
        bytes.append(tag.rawValue)
        if value.count >= TangemLimits.longLengthFrom {
            bytes += [TangemLimits.longLengthMark, UInt8(truncatingIfNeeded: value.count >> 8)]
        }
        bytes.append(UInt8(truncatingIfNeeded: value.count))
        bytes += value
    }

    /// Adds a number of that many bytes.
    mutating func add(_ tag: TangemTag, number: Int, count: Int) {
        add(tag, number.bigEndian(count))
    }

    /// Adds a text with the NUL that cards write behind most of them.
    mutating func add(_ tag: TangemTag, text: String) {
        add(tag, Array(text.utf8) + [0])
    }

    /// Adds a tag that says true by being there; nothing for false.
    mutating func add(_ tag: TangemTag, flag: Bool) {
        if flag { add(tag, [1]) }
    }
}

extension Int {
    /// The lowest bytes of a number, big-endian.
    func bigEndian(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * (count - 1 - $0))) }
    }
}
