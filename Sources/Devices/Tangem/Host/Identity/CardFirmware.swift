// SPDX-License-Identifier: MIT

public import TangemConstants

/// The firmware version of a card: `major.minor[.patch]type`.
public struct CardFirmware: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// What a version was made for.
    public enum Release: String, Hashable, Sendable {
        /// For users: `r` or nothing behind the numbers.
        case release
        /// For developers: `d SDK`.
        case sdk
        /// Anything else.
        case special
    }

    /// Number before the first point.
    public let major: Int
    /// Number behind it: 4.45 has 45, 1.19 has 19.
    public let minor: Int
    /// Number behind the second point, 0 without one.
    public let patch: Int
    /// What the version was made for.
    public let release: Release
    /// The text that the card gave.
    public let description: String

    /// Reads a version; a text without numbers is version 0.0, special.
    public init(_ text: String) {
        description = text.filter { $0 != "\0" }
        let end =
            description.firstIndex { !$0.isASCII || !($0.isNumber || $0 == ".") } ?? description.endIndex
        let numbers = description[..<end].split(separator: ".").prefix(3).map { Int($0) ?? 0 }
        major = numbers.first ?? 0
        minor = numbers.count > 1 ? numbers[1] : 0
        patch = numbers.count > 2 ? numbers[2] : 0
        switch description[end...] {
        case "", "r": release = numbers.isEmpty ? .special : .release
        case "d SDK": release = .sdk
        default: release = .special
        }
    }

    /// Whether the firmware has something that came with a version.
    public func has(_ feature: TangemFeature) -> Bool {
        TangemFeature(major: major, minor: minor) >= feature
    }

    /// The order of versions; what they were made for does not count.
    public static func < (a: CardFirmware, b: CardFirmware) -> Bool {
        (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
    }

    /// The curves that a card with this firmware has, as far as the vendor's hosts assume.
    ///
    /// - Parameter own: The curve that the card names itself.
    /// - Returns: The curves; before 4.0 the card's own one alone.
    public func curves(own: TangemCurve?) -> [TangemCurve] {
        guard has(.multiWallet) else { return own.map { [$0] } ?? [] }
        return TangemCurve.allCases.filter { has($0.since) }
    }
}
