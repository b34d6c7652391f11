// SPDX-License-Identifier: MIT

import Cryptography
import TestSupport

extension OpenSSLCommand {
    /// Whether openssl accepts an ECDSA signature (r and s) of a digest.
    static func verifies(_ signature: [UInt8], digest: [UInt8], key: PublicKey) throws -> Bool {
        let der = try ECDSASignature(raw: signature, curve: key.curve).der
        return try verifies(der, of: digest, spki: key.spki)
    }

    /// Whether openssl accepts an Ed25519 signature of a message.
    static func verifies(_ signature: [UInt8], message: [UInt8], key: PublicKey) throws -> Bool {
        try verifies(signature, of: message, isRaw: true, spki: key.spki)
    }
}
