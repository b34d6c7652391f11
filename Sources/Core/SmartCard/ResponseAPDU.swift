// SPDX-License-Identifier: MIT

/// A response APDU: what a card answers.
///
/// Source: ISO/IEC 7816-4:2013 §5.1.
public struct ResponseAPDU: Hashable, Sendable {
    /// Response data field, without the status word.
    public let data: [UInt8]
    /// The two trailer bytes.
    public let sw: StatusWord

    /// Makes a response from its parts.
    public init(data: [UInt8] = [], sw: StatusWord) {
        self.data = data
        self.sw = sw
    }

    /// Reads a response from its bytes.
    ///
    /// - Parameter bytes: Data and status word, at least two bytes.
    /// - Throws: ``APDUError/responseTooShort(count:)`` below two bytes.
    public init(bytes: [UInt8]) throws(APDUError) {
        guard bytes.count >= 2 else { throw .responseTooShort(count: bytes.count) }
        self.data = Array(bytes.dropLast(2))
        self.sw = StatusWord(sw1: bytes[bytes.count - 2], sw2: bytes[bytes.count - 1])
    }

    /// The bytes on the wire.
    public var bytes: [UInt8] { data + [sw.sw1, sw.sw2] }
}
