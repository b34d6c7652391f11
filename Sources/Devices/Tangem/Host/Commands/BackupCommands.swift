// SPDX-License-Identifier: MIT

public import TangemConstants

/// The public key of a card and the issuer's signature of it.
public struct CardCertificate: Hashable, Sendable {
    /// Public key of the card, as the card gives it.
    public let cardPublicKey: [UInt8]
    /// Signature of the issuer.
    public let issuerSignature: [UInt8]

    /// Makes a certificate.
    public init(cardPublicKey: [UInt8], issuerSignature: [UInt8]) {
        self.cardPublicKey = cardPublicKey
        self.issuerSignature = issuerSignature
    }

    /// The value of the tag 55.
    public var objects: CardObjects {
        CardObjects([
            CardObject(.cardPublicKey, cardPublicKey), CardObject(.issuerDataSignature, issuerSignature),
        ])
    }
}

/// START_PRIMARY_CARD_LINKING: the linking key of the primary card.
public struct StartPrimaryCardLinkingCommand: TangemCommand {
    /// Makes the command.
    public init() {}
    /// START_PRIMARY_CARD_LINKING.
    public var instruction: TangemInstruction { .startPrimaryCardLinking }

    /// The card must take part in backups.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkBackup()
        guard !card.wallets.isEmpty else { throw TangemError(.backupFailedEmptyWallets) }
    }

    /// Access code and identifier.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.pin, .cardID)
    }

    /// The linking key.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> [UInt8] {
        try answer.objects.required(.primaryCardLinkingKey)
    }
}

/// START_BACKUP_CARD_LINKING: the linking key of a backup card.
public struct StartBackupCardLinkingCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Linking key of the backup card.
        public let linkingKey: [UInt8]
        /// Signature of the backup card; what it signs stands in no source.
        public let attestSignature: [UInt8]
    }

    /// Linking key of the primary card.
    public let primaryLinkingKey: [UInt8]

    /// Makes the command.
    public init(primaryLinkingKey: [UInt8]) {
        self.primaryLinkingKey = primaryLinkingKey
    }

    /// START_BACKUP_CARD_LINKING.
    public var instruction: TangemInstruction { .startBackupCardLinking }

    /// The card must take part in backups and be empty.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkBackup()
        guard card.wallets.isEmpty else { throw TangemError(.backupFailedNotEmptyWallets) }
    }

    /// Access code, identifier and linking key.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.primaryCardLinkingKey, primaryLinkingKey)
        return objects
    }

    /// Linking key and signature.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            linkingKey: try answer.objects.required(.backupCardLinkingKey),
            attestSignature: try answer.objects.required(.cardSignature)
        )
    }
}

/// LINK_BACKUP_CARDS: the primary card learns of its backup cards and gets new codes.
public struct LinkBackupCardsCommand: TangemCommand {
    /// What the primary card shall know of a backup card.
    public struct Link: Hashable, Sendable {
        /// Linking key of the backup card.
        public let linkingKey: [UInt8]
        /// Certificate of the backup card.
        public let certificate: CardCertificate
        /// Signature of the backup card.
        public let attestSignature: [UInt8]

        /// Makes a link.
        public init(linkingKey: [UInt8], certificate: CardCertificate, attestSignature: [UInt8]) {
            self.linkingKey = linkingKey
            self.certificate = certificate
            self.attestSignature = attestSignature
        }
    }

    /// One or two backup cards.
    public let links: [Link]
    /// The new access code of all cards.
    public let accessCode: UserCode
    /// The new passcode of all cards.
    public let passcode: UserCode

    /// Makes the command.
    public init(links: [Link], accessCode: UserCode, passcode: UserCode) {
        self.links = links
        self.accessCode = accessCode
        self.passcode = passcode
    }

    /// LINK_BACKUP_CARDS.
    public var instruction: TangemInstruction { .linkBackupCards }
    /// Both codes.
    public var newCodes: NewCodes? { NewCodes(accessCode: accessCode, passcode: passcode) }
    /// True.
    public var needsPasscode: Bool { true }

