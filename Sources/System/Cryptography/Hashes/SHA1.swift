// SPDX-License-Identifier: MIT

import CCrypto

/// SHA-1 by OpenSSL; only for data that names it, such as EMV certificates.
///
/// Source: FIPS 180-4.
public enum SHA1 {
    /// The digest of a whole message, 20 bytes.
    public static func digest(_ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        let result = EVP_Digest(message, message.count, &out, nil, EVP_sha1(), nil)
        precondition(result == 1, "libcrypto has no SHA-1")
        return out
    }
}
