// SPDX-License-Identifier: MIT

public import TangemConstants

/// What a card tells of itself in READ, and what the host found out about it.
public struct CardRecord: Hashable, Sendable {
    /// Whether the terminal of this host is linked to the card.
    public enum LinkedTerminal: String, Hashable, Sendable {
        /// The card links no terminals.
        case none
        /// The card knows this terminal.
        case current
        /// The card does not know this terminal.
        case other
    }

    /// Identifier.
    public var id: CardID
    /// Status byte, see `TangemCardStatus`.
    public var status: UInt8
    /// Firmware.
    public var firmware: CardFirmware
    /// Public key of the card, 65 bytes.
    public var publicKey: [UInt8]
    /// Name of the manufacturer.
    public var manufacturerName: String
    /// Data of production.
    public var production: CardProduction
    /// Public key of the issuer for data.
    public var issuerPublicKey: [UInt8]
    /// Settings of the card.
    public var settings: TangemSettings
    /// Settings of the user; nil when the card gives none.
    public var userSettings: TangemUserSettings?
    /// Ways to sign; nil when the card gives none.
    public var signingMethods: TangemSigningMethod?
    /// Security delay in milliseconds; nil when the card gives none.
    public var securityDelayMilliseconds: Int?
    /// Number of slots for wallets.
    public var walletsCount: Int
    /// The curve of the card, or the one of new wallets when nothing is said.
    public var curve: TangemCurve?
    /// Number of operations that a wallet may sign from the start; before 4.0.
    public var maxSignatures: Int?
    /// Hardware trouble that the card found; 0 for none, nil when the card does not tell.
    public var health: UInt8?
    /// Whether the card wants to be activated.
    public var needsActivation: Bool
    /// Whether the passcode is the default; nil when nobody knows.
    public var isPasscodeDefault: Bool?
    /// Whether the access code is the default; nil when nobody knows.
    public var isAccessCodeDefault: Bool?
    /// Whether the terminal of this host is linked.
    public var linkedTerminal: LinkedTerminal
    /// Status of the backup (0 none, 1 linked, 2 active); nil when the card does not tell.
    public var backupStatus: Int?
    /// Number of backup cards.
    public var backupCount: Int?
    /// The wallets that can be used, by slot.
    public var wallets: [WalletRecord]
    /// Slots whose wallet was purged for good, so that they take no other; from 4.0 on.
    public var purgedSlots: Set<Int> = []
    /// What was proven.
    public var attestation = CardAttestation()

    /// Reads the card record of an answer.
    ///
    /// - Parameters:
    ///   - objects: The answer to READ.
    ///   - askedAsTerminal: Whether the host gave its terminal key, so that a missing flag says something.
    /// - Throws: `notPersonalized`, or a decoding error.
    public init(_ objects: CardObjects, askedAsTerminal: Bool = false) throws(TangemError) {
        guard let status = try objects.byte(.status) else {
            throw TangemError(.decodingFailedMissingTag, "there is no \(TangemTag.status.title)")
        }
        if status == TangemCardStatus.notPersonalized { throw TangemError(.notPersonalized) }
        self.status = status
        id = try objects.requiredCardID()
        firmware = CardFirmware(try objects.requiredText(.firmwareVersion))
        publicKey = try objects.required(.cardPublicKey)
        manufacturerName = try objects.requiredText(.manufacturerName)
        guard let data = try objects.list(.cardData), let settings = try objects.settings() else {
            throw TangemError(
                .decodingFailedMissingTag,
                "the card data (0C) or the settings (0A) are missing"
            )
        }
        production = try CardProduction(data)
        self.settings = settings
        issuerPublicKey = try objects.required(.issuerPublicKey)
        userSettings = try objects.settings(.userSettingsMask).map {
            TangemUserSettings(rawValue: $0.rawValue)
        }
        signingMethods = try objects.byte(.signingMethod).map { TangemSigningMethod(reading: $0) }
        securityDelayMilliseconds = try objects.number(.pauseBeforePIN2).flatMap { number in
            let (product, isOver) = number.multipliedReportingOverflow(by: 10)
            return isOver ? nil : product
        }
        walletsCount = try objects.number(.walletsCount) ?? 1
        curve = try objects.curve()
        maxSignatures = try objects.number(.maxSignatures)
        health = try objects.byte(.health)
        needsActivation = objects.flag(.isActivated)
        isPasscodeDefault = firmware.has(.pin2IsDefault) ? objects.flag(.isPIN2Default) : nil
        isAccessCodeDefault = firmware.has(.pinIsDefault) ? objects.flag(.isPINDefault) : nil
        let links =
            settings.contains(.skipDelayIfValidatedByLinkedTerminal) && firmware.has(.linkedTerminal)
            && !firmware.has(.hdWallets)
        linkedTerminal =
            !links || !askedAsTerminal ? .none : objects.flag(.isLinked) ? .current : .other
        backupStatus = try objects.number(.backupStatus)
        backupCount = try objects.number(.backupCount)
        if let backupStatus, backupStatus != 0, backupCount == nil {
            throw TangemError(.decodingFailedMissingTag, "there is a backup, and no backupCount (D1)")
        }
        wallets = []
        if !firmware.has(.multiWallet), status == TangemCardStatus.loaded {
            wallets = [try WalletRecord(ofSingleWalletCard: objects, settings: settings)]
        }
    }

