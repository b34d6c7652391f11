// SPDX-License-Identifier: MIT

/// Layout of the cryptographic one-time token.
///
/// Header, UID, random bytes, and an AES-CMAC over all that stands before it.
/// Source: the vendor's public server example (MIT).
public enum COTTLayout {
    /// The header of the first generation.
    public static let header: [UInt8] = [0x00, 0x01]
    /// Bytes of the UID.
    public static let uidSize = 7
    /// Bytes of the random part.
    public static let randomSize = 8
    /// Bytes of the code.
    public static let macSize = 16
    /// Characters of the token in the URL-safe alphabet of RFC 4648 §5, without padding.
    public static let textSize = 44
    /// The name of the token in the query of a URI, with the equals sign.
    public static let parameter = "cott="
    /// What the vendor's apps write in the token's place, byte for byte: these 44 characters are on real tags, and the
    /// chip puts its token over them.
    public static let placeholder = "PLACEHOLDERPLACEHOLDERPLACEHOLDERPLACEHOLDER"
    /// Key of the vendor's development kits, published with the server example.
    public static let developmentKey: [UInt8] = [
        0x37, 0x3F, 0x50, 0x60, 0x40, 0x9B, 0xA0, 0x14, 0xB6, 0x9A, 0x62, 0x76, 0x22, 0xF2, 0x3B, 0x59,
    ]
}
