// SPDX-License-Identifier: MIT

/// A public key: a point that was checked to lie on its curve.
public struct PublicKey: Hashable, Sendable {
    /// The curve that the point lies on.
    public let curve: Curve
    /// `04`, x and y; for Ed25519 the 32 bytes of RFC 8032.
    public let uncompressed: [UInt8]

    /// Takes a compressed or an uncompressed point; for Ed25519 32 bytes.
    public init(_ point: [UInt8], curve: Curve) throws(CryptographyError) {
        self.curve = curve
        switch curve {
        case .secp256k1:
            uncompressed = try Secp256k1.point(point)
        case .ed25519:
            _ = try Edwards25519().point(point)
            uncompressed = point
        default:
            let group = try CurveGroup(curve)
            uncompressed = try group.octets(group.point(point))
        }
    }

    /// Takes the x coordinate of a secp256k1 point with an even y, as BIP340 writes keys.
    public init(xOnly x: [UInt8]) throws(CryptographyError) {
        curve = .secp256k1
        uncompressed = try Secp256k1.point(x: x)
    }

    init(curve: Curve, checkedPoint: [UInt8]) {
        self.curve = curve
        uncompressed = checkedPoint
    }

    /// `02` or `03` and x; for Ed25519 the same 32 bytes.
    public var compressed: [UInt8] {
        guard curve != .ed25519, let last = uncompressed.last else { return uncompressed }
        return [2 | last & 1] + uncompressed[1...curve.scalarLength]
    }

    /// The x coordinate, big-endian; for Ed25519 all 32 bytes.
    public var x: [UInt8] {
        guard curve != .ed25519 else { return uncompressed }
        return Array(uncompressed[1...curve.scalarLength])
    }

    /// The key as SubjectPublicKeyInfo with an uncompressed point, DER.
    ///
    /// Source: RFC 5480 §2, RFC 8410 §4.
    public var spki: [UInt8] {
        let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        let algorithm = (curve == .ed25519 ? [] : ecPublicKey) + curve.objectIdentifier
        return DER.element(
            DER.sequence,
            DER.element(DER.sequence, algorithm) + DER.element(DER.bitString, [0] + uncompressed)
        )
    }

    /// The point plus the generator times a tweak, or nil where that is no key.
    func adding(_ tweak: [UInt8]) throws(CryptographyError) -> PublicKey? {
        if curve == .secp256k1 {
            guard let point = try Secp256k1.adding(tweak, to: uncompressed) else { return nil }
            return PublicKey(curve: curve, checkedPoint: point)
        }
        let group = try CurveGroup(curve)
        let number = try BigNumber(tweak)
        guard number < group.scalars.modulus else { return nil }
        let sum = try group.multiple(
            ofGenerator: number,
            plus: group.point(uncompressed),
            times: BigNumber([1])
        )
        do throws(CryptographyError) {
            return PublicKey(curve: curve, checkedPoint: try group.octets(sum))
        } catch .notAPoint {
            return nil
        }
    }
}
