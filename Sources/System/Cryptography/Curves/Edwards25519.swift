// SPDX-License-Identifier: MIT

/// The field, the group order and the base point of edwards25519.
///
/// Belongs to one thread.
///
/// libcrypto signs with a seed only; keys of Cardano's kind are scalars, for which the group itself is needed.
/// Source: RFC 8032 §5.1.
final class Edwards25519 {
    /// Arithmetic modulo 2^255 - 19.
    let field: ModularArithmetic
    /// Arithmetic modulo the order of the base point.
    let scalars: ModularArithmetic
    private let d: BigNumber
    private let twiceD: BigNumber
    private let one: BigNumber

    /// The order, big-endian: 2^252 + 27742317777372353535851937790883648493.
    private static let order: [UInt8] =
        [0x10] + [UInt8](repeating: 0, count: 15) + [
            0x14, 0xDE, 0xF9, 0xDE, 0xA2, 0xF7, 0x9C, 0xD6, 0x58, 0x12, 0x63, 0x1A, 0x5C, 0xF5, 0xD3, 0xED,
        ]

    init() throws(CryptographyError) {
        let prime: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 30) + [0xED]
        field = try ModularArithmetic(modulus: prime)
        scalars = try ModularArithmetic(modulus: Self.order)
        // d is -121665/121666.
        let numerator = try BigNumber([0x01, 0xDB, 0x41])
        let denominator = try BigNumber([0x01, 0xDB, 0x42])
        d = try field.difference(BigNumber(), field.product(numerator, field.inverse(denominator)))
        twiceD = try field.sum(d, d)
        one = try BigNumber([1])
    }

    /// A point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
    struct Point {
        let x: BigNumber
        let y: BigNumber
        let z: BigNumber
        let t: BigNumber
    }

    /// The base point: y is 4/5, x is even.
    func base() throws(CryptographyError) -> Point {
        try point([0x58] + [UInt8](repeating: 0x66, count: 31))
    }

    /// Reads 32 bytes: y little-endian, and the lowest bit of x in the highest bit.
    func point(_ bytes: [UInt8]) throws(CryptographyError) -> Point {
        guard bytes.count == 32 else {
            throw .wrongLength(what: "the Ed25519 public key", length: bytes.count, allowed: "32")
        }
        var bigEndian = Array(bytes.reversed())
        let isOdd = bigEndian[0] & 0x80 != 0
        bigEndian[0] &= 0x7F
        let y = try BigNumber(bigEndian)
        guard y < field.modulus else { throw .notAPoint(curve: .ed25519) }
        let square = try field.product(y, y)
        let numerator = try field.difference(square, one)
        let denominator = try field.sum(field.product(d, square), one)
        guard var x = try field.squareRoot(field.product(numerator, field.inverse(denominator))) else {
            throw .notAPoint(curve: .ed25519)
        }
        if x.isZero, isOdd { throw .notAPoint(curve: .ed25519) }
        if x.isOdd != isOdd { x = try field.difference(BigNumber(), x) }
        return Point(x: x, y: y, z: one, t: try field.product(x, y))
    }

    /// The sum of two points, equal ones too: the formula has no exception on this curve.
    ///
    /// Source: RFC 8032 §5.1.4.
    func sum(_ p: Point, _ q: Point) throws(CryptographyError) -> Point {
        let a = try field.product(field.difference(p.y, p.x), field.difference(q.y, q.x))
        let b = try field.product(field.sum(p.y, p.x), field.sum(q.y, q.x))
        let c = try field.product(field.product(p.t, twiceD), q.t)
        let zz = try field.product(p.z, q.z)
        let d = try field.sum(zz, zz)
        let e = try field.difference(b, a)
        let f = try field.difference(d, c)
        let g = try field.sum(d, c)
        let h = try field.sum(b, a)
        return Point(
            x: try field.product(e, f),
            y: try field.product(g, h),
            z: try field.product(f, g),
            t: try field.product(e, h)
        )
    }

    /// The base point times unsigned little-endian bytes, which need not be below the order.
    func multiple(ofBase scalar: [UInt8]) throws(CryptographyError) -> Point {
        let base = try base()
        var out = Point(x: try BigNumber(), y: one, z: one, t: try BigNumber())
        for byte in scalar.reversed() {
            for bit in (0..<8).reversed() {
                out = try sum(out, out)
                if byte >> bit & 1 == 1 { out = try sum(out, base) }
            }
        }
        return out
    }

    /// The 32 bytes of a point.
    func octets(_ point: Point) throws(CryptographyError) -> [UInt8] {
        let inverse = try field.inverse(point.z)
        let x = try field.product(point.x, inverse)
        var out = try field.product(point.y, inverse).littleEndianBytes(length: 32)
        if x.isOdd { out[31] |= 0x80 }
        return out
    }
}
