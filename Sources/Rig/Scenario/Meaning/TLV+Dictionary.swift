// SPDX-License-Identifier: MIT

internal import SmartCard

extension TLV {
    /// The objects of an answer, in the coding of a target.
    ///
    /// - Parameters:
    ///   - data: The data field.
    ///   - path: What is looked for; inside of an object only where it has several steps.
    ///   - dictionary: The target's dictionary; BER without one.
    /// - Returns: The objects; of a flat list as many as can be read.
    /// - Throws: `TLVError` when the data are no BER-TLV.
    static func objects(
        in data: [UInt8],
        for path: TLVPath?,
        of dictionary: DeviceDictionary?
    ) throws(TLVError) -> [TLV] {
        guard dictionary?.isFlat == true else { return try parse(data, padding: .skip, lenient: true) }
        return flat(data[...], depth: path?.steps.count ?? 1)
    }

    /// Objects with tags of one byte and lengths of one, or of two behind `FF`.
    private static func flat(_ data: ArraySlice<UInt8>, depth: Int) -> [TLV] {
        var out: [TLV] = []
        var rest = data
        while rest.count >= 2, let first = rest.popFirst(), let short = rest.popFirst() {
            var length = Int(short)
            if short == 0xFF {
                guard let high = rest.popFirst(), let low = rest.popFirst() else { break }
                length = Int(high) << 8 | Int(low)
            }
            guard rest.count >= length else { break }
            let value = rest.prefix(length)
            rest = rest.dropFirst(length)
            // A byte that begins a longer tag in BER cannot be named by a path.
            guard let tag = TLVTag(rawValue: UInt32(first)) else { continue }
            let inner = depth > 1 ? flat(value, depth: depth - 1) : []
            out.append(inner.isEmpty ? TLV(tag: tag, value: Array(value)) : TLV(tag: tag, children: inner))
        }
        return out
    }
}
