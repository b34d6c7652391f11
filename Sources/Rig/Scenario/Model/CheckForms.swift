// SPDX-License-Identifier: MIT

/// What the verb `check` takes: comparisons of values, and proofs by cryptography.
public enum CheckForms {
    /// The forms that compare values.
    public static let comparisons = ["equals", "differs", "increases"]
    /// The forms that prove something by cryptography.
    public static let proofs = ["signature", "ecdsa", "ed25519", "bip340", "cmac", "hash", "x509"]

    /// The arguments of `check`.
    public static let arguments: [ArgumentSpec] =
        forms + [
            ArgumentSpec("not", .map(forms), choice: choice, "forms of this verb that must not hold")
        ]

    /// Elliptic curves, by the names that devices and standards give them.
    public static let curves = [
        "secp256k1", "secp256r1", "secp384r1", "secp521r1", "brainpoolP256r1", "brainpoolP384r1",
        "brainpoolP512r1", "ed25519", "ed25519_slip0010", "bip340", "bip0340",
    ]
    /// Hash functions.
    public static let hashes = ["sha1", "sha256", "sha384", "sha512"]

    private static let choice = ArgumentChoice.atLeastOne("form")
    private static let signed = ArgumentChoice.exactlyOne("signed")

    private static let forms: [ArgumentSpec] = [
        ArgumentSpec("equals", .list(.any), choice: choice, "values that must all be alike"),
        ArgumentSpec("differs", .list(.any), choice: choice, "values of which no two may be alike"),
        ArgumentSpec(
            "increases",
            .list(.any),
            choice: choice,
            "numbers (or bytes, big-endian) that must grow"
        ),
        ArgumentSpec(
            "signature",
            .map([curve] + signature + [digest, form]),
            choice: choice,
            "a signature whose algorithm the curve tells"
        ),
        ArgumentSpec(
            "ecdsa",
            .map([curve] + signature + [digest, form]),
            choice: choice,
            "an ECDSA signature"
        ),
        ArgumentSpec("ed25519", .map(signature), choice: choice, "an Ed25519 signature"),
        ArgumentSpec("bip340", .map(signature), choice: choice, "a Schnorr signature over secp256k1"),
        ArgumentSpec(
            "cmac",
            .map([
                ArgumentSpec("key", .bytes, isRequired: true, "AES key of 16, 24 or 32 bytes"),
                ArgumentSpec("message", .bytes, isRequired: true, "the message"),
                ArgumentSpec("mac", .bytes, isRequired: true, "the code, 4 to 16 bytes of it"),
            ]),
            choice: choice,
            "an AES-CMAC"
        ),
        ArgumentSpec(
            "hash",
            .map([
                ArgumentSpec("algorithm", .word(hashes), "the hash function; sha256 by default"),
                ArgumentSpec("message", .bytes, isRequired: true, "the message"),
                ArgumentSpec("digest", .bytes, isRequired: true, "its hash"),
            ]),
            choice: choice,
            "a hash"
        ),
        ArgumentSpec(
            "x509",
            .map([
                ArgumentSpec("certificate", .bytes, isRequired: true, "the certificate, DER or PEM"),
                ArgumentSpec(
                    "issuer",
                    .bytes,
                    isRequired: true,
                    "certificate or public key by which it must be signed"
                ),
                ArgumentSpec("key", .bytes, "the public key that it must hold"),
                ArgumentSpec("subject", .text, "the common name that it must have"),
                ArgumentSpec("at", .text, "a day on which it must be valid; any by default"),
            ]),
            choice: choice,
            "a certificate"
        ),
    ]

    private static let curve = ArgumentSpec("curve", .word(curves), isRequired: true, "the curve")
    private static let digest = ArgumentSpec(
        "digest",
        .word(hashes),
        "the hash function for 'message'; sha256 by default"
    )
    private static let form = ArgumentSpec(
        "form",
        .word(["der", "raw"]),
        "how the signature is written; told apart by its length by default"
    )
    private static let signature: [ArgumentSpec] = [
        ArgumentSpec("key", .bytes, isRequired: true, "public key: a point, SPKI or a certificate"),
        ArgumentSpec("hash", .bytes, choice: signed, "the bytes that were signed as they are"),
        ArgumentSpec("message", .bytes, choice: signed, "the message, hashed as the algorithm has it"),
        ArgumentSpec("signature", .bytes, isRequired: true, "the signature"),
    ]
}
