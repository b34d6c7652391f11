// SPDX-License-Identifier: MIT

/// Why bytes are no application identifier.
public struct AIDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Number of bytes that were given.
    public let count: Int

    /// What is wrong and what would be right.
    public var description: String {
        "an application identifier has \(AID.lengths.lowerBound) to \(AID.lengths.upperBound) bytes, "
            + "here are \(count)"
    }
}

/// An application identifier, by which SELECT finds an application on a card.
///
/// Source: ISO/IEC 7816-4:2013 §8.2.1.2, ISO/IEC 7816-5:2004.
public struct AID: Hashable, Sendable, CustomStringConvertible {
    /// Who gave out the identifier, told by its first digit.
    public enum Category: Hashable, Sendable {
        /// `A`: registered internationally.
        case international
        /// `D`: registered in one country.
        case national
        /// `E`: the object identifier of a standard.
        case standard
        /// `F`: taken without registration, the first five bytes are no RID then.
        case unregistered
        /// Any other digit, which the standard reserves.
        case reserved
    }

    /// How many bytes an identifier may have.
    public static let lengths = 5...16

    /// All bytes, RID first.
    public let bytes: [UInt8]

    /// Makes an identifier from its bytes.
    ///
    /// - Throws: ``AIDError`` unless there are 5 to 16 of them.
    public init(_ bytes: [UInt8]) throws(AIDError) {
        guard Self.lengths.contains(bytes.count) else { throw AIDError(count: bytes.count) }
        self.bytes = bytes
    }

    /// The registered application provider identifier: the first five bytes.
    public var rid: [UInt8] { Array(bytes.prefix(5)) }

    /// The proprietary extension after the RID, up to eleven bytes.
    public var pix: [UInt8] { Array(bytes.dropFirst(5)) }

    /// Who gave out the identifier.
    public var category: Category {
        switch bytes[0] >> 4 {
        case 0xA: .international
        case 0xD: .national
        case 0xE: .standard
        case 0xF: .unregistered
        default: .reserved
        }
    }

    /// True when this identifier begins with the other one, as a SELECT by partial name finds it.
    public func isFound(byName name: [UInt8]) -> Bool { bytes.starts(with: name) }

    /// Upper-case hex text.
    public var description: String { bytes.hex }
}
