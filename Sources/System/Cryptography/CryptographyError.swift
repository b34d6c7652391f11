// SPDX-License-Identifier: MIT

/// Why a cryptographic operation was refused.
public enum CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value has a length that the algorithm does not take; `allowed` names those that it takes.
    case wrongLength(what: String, length: Int, allowed: String)
    /// The bytes are no point of the curve.
    case notAPoint(curve: Curve)
    /// A private scalar is zero, or not below the order of the group.
    case scalarOutOfRange(curve: Curve)
    /// The operation does not exist on that curve; `needed` names the curves that have it.
    case wrongCurve(Curve, needed: String)
    /// Two keys that must lie on one curve lie on two.
    case differentCurves(Curve, Curve)
    /// A key lies on a curve, or is of a kind, that this module does not know.
    case unsupportedKey(String)
    /// A key is not of any form that can be read.
    case malformedKey(reason: String)
    /// A signature is neither strict DER nor r and s of the right length.
    case malformedSignature(reason: String)
    /// r or s of a signature is zero, or not below the order of the group.
    case signatureOutOfRange(part: String, curve: Curve)
    /// A certificate cannot be parsed.
    case malformedCertificate(reason: String)
    /// A certificate does not lead to a trusted one; `reason` is the library's sentence.
    case untrustedCertificate(subject: String, reason: String)
    /// Padding that was to be taken off is not there: the key or the data is wrong.
    case badPadding
    /// A number that an algorithm takes lies outside its range.
    case outOfRange(what: String, allowed: String)
    /// A key cannot be derived for that index.
    case derivation(reason: String)
    /// The system's library does not offer the algorithm.
    case unavailable(algorithm: String)
    /// A call of the system's library failed although its input was checked.
    case library(call: String)

    /// What went wrong, where, and what to do.
    public var description: String {
        switch self {
        case .wrongLength(let what, let length, let allowed):
            "\(what) has \(length) \(length == 1 ? "byte" : "bytes"); give \(allowed)"
        case .notAPoint(let curve):
            "the public key is no point of \(curve.rawValue); check its bytes and the name of the curve"
        case .scalarOutOfRange(let curve):
            "the private key is zero or not below the order of \(curve.rawValue); take another one"
        case .wrongCurve(let curve, let needed):
            "a key of \(curve.rawValue) cannot do this; give one of \(needed)"
        case .differentCurves(let one, let other):
            "one key is of \(one.rawValue), the other of \(other.rawValue); give two of the same curve"
        case .unsupportedKey(let kind):
            "keys of the kind '\(kind)' are not known here; "
                + "known are \(Curve.allCases.map(\.rawValue).joined(separator: ", "))"
        case .malformedKey(let reason):
            "the public key cannot be read: \(reason); give a point, an SPKI or a certificate, "
                + "as bytes or as PEM"
        case .malformedSignature(let reason):
            "the signature cannot be read: \(reason); give r and s of equal length, or strict DER"
        case .signatureOutOfRange(let part, let curve):
            "\(part) of the signature is zero or not below the order of \(curve.rawValue); "
                + "it was made for another curve, or it is damaged"
        case .malformedCertificate(let reason):
            "the certificate cannot be read: \(reason); give one X.509 certificate, as DER or as PEM"
        case .untrustedCertificate(let subject, let reason):
            "the certificate of '\(subject)' does not lead to a trusted one: \(reason); "
                + "check the anchors, the certificates between, and the time"
        case .badPadding:
            "the decrypted data does not end with its padding; check the key, the mode and the data"
        case .outOfRange(let what, let allowed):
            "\(what) is out of range; give \(allowed)"
        case .derivation(let reason):
            "no key can be derived: \(reason)"
        case .unavailable(let algorithm):
            "the system's libcrypto does not offer \(algorithm); check its providers in openssl.cnf"
        case .library(let call):
            "\(call) of the system's library failed; check that its memory and providers are there"
        }
    }
}
