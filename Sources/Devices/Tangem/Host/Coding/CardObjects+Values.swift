// SPDX-License-Identifier: MIT

import SmartCard
public import TangemConstants

extension CardObjects {
    /// The value of the first object with a tag.
    public subscript(tag: TangemTag) -> [UInt8]? {
        items.first { $0.tag == tag }?.value
    }

    /// The values of all objects with a tag.
    public func values(_ tag: TangemTag) -> [[UInt8]] {
        items.filter { $0.tag == tag }.map(\.value)
    }

    /// Whether a tag is there; the card says "true" that way, whatever the value is.
    public func flag(_ tag: TangemTag) -> Bool {
        items.contains { $0.tag == tag }
    }

    /// The value of a tag that must be there.
    public func required(_ tag: TangemTag) throws(TangemError) -> [UInt8] {
        guard let value = self[tag] else {
            throw TangemError(.decodingFailedMissingTag, "there is no \(tag.title)")
        }
        return value
    }

    /// A number of 1 to 8 bytes, big-endian and without a sign; nil when the tag is missing.
    public func number(_ tag: TangemTag) throws(TangemError) -> Int? {
        guard let value = self[tag] else { return nil }
        guard let number = BigEndian.number(value) else {
            throw TangemError(
                .decodingFailedTypeMismatch,
                "\(tag.title) is no number of 1 to 8 bytes: \(value.hex)"
            )
        }
        return number
    }

    /// A number that must be there.
    public func requiredNumber(_ tag: TangemTag) throws(TangemError) -> Int {
        _ = try required(tag)
        return try number(tag) ?? 0
    }

    /// A number of one byte, nil when the tag is missing.
    public func byte(_ tag: TangemTag) throws(TangemError) -> UInt8? {
        guard let number = try number(tag) else { return nil }
        guard let byte = UInt8(exactly: number) else {
            throw TangemError(.decodingFailedTypeMismatch, "\(tag.title) is \(number), more than a byte")
        }
        return byte
    }

    /// A text without its NULs, nil when the tag is missing.
    public func text(_ tag: TangemTag) throws(TangemError) -> String? {
        guard let value = self[tag] else { return nil }
        guard let text = String(validating: value.filter { $0 != 0 }, as: UTF8.self) else {
            throw TangemError(.decodingFailed, "\(tag.title) is no UTF-8: \(value.hex)")
        }
        return text
    }

    /// A text that must be there.
    public func requiredText(_ tag: TangemTag) throws(TangemError) -> String {
        _ = try required(tag)
        return try text(tag) ?? ""
    }

    /// A list inside of an object, nil when the tag is missing.
    public func list(_ tag: TangemTag) throws(TangemError) -> CardObjects? {
        guard let value = self[tag] else { return nil }
        return try CardObjects(parsing: value)
    }

    /// A date, nil when the tag is missing.
    public func date(_ tag: TangemTag) throws(TangemError) -> CardDate? {
        guard let value = self[tag] else { return nil }
        guard let date = CardDate(value) else {
            throw TangemError(.decodingFailed, "\(tag.title) is no date: \(value.hex)")
        }
        return date
    }

    /// A curve, nil when the tag is missing.
    public func curve(_ tag: TangemTag = .curve) throws(TangemError) -> TangemCurve? {
        guard let text = try text(tag) else { return nil }
        guard let curve = TangemCurve(rawValue: text) else {
            throw TangemError(.decodingFailed, "nobody has published a curve named '\(text)'")
        }
        return curve
    }

    /// Settings of 1 to 4 bytes, nil when the tag is missing.
    public func settings(_ tag: TangemTag = .settingsMask) throws(TangemError) -> TangemSettings? {
        guard let number = try number(tag) else { return nil }
        guard let mask = UInt32(exactly: number) else {
            throw TangemError(.decodingFailedTypeMismatch, "\(tag.title) has more than 4 bytes")
        }
        return TangemSettings(rawValue: mask)
    }

    /// A card identifier that must be there.
    func requiredCardID() throws(TangemError) -> CardID {
        let value = try required(.cardID)
        guard let id = CardID(value) else {
            throw TangemError(
                .decodingFailedTypeMismatch,
                "a card identifier has 8 bytes, here is \(value.hex)"
            )
        }
        return id
    }
}

/// A day in the card's calendar.
public struct CardDate: Hashable, Sendable, CustomStringConvertible {
    /// The year, for example 2018.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day, from 1.
    public let day: Int

    /// Makes a date.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads a date of four bytes: year (2 bytes), month and day; what follows is left alone.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, (1...12).contains(bytes[2]), (1...31).contains(bytes[3]) else { return nil }
        self.init(year: Int(bytes[0]) << 8 | Int(bytes[1]), month: Int(bytes[2]), day: Int(bytes[3]))
    }

    /// The date as four bytes.
    public var bytes: [UInt8] {
        BigEndian.bytes(year, count: 2) + BigEndian.bytes(month, count: 1) + BigEndian.bytes(day, count: 1)
    }

    /// For example `2018-07-27`.
    public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
