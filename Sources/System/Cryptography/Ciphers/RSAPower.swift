// SPDX-License-Identifier: MIT

import CCrypto

/// The bare RSA operation, as payment cards use it to sign with message recovery.
///
/// Source: EMV Book 2 v4.4 annex B2.1.
public enum RSAPower {
    /// A number raised to an exponent, with the length of the modulus.
    ///
    /// - Parameters:
    ///   - base: unsigned big-endian bytes of a number below the modulus.
    ///   - exponent: the public or the private exponent, unsigned big-endian.
    ///   - modulus: an odd number, unsigned big-endian, 8 to 1024 bytes.
    /// - Returns: as many bytes as the modulus has.
    /// - Throws: `wrongLength` or `outOfRange` for numbers that are no RSA key or too large for it.
    public static func raise(
        _ base: [UInt8],
        to exponent: [UInt8],
        modulus: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard (8...1024).contains(modulus.count) else {
            throw .wrongLength(what: "the RSA modulus", length: modulus.count, allowed: "8 to 1024")
        }
        guard let last = modulus.last, last & 1 == 1, exponent.count <= modulus.count else {
            throw .outOfRange(
                what: "the RSA key",
                allowed: "an odd modulus and an exponent no longer than it"
            )
        }
        let arithmetic = try ModularArithmetic(modulus: modulus)
        let number = try BigNumber(base)
        guard number < arithmetic.modulus else {
            throw .outOfRange(what: "the RSA input", allowed: "a number below the modulus")
        }
        return try arithmetic.power(number, BigNumber(exponent)).bytes(length: modulus.count)
    }
}
