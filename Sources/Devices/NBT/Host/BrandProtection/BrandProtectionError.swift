// SPDX-License-Identifier: MIT

/// Why a chip did not prove what it is.
public enum BrandProtectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The NDEF message holds no certificate record.
    case noCertificate
    /// The record's payload is no certificate with a key of P-256.
    case malformedCertificate(String)
    /// None of the issuers signed the certificate.
    case untrustedCertificate(issuer: String)
    /// The certificate is not valid at that time.
    case expiredCertificate
    /// The signature is not one of the certificate's key for the challenge.
    case wrongSignature
    /// The given key is none.
    case malformedKey(String)
    /// The certificate is another chip's.
    case otherChip(certificate: String, expected: String)

    /// The kind of error in one word, as scenarios name it.
    public var word: String {
        switch self {
        case .noCertificate: "noCertificate"
        case .malformedCertificate: "malformedCertificate"
        case .untrustedCertificate: "untrustedCertificate"
        case .expiredCertificate: "expiredCertificate"
        case .wrongSignature: "wrongSignature"
        case .malformedKey: "malformedKey"
        case .otherChip: "otherChip"
        }
    }

    /// The words of all kinds.
    public static let words = [
        "noCertificate", "malformedCertificate", "untrustedCertificate", "expiredCertificate",
        "wrongSignature", "malformedKey", "otherChip",
    ]

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .noCertificate:
            "the NDEF message holds no record 'nfc-bridge-tag.x509'; personalize the chip with its certificate"
        case .malformedCertificate(let reason):
            "the chip's certificate cannot be used: \(reason)"
        case .untrustedCertificate(let issuer):
            "the chip's certificate says that '\(issuer)' signed it, but none of the trusted issuers did"
        case .expiredCertificate:
            "the chip's certificate is not valid at that time"
        case .wrongSignature:
            "the signature is not one of the certificate's key for this challenge; the chip is not genuine, or its "
                + "certificate is another one's"
        case .malformedKey(let reason):
            "the key to verify with cannot be used: \(reason)"
        case .otherChip(let certificate, let expected):
            "the certificate is of the chip \(certificate), expected \(expected)"
        }
    }
}
