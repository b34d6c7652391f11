// SPDX-License-Identifier: MIT

/// A number modulo the prime of BLS12-381, in Montgomery form, six limbs from the lowest.
///
/// Plain arithmetic for checks and imports on a test bench: it does not hide its timing.
struct BLSField: Hashable, Sendable {
    var limbs: [UInt64]

    static let zero = BLSField(limbs: [0, 0, 0, 0, 0, 0])
    static let one = BLSField(1)

    /// The prime, lowest limb first.
    static let prime: [UInt64] = [
        0xB9FE_FFFF_FFFF_AAAB, 0x1EAB_FFFE_B153_FFFF, 0x6730_D2A0_F6B0_F624, 0x6477_4B84_F385_12BF,
        0x4B1B_A7B6_434B_ACD7, 0x1A01_11EA_397F_E69A,
    ]
    /// What makes the lowest limb of a product vanish: -1 / prime modulo 2^64.
    private static let negativeInverse: UInt64 = {
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- prime[0] &* inverse) }
        return 0 &- inverse
    }()
    /// 2^768 modulo the prime, which brings numbers into Montgomery form.
    private static let square: [UInt64] = {
        var value = BLSField(limbs: [1, 0, 0, 0, 0, 0])
        for _ in 0..<768 { value = value + value }
        return value.limbs
    }()

    init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    init(_ small: UInt64) {
        self = BLSField(limbs: [small, 0, 0, 0, 0, 0]) * BLSField(limbs: Self.square)
    }

    /// Reads 48 bytes, big-endian; nil when they are not below the prime.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 48 else { return nil }
        var limbs = [UInt64](repeating: 0, count: 6)
        for (index, byte) in bytes.enumerated() {
            limbs[5 - index / 8] = limbs[5 - index / 8] << 8 | UInt64(byte)
        }
        guard Self.isLess(limbs, Self.prime) else { return nil }
        self = BLSField(limbs: limbs) * BLSField(limbs: Self.square)
    }

    /// The number without the Montgomery factor.
    private var plain: [UInt64] { (self * BLSField(limbs: [1, 0, 0, 0, 0, 0])).limbs }

    /// 48 bytes, big-endian.
    var bytes: [UInt8] {
        plain.reversed().flatMap { limb in (0..<8).map { UInt8(truncatingIfNeeded: limb >> (56 - 8 * $0)) } }
    }

    var isZero: Bool { limbs.allSatisfy { $0 == 0 } }

    /// Whether the number is greater than its negative.
    var isGreaterHalf: Bool { Self.isLess((-self).plain, plain) }

    static func + (a: BLSField, b: BLSField) -> BLSField {
        var sum = [UInt64](repeating: 0, count: 6)
        var carry: UInt64 = 0
        for index in 0..<6 {
            let (first, over1) = a.limbs[index].addingReportingOverflow(b.limbs[index])
            let (second, over2) = first.addingReportingOverflow(carry)
            sum[index] = second
            carry = (over1 ? 1 : 0) + (over2 ? 1 : 0)
        }
        // The prime has 381 bits: two numbers below it never overflow six limbs.
        return BLSField(limbs: isLess(sum, prime) ? sum : minus(sum, prime))
    }

    static func - (a: BLSField, b: BLSField) -> BLSField { a + -b }

    static prefix func - (a: BLSField) -> BLSField {
        a.isZero ? a : BLSField(limbs: minus(prime, a.limbs))
    }

    static func * (a: BLSField, b: BLSField) -> BLSField {
        var t = [UInt64](repeating: 0, count: 8)
        for i in 0..<6 {
            var carry: UInt64 = 0
            for j in 0..<6 {
                (t[j], carry) = multiplyAdd(a.limbs[j], b.limbs[i], t[j], carry)
            }
            let (high, over) = t[6].addingReportingOverflow(carry)
            t[6] = high
            t[7] = over ? 1 : 0
            let factor = t[0] &* negativeInverse
            (_, carry) = multiplyAdd(factor, prime[0], t[0], 0)
            for j in 1..<6 {
                (t[j - 1], carry) = multiplyAdd(factor, prime[j], t[j], carry)
            }
            let (last, over2) = t[6].addingReportingOverflow(carry)
            t[5] = last
            t[6] = t[7] + (over2 ? 1 : 0)
        }
        let result = Array(t[0..<6])
        return BLSField(limbs: isLess(result, prime) && t[6] == 0 ? result : minus(result, prime))
    }

    /// The number raised to an exponent, lowest limb first.
    func power(_ exponent: [UInt64]) -> BLSField {
        var result = Self.one
        for limb in exponent.reversed() {
            for bit in (0..<64).reversed() {
                result = result * result
                if limb >> UInt64(bit) & 1 == 1 { result = result * self }
            }
        }
        return result
    }

    /// The inverse; zero for zero.
    var inverse: BLSField {
        var exponent = Self.prime
        exponent[0] -= 2
        return power(exponent)
    }

    /// A square root, nil where there is none.
    var squareRoot: BLSField? {
        // The prime is 3 modulo 4.
        var exponent = Self.prime
        exponent[0] += 1
        for index in 0..<6 {
            exponent[index] = exponent[index] >> 2 | (index < 5 ? exponent[index + 1] << 62 : 0)
        }
        let root = power(exponent)
        return root * root == self ? root : nil
    }

    private static func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> (UInt64, UInt64) {
        let product = a.multipliedFullWidth(by: b)
        let (low1, over1) = product.low.addingReportingOverflow(c)
        let (low2, over2) = low1.addingReportingOverflow(d)
        return (low2, product.high &+ (over1 ? 1 : 0) &+ (over2 ? 1 : 0))
    }

    private static func isLess(_ a: [UInt64], _ b: [UInt64]) -> Bool {
        for index in (0..<6).reversed() where a[index] != b[index] { return a[index] < b[index] }
        return false
    }

    private static func minus(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
        var out = [UInt64](repeating: 0, count: 6)
        var borrow: UInt64 = 0
        for index in 0..<6 {
            let (first, under1) = a[index].subtractingReportingOverflow(b[index])
            let (second, under2) = first.subtractingReportingOverflow(borrow)
            out[index] = second
            borrow = (under1 ? 1 : 0) + (under2 ? 1 : 0)
        }
        return out
    }
}
