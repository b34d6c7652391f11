// SPDX-License-Identifier: MIT

/// An X.509 certificate.
///
/// Source: RFC 5280. Times before 2050 may be GeneralizedTime too, as tags in the field have them.
public struct Certificate: Hashable, Sendable {
    /// The certificate as it was read.
    public let der: [UInt8]
    /// Whom it names.
    public let subject: DistinguishedName
    /// Who signed it.
    public let issuer: DistinguishedName
    /// The serial number, big-endian without sign.
    public let serial: [UInt8]
    /// The first second of its validity, since 1970-01-01T00:00:00Z.
    public let notBefore: Int64
    /// The last second of its validity, since 1970-01-01T00:00:00Z.
    public let notAfter: Int64
    /// The public key with its algorithm, DER.
    public let spki: [UInt8]
    /// The short name of the signature's algorithm, for example `ecdsa-with-SHA256`.
    public let signatureAlgorithm: String
    /// Whether its extensions allow it to sign other certificates.
    public let isAuthority: Bool

    /// Reads one DER certificate, with nothing behind it.
    public init(der: [UInt8]) throws(CryptographyError) {
        let certificate = try LibraryCertificate(der: der)
        self.der = der
        subject = certificate.subject
        issuer = certificate.issuer
        serial = certificate.serial
        let validity = try certificate.validity()
        notBefore = validity.lowerBound
        notAfter = validity.upperBound
        spki = try certificate.spki()
        signatureAlgorithm = certificate.signatureAlgorithm
        isAuthority = certificate.isAuthority
    }

    /// Reads one certificate as DER or as PEM.
    public init(_ bytes: [UInt8]) throws(CryptographyError) {
        guard PEM.isPEM(bytes) else {
            try self.init(der: bytes)
            return
        }
        let block: PEM.Block
        do throws(CryptographyError) {
            block = try PEM.decode(bytes)
        } catch .malformedKey(let reason) {
            throw .malformedCertificate(reason: reason)
        }
        guard block.label.hasSuffix("CERTIFICATE") else {
            throw .malformedCertificate(reason: "its PEM is a '\(block.label)'")
        }
        try self.init(der: block.bytes)
    }

    /// The subject's key; refused where it lies on no curve known here (RSA, for example).
    public func publicKey() throws(CryptographyError) -> PublicKey {
        try LibraryKey(spki: spki).publicKey()
    }

    /// Whether a time, in seconds since 1970, lies in its validity.
    public func isValid(at time: Int64) -> Bool {
        (notBefore...notAfter).contains(time)
    }

    /// Whether the key of another certificate signed it and the names fit.
    public func isSigned(by issuer: Certificate) throws(CryptographyError) -> Bool {
        guard self.issuer == issuer.subject else { return false }
        let key = try LibraryKey(spki: issuer.spki)
        return try LibraryCertificate(der: der).isSigned(by: key.raw)
    }

    /// Whether a key signed it.
    public func isSigned(by key: PublicKey) throws(CryptographyError) -> Bool {
        let key = try LibraryKey(spki: key.spki)
        return try LibraryCertificate(der: der).isSigned(by: key.raw)
    }
}
