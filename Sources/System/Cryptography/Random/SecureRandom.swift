// SPDX-License-Identifier: MIT

import CCrypto

/// Random bytes that cannot be foretold.
public enum SecureRandom {
    /// That many bytes of the library's generator.
    public static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
        guard (0...(1 << 24)).contains(count) else {
            throw .outOfRange(what: "the number of random bytes", allowed: "0 to \(1 << 24)")
        }
        var out = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&out, Int32(count)) == 1 else {
            ERR_clear_error()
            throw .library(call: "RAND_bytes")
        }
        return out
    }
}
