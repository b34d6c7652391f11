// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

/// The published keys of the manufacturers of cards.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public enum ManufacturerKeys {
    /// A manufacturer.
    public enum Manufacturer: String, Hashable, Sendable, CaseIterable {
        /// Cards for users.
        case tangem = "TANGEM"
        /// Older cards for users.
        case smartCash = "SMART CASH"
        /// Cards for developers.
        case tangemSDK = "TANGEM SDK"
        /// Older cards for developers.
        case smartCashSDK = "SMART CASH SDK"

        /// The public key, a point of secp256k1.
        public var publicKey: [UInt8] {
            (try? HexText.bytes(hex)) ?? []
        }

        private var hex: String {
            switch self {
            case .tangem: "02630EC6371DA464986F51346B64E6A9711C530B1DD5FC3A145414373C231F7862"
            case .smartCash:
                "042EDE119BF337B264FDA132CFC7C177824D3617DAC80F25DBB2A4A8A1183C03B9"
                    + "152305F8F1DB97004518480D5091ADC1CAB9EACCC18E1B9E9C3BEFB293DD37B2"
            case .tangemSDK: "03BAB86D56298C996F564A84FC88E28AED38184B12F07E519113BEF48C76F3DF3A"
            case .smartCashSDK: "03BAB86D56298C996F564A84FC88E28AED38184B12F07E519113BEF48C76F3DF3A"
            }
        }
    }

    /// The manufacturer whose key signed the issuer of a card; nil when nobody is known.
    ///
    /// - Parameters:
    ///   - firmware: The firmware of the card; below 6.21 all cards have the same one.
    ///   - name: The name in the card.
    /// - Returns: The manufacturer.
    public static func signer(firmware: CardFirmware, name: String) -> Manufacturer? {
        guard firmware.has(.keysImport) else { return .tangem }
        return Manufacturer(rawValue: name)
    }

    /// The manufacturer whose key signed a card identifier; nil when the signature is of none of them.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - signature: r and s, 64 bytes.
    /// - Returns: The manufacturer.
    public static func owner(of id: CardID, signature: [UInt8]) -> Manufacturer? {
        Manufacturer.allCases.first { manufacturer in
            SignatureCheck.isValid(
                signature,
                message: SignedMessage.manufacturer(id),
                key: manufacturer.publicKey,
                curve: .secp256k1
            ) == true
        }
    }
}

/// What the issuer and the manufacturer say about a card, fetched from elsewhere.
public struct OnlineAttestation: Hashable, Sendable {
    /// Signature of the manufacturer over the compressed key of the issuer.
    public let manufacturerSignature: [UInt8]
    /// Signature of the issuer over the card's public key, as the card gives it.
    public let issuerSignature: [UInt8]

    /// Takes both signatures.
    public init(manufacturerSignature: [UInt8], issuerSignature: [UInt8]) {
        self.manufacturerSignature = manufacturerSignature
        self.issuerSignature = issuerSignature
    }

    /// Whether both signatures are right.
    ///
    /// - Parameters:
    ///   - cardPublicKey: The 65 bytes that the card gave.
    ///   - issuerPublicKey: The key of the issuer, in either form.
    ///   - manufacturerPublicKey: The key of the manufacturer, in either form.
    /// - Returns: True when manufacturer, issuer and card hang together.
    public func isValid(
        cardPublicKey: [UInt8],
        issuerPublicKey: [UInt8],
        manufacturerPublicKey: [UInt8]
    ) -> Bool {
        guard let issuer = try? PublicKey(issuerPublicKey, curve: .secp256k1) else { return false }
        return SignatureCheck.isValid(
            manufacturerSignature,
            message: issuer.compressed,
            key: manufacturerPublicKey,
            curve: .secp256k1
        ) == true
            && SignatureCheck.isValid(
                issuerSignature,
                message: cardPublicKey,
                key: issuerPublicKey,
                curve: .secp256k1
            ) == true
    }
}
