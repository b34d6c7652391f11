// SPDX-License-Identifier: MIT

/// Checks BLS signatures of points that the host has hashed already.
///
/// Public keys lie in the first group (48 bytes), hashes and signatures in the second (96 bytes). Points are checked to
/// lie on their curve, not in their subgroup: this is for a test bench.
/// Source: draft-irtf-cfrg-pairing-friendly-curves-11 §4.2 and appendix C.
enum BLSPairing {
    /// Whether a signature of a hashed point is right.
    static func isValid(signature: [UInt8], hash: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = BLSPoint(compressed: publicKey), let hash = BLSPoint2(compressed: hash),
            let signature = BLSPoint2(compressed: signature)
        else { return false }
        let generator = BLSPoint.generator.affine
        let product =
            miller(key.affine, hash) * miller((generator.x, -generator.y), signature)
        return finish(product) == .one
    }

    /// The parameter of the curve is the negative of this.
    private static let parameter: UInt64 = 0xD201_0000_0001_0000

    private static func miller(_ p: (x: BLSField, y: BLSField), _ q: BLSPoint2) -> BLSField12 {
        var result = BLSField12.one
        var point = q
        for bit in (0..<63).reversed() {
            result = result * result
            let square = point.x * point.x
            let slope = (square + square + square) * (point.y + point.y).inverse
            result = result * line(slope, point, p)
            point = point.next(slope, point.x)
            guard parameter >> UInt64(bit) & 1 == 1 else { continue }
            let chord = (q.y - point.y) * (q.x - point.x).inverse
            result = result * line(chord, point, p)
            point = point.next(chord, q.x)
        }
        return result
    }

    /// The line through a point of the twisted curve, at a point of the first group.
    private static func line(
        _ slope: BLSField2,
        _ point: BLSPoint2,
        _ p: (x: BLSField, y: BLSField)
    ) -> BLSField12 {
        BLSField12(parts: [
            slope * point.x - point.y, .zero, -(slope * p.x), BLSField2(a: p.y, b: .zero), .zero, .zero,
        ])
    }

    /// Three times the last step, which is one for the same numbers.
    ///
    /// Source: Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via cyclotomic structure", §4.
    private static func finish(_ number: BLSField12) -> BLSField12 {
        let half = number.conjugate * number.inverse
        let easy = half.frobenius.frobenius * half
        var hard = power(easy) * easy.conjugate
        hard = power(hard) * hard.conjugate
        hard = power(hard) * hard.frobenius
        hard = power(power(hard)) * hard.frobenius.frobenius * hard.conjugate
        return hard * easy * easy * easy
    }

    private static func power(_ number: BLSField12) -> BLSField12 {
        var result = number
        for bit in (0..<63).reversed() {
            result = result * result
            if parameter >> UInt64(bit) & 1 == 1 { result = result * number }
        }
        return result.conjugate
    }
}

/// A point of the second group: y² = x³ + 4(1 + u).
struct BLSPoint2: Sendable {
    let x: BLSField2
    let y: BLSField2

    init(x: BLSField2, y: BLSField2) {
        self.x = x
        self.y = y
    }

    /// Reads 96 bytes, with three flags in the first one.
    ///
    /// Infinity is refused.
    init?(compressed bytes: [UInt8]) {
        guard bytes.count == 96, bytes[0] & 0xC0 == 0x80,
            let b = BLSField([bytes[0] & 0x1F] + bytes[1..<48]), let a = BLSField(bytes[48...])
        else { return nil }
        x = BLSField2(a: a, b: b)
        guard let root = (x * x * x + BLSField2.xi * BLSField(4)).squareRoot else { return nil }
        y = root.isGreaterHalf == (bytes[0] & 0x20 != 0) ? root : -root
    }

    /// The third point on a line, mirrored.
    func next(_ slope: BLSField2, _ otherX: BLSField2) -> BLSPoint2 {
        let newX = slope * slope - x - otherX
        return BLSPoint2(x: newX, y: slope * (x - newX) - y)
    }
}