    /// Whether the firmware has something that came with a version.
    public func has(_ feature: TangemFeature) -> Bool { firmware.has(feature) }

    /// The curves of wallets that the card can make.
    public var supportedCurves: [TangemCurve] { firmware.curves(own: curve) }

    /// The lowest slot that takes a wallet, nil when there is none.
    var freeSlot: Int? {
        let taken = purgedSlots.union(wallets.map(\.index))
        return (0..<max(walletsCount, 1)).first { !taken.contains($0) }
    }

    /// The wallet with a public key, nil when there is none.
    public func wallet(_ publicKey: [UInt8]) -> WalletRecord? {
        wallets.first { $0.publicKey == publicKey } ?? wallets.first { $0.isSameKey(publicKey) }
    }

    /// Whether a forgotten code can be reset with another card of the set.
    public var isCodeRecoveryAllowed: Bool {
        userSettings.map { !$0.contains(.forbidResetPIN) } ?? has(.backup)
    }
}

/// Data of production of a card (tag 0C).
public struct CardProduction: Hashable, Sendable {
    /// Batch, 4 hex digits.
    public let batchID: String
    /// Day of production.
    public let date: CardDate
    /// Name of the issuer.
    public let issuerName: String
    /// Name of a blockchain; nil when there is none.
    public let blockchainName: String?
    /// Signature of the manufacturer over the card identifier; nil when there is none.
    public let manufacturerSignature: [UInt8]?
    /// Kind of product; nil when the card does not tell.
    public let product: TangemProduct?
    /// The token that the card was made for.
    public let token: CardToken?

    /// Reads the list of tags.
    public init(_ objects: CardObjects) throws(TangemError) {
        let batch = try objects.required(.batchID)
        batchID = batch.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
        guard let date = try objects.date(.manufactureDate) else {
            throw TangemError(.decodingFailedMissingTag, "there is no \(TangemTag.manufactureDate.title)")
        }
        self.date = date
        issuerName = try objects.requiredText(.issuerName)
        blockchainName = try objects.text(.blockchainName)
        manufacturerSignature = objects[.cardIDManufacturerSignature]
        product = try objects.byte(.productMask).map { TangemProduct(rawValue: $0) }
        token = try CardToken(objects)
    }
}

/// The token that a card was made for.
public struct CardToken: Hashable, Sendable {
    /// Short name.
    public let symbol: String
    /// Address of the contract.
    public let contractAddress: String
    /// Number of decimals.
    public let decimals: Int
    /// Long name; nil when there is none.
    public let name: String?

    init?(_ objects: CardObjects) throws(TangemError) {
        guard let symbol = try objects.text(.tokenSymbol),
            let contractAddress = try objects.text(.tokenContractAddress),
            let decimals = try objects.number(.tokenDecimal)
        else { return nil }
        self.symbol = symbol
        self.contractAddress = contractAddress
        self.decimals = decimals
        name = try objects.text(.tokenName)
    }
}
