// SPDX-License-Identifier: MIT

import CCrypto

/// Keyed message authentication codes over a hash.
///
/// Source: RFC 2104, FIPS 198-1.
public enum HMAC {
    /// HMAC-SHA-256, 32 bytes.
    public static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        let done = CCrypto.HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &out, nil)
        precondition(done != nil, "libcrypto has no HMAC-SHA-256")
        return out
    }

    /// HMAC-SHA-512, 64 bytes.
    public static func sha512(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 64)
        let done = CCrypto.HMAC(EVP_sha512(), key, Int32(key.count), message, message.count, &out, nil)
        precondition(done != nil, "libcrypto has no HMAC-SHA-512")
        return out
    }

    /// HMAC over any hash.
    public static func code(
        _ hash: HashAlgorithm,
        key: [UInt8],
        message: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard let method = EVP_MD_fetch(nil, hash.libraryName, nil) else {
            ERR_clear_error()
            throw .unavailable(algorithm: hash.libraryName)
        }
        defer { EVP_MD_free(method) }
        var out = [UInt8](repeating: 0, count: hash.digestLength)
        guard CCrypto.HMAC(method, key, Int32(key.count), message, message.count, &out, nil) != nil else {
            ERR_clear_error()
            throw .library(call: "HMAC")
        }
        return out
    }
}
