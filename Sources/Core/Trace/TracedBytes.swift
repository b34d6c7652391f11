// SPDX-License-Identifier: MIT

/// Bytes of a command or an answer, some of them hidden.
public struct TracedBytes: Hashable, Sendable {
    /// The bytes; hidden ones that were read from a file are zero here.
    public var bytes: [UInt8]
    /// Which of them are shown as `**`: ranges in ascending order that do not touch.
    public var hidden: [Range<Int>]

    /// Makes bytes with hidden ranges in any order; what lies outside the bytes is ignored.
    public init(_ bytes: [UInt8], hidden: [Range<Int>] = []) {
        self.bytes = bytes
        self.hidden = hidden.isEmpty ? [] : Self.merged(hidden, count: bytes.count)
    }

    /// Reads the text of a trace file: hex digits in pairs, `**` for a hidden byte.
    ///
    /// - Returns: nil when the text is anything else.
    public init?(text: String) {
        var bytes: [UInt8] = []
        var hidden: [Range<Int>] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = Self.digit(character) else { return nil }
            guard let first = high else {
                high = digit
                continue
            }
            high = nil
            if first == Self.star || digit == Self.star {
                guard first == digit else { return nil }
                let index = bytes.count
                if let last = hidden.last, last.upperBound == index {
                    hidden[hidden.count - 1] = last.lowerBound..<index + 1
                } else {
                    hidden.append(index..<index + 1)
                }
                bytes.append(0)
            } else {
                bytes.append(first << 4 | digit)
            }
        }
        guard high == nil else { return nil }
        self.bytes = bytes
        self.hidden = hidden
    }

    /// Upper-case hex, `**` for hidden bytes.
    public var text: String {
        var out: [UInt8] = []
        TraceLine.appendHex(bytes, hidden: hidden, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Number of bytes that are hidden.
    public var hiddenCount: Int { hidden.reduce(0) { $0 + $1.count } }

    /// True when the byte at an index is hidden.
    public func isHidden(_ index: Int) -> Bool {
        hidden.contains { $0.contains(index) }
    }

    /// The same bytes with more of them hidden.
    public func hiding(_ ranges: [Range<Int>]) -> TracedBytes {
        ranges.isEmpty ? self : TracedBytes(bytes, hidden: hidden + ranges)
    }

    /// Ranges put in order, cut to the bytes that exist, and joined where they touch.
    static func merged(_ ranges: [Range<Int>], count: Int) -> [Range<Int>] {
        var out: [Range<Int>] = []
        for range in ranges.map({ $0.clamped(to: 0..<count) }).sorted(by: { $0.lowerBound < $1.lowerBound })
        where !range.isEmpty {
            if let last = out.last, range.lowerBound <= last.upperBound {
                out[out.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                out.append(range)
            }
        }
        return out
    }

    private static let star: UInt8 = 0xFF

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "*"): star
        default: nil
        }
    }
}
