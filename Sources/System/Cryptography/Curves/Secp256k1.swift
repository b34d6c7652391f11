// SPDX-License-Identifier: MIT

import CSecp256k1

/// The operations on secp256k1, by libsecp256k1.
///
/// Lengths are checked before every call: the library ends the program on a wrong argument.
enum Secp256k1 {
    /// A context for signing and verifying.
    // Safe to share: it is never changed after it was made, and the library reads it only.
    private nonisolated(unsafe) static let context: OpaquePointer? = secp256k1_context_create(
        UInt32(SECP256K1_CONTEXT_NONE)
    )

    private static func ready() throws(CryptographyError) -> OpaquePointer {
        guard let context else { throw .library(call: "secp256k1_context_create") }
        return context
    }

    static func isValid(scalar: SecretBytes) throws(CryptographyError) -> Bool {
        guard scalar.count == 32 else { return false }
        return try secp256k1_ec_seckey_verify(ready(), scalar.pointer) == 1
    }

    /// The uncompressed public key of a scalar.
    static func publicKey(_ scalar: SecretBytes) throws(CryptographyError) -> [UInt8] {
        var key = secp256k1_pubkey()
        guard try isValid(scalar: scalar), try secp256k1_ec_pubkey_create(ready(), &key, scalar.pointer) == 1
        else { throw .scalarOutOfRange(curve: .secp256k1) }
        return try octets(&key)
    }

    /// The uncompressed form of a point in any form but the hybrid one.
    static func point(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var key = try parse(bytes)
        return try octets(&key)
    }

    /// The point with that x and an even y.
    static func point(x: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard x.count == 32 else {
            throw .wrongLength(what: "the x-only public key", length: x.count, allowed: "32")
        }
        return try point([2] + x)
    }

    /// r and s over 32 bytes, with the nonce of RFC 6979 over SHA-256 and a low s.
    static func sign(_ digest: [UInt8], _ scalar: SecretBytes) throws(CryptographyError) -> [UInt8] {
        try checkDigest(digest)
        var signature = secp256k1_ecdsa_signature()
        guard try isValid(scalar: scalar),
            try secp256k1_ecdsa_sign(ready(), &signature, digest, scalar.pointer, nil, nil) == 1
        else { throw .scalarOutOfRange(curve: .secp256k1) }
        var out = [UInt8](repeating: 0, count: 64)
        _ = try secp256k1_ecdsa_signature_serialize_compact(ready(), &out, &signature)
        return out
    }

    /// Whether r and s are a signature of 32 bytes, with a high or a low s.
    static func verify(_ raw: [UInt8], _ digest: [UInt8], _ point: [UInt8]) throws(CryptographyError) -> Bool
    {
        try checkDigest(digest)
        var key = try parse(point)
        var given = secp256k1_ecdsa_signature()
        guard raw.count == 64, try secp256k1_ecdsa_signature_parse_compact(ready(), &given, raw) == 1 else {
            return false
        }
        // The library takes a low s only, which the standard does not ask for.
        var low = secp256k1_ecdsa_signature()
        _ = try secp256k1_ecdsa_signature_normalize(ready(), &low, &given)
        return try secp256k1_ecdsa_verify(ready(), &low, digest, &key) == 1
    }

    /// The public key that made a signature; the number from 0 to 3 picks one of those that fit.
    static func recover(
        _ raw: [UInt8],
        _ number: Int,
        _ digest: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try checkDigest(digest)
        guard (0...3).contains(number) else {
            throw .outOfRange(what: "the recovery number", allowed: "0 to 3")
        }
        var signature = secp256k1_ecdsa_recoverable_signature()
        var key = secp256k1_pubkey()
        guard raw.count == 64,
            try secp256k1_ecdsa_recoverable_signature_parse_compact(ready(), &signature, raw, Int32(number))
                == 1,
            try secp256k1_ecdsa_recover(ready(), &key, &signature, digest) == 1
        else { throw .malformedSignature(reason: "no public key fits it with the recovery number \(number)") }
        return try octets(&key)
    }

