// SPDX-License-Identifier: MIT

/// A number a + bu over the field of BLS12-381, with u² = -1.
struct BLSField2: Hashable, Sendable {
    var a: BLSField
    var b: BLSField

    static let zero = BLSField2(a: .zero, b: .zero)
    static let one = BLSField2(a: .one, b: .zero)
    /// 1 + u, which is the sixth power of w.
    static let xi = BLSField2(a: .one, b: .one)

    var isZero: Bool { a.isZero && b.isZero }
    var conjugate: BLSField2 { BLSField2(a: a, b: -b) }

    /// Whether the number is greater than its negative.
    var isGreaterHalf: Bool { b.isZero ? a.isGreaterHalf : b.isGreaterHalf }

    static func + (x: BLSField2, y: BLSField2) -> BLSField2 { BLSField2(a: x.a + y.a, b: x.b + y.b) }
    static func - (x: BLSField2, y: BLSField2) -> BLSField2 { BLSField2(a: x.a - y.a, b: x.b - y.b) }
    static prefix func - (x: BLSField2) -> BLSField2 { BLSField2(a: -x.a, b: -x.b) }

    static func * (x: BLSField2, y: BLSField2) -> BLSField2 {
        let aa = x.a * y.a
        let bb = x.b * y.b
        return BLSField2(a: aa - bb, b: (x.a + x.b) * (y.a + y.b) - aa - bb)
    }

    static func * (x: BLSField2, y: BLSField) -> BLSField2 { BLSField2(a: x.a * y, b: x.b * y) }

    var timesXi: BLSField2 { BLSField2(a: a - b, b: a + b) }

    var inverse: BLSField2 {
        let factor = (a * a + b * b).inverse
        return BLSField2(a: a * factor, b: -(b * factor))
    }

    func power(_ exponent: [UInt64]) -> BLSField2 {
        var result = Self.one
        for limb in exponent.reversed() {
            for bit in (0..<64).reversed() {
                result = result * result
                if limb >> UInt64(bit) & 1 == 1 { result = result * self }
            }
        }
        return result
    }

    /// A square root, nil where there is none.
    ///
    /// Source: Adj, Rodríguez-Henríquez, "Square root computation over even extension fields", algorithm 9.
    var squareRoot: BLSField2? {
        let first = power(Self.shifted(minus: 3, by: 2))
        let alpha = first * first * self
        let candidate = first * self
        let root: BLSField2
        if alpha == -Self.one {
            root = BLSField2(a: -candidate.b, b: candidate.a)
        } else {
            root = (Self.one + alpha).power(Self.shifted(minus: 1, by: 1)) * candidate
        }
        return root * root == self ? root : nil
    }

    /// The prime less a small number, shifted to the right.
    static func shifted(minus small: UInt64, by bits: UInt64) -> [UInt64] {
        var limbs = BLSField.prime
        limbs[0] -= small
        return limbs.indices.map { index in
            limbs[index] >> bits | (index + 1 < limbs.count ? limbs[index + 1] << (64 - bits) : 0)
        }
    }
}

/// A number over the field of degree 12: six coefficients for the powers of w, with w⁶ = 1 + u.
struct BLSField12: Hashable, Sendable {
    var parts: [BLSField2]

    static let one = BLSField12(parts: [.one, .zero, .zero, .zero, .zero, .zero])

    static func * (x: BLSField12, y: BLSField12) -> BLSField12 {
        var out = [BLSField2](repeating: .zero, count: 6)
        var over = out
        for (i, p) in x.parts.enumerated() where !p.isZero {
            for (j, q) in y.parts.enumerated() where !q.isZero {
                if i + j < 6 {
                    out[i + j] = out[i + j] + p * q
                } else {
                    over[i + j - 6] = over[i + j - 6] + p * q
                }
            }
        }
        for index in 0..<6 { out[index] = out[index] + over[index].timesXi }
        return BLSField12(parts: out)
    }

    /// The number raised to the sixth power of the prime; the inverse after the easy part of the last step.
    var conjugate: BLSField12 {
        BLSField12(parts: parts.enumerated().map { $0.offset % 2 == 0 ? $0.element : -$0.element })
    }

    /// The number raised to the prime.
    var frobenius: BLSField12 {
        BLSField12(parts: zip(parts, Self.frobeniusFactors).map { $0.conjugate * $1 })
    }

    var inverse: BLSField12 {
        // The product with the conjugate has even powers of w only: a number of degree 6.
        let norm = (self * conjugate).parts
        let (a0, a1, a2) = (norm[0], norm[2], norm[4])
        let t0 = a0 * a0 - (a1 * a2).timesXi
        let t1 = (a2 * a2).timesXi - a0 * a1
        let t2 = a1 * a1 - a0 * a2
        let factor = (a0 * t0 + (a2 * t1).timesXi + (a1 * t2).timesXi).inverse
        let inverse = BLSField12(parts: [t0 * factor, .zero, t1 * factor, .zero, t2 * factor, .zero])
        return conjugate * inverse
    }

    private static let frobeniusFactors: [BLSField2] = {
        // (1 + u) to (p - 1) / 6, and the powers of that.
        var exponent = BLSField.prime
        exponent[0] -= 1
        var rest: UInt64 = 0
        for index in exponent.indices.reversed() {
            (exponent[index], rest) = UInt64(6).dividingFullWidth((rest, exponent[index]))
        }
        let gamma = BLSField2.xi.power(exponent)
        var factors = [BLSField2.one]
        while factors.count < 6 { factors.append((factors.last ?? .one) * gamma) }
        return factors
    }()
}
