// SPDX-License-Identifier: MIT

import Cryptography

/// Keys for BLS signatures on BLS12-381.
///
/// Source: draft-irtf-cfrg-bls-signature-05 §2.3, ERC-2333.
public enum BLSKeys {
    /// The private key of key material, 32 bytes.
    ///
    /// - Parameter material: At least 32 bytes.
    /// - Returns: A scalar below the order of the group, big-endian.
    /// - Throws: `cryptoUtilsError` for too little material.
    public static func privateKey(_ material: [UInt8]) throws(TangemError) -> [UInt8] {
        guard material.count >= 32 else {
            throw TangemError(.cryptoUtilsError, "a BLS key is made of 32 bytes or more")
        }
        var salt = Array("BLS-SIG-KEYGEN-SALT-".utf8)
        do {
            while true {
                salt = SHA256.digest(salt)
                let key = try HKDF.extract(salt: salt, material: material + [0])
                let output = try HKDF.expand(key, info: [0, 48], length: 48)
                let scalar = BLSScalar.reduced(output)
                if scalar.contains(where: { $0 != 0 }) { return scalar }
            }
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    /// The public key of a private one: a compressed point of 48 bytes.
    public static func publicKey(_ privateKey: [UInt8]) throws(TangemError) -> [UInt8] {
        guard privateKey.count == 32, BLSScalar.isValid(privateKey) else {
            throw TangemError(.cryptoUtilsError, "a BLS key has 32 bytes, is not zero and below the order")
        }
        return BLSPoint.generator.times(privateKey).compressed
    }
}

/// Numbers modulo the order of the groups of BLS12-381.
enum BLSScalar {
    /// The order, big-endian.
    static let order: [UInt8] = [
        0x73, 0xED, 0xA7, 0x53, 0x29, 0x9D, 0x7D, 0x48, 0x33, 0x39, 0xD8, 0x08, 0x09, 0xA1, 0xD8, 0x05,
        0x53, 0xBD, 0xA4, 0x02, 0xFF, 0xFE, 0x5B, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01,
    ]

    static func isValid(_ scalar: [UInt8]) -> Bool {
        scalar.contains { $0 != 0 } && scalar.lexicographicallyPrecedes(order)
    }

    /// A number of any length modulo the order, 32 bytes.
    static func reduced(_ number: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: 33)
        let modulus = [0] + order
        for byte in number {
            for bit in (0..<8).reversed() {
                var carry = byte >> bit & 1
                for index in rest.indices.reversed() {
                    let next = rest[index] >> 7
                    rest[index] = rest[index] << 1 | carry
                    carry = next
                }
                guard !rest.lexicographicallyPrecedes(modulus) else { continue }
                var borrow = 0
                for index in rest.indices.reversed() {
                    let difference = Int(rest[index]) - Int(modulus[index]) - borrow
                    borrow = difference < 0 ? 1 : 0
                    rest[index] = UInt8(truncatingIfNeeded: difference)
                }
            }
        }
        return Array(rest.dropFirst())
    }
}
