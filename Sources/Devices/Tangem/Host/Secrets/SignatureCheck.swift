// SPDX-License-Identifier: MIT

public import Cryptography
public import TangemConstants

/// Checks the signatures that cards make.
///
/// Every answer is true, false, or nil where the host cannot tell: no published host checks BLS signatures of a
/// message.
public enum SignatureCheck {
    /// Whether a signature of a message is right.
    ///
    /// - Parameters:
    ///   - signature: The bytes as the card gives them.
    ///   - message: The message before hashing.
    ///   - key: The public key as the card gives it.
    ///   - curve: The curve of the key.
    /// - Returns: nil for curves that the host cannot check.
    public static func isValid(
        _ signature: [UInt8],
        message: [UInt8],
        key: [UInt8],
        curve: TangemCurve
    ) -> Bool? {
        switch curve {
        case .bls12381G2, .bls12381G2AUG, .bls12381G2POP:
            nil
        case .ed25519, .ed25519SLIP0010:
            isValid(signature, hash: SHA512.digest(message), key: key, curve: curve)
        default:
            isValid(signature, hash: SHA256.digest(message), key: key, curve: curve)
        }
    }

    /// Whether a signature of a hash, as SIGN gives it, is right.
    ///
    /// - Parameters:
    ///   - signature: The bytes as the card gives them.
    ///   - hash: What was given to the card.
    ///   - key: The public key as the card gives it.
    ///   - curve: The curve of the key.
    /// - Returns: Whether it is right; nil for curves that the host cannot check, of which there are none.
    public static func isValid(
        _ signature: [UInt8],
        hash: [UInt8],
        key: [UInt8],
        curve: TangemCurve
    ) -> Bool? {
        do throws(CryptographyError) {
            switch curve {
            case .secp256k1, .secp256r1:
                let group: Curve = curve == .secp256k1 ? .secp256k1 : .secp256r1
                return try ECDSA.verify(
                    ECDSASignature(raw: signature, curve: group),
                    digest: hash,
                    key: PublicKey(key, curve: group)
                )
            case .ed25519, .ed25519SLIP0010:
                return try Ed25519.verify(
                    signature,
                    message: hash,
                    key: PublicKey(key, curve: .ed25519)
                )
            case .bip0340:
                guard signature.count == 64 else { return false }
                return try BIP340.verify(signature, message: hash, key: try xOnly(key))
            case .bls12381G2, .bls12381G2AUG, .bls12381G2POP:
                return BLSPairing.isValid(signature: signature, hash: hash, publicKey: key)
            }
        } catch {
            return false
        }
    }

    /// The signature with the lower of its two values of s; other curves than secp256k1 stay as they are.
    public static func canonical(_ signature: [UInt8], curve: TangemCurve) throws(TangemError) -> [UInt8] {
        guard curve == .secp256k1 else { return signature }
        do {
            return try ECDSASignature(raw: signature, curve: .secp256k1).lowS(for: .secp256k1)
                .raw(for: .secp256k1)
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    /// Signs a message as issuers and terminals do: secp256k1, SHA-256, r and s of 64 bytes.
    public static func sign(_ message: [UInt8], with key: PrivateKey) throws(TangemError) -> [UInt8] {
        do {
            return try ECDSA.sign(message: message, with: key).raw(for: .secp256k1)
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    /// The bytes of one signature on a curve.
    public static func length(_ curve: TangemCurve) -> Int { curve.isBLS ? 96 : 64 }

    private static func xOnly(_ key: [UInt8]) throws(CryptographyError) -> PublicKey {
        key.count == 32 ? try PublicKey(xOnly: key) : try PublicKey(key, curve: .secp256k1)
    }
}
