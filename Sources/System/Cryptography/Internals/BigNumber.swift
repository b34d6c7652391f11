// SPDX-License-Identifier: MIT

import CCrypto

/// A non-negative whole number of libcrypto, wiped when it is given up.
final class BigNumber {
    let raw: OpaquePointer

    /// Zero.
    init() throws(CryptographyError) {
        guard let number = BN_new() else { throw .library(call: "BN_new") }
        raw = number
    }

    /// Takes over a number that the library made.
    init(owning number: OpaquePointer) {
        raw = number
    }

    /// Reads unsigned big-endian bytes.
    convenience init(_ bytes: [UInt8]) throws(CryptographyError) {
        try self.init()
        guard BN_bin2bn(bytes, Int32(bytes.count), raw) != nil else { throw .library(call: "BN_bin2bn") }
    }

    /// Reads unsigned big-endian bytes of a secret.
    convenience init(_ secret: SecretBytes) throws(CryptographyError) {
        try self.init()
        guard BN_bin2bn(secret.pointer, Int32(secret.count), raw) != nil else {
            throw .library(call: "BN_bin2bn")
        }
    }

    deinit {
        BN_clear_free(raw)
    }

    var isZero: Bool { BN_is_zero(raw) == 1 }
    var isOdd: Bool { BN_is_odd(raw) == 1 }
    var bitCount: Int { Int(BN_num_bits(raw)) }

    /// Unsigned big-endian bytes, with zeros in front up to `length`.
    func bytes(length: Int) throws(CryptographyError) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: length)
        guard BN_bn2binpad(raw, &out, Int32(length)) == Int32(length) else {
            throw .library(call: "BN_bn2binpad")
        }
        return out
    }

    /// Unsigned little-endian bytes, with zeros behind up to `length`.
    func littleEndianBytes(length: Int) throws(CryptographyError) -> [UInt8] {
        try bytes(length: length).reversed()
    }

    static func < (left: BigNumber, right: BigNumber) -> Bool {
        BN_cmp(left.raw, right.raw) < 0
    }

    static func == (left: BigNumber, right: BigNumber) -> Bool {
        BN_cmp(left.raw, right.raw) == 0
    }

    /// Half of the number, rounded down.
    func half() throws(CryptographyError) -> BigNumber {
        try shiftedRight(by: 1)
    }

    /// The number without its lowest bits.
    func shiftedRight(by bits: Int) throws(CryptographyError) -> BigNumber {
        let out = try BigNumber()
        guard BN_rshift(out.raw, raw, Int32(bits)) == 1 else { throw .library(call: "BN_rshift") }
        return out
    }
}
