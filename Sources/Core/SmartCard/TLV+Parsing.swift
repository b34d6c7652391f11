// SPDX-License-Identifier: MIT

extension TLV {
    /// Reads objects until the bytes end.
    ///
    /// - Parameters:
    ///   - bytes: Objects one after the other.
    ///   - padding: What to do with `00` and `FF` between objects, at all levels.
    ///   - lenient: Keep a constructed object whose content is no TLV as a primitive one.
    /// - Returns: The objects in their order.
    /// - Throws: ``TLVError`` with the offset of the byte that does not belong.
    public static func parse(
        _ bytes: [UInt8],
        padding: Padding = .strict,
        lenient: Bool = false
    ) throws(TLVError) -> [TLV] {
        try TLVParser(bytes: bytes, padding: padding, isLenient: lenient).objects(
            in: 0..<bytes.count,
            depth: 0
        )
    }
}

private struct TLVParser {
    let bytes: [UInt8]
    let padding: TLV.Padding
    let isLenient: Bool

    func objects(in range: Range<Int>, depth: Int) throws(TLVError) -> [TLV] {
        guard depth < TLV.depthLimit else {
            throw TLVError(cause: .tooDeep(limit: TLV.depthLimit), offset: range.lowerBound)
        }
        var out: [TLV] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if padding == .skip, bytes[index] == 0x00 || bytes[index] == 0xFF {
                index += 1
                continue
            }
            let tag = try tag(at: &index, end: range.upperBound)
            let content = try content(of: tag, at: &index, end: range.upperBound)
            let children = tag.isConstructed ? try self.children(in: content, depth: depth + 1) : nil
            out.append(TLV(tag: tag, value: Array(bytes[content]), children: children))
            index = content.upperBound
        }
        return out
    }

    private func children(in range: Range<Int>, depth: Int) throws(TLVError) -> [TLV]? {
        do {
            return try objects(in: range, depth: depth)
        } catch {
            guard isLenient else { throw error }
            return nil
        }
    }

    private func tag(at index: inout Int, end: Int) throws(TLVError) -> TLVTag {
        let rest = bytes[index..<end]
        guard rest.first != 0 else { throw TLVError(cause: .zeroTag, offset: index) }
        guard let length = TLVTag.length(in: rest),
            let tag = TLVTag(rawValue: rest.prefix(length).reduce(0) { $0 << 8 | UInt32($1) })
        else {
            let isCutOff = rest.count < TLVTag.byteLimit
            throw TLVError(cause: isCutOff ? .tagTruncated : .tagTooLong, offset: index)
        }
        index += length
        return tag
    }

    /// Reads the length field and gives the bounds of the value.
    private func content(of tag: TLVTag, at index: inout Int, end: Int) throws(TLVError) -> Range<Int> {
        guard index < end else { throw TLVError(cause: .lengthTruncated(tag), offset: index) }
        let start = index
        let first = bytes[index]
        index += 1
        var length = Int(first)
        switch first {
        case 0x00...0x7F: break
        case 0x80: throw TLVError(cause: .indefiniteLength(tag), offset: start)
        case 0x81...0x84:
            let digits = Int(first & 0x7F)
            guard digits <= end - index else { throw TLVError(cause: .lengthTruncated(tag), offset: start) }
            length = bytes[index..<index + digits].reduce(0) { $0 << 8 | Int($1) }
            index += digits
        default: throw TLVError(cause: .lengthFieldTooLong(tag, firstByte: first), offset: start)
        }
        guard length <= end - index else {
            throw TLVError(cause: .valueTruncated(tag, length: length, present: end - index), offset: start)
        }
        return index..<index + length
    }
}
