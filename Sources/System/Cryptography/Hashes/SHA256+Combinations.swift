// SPDX-License-Identifier: MIT

extension SHA256 {
    /// SHA-256 of the SHA-256 of a message, as Bitcoin's checksums take it.
    public static func digestTwice(_ message: [UInt8]) -> [UInt8] {
        digest(digest(message))
    }

    /// RIPEMD-160 of the SHA-256 of a message, as the fingerprint of a key.
    ///
    /// Source: BIP32, "Key identifiers".
    public static func fingerprint(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try HashAlgorithm.ripemd160.digest(digest(message))
    }
}
