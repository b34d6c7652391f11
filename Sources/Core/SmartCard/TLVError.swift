// SPDX-License-Identifier: MIT

/// Why bytes are no BER-TLV.
public struct TLVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Cause: Hashable, Sendable {
        /// Zero where a tag should begin, and padding was not allowed.
        case zeroTag
        /// The bytes end inside a tag.
        case tagTruncated
        /// A tag of more than four bytes.
        case tagTooLong
        /// The bytes end before or inside a length field.
        case lengthTruncated(TLVTag)
        /// Length `80`, which leaves the end to a marker.
        case indefiniteLength(TLVTag)
        /// A length field of more than four bytes, or the reserved first byte `FF`.
        case lengthFieldTooLong(TLVTag, firstByte: UInt8)
        /// Fewer bytes than the length field says.
        case valueTruncated(TLVTag, length: Int, present: Int)
        /// Objects in objects beyond the limit.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public let cause: Cause
    /// Where, in bytes from 0.
    public let offset: Int

    /// Place and cause.
    public var description: String { "byte \(offset): \(sentence)" }

    private var sentence: String {
        switch cause {
        case .zeroTag: "00 is no tag; allow padding if it is meant as such"
        case .tagTruncated: "the data ends inside a tag"
        case .tagTooLong: "the tag has more than \(TLVTag.byteLimit) bytes"
        case .lengthTruncated(let tag): "the data ends before the length of tag \(tag) is complete"
        case .indefiniteLength(let tag):
            "tag \(tag) has the indefinite length 80; smart cards must give the length as a number"
        case .lengthFieldTooLong(let tag, let firstByte):
            "the length of tag \(tag) begins with \([firstByte].hex); 00 to 7F and 81 to 84 can be read"
        case .valueTruncated(let tag, let length, let present):
            "tag \(tag) says \(length) bytes, but only \(present) follow"
        case .tooDeep(let limit): "objects are nested deeper than \(limit) levels"
        }
    }
}
