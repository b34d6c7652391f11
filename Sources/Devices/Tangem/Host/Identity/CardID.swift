// SPDX-License-Identifier: MIT

import SmartCard

/// The identifier of a card: 8 bytes, written as 16 hex digits, of which the last is a check digit.
public struct CardID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 8 bytes.
    public let bytes: [UInt8]

    /// Takes 8 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        self.bytes = bytes
    }

    /// Reads 16 hex digits in either case; blanks between groups are left out.
    public init(_ text: String) throws(TangemError) {
        let digits = text.filter { $0 != " " && $0 != "\u{A0}" }
        guard digits.utf8.count == 16, let bytes = try? HexText.bytes(digits), bytes.count == 8 else {
            throw TangemError(.encodingFailed, "'\(text)' is no card identifier; write 16 hex digits")
        }
        self.bytes = bytes
    }

    /// Builds an identifier from its series and number.
    ///
    /// - Parameters:
    ///   - series: 2 or 4 hex digits.
    ///   - number: The number, at most 13 or 11 decimal digits.
    /// - Throws: `encodingFailed` when they do not fit.
    public init(series: String, number: Int) throws(TangemError) {
        guard series.utf8.count == 2 || series.utf8.count == 4, series.allSatisfy(\.isHexDigit) else {
            throw TangemError(.encodingFailed, "a series has 2 or 4 hex digits, '\(series)' has not")
        }
        let digits = String(number)
        let room = 15 - series.utf8.count
        guard number >= 0, digits.utf8.count <= room else {
            throw TangemError(
                .encodingFailed,
                "the number \(number) does not fit \(room) digits behind \(series)"
            )
        }
        let body = series.uppercased() + String(repeating: "0", count: room - digits.utf8.count) + digits
        try self.init(body + String(Self.checkDigit(of: body)))
    }

    /// The digit that belongs behind the first 15 characters.
    ///
    /// - Parameter body: 15 digits; letters count A = 0 to F = 5.
    /// - Returns: 0 to 9.
    public static func checkDigit(of body: some StringProtocol) -> Int {
        var sum = 0
        for (index, character) in (Array(body.utf8) + [0x30]).reversed().enumerated() {
            var value: Int
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(character) - Int(UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(character) - Int(UInt8(ascii: "a"))
            default: value = Int(character) - Int(UInt8(ascii: "A"))
            }
            if index % 2 == 1 {
                value *= 2
                if value > 9 { value -= 9 }
            }
            sum += value
        }
        return ((10 - sum % 10) % 10 + 10) % 10
    }

    /// Whether the last digit is the check digit of the others; cards with a wrong one exist.
    public var hasRightCheckDigit: Bool {
        description.last.map(String.init) == String(Self.checkDigit(of: description.prefix(15)))
    }

    /// The order of the identifiers as numbers.
    public static func < (a: CardID, b: CardID) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }

    /// The 16 digits, upper case.
    public var description: String { bytes.hex }
}

/// How a card identifier is shown to a user.
public enum CardIDStyle: Hashable, Sendable {
    /// Not at all.
    case none
    /// All digits in groups of four.
    case full
    /// So many digits from the end.
    case last(Int)
    /// As ``last(_:)``, with stars before them.
    case lastMasked(Int)
    /// So many digits from the end, without the check digit.
    case lastWithoutCheckDigit(Int)

    /// The text, in groups of four from the right with a no-break space between them.
    ///
    /// Nil for ``none``.
    public func text(_ id: CardID) -> String? {
        let digits = id.description
        switch self {
        case .none: return nil
        case .full: return Self.grouped(digits)
        case .last(let count): return "Card #" + Self.grouped(String(digits.suffix(max(0, count))))
        case .lastMasked(let count): return "*** " + Self.grouped(String(digits.suffix(max(0, count))))
        case .lastWithoutCheckDigit(let count):
            return "Card #" + Self.grouped(String(digits.dropLast().suffix(max(0, count))))
        }
    }

    private static func grouped(_ digits: String) -> String {
        var groups: [Substring] = []
        var rest = digits[...]
        while !rest.isEmpty {
            groups.insert(rest.suffix(4), at: 0)
            rest = rest.dropLast(4)
        }
        return groups.joined(separator: "\u{A0}")
    }
}

/// A range of card identifiers, both ends included.
public struct CardIDRange: Hashable, Sendable {
    /// First identifier.
    public let start: CardID
    /// Last identifier.
    public let end: CardID

    /// Makes a range.
    ///
    /// - Parameters:
    ///   - start: First identifier.
    ///   - end: Last identifier, greater than the first.
    /// - Throws: `encodingFailed` when the end does not lie behind the start.
    public init(start: CardID, end: CardID) throws(TangemError) {
        guard start < end else {
            throw TangemError(.encodingFailed, "a range of cards must end behind its start \(start)")
        }
        self.start = start
        self.end = end
    }

    /// Whether an identifier lies in the range.
    public func contains(_ id: CardID) -> Bool { start <= id && id <= end }
}
