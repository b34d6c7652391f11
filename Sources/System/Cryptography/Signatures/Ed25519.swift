// SPDX-License-Identifier: MIT

import CCrypto

/// Ed25519 signatures (PureEdDSA).
///
/// Source: RFC 8032 §5.1.
public enum Ed25519 {
    /// Signs a message; 64 bytes.
    public static func sign(_ message: [UInt8], with key: PrivateKey) throws(CryptographyError) -> [UInt8] {
        guard key.curve == .ed25519 else { throw .wrongCurve(key.curve, needed: "ed25519") }
        guard let raw = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, key.secret.pointer, 32) else {
            ERR_clear_error()
            throw .unavailable(algorithm: "Ed25519")
        }
        let libraryKey = LibraryKey(owning: raw)
        guard let context = EVP_MD_CTX_new() else { throw .library(call: "EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var out = [UInt8](repeating: 0, count: 64)
        var length = out.count
        guard EVP_DigestSignInit(context, nil, nil, nil, libraryKey.raw) == 1,
            EVP_DigestSign(context, &out, &length, message, message.count) == 1, length == 64
        else {
            ERR_clear_error()
            throw .library(call: "EVP_DigestSign")
        }
        return out
    }

    /// Whether 64 bytes are a signature of a message; any other length is not.
    public static func verify(
        _ signature: [UInt8],
        message: [UInt8],
        key: PublicKey
    ) throws(CryptographyError) -> Bool {
        guard key.curve == .ed25519 else { throw .wrongCurve(key.curve, needed: "ed25519") }
        guard let raw = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, key.uncompressed, 32) else {
            ERR_clear_error()
            throw .unavailable(algorithm: "Ed25519")
        }
        let libraryKey = LibraryKey(owning: raw)
        guard let context = EVP_MD_CTX_new() else { throw .library(call: "EVP_MD_CTX_new") }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, libraryKey.raw) == 1 else {
            throw .library(call: "EVP_DigestVerifyInit")
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The public key of a seed.
    static func publicKey(_ seed: SecretBytes) throws(CryptographyError) -> [UInt8] {
        guard let raw = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed.pointer, 32) else {
            ERR_clear_error()
            throw .unavailable(algorithm: "Ed25519")
        }
        let key = LibraryKey(owning: raw)
        var out = [UInt8](repeating: 0, count: 32)
        var length = out.count
        guard EVP_PKEY_get_raw_public_key(key.raw, &out, &length) == 1, length == 32 else {
            ERR_clear_error()
            throw .library(call: "EVP_PKEY_get_raw_public_key")
        }
        return out
    }
}
