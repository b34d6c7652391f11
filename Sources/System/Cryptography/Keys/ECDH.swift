// SPDX-License-Identifier: MIT

/// A secret that two keys share.
///
/// Source: SEC 1 §3.3.1.
public enum ECDH {
    /// The bare x coordinate of the shared point, not hashed.
    public static func sharedX(
        _ own: PrivateKey,
        _ other: PublicKey
    ) throws(CryptographyError) -> [UInt8] {
        guard own.curve == other.curve else { throw .differentCurves(own.curve, other.curve) }
        guard own.curve.hasECDSA else {
            throw .wrongCurve(
                own.curve,
                needed: Curve.allCases.filter(\.hasECDSA).map(\.rawValue).joined(separator: ", ")
            )
        }
        if own.curve == .secp256k1 { return try Secp256k1.sharedX(other.uncompressed, own.secret) }
        let group = try CurveGroup(own.curve)
        return try group.x(
            group.multiple(
                ofGenerator: nil,
                plus: group.point(other.uncompressed),
                times: BigNumber(own.secret)
            )
        )
    }
}
