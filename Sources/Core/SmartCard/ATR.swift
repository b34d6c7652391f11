// SPDX-License-Identifier: MIT

/// Why bytes are no answer to reset.
public enum ATRError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end before the named part is complete.
    case truncated(part: String, count: Int)
    /// The first byte is no TS.
    case unknownConvention(UInt8)

    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .truncated(let part, let count): "the ATR ends after \(count) bytes, before its \(part)"
        case .unknownConvention(let ts):
            "the ATR begins with \([ts].hex); TS is 3B (direct convention) or 3F (inverse convention)"
        }
    }
}

/// An answer to reset: what a card says of itself when it is powered on.
///
/// A wrong check byte and bytes too many are findings, not errors, since readers pass such answers on.
/// Source: ISO/IEC 7816-3:2006 §8.2.
public struct ATR: Hashable, Sendable {
    /// How bits are sent on the contact.
    public enum Convention: String, Hashable, Sendable {
        /// TS is `3B`: low bit first, high level is one.
        case direct
        /// TS is `3F`: high bit first, low level is one.
        case inverse
    }

    /// Whether the check byte is there and right.
    public enum Check: Hashable, Sendable {
        /// T=0 alone is offered, so there is no check byte.
        case absent
        /// The check byte is right.
        case right
        /// The check byte has another value than the bytes before it ask for.
        case wrong(expected: UInt8)
    }

    /// TA, TB, TC and TD of one turn; a nil one was not announced by the bits of the Y before it.
    public struct InterfaceBytes: Hashable, Sendable {
        /// Number of the turn, from 1: the `i` of TA(i).
        public let index: Int
        /// The protocol named by TD of the turn before; nil in the first turn.
        public let protocolNumber: Int?
        /// TA(i).
        public let ta: UInt8?
        /// TB(i).
        public let tb: UInt8?
        /// TC(i).
        public let tc: UInt8?
        /// TD(i): Y(i+1) in the high half, a protocol number in the low half.
        public let td: UInt8?
    }

    /// The longest answer: TS and 32 more bytes.
    public static let lengthLimit = 33

    /// All bytes as they came.
    public let bytes: [UInt8]
    /// How bits are sent.
    public let convention: Convention
    /// The interface bytes, turn by turn; empty when T0 announces none.
    public let interfaceBytes: [InterfaceBytes]
    /// Protocol numbers in the order in which the card offers them, `[0]` when it names none.
    public let protocols: [Int]
    /// Historical bytes, up to 15.
    public let historicalBytes: [UInt8]
    /// The check byte TCK, or nil when there is none.
    public let tck: UInt8?
    /// What TCK must be: T0 and all up to the last historical byte, exclusive-or; nil when none is required.
    public let expectedTCK: UInt8?
    /// Bytes after the end of the answer.
    public let surplus: [UInt8]

    /// Reads an answer to reset.
    ///
    /// - Parameter bytes: The answer, TS first.
    /// - Throws: ``ATRError`` when it ends too early or does not begin with `3B` or `3F`.
    public init(_ bytes: [UInt8]) throws(ATRError) {
        var reader = ATRReader(bytes: bytes)
        let ts = try reader.next("TS")
        switch ts {
        case 0x3B: convention = .direct
        case 0x3F: convention = .inverse
        default: throw .unknownConvention(ts)
        }
        let t0 = try reader.next("T0")
        let turns = try reader.turns(after: t0)
        let historicalCount = Int(t0 & 0x0F)
        var historical: [UInt8] = []
        for number in 0..<historicalCount {
            historical.append(try reader.next("historical byte \(number + 1) of \(historicalCount)"))
        }
        let named = turns.compactMap { $0.td.map { Int($0 & 0x0F) } }
        var offered: [Int] = []
        for number in named where number != Self.globalInterfaceBytes && !offered.contains(number) {
            offered.append(number)
        }
        // T=15 announces bytes that hold for all protocols; it is none itself, yet it asks for a check byte.
        let needsCheck = named.contains { $0 != 0 }
        let sum = bytes[1..<reader.index].reduce(0, ^)
        tck = needsCheck ? try reader.next("check byte TCK") : nil
        expectedTCK = needsCheck ? sum : nil
        self.bytes = bytes
        interfaceBytes = turns
        protocols = offered.isEmpty ? [0] : offered
        historicalBytes = historical
        surplus = Array(bytes[reader.index...])
    }

    private static let globalInterfaceBytes = 15

    /// True when a protocol besides T=0 is named, so that a check byte ends the answer.
    public var isTCKRequired: Bool { expectedTCK != nil }

    /// The verdict on the check byte.
    public var check: Check {
        guard let tck, let expectedTCK else { return .absent }
        return tck == expectedTCK ? .right : .wrong(expected: expectedTCK)
    }

    /// Sentences on what is not as the standard says; empty for a good answer.
    public var findings: [String] {
        var out: [String] = []
        if case .wrong(let expected) = check, let tck {
            out.append("the check byte of the ATR is \([tck].hex) and should be \([expected].hex)")
        }
        if !surplus.isEmpty {
            out.append("the ATR is followed by \(surplus.hex), which belongs to no part of it")
        }
        if bytes.count > Self.lengthLimit {
            out.append("the ATR has \(bytes.count) bytes, the limit is \(Self.lengthLimit)")
        }
        return out
    }
}

/// A walk over the bytes of an answer.
private struct ATRReader {
    let bytes: [UInt8]
    var index = 0

    mutating func next(_ part: String) throws(ATRError) -> UInt8 {
        guard index < bytes.count else { throw .truncated(part: part, count: bytes.count) }
        defer { index += 1 }
        return bytes[index]
    }

    /// Reads the turns of interface bytes; the high half of T0 and of each TD is a bit mask of what follows.
    mutating func turns(after t0: UInt8) throws(ATRError) -> [ATR.InterfaceBytes] {
        var out: [ATR.InterfaceBytes] = []
        var mask = t0 >> 4
        var protocolNumber: Int?
        while mask != 0 {
            let turn = out.count + 1
            let ta = mask & 0b0001 == 0 ? nil : try next("TA\(turn)")
            let tb = mask & 0b0010 == 0 ? nil : try next("TB\(turn)")
            let tc = mask & 0b0100 == 0 ? nil : try next("TC\(turn)")
            let td = mask & 0b1000 == 0 ? nil : try next("TD\(turn)")
            out.append(
                ATR.InterfaceBytes(
                    index: turn,
                    protocolNumber: protocolNumber,
                    ta: ta,
                    tb: tb,
                    tc: tc,
                    td: td
                )
            )
            mask = (td ?? 0) >> 4
            protocolNumber = td.map { Int($0 & 0x0F) }
        }
        return out
    }
}