    /// There must be one or two backup cards.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkBackup()
        guard !links.isEmpty else { throw TangemError(.emptyBackupCards) }
        guard links.count <= 2 else { throw TangemError(.tooMuchBackupCards, "2 are the limit") }
    }

    /// Identifier, codes, number of cards, new codes, links.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin, .pin2)
        try objects.add(.backupCount, number: links.count, count: 1)
        objects.add(.newPIN, accessCode.digest)
        objects.add(.newPIN2, passcode.digest)
        for (index, link) in links.enumerated() {
            var list = CardObjects()
            try list.add(.fileIndex, number: index, count: 1)
            list.add(.backupCardLinkingKey, link.linkingKey)
            list.add(.certificate, list: link.certificate.objects)
            list.add(.cardSignature, link.attestSignature)
            objects.add(.backupCardLink, list: list)
        }
        return objects
    }

    /// The signature of the primary card; what it signs stands in no source.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> [UInt8] {
        try answer.objects.required(.backupAttestSignature)
    }
}

/// A wallet on its way from the primary card to a backup card, encrypted by the cards.
public struct BackupData: Hashable, Sendable {
    /// Slot of the wallet; nil when the card gives none.
    public let walletIndex: Int?
    /// The encrypted wallet.
    public let data: [UInt8]
    /// The bytes that go with it.
    public let salt: [UInt8]

    /// Takes what a primary card gave.
    public init(walletIndex: Int?, data: [UInt8], salt: [UInt8]) {
        self.walletIndex = walletIndex
        self.data = data
        self.salt = salt
    }
}

/// READ_BACKUP_DATA: a wallet leaves the primary card.
public struct ReadBackupDataCommand: TangemCommand {
    /// Linking key of the backup card.
    public let backupLinkingKey: [UInt8]
    /// Slot of the wallet.
    public let walletIndex: Int

    /// Makes the command.
    public init(backupLinkingKey: [UInt8], walletIndex: Int) {
        self.backupLinkingKey = backupLinkingKey
        self.walletIndex = walletIndex
    }

    /// READ_BACKUP_DATA.
    public var instruction: TangemInstruction { .readBackupData }

    /// The card must take part in backups.
    public func check(_ card: CardRecord) throws(TangemError) { try card.checkBackup() }

    /// Identifier, access code, linking key and slot.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin)
        objects.add(.backupCardLinkingKey, backupLinkingKey)
        try objects.add(.walletIndex, number: walletIndex, count: 1)
        return objects
    }

    /// The encrypted wallet.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> BackupData {
        BackupData(
            walletIndex: try answer.objects.number(.walletIndex),
            data: try answer.objects.required(.issuerData),
            salt: try answer.objects.required(.salt)
        )
    }
}

/// FINALIZE_READ_BACKUP_DATA: no more wallets leave the primary card, from firmware 6.21.
public struct FinalizeReadBackupDataCommand: TangemCommand {
    /// Makes the command.
    public init() {}
    /// FINALIZE_READ_BACKUP_DATA.
    public var instruction: TangemInstruction { .finalizeReadBackupData }

    /// The firmware must have it.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.require(.keysImport, for: "the end of a backup")
    }

    /// Identifier and access code.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.cardID, .pin)
    }

    /// Nothing of interest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> DoneAnswer {
        DoneAnswer(sw: answer.sw)
    }
}

/// LINK_PRIMARY_CARD: a backup card learns of its primary card and gets new codes.
public struct LinkPrimaryCardCommand: TangemCommand {
    /// Linking key of the primary card.
    public let primaryLinkingKey: [UInt8]
    /// Certificate of the primary card.
    public let certificate: CardCertificate
    /// Signature of the primary card.
    public let attestSignature: [UInt8]
    /// Linking keys of all backup cards.
    public let backupLinkingKeys: [[UInt8]]
    /// The new access code of all cards.
    public let accessCode: UserCode
    /// The new passcode of all cards.
    public let passcode: UserCode

