// SPDX-License-Identifier: MIT

import CCrypto

/// SHA-512 by OpenSSL.
///
/// Source: FIPS 180-4.
public enum SHA512 {
    /// The digest of a whole message, 64 bytes.
    public static func digest(_ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 64)
        let result = EVP_Digest(message, message.count, &out, nil, EVP_sha512(), nil)
        precondition(result == 1, "libcrypto has no SHA-512")
        return out
    }
}
