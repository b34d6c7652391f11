// SPDX-License-Identifier: MIT

import CCrypto

/// SHA-256 by OpenSSL.
///
/// Source: FIPS 180-4.
public enum SHA256 {
    /// The digest of a whole message, 32 bytes.
    public static func digest(_ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let result = EVP_Digest(message, message.count, &out, &length, EVP_sha256(), nil)
        precondition(result == 1 && length == 32, "libcrypto has no SHA-256")
        return out
    }
}