    /// Makes the command.
    public init(
        primaryLinkingKey: [UInt8],
        certificate: CardCertificate,
        attestSignature: [UInt8],
        backupLinkingKeys: [[UInt8]],
        accessCode: UserCode,
        passcode: UserCode
    ) {
        self.primaryLinkingKey = primaryLinkingKey
        self.certificate = certificate
        self.attestSignature = attestSignature
        self.backupLinkingKeys = backupLinkingKeys
        self.accessCode = accessCode
        self.passcode = passcode
    }

    /// LINK_PRIMARY_CARD.
    public var instruction: TangemInstruction { .linkPrimaryCard }
    /// Both codes.
    public var newCodes: NewCodes? { NewCodes(accessCode: accessCode, passcode: passcode) }
    /// True.
    public var needsPasscode: Bool { true }

    /// The card must take part in backups.
    public func check(_ card: CardRecord) throws(TangemError) { try card.checkBackup() }

    /// Identifier, codes, primary card, new codes, backup cards.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin, .pin2)
        objects.add(.primaryCardLinkingKey, primaryLinkingKey)
        objects.add(.certificate, list: certificate.objects)
        objects.add(.backupAttestSignature, attestSignature)
        objects.add(.newPIN, accessCode.digest)
        objects.add(.newPIN2, passcode.digest)
        for (index, key) in backupLinkingKeys.enumerated() {
            var list = CardObjects()
            try list.add(.fileIndex, number: index, count: 1)
            list.add(.backupCardLinkingKey, key)
            objects.add(.backupCardLink, list: list)
        }
        return objects
    }

    /// The status of the backup.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Int {
        try answer.objects.requiredNumber(.backupStatus)
    }

    /// The status of the backup, which the card's record has too.
    public func lostAnswer(_ card: CardRecord) -> Int? { card.backupStatus }
}

/// WRITE_BACKUP_DATA: a wallet enters a backup card.
public struct WriteBackupDataCommand: TangemCommand {
    /// The encrypted wallet.
    public let backup: BackupData

    /// Makes the command.
    public init(_ backup: BackupData) {
        self.backup = backup
    }

    /// WRITE_BACKUP_DATA.
    public var instruction: TangemInstruction { .writeBackupData }

    /// The card must take part in backups.
    public func check(_ card: CardRecord) throws(TangemError) { try card.checkBackup() }

    /// Identifier, access code, salt and data.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin)
        objects.add(.salt, backup.salt)
        objects.add(.issuerData, backup.data)
        return objects
    }

    /// The status of the backup: 2 after the last wallet.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Int {
        try answer.objects.requiredNumber(.backupStatus)
    }
}

/// BACKUP_RESET: takes a card out of its set.
public struct BackupResetCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Status of the backup.
        public let backupStatus: Int
        /// Settings of the card.
        public let settings: TangemSettings?
        /// Whether the access code is the default now.
        public let isAccessCodeDefault: Bool
        /// Whether the passcode is the default now.
        public let isPasscodeDefault: Bool
    }

    /// Makes the command.
    public init() {}
    /// BACKUP_RESET.
    public var instruction: TangemInstruction { .backupReset }
    /// True.
    public var needsPasscode: Bool { true }

    /// No wallet of a backup may be left.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkBackup()
        guard !card.wallets.contains(where: \.hasBackup) else {
            throw TangemError(.resetBackupFailedHasBackedUpWallets)
        }
    }

    /// Identifier and codes.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.cardID, .pin, .pin2)
    }

    /// The status of the backup and of the codes.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            backupStatus: try answer.objects.requiredNumber(.backupStatus),
            settings: try answer.objects.settings(),
            isAccessCodeDefault: answer.objects.flag(.isPINDefault),
            isPasscodeDefault: answer.objects.flag(.isPIN2Default)
        )
    }
}

extension CardRecord {
    fileprivate func checkBackup() throws(TangemError) {
        try require(.backup, for: "a backup")
        guard settings.contains(.allowBackup) else { throw TangemError(.backupNotAllowed) }
    }
}
