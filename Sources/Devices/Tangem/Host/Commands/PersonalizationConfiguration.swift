// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
public import TangemConstants

/// What a development card becomes in PERSONALIZE.
///
/// The keys are the published ones of development cards unless others are set.
public struct PersonalizationConfiguration: Sendable {
    /// Identifier of the card.
    public var id: CardID
    /// Curve of the card's wallet.
    public var curve = TangemCurve.secp256k1
    /// Number of operations that a wallet may sign; nil for the largest number.
    public var maxSignatures: UInt32?
    /// Ways to sign.
    public var signingMethods = TangemSigningMethod.isMask.union(.signHash)
    /// Settings of the card.
    public var settings: TangemSettings
    /// Security delay in milliseconds.
    public var securityDelayMilliseconds = 15_000
    /// Access code.
    public var accessCode = UserCode.standard(.accessCode)
    /// Passcode.
    public var passcode = UserCode.standard(.passcode)
    /// Third code; nil for none.
    public var thirdCode: UserCode?
    /// Code printed on the card.
    public var cvc = TangemLimits.defaultCVC
    /// Whether the card makes a wallet at once.
    public var createsWallet = false
    /// Records of the NDEF message.
    public var ndef: [NDEFEntry] = []
    /// Batch, 2 bytes.
    public var batch: [UInt8]
    /// Day of production.
    public var date: CardDate
    /// Kind of product.
    public var product = TangemProduct.note
    /// Name of the issuer.
    public var issuerName = TangemDevelopmentKeys.issuerName
    /// Name of a blockchain.
    public var blockchainName = "ANY"
    /// The token that the card is made for: symbol, contract, decimals.
    public var token: (symbol: String, contractAddress: String, decimals: Int)?
    /// Key for credentials; nil for none.
    public var crExKey: [UInt8]?
    /// Number of slots; nil for cards with one wallet.
    public var walletsCount: Int?
    /// Public key of the issuer for data, 65 bytes.
    public var issuerPublicKey = Self.key(TangemDevelopmentKeys.issuerData.publicKey)
    /// Public key of the issuer for transactions, 65 bytes.
    public var issuerTransactionPublicKey = Self.key(TangemDevelopmentKeys.issuerTransaction.publicKey)
    /// Public key of the acquirer; nil for none.
    public var acquirerPublicKey: [UInt8]? = Self.key(TangemDevelopmentKeys.acquirer.publicKey)
    /// Private key of the manufacturer, which signs the identifier.
    public var manufacturerKey = Self.key(TangemDevelopmentKeys.manufacturer.privateKey)

    /// A record of the NDEF message.
    public enum NDEFEntry: Hashable, Sendable {
        /// An address.
        case uri(String)
        /// A text in English.
        case text(String)
        /// An Android application.
        case application(String)
    }

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - id: Identifier of the card.
    ///   - settings: Settings of the card.
    ///   - batch: Batch, 2 bytes.
    ///   - date: Day of production.
    public init(id: CardID, settings: TangemSettings, batch: [UInt8], date: CardDate) {
        self.id = id
        self.settings = settings
        self.batch = batch
        self.date = date
    }

    /// The data objects of PERSONALIZE.
    public func objects() throws(TangemError) -> CardObjects {
        guard batch.count == 2 else { throw TangemError(.encodingFailed, "a batch has 2 bytes") }
        var objects = CardObjects()
        objects.add(.cardID, id.bytes)
        objects.add(.curve, text: curve.rawValue)
        try objects.add(.maxSignatures, number: Int(maxSignatures ?? .max), count: 4)
        objects.add(.signingMethod, [signingMethods.rawValue])
        objects.add(.settingsMask, settings.bytes)
        try objects.add(.pauseBeforePIN2, number: securityDelayMilliseconds / 10, count: 2)
        objects.add(.cvc, Array(cvc.utf8))
        objects.add(.createWalletAtPersonalize, flag: createsWallet)
        objects.add(.ndefData, try ndefBytes())
        objects.add(.newPIN, accessCode.digest)
        objects.add(.newPIN2, passcode.digest)
        objects.add(.issuerPublicKey, issuerPublicKey)
        objects.add(.issuerTransactionPublicKey, issuerTransactionPublicKey)
        objects.add(.cardData, list: try production())
        objects.add(.newPIN3, thirdCode?.digest)
        objects.add(.crExKey, crExKey)
        if let walletsCount { try objects.add(.walletsCount, number: walletsCount, count: 1) }
        objects.add(.acquirerPublicKey, acquirerPublicKey)
        return objects
    }

    private func production() throws(TangemError) -> CardObjects {
        var data = CardObjects()
        data.add(.batchID, batch)
        data.add(.productMask, [product.rawValue])
        data.add(.manufactureDate, date.bytes)
        data.add(.issuerName, text: issuerName)
        data.add(.blockchainName, text: blockchainName)
        let key: PrivateKey
        do { key = try PrivateKey(manufacturerKey, curve: .secp256k1) } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
        data.add(
            .cardIDManufacturerSignature,
            try SignatureCheck.sign(SignedMessage.manufacturer(id), with: key)
        )
        if let token {
            data.add(.tokenSymbol, text: token.symbol)
            data.add(.tokenContractAddress, text: token.contractAddress)
            try data.add(.tokenDecimal, number: token.decimals, count: 4)
        }
        return data
    }

    /// The NDEF message with its length before it; nothing without records.
    ///
    /// With a message that changes, the card adds the last record itself.
    func ndefBytes() throws(TangemError) -> [UInt8] {
        guard !ndef.isEmpty else { return [] }
        var message: [UInt8] = []
        for (index, entry) in ndef.enumerated() {
            let isLast = index == ndef.count - 1 && !settings.contains(.useDynamicNDEF)
            message += try entry.bytes(isFirst: index == 0, isLast: isLast)
        }
        guard message.count <= 0xFFFF else {
            throw TangemError(.encodingFailed, "the NDEF message is too long")
        }
        return BigEndian.bytes(message.count, count: 2) + message
    }

    private static func key(_ hex: String) -> [UInt8] { (try? HexText.bytes(hex)) ?? [] }
}

extension PersonalizationConfiguration.NDEFEntry {
    private static let prefixes = ["http://www.", "https://www.", "http://", "https://"]

    fileprivate func bytes(isFirst: Bool, isLast: Bool) throws(TangemError) -> [UInt8] {
        let format: UInt8
        let type: [UInt8]
        let payload: [UInt8]
        switch self {
        case .uri(let text):
            let code = Self.prefixes.firstIndex { text.hasPrefix($0) }
            let rest = code.map { text.dropFirst(Self.prefixes[$0].count) } ?? text[...]
            (format, type) = (0x01, [UInt8(ascii: "U")])
            payload = [UInt8(truncatingIfNeeded: (code ?? -1) + 1)] + Array(rest.utf8)
        case .text(let text):
            (format, type) = (0x01, [UInt8(ascii: "T")])
            payload = [0x02] + Array("en".utf8) + Array(text.utf8)
        case .application(let package):
            (format, type) = (0x04, Array("android.com:pkg".utf8))
            payload = Array(package.utf8)
        }
        guard payload.count <= 0xFF else {
            throw TangemError(.encodingFailed, "an NDEF record of the card holds 255 bytes")
        }
        let header = (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | 0x10 | format
        return [header, UInt8(type.count), UInt8(payload.count)] + type + payload
    }
}
