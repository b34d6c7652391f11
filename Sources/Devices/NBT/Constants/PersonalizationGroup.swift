// SPDX-License-Identifier: MIT

/// What PERSONALIZE DATA writes, by its two-byte data group identifier.
///
/// A file's own identifier is a group too; ``NBTFile`` has them.
/// Source: the vendor's public host libraries (MIT).
public struct PersonalizationGroup: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public let rawValue: UInt16

    /// Makes a group from its identifier.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Key of the one-time token, AES-128.
    public static let cottKey = PersonalizationGroup(rawValue: 0xA001)
    /// Private key of AUTHENTICATE TAG, a scalar of P-256.
    public static let eccKey = PersonalizationGroup(rawValue: 0xA002)
    /// A password with its id, response and retry limit.
    public static let password = PersonalizationGroup(rawValue: 0xA003)
    /// The end of personalization.
    public static let finalize = PersonalizationGroup(rawValue: 0xBF63)
}
