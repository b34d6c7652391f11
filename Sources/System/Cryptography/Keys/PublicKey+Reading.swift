// SPDX-License-Identifier: MIT

/// In which form a public key was given.
public enum PublicKeyForm: String, Hashable, Sendable {
    /// A compressed or uncompressed point, or the 32 bytes of Ed25519.
    case point
    /// The 32 bytes of BIP340.
    case xOnly
    /// SubjectPublicKeyInfo.
    case spki
    /// An X.509 certificate.
    case certificate
}

/// A public key together with the form that it was read from.
public struct PublicKeyReading: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// What the bytes were.
    public let form: PublicKeyForm
}

extension PublicKey {
    /// Reads a point, an SPKI or a certificate, as bytes or as PEM, and tells which it was.
    ///
    /// An uncompressed point tells its curve by itself, since it lies on one only. A compressed one does not: without
    /// `curve` it is refused, unless only one curve has points of its length. 32 bytes are an Ed25519 key, or an x-only key where
    /// `curve` is secp256k1.
    ///
    /// - Parameters:
    ///   - bytes: the key.
    ///   - curve: the curve that is expected; another one is refused.
    /// - Returns: the key and its form.
    /// - Throws: a sentence why the bytes are no such key.
    public static func read(_ bytes: [UInt8], curve: Curve? = nil) throws(CryptographyError)
        -> PublicKeyReading
    {
        let reading = try readAny(bytes, curve)
        if let curve, reading.key.curve != curve { throw .differentCurves(curve, reading.key.curve) }
        return reading
    }

    private static func readAny(
        _ bytes: [UInt8],
        _ curve: Curve?
    ) throws(CryptographyError) -> PublicKeyReading {
        guard let first = bytes.first else { throw .malformedKey(reason: "it is empty") }
        if PEM.isPEM(bytes) {
            let block = try PEM.decode(bytes)
            switch block.label {
            case "PUBLIC KEY":
                return PublicKeyReading(key: try LibraryKey(spki: block.bytes).publicKey(), form: .spki)
            case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
                return PublicKeyReading(
                    key: try Certificate(der: block.bytes).publicKey(),
                    form: .certificate
                )
            default:
                throw .malformedKey(reason: "its PEM is a '\(block.label)'")
            }
        }
        if bytes.count == 32 {
            guard curve == .secp256k1 else {
                return PublicKeyReading(key: try PublicKey(bytes, curve: .ed25519), form: .point)
            }
            return PublicKeyReading(key: try PublicKey(xOnly: bytes), form: .xOnly)
        }
        switch first {
        case 0x02...0x04:
            return PublicKeyReading(key: try readPoint(bytes, curve), form: .point)
        case DER.sequence:
            do throws(CryptographyError) {
                return PublicKeyReading(key: try LibraryKey(spki: bytes).publicKey(), form: .spki)
            } catch .malformedKey(let reason) {
                // A certificate is a sequence too; which one it is shows when it is read.
                do throws(CryptographyError) {
                    return PublicKeyReading(key: try Certificate(der: bytes).publicKey(), form: .certificate)
                } catch .malformedCertificate {
                    throw .malformedKey(reason: "\(reason), and no certificate either")
                }
            }
        default:
            throw .malformedKey(
                reason: "what begins with \(first) and is \(bytes.count) long is none of its forms"
            )
        }
    }

    private static func readPoint(_ bytes: [UInt8], _ curve: Curve?) throws(CryptographyError) -> PublicKey {
        if let curve { return try PublicKey(bytes, curve: curve) }
        let isCompressed = bytes[0] != 4
        let candidates = Curve.allCases.filter {
            $0.hasECDSA && (isCompressed ? $0.compressedLength : $0.uncompressedLength) == bytes.count
        }
        if isCompressed, candidates.count > 1 {
            let names = candidates.map(\.rawValue).joined(separator: ", ")
            throw .malformedKey(
                reason: "a compressed point of this length may be of \(names); name the curve"
            )
        }
        for candidate in candidates {
            do throws(CryptographyError) {
                return try PublicKey(bytes, curve: candidate)
            } catch .notAPoint {
                continue
            }
        }
        throw .malformedKey(reason: "no known curve has a point of length \(bytes.count)")
    }
}
