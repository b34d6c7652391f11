// SPDX-License-Identifier: MIT

/// A curve of a wallet, by the text that the card writes for it.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public enum TangemCurve: String, Hashable, Sendable, CaseIterable {
    /// ECDSA on secp256k1.
    case secp256k1
    /// Ed25519, derived as Cardano's wallets do.
    case ed25519
    /// ECDSA on P-256.
    case secp256r1
    /// Schnorr signatures on secp256k1.
    case bip0340
    /// BLS, basic scheme.
    case bls12381G2 = "bls12381_G2"
    /// BLS, message augmentation.
    case bls12381G2AUG = "bls12381_G2_AUG"
    /// BLS, proof of possession.
    case bls12381G2POP = "bls12381_G2_POP"
    /// Ed25519, derived as SLIP-0010 says.
    case ed25519SLIP0010 = "ed25519_slip0010"

    /// True for the three BLS schemes.
    public var isBLS: Bool { self == .bls12381G2 || self == .bls12381G2AUG || self == .bls12381G2POP }

    /// The first firmware that has the curve.
    public var since: TangemFeature {
        switch self {
        case .secp256k1, .ed25519: TangemFeature(major: 0, minor: 0)
        case .secp256r1: .multiWallet
        case .bip0340, .bls12381G2, .bls12381G2AUG, .bls12381G2POP: .bls
        case .ed25519SLIP0010: .ed25519SLIP0010
        }
    }
}
