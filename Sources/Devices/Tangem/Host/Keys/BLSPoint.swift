// SPDX-License-Identifier: MIT

/// A point of the first group of BLS12-381: y² = x³ + 4, in Jacobian coordinates.
struct BLSPoint: Sendable {
    let x: BLSField
    let y: BLSField
    let z: BLSField

    static let infinity = BLSPoint(x: .one, y: .one, z: .zero)

    /// The generator of the draft on pairing-friendly curves, §4.2.1.
    static let generator: BLSPoint = {
        let x: [UInt8] = [
            0x17, 0xF1, 0xD3, 0xA7, 0x31, 0x97, 0xD7, 0x94, 0x26, 0x95, 0x63, 0x8C, 0x4F, 0xA9, 0xAC, 0x0F,
            0xC3, 0x68, 0x8C, 0x4F, 0x97, 0x74, 0xB9, 0x05, 0xA1, 0x4E, 0x3A, 0x3F, 0x17, 0x1B, 0xAC, 0x58,
            0x6C, 0x55, 0xE8, 0x3F, 0xF9, 0x7A, 0x1A, 0xEF, 0xFB, 0x3A, 0xF0, 0x0A, 0xDB, 0x22, 0xC6, 0xBB,
        ]
        return BLSPoint(x: x, isGreater: false) ?? .infinity
    }()

    init(x: BLSField, y: BLSField, z: BLSField) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The point over an x coordinate with the greater or the smaller y.
    init?(x bytes: [UInt8], isGreater: Bool) {
        guard let x = BLSField(bytes), let root = (x * x * x + BLSField(4)).squareRoot else { return nil }
        self.init(x: x, y: root.isGreaterHalf == isGreater ? root : -root, z: .one)
    }

    /// Reads 48 bytes; three flags stand in the first one.
    init?(compressed bytes: [UInt8]) {
        guard bytes.count == 48, bytes[0] & 0xC0 == 0x80 else { return nil }
        self.init(x: [bytes[0] & 0x1F] + bytes.dropFirst(), isGreater: bytes[0] & 0x20 != 0)
    }

    /// 48 bytes.
    var compressed: [UInt8] {
        guard !z.isZero else { return [0xC0] + [UInt8](repeating: 0, count: 47) }
        let (x, y) = affine
        var bytes = x.bytes
        bytes[0] |= y.isGreaterHalf ? 0xA0 : 0x80
        return bytes
    }

    /// Both coordinates; zeros at infinity.
    var affine: (x: BLSField, y: BLSField) {
        let inverse = z.inverse
        let square = inverse * inverse
        return (x * square, y * square * inverse)
    }

    var doubled: BLSPoint {
        guard !z.isZero, !y.isZero else { return .infinity }
        let a = x * x
        let b = y * y
        let c = b * b
        let t = (x + b) * (x + b) - a - c
        let d = t + t
        let e = a + a + a
        let newX = e * e - d - d
        let c2 = c + c
        let c4 = c2 + c2
        let yz = y * z
        return BLSPoint(x: newX, y: e * (d - newX) - (c4 + c4), z: yz + yz)
    }

    static func + (p: BLSPoint, q: BLSPoint) -> BLSPoint {
        if p.z.isZero { return q }
        if q.z.isZero { return p }
        let pz2 = p.z * p.z
        let qz2 = q.z * q.z
        let u1 = p.x * qz2
        let u2 = q.x * pz2
        let s1 = p.y * qz2 * q.z
        let s2 = q.y * pz2 * p.z
        if u1 == u2 { return s1 == s2 ? p.doubled : .infinity }
        let h = u2 - u1
        let r = s2 - s1
        let h2 = h * h
        let h3 = h2 * h
        let v = u1 * h2
        let x = r * r - h3 - v - v
        return BLSPoint(x: x, y: r * (v - x) - s1 * h3, z: h * p.z * q.z)
    }

    /// The point times a number, big-endian.
    func times(_ scalar: [UInt8]) -> BLSPoint {
        var result = Self.infinity
        for byte in scalar {
            for bit in (0..<8).reversed() {
                result = result.doubled
                if byte >> bit & 1 == 1 { result = result + self }
            }
        }
        return result
    }
}
