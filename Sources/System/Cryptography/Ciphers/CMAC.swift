// SPDX-License-Identifier: MIT

import CCrypto

/// AES-CMAC.
///
/// Source: NIST SP 800-38B, RFC 4493.
public enum CMAC {
    /// The code of a message, 16 bytes, under a key of 16, 24 or 32.
    public static func code(of message: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard [16, 24, 32].contains(key.count) else {
            throw .wrongLength(what: "the AES key of a CMAC", length: key.count, allowed: "16, 24 or 32")
        }
        var out = [UInt8](repeating: 0, count: 16)
        var length = 0
        let cipher = "AES-\(key.count * 8)-CBC"
        let done = EVP_Q_mac(
            nil,
            "CMAC",
            nil,
            cipher,
            nil,
            key,
            key.count,
            message,
            message.count,
            &out,
            out.count,
            &length
        )
        guard done != nil, length == 16 else {
            ERR_clear_error()
            throw .unavailable(algorithm: "CMAC with \(cipher)")
        }
        return out
    }
}
