// SPDX-License-Identifier: MIT

import CCrypto

/// A group of points of libcrypto, with its numbers modulo the order.
///
/// Belongs to one thread.
final class CurveGroup {
    let curve: Curve
    private let raw: OpaquePointer
    /// Arithmetic modulo the order of the group.
    let scalars: ModularArithmetic

    init(_ curve: Curve) throws(CryptographyError) {
        let identifier: Int32
        switch curve {
        case .secp256k1: identifier = NID_secp256k1
        case .secp256r1: identifier = NID_X9_62_prime256v1
        case .secp384r1: identifier = NID_secp384r1
        case .secp521r1: identifier = NID_secp521r1
        case .brainpoolP256r1: identifier = NID_brainpoolP256r1
        case .brainpoolP384r1: identifier = NID_brainpoolP384r1
        case .brainpoolP512r1: identifier = NID_brainpoolP512r1
        case .ed25519: throw .wrongCurve(curve, needed: "the curves with ECDSA")
        }
        guard let group = EC_GROUP_new_by_curve_name(identifier) else {
            ERR_clear_error()
            throw .unavailable(algorithm: curve.rawValue)
        }
        guard let order = BN_new(), EC_GROUP_get_order(group, order, nil) == 1 else {
            EC_GROUP_free(group)
            throw .library(call: "EC_GROUP_get_order")
        }
        do {
            scalars = try ModularArithmetic(modulus: BigNumber(owning: order))
        } catch {
            EC_GROUP_free(group)
            throw error
        }
        self.curve = curve
        raw = group
    }

    deinit {
        EC_GROUP_free(raw)
    }

    /// A private scalar, which must be from 1 to the order less 1.
    func scalar(_ number: BigNumber) throws(CryptographyError) -> BigNumber {
        guard !number.isZero, number < scalars.modulus else { throw .scalarOutOfRange(curve: curve) }
        return number
    }

    /// A point from its compressed or uncompressed form; infinity and the hybrid form are refused.
    func point(_ octets: [UInt8]) throws(CryptographyError) -> CurvePoint {
        let lengths: [UInt8: Int] = [
            2: curve.compressedLength, 3: curve.compressedLength, 4: curve.uncompressedLength,
        ]
        guard let prefix = octets.first, lengths[prefix] == octets.count else {
            throw .notAPoint(curve: curve)
        }
        let point = try CurvePoint(group: raw)
        guard EC_POINT_oct2point(raw, point.raw, octets, octets.count, scalars.context) == 1 else {
            ERR_clear_error()
            throw .notAPoint(curve: curve)
        }
        return point
    }

    /// The generator times a scalar, plus a point times another where they are given.
    func multiple(
        ofGenerator scalar: BigNumber?,
        plus point: CurvePoint? = nil,
        times other: BigNumber? = nil
    ) throws(CryptographyError) -> CurvePoint {
        let out = try CurvePoint(group: raw)
        guard EC_POINT_mul(raw, out.raw, scalar?.raw, point?.raw, other?.raw, scalars.context) == 1 else {
            ERR_clear_error()
            throw .library(call: "EC_POINT_mul")
        }
        return out
    }

    /// The uncompressed form of a point that is not at infinity.
    func octets(_ point: CurvePoint) throws(CryptographyError) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: curve.uncompressedLength)
        let form = POINT_CONVERSION_UNCOMPRESSED
        guard EC_POINT_is_at_infinity(raw, point.raw) == 0,
            EC_POINT_point2oct(raw, point.raw, form, &out, out.count, scalars.context) == out.count
        else {
            ERR_clear_error()
            throw .notAPoint(curve: curve)
        }
        return out
    }

    /// The x coordinate of a point that is not at infinity.
    func x(_ point: CurvePoint) throws(CryptographyError) -> [UInt8] {
        Array(try octets(point)[1...curve.scalarLength])
    }
}

/// A point of a group of libcrypto, wiped when it is given up.
final class CurvePoint {
    let raw: OpaquePointer

    init(group: OpaquePointer) throws(CryptographyError) {
        guard let point = EC_POINT_new(group) else { throw .library(call: "EC_POINT_new") }
        raw = point
    }

    deinit {
        EC_POINT_clear_free(raw)
    }
}
