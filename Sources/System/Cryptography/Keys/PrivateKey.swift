// SPDX-License-Identifier: MIT

/// A private key, wiped when the last copy is given up, with its public key.
public struct PrivateKey: Sendable {
    /// The curve that the key lies on.
    public let curve: Curve
    /// The public half.
    public let publicKey: PublicKey

    let secret: SecretBytes

    /// Takes a scalar from 1 to the order of the curve less 1, big-endian; for Ed25519 a seed of 32 bytes.
    public init(_ scalar: [UInt8], curve: Curve) throws(CryptographyError) {
        guard scalar.count == curve.scalarLength else {
            throw .wrongLength(
                what: "the \(curve.rawValue) private key",
                length: scalar.count,
                allowed: "\(curve.scalarLength)"
            )
        }
        let secret = SecretBytes(scalar)
        let point: [UInt8]
        switch curve {
        case .secp256k1:
            point = try Secp256k1.publicKey(secret)
        case .ed25519:
            point = try Ed25519.publicKey(secret)
        default:
            let group = try CurveGroup(curve)
            let number = try group.scalar(BigNumber(secret))
            point = try group.octets(group.multiple(ofGenerator: number))
        }
        self.curve = curve
        self.secret = secret
        publicKey = PublicKey(curve: curve, checkedPoint: point)
    }

    /// Makes a key from a generator: a seeded one for emulators, the system's for anything else.
    public static func generate(
        _ curve: Curve,
        using generator: inout some RandomNumberGenerator
    ) throws(CryptographyError) -> PrivateKey {
        // Above half of all numbers of that length are valid scalars, so that this ends at once in practice.
        for _ in 0..<256 {
            var scalar = (0..<curve.scalarLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if curve == .secp521r1 { scalar[0] &= 1 }
            do throws(CryptographyError) {
                return try PrivateKey(scalar, curve: curve)
            } catch .scalarOutOfRange {
                continue
            }
        }
        throw .derivation(reason: "the random generator gave no number below the order of \(curve.rawValue)")
    }

    /// A copy of the scalar, big-endian, or of the seed; not wiped by itself.
    public var scalar: [UInt8] { secret.copy }

    /// The key whose scalar is the sum of both, or nil where that is no key.
    func adding(_ tweak: [UInt8]) throws(CryptographyError) -> PrivateKey? {
        let group = try CurveGroup(curve)
        let number = try BigNumber(tweak)
        guard number < group.scalars.modulus else { return nil }
        let sum = try group.scalars.sum(number, BigNumber(secret))
        guard !sum.isZero else { return nil }
        return try PrivateKey(sum.bytes(length: curve.scalarLength), curve: curve)
    }
}
