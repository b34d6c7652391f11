// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
import SmartCard

/// Key, certificate and message of an emulated chip, all synthetic, made from the seed.
///
/// The authority is the emulator's own; its key is no secret, and nothing that it signs proves anything.
enum DevelopmentIdentity {
    /// The chip's private key, a scalar of P-256.
    static func signingKey(seed: UInt64) -> [UInt8] {
        var scalar = ChipRandom.bytes(32, for: .signingKey, seed: seed, position: 0)
        // The order of the curve begins with FF, so that a scalar without the top bit is below it.
        scalar[0] &= 0x7F
        return scalar
    }

    /// The certificate of the authority, self-signed, DER.
    static func authority() throws(CryptographyError) -> [UInt8] {
        let key = try authorityKey()
        let isAuthority = DERText.element(0x30, [0x01, 0x01, 0xFF])
        return try certificate(
            serial: [0x01],
            subject: authorityName,
            key: key.publicKey,
            constraints: isAuthority,
            // keyCertSign
            usage: [0x03, 0x02, 0x02, 0x04],
            signedBy: key
        )
    }

    /// The certificate of a chip: its UID in hex as the common name, DER.
    static func certificate(uid: [UInt8], key: PublicKey) throws(CryptographyError) -> [UInt8] {
        try certificate(
            serial: uid,
            subject: DERText.name([(commonName, uid.hex), (organization, "TapRig")]),
            key: key,
            constraints: DERText.element(0x30, []),
            // digitalSignature
            usage: [0x03, 0x02, 0x07, 0x80],
            signedBy: authorityKey()
        )
    }

    /// A message as the vendor's app writes it: a URI with the token's place, and the certificate if there is a key.
    static func message(uid: [UInt8], key: [UInt8]?) throws(CryptographyError) -> [UInt8] {
        let link = "nbt.example/?" + COTTLayout.parameter + COTTLayout.placeholder
        // Identifier 04 stands for https://. Source: NFC Forum RTD URI 1.0 §3.2.2.
        let uri = [0x04] + Array(link.utf8)
        guard let key else { return [0xD1, 0x01, UInt8(uri.count), 0x55] + uri }
        let publicKey = try PrivateKey(key, curve: .secp256r1).publicKey
        let payload = try certificate(uid: uid, key: publicKey)
        let type = Array(BrandRecordName.ofApps.utf8)
        let size = [0x00, 0x00, ChipState.high(payload.count), ChipState.low(payload.count)]
        return [0x91, 0x01, UInt8(uri.count), 0x55] + uri
            + [0x4C, UInt8(type.count)] + size + [0x01] + type + [0x00] + payload
    }

    private static func authorityKey() throws(CryptographyError) -> PrivateKey {
        var scalar = Array(SHA512.digest(Array("TapRig NFC tag development authority".utf8)).prefix(48))
        scalar[0] &= 0x7F
        return try PrivateKey(scalar, curve: .secp384r1)
    }

    private static let authorityName = DERText.name([
        (commonName, "TapRig NFC tag development CA"), (organization, "TapRig"),
    ])

    /// Puts a certificate together and signs it.
    ///
    /// Source: RFC 5280 §4.1, RFC 5758 §3.2.
    private static func certificate(
        serial: [UInt8],
        subject: [UInt8],
        key: PublicKey,
        constraints: [UInt8],
        usage: [UInt8],
        signedBy issuer: PrivateKey
    ) throws(CryptographyError) -> [UInt8] {
        let algorithm = DERText.element(0x30, DERText.element(0x06, ecdsaWithSHA256))
        let validity = ["240101000000Z", "440101000000Z"].flatMap { DERText.element(0x17, Array($0.utf8)) }
        let issuerID = DERText.element(0x80, SHA1.digest(issuer.publicKey.uncompressed))
        let extensions = [
            DERText.critical(basicConstraints, constraints), DERText.critical(keyUsage, usage),
            DERText.plain(subjectKey, DERText.element(0x04, SHA1.digest(key.uncompressed))),
            DERText.plain(authorityKeyID, DERText.element(0x30, issuerID)),
        ]
        let body: [[UInt8]] = [
            DERText.element(0xA0, [0x02, 0x01, 0x02]), DERText.element(0x02, serial), algorithm,
            authorityName, DERText.element(0x30, validity), subject, key.spki,
            DERText.element(0xA3, DERText.element(0x30, extensions.flatMap { $0 })),
        ]
        let signed = DERText.element(0x30, body.flatMap { $0 })
        let signature = try ECDSA.sign(message: signed, with: issuer, hash: .sha256).der
        return DERText.element(0x30, signed + algorithm + DERText.element(0x03, [0x00] + signature))
    }

    private static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    private static let organization: [UInt8] = [0x55, 0x04, 0x0A]
    private static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    private static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    private static let subjectKey: [UInt8] = [0x55, 0x1D, 0x0E]
    private static let authorityKeyID: [UInt8] = [0x55, 0x1D, 0x23]
    private static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
}

/// The few DER shapes of a certificate.
///
/// Source: ITU-T X.690 §8.1, §10.1.
private enum DERText {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case 0...0x7F: [UInt8(count)]
            case 0x80...0xFF: [0x81, UInt8(count)]
            default: [0x82, ChipState.high(count), ChipState.low(count)]
            }
        return [tag] + length + content
    }

    /// An extension that must be understood.
    static func critical(_ identifier: [UInt8], _ value: [UInt8]) -> [UInt8] {
        element(0x30, element(0x06, identifier) + [0x01, 0x01, 0xFF] + element(0x04, value))
    }

    /// An extension that may be passed over.
    static func plain(_ identifier: [UInt8], _ value: [UInt8]) -> [UInt8] {
        element(0x30, element(0x06, identifier) + element(0x04, value))
    }

    /// A name of attributes with UTF-8 text.
    static func name(_ attributes: [(type: [UInt8], text: String)]) -> [UInt8] {
        element(
            0x30,
            attributes.flatMap { attribute in
                let pair = element(0x06, attribute.type) + element(0x0C, Array(attribute.text.utf8))
                return element(0x31, element(0x30, pair))
            }
        )
    }
}
