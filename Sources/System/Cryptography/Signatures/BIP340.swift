// SPDX-License-Identifier: MIT

/// Schnorr signatures on secp256k1.
///
/// Source: BIP340.
public enum BIP340 {
    /// Signs a message of any length; 64 bytes.
    ///
    /// - Parameters:
    ///   - message: usually 32 bytes.
    ///   - key: a secp256k1 key; the sign of its point does not matter.
    ///   - auxiliary: 32 bytes of randomness; zeros make the signature repeat.
    /// - Returns: 64 bytes.
    /// - Throws: `wrongCurve`, or `wrongLength` for other auxiliary bytes.
    public static func sign(
        _ message: [UInt8],
        with key: PrivateKey,
        auxiliary: [UInt8] = [UInt8](repeating: 0, count: 32)
    ) throws(CryptographyError) -> [UInt8] {
        guard key.curve == .secp256k1 else { throw .wrongCurve(key.curve, needed: "secp256k1") }
        return try Secp256k1.schnorrSign(message, key.secret, auxiliary: auxiliary)
    }

    /// Whether 64 bytes are a signature of a message under the x coordinate of a key.
    public static func verify(
        _ signature: [UInt8],
        message: [UInt8],
        key: PublicKey
    ) throws(CryptographyError) -> Bool {
        guard key.curve == .secp256k1 else { throw .wrongCurve(key.curve, needed: "secp256k1") }
        return try Secp256k1.schnorrVerify(signature, message, key.x)
    }
}
