// SPDX-License-Identifier: MIT

public import Cryptography
import NBTConstants
import SmartCard
public import Type4Tag

/// The certificate of a chip, which lies in its NDEF message.
///
/// X.509 with a key of P-256; the common name is the UID in hex; a manufacturing authority with a key of P-384 signed it.
/// Source: the vendor's brand protection apps (MIT).
public struct BrandCertificate: Hashable, Sendable {
    /// The certificate.
    public let certificate: Certificate
    /// The key that AUTHENTICATE TAG signs with.
    public let key: PublicKey

    /// The UID that it names; nil when its common name is no UID of seven bytes.
    ///
    /// The vendor's apps do not compare it with the chip's UID.
    public var uid: [UInt8]? {
        guard let name = certificate.subject.commonName, let bytes = try? HexText.bytes(name),
            bytes.count == COTTLayout.uidSize
        else { return nil }
        return bytes
    }

    /// Reads a certificate, DER or PEM.
    public init(_ bytes: [UInt8]) throws(BrandProtectionError) {
        do {
            certificate = try Certificate(bytes)
            key = try certificate.publicKey()
        } catch {
            throw .malformedCertificate("\(error)")
        }
        guard key.curve == .secp256r1 else {
            throw .malformedCertificate("its key lies on \(key.curve.rawValue), expected secp256r1")
        }
    }

    /// Finds the certificate in a message, under either of the names that the vendor's works use.
    public init(in message: NDEFMessage) throws(BrandProtectionError) {
        let names = [BrandRecordName.ofApps, BrandRecordName.ofLibraries].map { Array($0.utf8) }
        guard
            let record = message.records.first(where: {
                $0.format == .external && names.contains($0.type)
            })
        else { throw .noCertificate }
        try self.init(record.payload)
    }

    /// Finds the issuer that signed the certificate.
    ///
    /// - Parameters:
    ///   - issuers: The trusted ones, in the order in which they are tried.
    ///   - time: Seconds since 1970 at which the certificate must be valid; nil where that does not matter, as to the
    ///     vendor's apps.
    /// - Returns: The issuer.
    /// - Throws: ``BrandProtectionError``.
    @discardableResult
    public func issuer(
        among issuers: [BrandIssuer] = BrandIssuer.ofVendor,
        at time: Int64? = nil
    ) throws(BrandProtectionError) -> BrandIssuer {
        guard
            let issuer = issuers.first(where: {
                (try? certificate.isSigned(by: $0.certificate)) == true
            })
        else {
            throw .untrustedCertificate(
                issuer: certificate.issuer.commonName ?? certificate.issuer.description
            )
        }
        if let time, !certificate.isValid(at: time) || !issuer.certificate.isValid(at: time) {
            throw .expiredCertificate
        }
        return issuer
    }
}

/// An authority that signs certificates of chips.
public struct BrandIssuer: Hashable, Sendable {
    /// A word for it.
    public let word: String
    /// Its certificate.
    public let certificate: Certificate

    /// Makes an issuer from its certificate, DER or PEM.
    public init(word: String = "given", _ bytes: [UInt8]) throws(BrandProtectionError) {
        do { certificate = try Certificate(bytes) } catch { throw .malformedCertificate("\(error)") }
        self.word = word
    }

    /// The two authorities that the vendor's apps accept, the one of series parts first, then the one of test parts.
    public static let ofVendor: [BrandIssuer] = [
        try? BrandIssuer(word: "series", ManufacturingCertificate.series),
        try? BrandIssuer(word: "test", ManufacturingCertificate.test),
    ].compactMap { $0 }
}
