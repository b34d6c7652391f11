// SPDX-License-Identifier: MIT

import CCrypto

/// Keys from passwords.
///
/// Source: RFC 8018 §5.2.
public enum PBKDF2 {
    /// Derives a key with HMAC over a hash as the pseudo-random function.
    ///
    /// - Parameters:
    ///   - password: the secret, any length.
    ///   - salt: any length.
    ///   - rounds: how often the function is applied, from 1.
    ///   - length: bytes wanted, from 1.
    ///   - hash: the hash under the HMAC.
    /// - Returns: the key.
    /// - Throws: `outOfRange` for a number below 1, `unavailable` for a hash that is not there.
    public static func key(
        password: [UInt8],
        salt: [UInt8],
        rounds: Int,
        length: Int,
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> [UInt8] {
        guard let rounds = Int32(exactly: rounds), rounds >= 1 else {
            throw .outOfRange(what: "the number of PBKDF2 rounds", allowed: "1 to \(Int32.max)")
        }
        guard (1...65536).contains(length) else {
            throw .outOfRange(what: "the length of a PBKDF2 key", allowed: "1 to 65536")
        }
        guard let method = EVP_MD_fetch(nil, hash.libraryName, nil) else {
            ERR_clear_error()
            throw .unavailable(algorithm: hash.libraryName)
        }
        defer { EVP_MD_free(method) }
        var out = [UInt8](repeating: 0, count: length)
        let done = password.withUnsafeBytes {
            PKCS5_PBKDF2_HMAC(
                $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(password.count),
                salt,
                Int32(salt.count),
                rounds,
                method,
                Int32(length),
                &out
            )
        }
        guard done == 1 else {
            ERR_clear_error()
            throw .library(call: "PKCS5_PBKDF2_HMAC")
        }
        return out
    }
}
