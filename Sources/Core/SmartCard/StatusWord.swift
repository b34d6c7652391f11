// SPDX-License-Identifier: MIT

/// A status word: the two trailer bytes SW1-SW2 of a response APDU.
///
/// An open set: a card may answer with any value. Source: ISO/IEC 7816-4:2013 §5.6, tables 5 to 7.
public struct StatusWord: RawRepresentable, Hashable, Sendable {
    /// SW1 in the high byte, SW2 in the low byte.
    public let rawValue: UInt16

    /// Makes a status word from its 16-bit value.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Makes a status word from its two bytes.
    public init(sw1: UInt8, sw2: UInt8) {
        rawValue = UInt16(sw1) << 8 | UInt16(sw2)
    }

    /// First byte.
    public var sw1: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// Second byte.
    public var sw2: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// Normal processing, no further qualification (`9000`).
    public static let success = StatusWord(rawValue: 0x9000)

    /// Counter of tries left when the word is `63Cx`, else nil.
    public var triesLeft: Int? {
        guard rawValue & 0xFFF0 == 0x63C0 else { return nil }
        return Int(rawValue & 0x000F)
    }
}

extension StatusWord: CustomStringConvertible {
    /// Four upper-case hex digits.
    public var description: String { [sw1, sw2].hex }
}
