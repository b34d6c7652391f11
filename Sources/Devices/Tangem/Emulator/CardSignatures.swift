// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// Signatures of the card and checks of signatures that it is given, all over SHA-256 on secp256k1.
enum CardSignatures {
    /// Signs with the card's key.
    static func sign(_ message: [UInt8], with key: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try ECDSA.sign(message: message, with: PrivateKey(key, curve: .secp256k1)).raw(for: .secp256k1)
    }

    /// Whether a signature is right; a key or signature that cannot be read makes a wrong one.
    static func verify(_ signature: [UInt8], _ message: [UInt8], key: [UInt8]) -> Bool {
        do throws(CryptographyError) {
            return try ECDSA.verify(
                ECDSASignature(raw: signature, curve: .secp256k1),
                message: message,
                key: PublicKey(key, curve: .secp256k1)
            )
        } catch {
            return false
        }
    }

    /// The same signature with the other s: the order of secp256k1 minus the given one.
    static func withOtherS(_ signature: [UInt8]) -> [UInt8] {
        guard signature.count == 64 else { return signature }
        var borrow = 0
        var s = [UInt8](repeating: 0, count: 32)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            s[index] = UInt8(truncatingIfNeeded: difference)
        }
        return signature.prefix(32) + s
    }

    /// Source: SEC 2 §2.4.1.
    private static let order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 15) + [
            0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41,
            0x41,
        ]
}
