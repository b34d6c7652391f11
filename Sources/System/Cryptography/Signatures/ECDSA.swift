// SPDX-License-Identifier: MIT

import CCrypto

/// ECDSA signatures with nonces that follow from key and digest, so that a run repeats byte for byte.
///
/// Source: FIPS 186-4 §6, RFC 6979.
public enum ECDSA {
    /// Signs a digest; on secp256k1 the signature has a low s.
    ///
    /// - Parameters:
    ///   - digest: the digest, 1 byte or more; its leftmost bits count.
    ///   - key: a key of any curve but Ed25519.
    ///   - hash: the hash under the nonces; nil takes the one with digests of that length, else SHA-256.
    /// - Returns: the signature.
    /// - Throws: `wrongCurve`, or `wrongLength` for an empty digest.
    public static func sign(
        digest: [UInt8],
        with key: PrivateKey,
        hash: HashAlgorithm? = nil
    ) throws(CryptographyError) -> ECDSASignature {
        try check(digest, key.curve)
        let hash = hash ?? HashAlgorithm(digestLength: digest.count) ?? .sha256
        if key.curve == .secp256k1, hash == .sha256 {
            return try ECDSASignature(
                raw: Secp256k1.sign(leftmost32(digest), key.secret),
                curve: .secp256k1
            )
        }
        let signature = try signWithLibcrypto(digest, key, hash)
        return key.curve == .secp256k1 ? try signature.lowS(for: .secp256k1) : signature
    }

    /// Signs the digest of a message.
    public static func sign(
        message: [UInt8],
        with key: PrivateKey,
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> ECDSASignature {
        try sign(digest: hash.digest(message), with: key, hash: hash)
    }

    /// Whether a signature of a digest is right; an r or s out of range is not.
    public static func verify(
        _ signature: ECDSASignature,
        digest: [UInt8],
        key: PublicKey
    ) throws(CryptographyError) -> Bool {
        try check(digest, key.curve)
        do throws(CryptographyError) {
            try signature.check(for: key.curve)
        } catch .signatureOutOfRange {
            return false
        }
        if key.curve == .secp256k1 {
            return try Secp256k1.verify(
                signature.raw(for: .secp256k1),
                leftmost32(digest),
                key.uncompressed
            )
        }
        let libraryKey = try LibraryKey(spki: key.spki)
        guard let context = EVP_PKEY_CTX_new(libraryKey.raw, nil) else {
            throw .library(call: "EVP_PKEY_CTX_new")
        }
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_PKEY_verify_init(context) == 1 else { throw .library(call: "EVP_PKEY_verify_init") }
        let der = signature.der
        return EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
    }

    /// Whether a signature of the digest of a message is right.
    public static func verify(
        _ signature: ECDSASignature,
        message: [UInt8],
        key: PublicKey,
        hash: HashAlgorithm = .sha256
    ) throws(CryptographyError) -> Bool {
        try verify(signature, digest: hash.digest(message), key: key)
    }

    /// The secp256k1 key that made a signature of 32 bytes; the number from 0 to 3 picks one of those that fit.
    public static func recoverKey(
        from signature: ECDSASignature,
        number: Int,
        digest: [UInt8]
    ) throws(CryptographyError) -> PublicKey {
        let point = try Secp256k1.recover(signature.raw(for: .secp256k1), number, digest)
        return PublicKey(curve: .secp256k1, checkedPoint: point)
    }

    /// The number with which `recoverKey` gives that secp256k1 key, or nil where none does.
    public static func recoveryNumber(
        of signature: ECDSASignature,
        digest: [UInt8],
        key: PublicKey
    ) throws(CryptographyError) -> Int? {
        guard key.curve == .secp256k1 else { throw .wrongCurve(key.curve, needed: "secp256k1") }
        for number in 0...3 {
            do throws(CryptographyError) {
                if try recoverKey(from: signature, number: number, digest: digest) == key { return number }
            } catch .malformedSignature {
                continue
            }
        }
        return nil
    }

    /// The path for every curve, with libcrypto's arithmetic.
    static func signWithLibcrypto(
        _ digest: [UInt8],
        _ key: PrivateKey,
        _ hash: HashAlgorithm
    ) throws(CryptographyError) -> ECDSASignature {
        let group = try CurveGroup(key.curve)
        let scalars = group.scalars
        let secret = try BigNumber(key.secret)
        let e = try scalars.remainder(DeterministicNonce.number(digest, bits: scalars.modulus.bitCount))
        var nonces = try DeterministicNonce(scalar: key.secret, digest: digest, hash: hash, group: group)
        while true {
            let nonce = try nonces.next()
            let r = try scalars.number(group.x(group.multiple(ofGenerator: nonce)))
            let s = try scalars.product(scalars.inverse(nonce), scalars.sum(e, scalars.product(r, secret)))
            guard !r.isZero, !s.isZero else { continue }
            let length = key.curve.scalarLength
            return ECDSASignature(r: try r.bytes(length: length), s: try s.bytes(length: length))
        }
    }

    private static func check(_ digest: [UInt8], _ curve: Curve) throws(CryptographyError) {
        guard curve.hasECDSA else {
            let names = Curve.allCases.filter(\.hasECDSA).map(\.rawValue)
            throw .wrongCurve(curve, needed: names.joined(separator: ", "))
        }
        guard (1...1024).contains(digest.count) else {
            throw .wrongLength(what: "the digest", length: digest.count, allowed: "1 to 1024")
        }
    }

    /// The leftmost 256 bits of a digest, with zeros in front of a shorter one.
    private static func leftmost32(_ digest: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - digest.count)) + digest.prefix(32)
    }
}
