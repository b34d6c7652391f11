// SPDX-License-Identifier: MIT

import CCrypto

/// Sums, products and powers modulo one number.
///
/// Belongs to one thread. The work takes a time that depends on the numbers: this module tests cards, it does not guard assets.
final class ModularArithmetic {
    let modulus: BigNumber
    let context: OpaquePointer

    init(modulus: BigNumber) throws(CryptographyError) {
        guard let context = BN_CTX_new() else { throw .library(call: "BN_CTX_new") }
        self.context = context
        self.modulus = modulus
    }

    convenience init(modulus: [UInt8]) throws(CryptographyError) {
        try self.init(modulus: BigNumber(modulus))
    }

    deinit {
        BN_CTX_free(context)
    }

    /// The remainder of unsigned big-endian bytes.
    func number(_ bytes: [UInt8]) throws(CryptographyError) -> BigNumber {
        try remainder(BigNumber(bytes))
    }

    func remainder(_ value: BigNumber) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_nnmod(out.raw, value.raw, modulus.raw, context) == 1 else {
            throw .library(call: "BN_nnmod")
        }
        return out
    }

    func sum(_ a: BigNumber, _ b: BigNumber) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_mod_add(out.raw, a.raw, b.raw, modulus.raw, context) == 1 else {
            throw .library(call: "BN_mod_add")
        }
        return out
    }

    func difference(_ a: BigNumber, _ b: BigNumber) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_mod_sub(out.raw, a.raw, b.raw, modulus.raw, context) == 1 else {
            throw .library(call: "BN_mod_sub")
        }
        return out
    }

    func product(_ a: BigNumber, _ b: BigNumber) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_mod_mul(out.raw, a.raw, b.raw, modulus.raw, context) == 1 else {
            throw .library(call: "BN_mod_mul")
        }
        return out
    }

    func inverse(_ a: BigNumber) throws(CryptographyError) -> BigNumber {
        guard let out = BN_mod_inverse(nil, a.raw, modulus.raw, context) else {
            ERR_clear_error()
            throw .library(call: "BN_mod_inverse")
        }
        return BigNumber(owning: out)
    }

    func power(_ a: BigNumber, _ exponent: BigNumber) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_mod_exp(out.raw, a.raw, exponent.raw, modulus.raw, context) == 1 else {
            ERR_clear_error()
            throw .library(call: "BN_mod_exp")
        }
        return out
    }

    /// A square root, or nil where there is none; the modulus must be an odd prime.
    func squareRoot(_ a: BigNumber) -> BigNumber? {
        guard let out = BN_mod_sqrt(nil, a.raw, modulus.raw, context) else {
            ERR_clear_error()
            return nil
        }
        return BigNumber(owning: out)
    }
}
