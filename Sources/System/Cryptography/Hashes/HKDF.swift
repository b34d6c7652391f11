// SPDX-License-Identifier: MIT

/// Keys from other key material.
///
/// Source: RFC 5869.
public enum HKDF {
    /// The pseudo-random key of some key material; an empty salt stands for zeros.
    public static func extract(
        salt: [UInt8],
        material: [UInt8],
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> [UInt8] {
        let salt = salt.isEmpty ? [UInt8](repeating: 0, count: hash.digestLength) : salt
        return try HMAC.code(hash, key: salt, message: material)
    }

    /// Output of a length, bound to `info`, from a pseudo-random key.
    public static func expand(
        _ pseudoRandomKey: [UInt8],
        info: [UInt8],
        length: Int,
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> [UInt8] {
        let limit = 255 * hash.digestLength
        guard (0...limit).contains(length) else {
            throw .outOfRange(what: "the length of HKDF output", allowed: "0 to \(limit)")
        }
        var out: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while out.count < length {
            counter += 1
            block = try HMAC.code(hash, key: pseudoRandomKey, message: block + info + [counter])
            out += block
        }
        return Array(out.prefix(length))
    }
}
