// SPDX-License-Identifier: MIT

/// A curve on which keys lie, under the name that its standard gives it.
public enum Curve: String, Hashable, Sendable, CaseIterable {
    /// The Koblitz curve of Bitcoin (SEC 2 §2.4.1), by libsecp256k1.
    case secp256k1
    /// P-256 (FIPS 186-4).
    case secp256r1
    /// P-384 (FIPS 186-4).
    case secp384r1
    /// P-521 (FIPS 186-4).
    case secp521r1
    /// The 256-bit curve of RFC 5639.
    case brainpoolP256r1
    /// The 384-bit curve of RFC 5639.
    case brainpoolP384r1
    /// The 512-bit curve of RFC 5639.
    case brainpoolP512r1
    /// Edwards25519 with the signatures of RFC 8032.
    case ed25519

    /// Finds a curve by its standard's name or another common one (`P-256`, `prime256v1`), in any case.
    public init?(name: String) {
        let plain = String(name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
        switch plain {
        case "p256", "nistp256", "prime256v1": self = .secp256r1
        case "p384", "nistp384": self = .secp384r1
        case "p521", "nistp521": self = .secp521r1
        default:
            guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == plain }) else {
                return nil
            }
            self = found
        }
    }

    /// Whether keys of the curve make ECDSA signatures.
    public var hasECDSA: Bool { self != .ed25519 }

    /// Bytes of a private scalar, of r, of s, and of a coordinate; of a seed for Ed25519.
    public var scalarLength: Int {
        switch self {
        case .secp256k1, .secp256r1, .brainpoolP256r1, .ed25519: 32
        case .secp384r1, .brainpoolP384r1: 48
        case .brainpoolP512r1: 64
        case .secp521r1: 66
        }
    }

    /// Bytes of an uncompressed point: `04`, x and y; 32 for Ed25519.
    public var uncompressedLength: Int { self == .ed25519 ? 32 : 1 + 2 * scalarLength }

    /// Bytes of a compressed point: `02` or `03` and x; 32 for Ed25519.
    public var compressedLength: Int { self == .ed25519 ? 32 : 1 + scalarLength }

    /// The hash that is usual with the curve.
    public var usualHash: HashAlgorithm {
        switch self {
        case .secp256k1, .secp256r1, .brainpoolP256r1: .sha256
        case .secp384r1, .brainpoolP384r1: .sha384
        case .secp521r1, .brainpoolP512r1, .ed25519: .sha512
        }
    }

    /// The curve's object identifier as a DER element.
    ///
    /// Sources: SEC 2 §A.2, RFC 5639 §4.1, RFC 8410 §3.
    var objectIdentifier: [UInt8] {
        switch self {
        case .secp256k1: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A]
        case .secp256r1: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .secp384r1: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
        case .secp521r1: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
        case .brainpoolP256r1: [0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07]
        case .brainpoolP384r1: [0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0B]
        case .brainpoolP512r1: [0x06, 0x09, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0D]
        case .ed25519: [0x06, 0x03, 0x2B, 0x65, 0x70]
        }
    }
}
