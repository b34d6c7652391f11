// SPDX-License-Identifier: MIT

/// Finds where the values of data objects lie in bytes, without taking them out.
struct TLVRanges {
    /// How tags and lengths are coded.
    enum Coding: Hashable, Sendable {
        /// BER: ISO/IEC 7816-4:2013 §5.2.2.
        case ber
        /// A byte of tag; a byte of length up to 254, or `FF` and two bytes.
        case flat
    }

    /// One data object.
    struct Object {
        /// The tag's bytes as a number.
        let tag: UInt32
        /// Where the value lies; it ends with the bytes when the length is too long.
        let value: Range<Int>
        /// True when the length went beyond the bytes.
        let isCut: Bool
    }

    private let bytes: [UInt8]
    private let coding: Coding

    init(_ bytes: [UInt8], coding: Coding) {
        self.bytes = bytes
        self.coding = coding
    }

    /// The objects in a range, as far as they can be read.
    ///
    /// - Returns: The objects, and whether the range holds nothing else.
    func objects(in range: Range<Int>) -> (objects: [Object], isWhole: Bool) {
        var out: [Object] = []
        var position = range.lowerBound
        while position < range.upperBound {
            // 00 between BER objects is padding.
            if coding == .ber, bytes[position] == 0 {
                position += 1
                continue
            }
            guard let (tag, afterTag) = tag(at: position, limit: range.upperBound),
                let (length, start) = length(at: afterTag, limit: range.upperBound)
            else { return (out, false) }
            let end = min(range.upperBound, start + length)
            out.append(Object(tag: tag, value: start..<end, isCut: end - start < length))
            position = end
        }
        return (out, out.last?.isCut != true)
    }

    private func tag(at start: Int, limit: Int) -> (UInt32, Int)? {
        var tag = UInt32(bytes[start])
        var position = start + 1
        guard coding == .ber, tag & 0x1F == 0x1F else { return (tag, position) }
        while position < limit {
            guard tag < 1 << 24 else { return nil }
            tag = tag << 8 | UInt32(bytes[position])
            position += 1
            if tag & 0x80 == 0 { return (tag, position) }
        }
        return nil
    }

    private func length(at start: Int, limit: Int) -> (Int, Int)? {
        guard start < limit else { return nil }
        let first = Int(bytes[start])
        let extra: Int
        switch coding {
        case .ber: extra = first < 0x80 ? 0 : first - 0x80
        case .flat: extra = first < 0xFF ? 0 : 2
        }
        guard extra > 0 else { return coding == .ber && first == 0x80 ? nil : (first, start + 1) }
        guard extra <= 4, start + extra < limit else { return nil }
        let length = bytes[start + 1...start + extra].reduce(0) { $0 << 8 | Int($1) }
        return (length, start + 1 + extra)
    }
}