    /// The x coordinate of a point times a scalar.
    static func sharedX(_ point: [UInt8], _ scalar: SecretBytes) throws(CryptographyError) -> [UInt8] {
        var key = try parse(point)
        var out = [UInt8](repeating: 0, count: 32)
        let takeX: secp256k1_ecdh_hash_function = { output, x, _, _ in
            guard let output, let x else { return 0 }
            output.update(from: x, count: 32)
            return 1
        }
        guard try isValid(scalar: scalar),
            try secp256k1_ecdh(ready(), &out, &key, scalar.pointer, takeX, nil) == 1
        else { throw .scalarOutOfRange(curve: .secp256k1) }
        return out
    }

    /// A point plus the generator times a tweak, or nil where that is no key.
    static func adding(_ tweak: [UInt8], to point: [UInt8]) throws(CryptographyError) -> [UInt8]? {
        var key = try parse(point)
        guard tweak.count == 32, try secp256k1_ec_pubkey_tweak_add(ready(), &key, tweak) == 1 else {
            return nil
        }
        return try octets(&key)
    }

    /// A Schnorr signature of BIP340 over any message.
    static func schnorrSign(
        _ message: [UInt8],
        _ scalar: SecretBytes,
        auxiliary: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard auxiliary.count == 32 else {
            throw .wrongLength(what: "the auxiliary randomness", length: auxiliary.count, allowed: "32")
        }
        var pair = secp256k1_keypair()
        guard try isValid(scalar: scalar), try secp256k1_keypair_create(ready(), &pair, scalar.pointer) == 1
        else { throw .scalarOutOfRange(curve: .secp256k1) }
        var randomness = auxiliary
        var out = [UInt8](repeating: 0, count: 64)
        let context = try ready()
        let done = randomness.withUnsafeMutableBytes { memory in
            // The magic is a macro of a type that is not imported; its value is part of the library's interface.
            var parameters = secp256k1_schnorrsig_extraparams(
                magic: (0xDA, 0x6F, 0xB3, 0x8C),
                noncefp: nil,
                ndata: memory.baseAddress
            )
            return secp256k1_schnorrsig_sign_custom(
                context,
                &out,
                message,
                message.count,
                &pair,
                &parameters
            )
        }
        withUnsafeMutableBytes(of: &pair) { memory in
            for index in memory.indices { memory[index] = 0 }
        }
        guard done == 1 else { throw .library(call: "secp256k1_schnorrsig_sign_custom") }
        return out
    }

    /// Whether 64 bytes are a Schnorr signature of BIP340 under an x-only key.
    static func schnorrVerify(
        _ signature: [UInt8],
        _ message: [UInt8],
        _ x: [UInt8]
    ) throws(CryptographyError) -> Bool {
        var key = secp256k1_xonly_pubkey()
        guard signature.count == 64, x.count == 32 else { return false }
        guard try secp256k1_xonly_pubkey_parse(ready(), &key, x) == 1 else { return false }
        return try secp256k1_schnorrsig_verify(ready(), signature, message, message.count, &key) == 1
    }

    private static func checkDigest(_ digest: [UInt8]) throws(CryptographyError) {
        guard digest.count == 32 else {
            throw .wrongLength(what: "the digest", length: digest.count, allowed: "32")
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(CryptographyError) -> secp256k1_pubkey {
        var key = secp256k1_pubkey()
        guard let prefix = bytes.first, (2...4).contains(prefix), bytes.count == (prefix == 4 ? 65 : 33),
            try secp256k1_ec_pubkey_parse(ready(), &key, bytes, bytes.count) == 1
        else { throw .notAPoint(curve: .secp256k1) }
        return key
    }

    private static func octets(_ key: inout secp256k1_pubkey) throws(CryptographyError) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 65)
        var length = out.count
        let form = UInt32(SECP256K1_EC_UNCOMPRESSED)
        _ = try secp256k1_ec_pubkey_serialize(ready(), &out, &length, &key, form)
        return out
    }
}
