// SPDX-License-Identifier: MIT

public import Cryptography
import NBTConstants
public import Type4Tag

/// Brand protection: what the vendor's apps ask a chip to find out whether it is genuine, and what they write for it.
public enum BrandProtection {
    /// Whether a signature of AUTHENTICATE TAG is one of a key for a challenge: ECDSA with SHA-256 over the challenge as
    /// it is.
    ///
    /// - Parameters:
    ///   - signature: The chip's answer, DER.
    ///   - challenge: What was sent.
    ///   - key: The key of the chip's certificate.
    /// - Throws: ``BrandProtectionError/wrongSignature``.
    public static func check(
        signature: [UInt8],
        challenge: [UInt8],
        key: PublicKey
    ) throws(BrandProtectionError) {
        let holds: Bool
        do throws(CryptographyError) {
            holds = try ECDSA.verify(ECDSASignature(der: signature), message: challenge, key: key)
        } catch {
            throw .wrongSignature
        }
        guard holds else { throw .wrongSignature }
    }

    /// The message that the vendor's personalization app writes: a link with the place of the one-time token, and the
    /// certificate.
    ///
    /// - Parameters:
    ///   - link: The link without its query, for example `https://example.com`. The app puts `http://` before whatever
    ///     is typed in; here it is taken as it is.
    ///   - certificate: The chip's certificate, DER.
    /// - Returns: The message.
    /// - Throws: ``NDEFError`` when a field is too long.
    public static func message(link: String, certificate: [UInt8]) throws(NDEFError) -> NDEFMessage {
        try NDEFMessage([
            .uri("\(link)?\(COTTLayout.parameter)\(COTTLayout.placeholder)"),
            NDEFRecord(
                format: .external,
                type: Array(BrandRecordName.ofApps.utf8),
                // The app gives the record an id of one zero byte.
                id: [0x00],
                payload: certificate
            ),
        ])
    }
}

extension NBTCommandSet {
    /// Reads the chip's certificate from its NDEF message; the tag application must be selected.
    public func readCertificate(password: [UInt8]? = nil) throws(NBTError) -> BrandCertificate {
        guard let message = try readMessage(password: password) else { throw .brand(.noCertificate) }
        do { return try BrandCertificate(in: message) } catch { throw .brand(error) }
    }

    /// Proves that the chip owns the key of its certificate, and that a trusted issuer signed that.
    ///
    /// The tag application must be selected. The order is that of the vendor's apps: certificate, issuer, challenge.
    /// - Parameters:
    ///   - challenge: Random bytes, 8 in the vendor's apps.
    ///   - issuers: The trusted ones.
    ///   - time: Seconds since 1970 at which the certificate must be valid; nil where that does not matter.
    /// - Returns: What was found and sent.
    /// - Throws: ``NBTError``, ``NBTError/brand(_:)`` where the chip is not genuine.
    public func proveGenuine(
        challenge: [UInt8],
        issuers: [BrandIssuer] = BrandIssuer.ofVendor,
        at time: Int64? = nil
    ) throws(NBTError) -> BrandProof {
        let certificate = try readCertificate()
        let issuer: BrandIssuer
        do { issuer = try certificate.issuer(among: issuers, at: time) } catch { throw .brand(error) }
        let signature = try authenticateTag(challenge: challenge)
        do throws(BrandProtectionError) {
            try BrandProtection.check(signature: signature, challenge: challenge, key: certificate.key)
        } catch {
            throw .brand(error)
        }
        return BrandProof(certificate: certificate, issuer: issuer, signature: signature)
    }
}

/// The proof of a genuine chip.
public struct BrandProof: Hashable, Sendable {
    /// The chip's certificate.
    public let certificate: BrandCertificate
    /// Who signed it.
    public let issuer: BrandIssuer
    /// The chip's signature of the challenge, DER.
    public let signature: [UInt8]
}
