// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

/// Nothing is done twice when only the answer was lost.
@Suite("Lost answers")
struct LostAnswerTests {
    private let clock = ModelClock()
    private let log = EventLog()

    private func card(_ firmware: String, _ options: [String: String] = [:]) throws -> TangemCard {
        let usual = ["delay": "0s", "wrong-codes-free": "0"]
        return try TangemCard(
            firmware: firmware,
            options: usual.merging(options) { $1 },
            seed: 3,
            clock: clock
        )
    }

    private func losing(
        _ card: TangemCard,
        _ instruction: TangemInstruction,
        after count: Int = 0,
        before: Bool = false
    ) -> LosingConnection {
        let inside = InProcessConnection(card: card, clock: clock)
        let connection = LosingConnection(inside, instruction, after: count, before: before)
        connection.uid = card.uid
        return connection
    }

    private func sdk(_ connection: any Connection) -> TangemSDK {
        TangemSDK(connection: connection, delegate: log, clock: clock)
    }

    private func failures(_ card: TangemCard) -> Bool {
        card.savedState.contains("\"pin1-failures\": 0") && card.savedState.contains("\"pin2-failures\": 0")
    }

    // MARK: Files

    @Test("a file is deleted once", arguments: ["3.34d", "4.12r", "6.33d"], [[0], [1], [2], [0, 2]])
    func delete(_ firmware: String, _ indices: [Int]) throws {
        for before in [false, true] {
            let card = try card(firmware)
            let all: [[UInt8]] = [[1], [2], [3]]
            _ = try sdk(InProcessConnection(card: card, clock: clock)).writeFiles(
                all.map { NewFile(data: $0) }
            )
            let connection = losing(card, .writeFileData, before: before)
            try sdk(connection).deleteFiles(indices: indices)
            #expect(connection.losses == 1)
            let left = try sdk(connection).readFiles().map(\.data)
            #expect(left == all.indices.filter { !indices.contains($0) }.map { all[$0] })
        }
    }

    @Test("all files are deleted, and a session that looks for no card ends at the loss")
    func deleteAll() throws {
        let card = try card("6.33d")
        let connection = losing(card, .writeFileData, after: 6)
        let sdk = sdk(connection)
        _ = try sdk.writeFiles([NewFile(data: [1]), NewFile(data: [2])])
        try sdk.deleteFiles()
        #expect(connection.losses == 1)
        #expect(try sdk.readFiles().isEmpty)
        let other = losing(card, .writeFileData, after: 3)
        let hasty = TangemSDK(connection: other, clock: clock)
        hasty.configuration.reconnections = 0
        _ = try hasty.writeFiles([NewFile(data: [1])])
        #expect(
            try #require(throws: TangemError.self) { try hasty.deleteFiles(indices: [0]) }.kind == .tagLost
        )
    }

    @Test("a file is written from its start again", arguments: ["3.34d", "6.33d"], [0, 1, 2, 3, 4])
    func writeFile(_ firmware: String, _ step: Int) throws {
        for before in [false, true] {
            let card = try card(firmware)
            let data = [UInt8](repeating: 7, count: 2500)
            let connection = losing(card, .writeFileData, after: step, before: before)
            let sdk = sdk(connection)
            #expect(try sdk.writeFiles([NewFile(data: data)]) == [0])
            #expect(connection.losses == 1)
            #expect(try sdk.readFiles().map(\.data) == [data])
        }
    }

    @Test(
        "an owner's file that is private is found although its last answer was lost",
        arguments: ["3.34d", "4.12r", "6.33d"]
    )
    func ownersFile(_ firmware: String) throws {
        let data: [UInt8] = [1, 2, 3, 4]
        // Before 4.01 only a try would tell that the passcode is another one.
        let both = [(false, false), (false, true), (true, true)]
        for (hasPasscode, isPublic) in firmware == "3.34d" ? both : both + [(true, false)] {
            let card = try card(firmware, ["new-files": isPublic ? "public" : "private"])
            let plain = sdk(InProcessConnection(card: card, clock: clock))
            if hasPasscode { _ = try plain.setPasscode("passcode") }
            let id = try plain.readCard().id
            let file = NewFile(
                data: data,
                owner: NewFile.Owner(
                    startingSignature: try VendorKeys.issuer(
                        SignedMessage.fileStart(id, size: 4, counter: 1)
                    ),
                    finalizingSignature: try VendorKeys.issuer(
                        SignedMessage.fileEnd(id, data: data, counter: 1)
                    ),
                    counter: 1
                )
            )
            let connection = losing(card, .writeFileData, after: 2)
            let sdk = sdk(connection)
            if hasPasscode, !isPublic {
                // Nobody can look, so that what the card said to the repeated command stands.
                let error = try #require(throws: TangemError.self) { try sdk.writeFiles([file]) }
                #expect(error.command == "WRITE_FILE_DATA", "\(error)")
                #expect(failures(card))
            } else {
                #expect(try sdk.writeFiles([file]) == [0])
            }
            #expect(connection.losses == 1)
        }
    }

    // MARK: Codes

    @Test(
        "new codes whose answer was lost are changed, and no wrong one is left",
        arguments: ["3.34d", "4.12r", "4.45d", "6.33d"]
    )
    func codes(_ firmware: String) throws {
        let changes: [(String?, String?, StatusWord)] = [
            ("access", nil, TangemStatus.pin1Changed), (nil, "passcode", TangemStatus.pin2Changed),
            ("access", "passcode", TangemStatus.pins12Changed),
        ]
        for (access, pass, word) in changes {
            for before in [false, true] {
                let card = try card(firmware)
                let connection = losing(card, .setPIN, before: before)
                let session = try sdk(connection).startSession()
                #expect(try session.setCodes(accessCode: access, passcode: pass).sw == word)
                #expect(connection.losses == 1)
                #expect(failures(card), "\(firmware) \(word) \(before)")
                #expect(try session.areCodesRight())
                session.stop()
            }
        }
    }

    @Test("where READ tells of the passcode, none is tried")
    func passcodeByRead() throws {
        let card = try card("6.33d")
        let connection = losing(card, .setPIN)
        _ = try sdk(connection).setPasscode("passcode")
        #expect(connection.count(.setPIN) == 1)
    }

    @Test("another card never sees new codes")
    func otherCard() throws {
        let own = FakeCard { command, _ in
            command.ins == TangemInstruction.read.rawValue
                ? (try? .objects(SampleCard.objects(firmware: "3.34d SDK", wallets: 1))) ?? .sw(.success)
                : CardAnswer([], ending: .removed)
        }
        let stranger = FakeCard { _, _ in
            (try? .objects(SampleCard.objects(firmware: "3.34d SDK", id: "BB03000000000004", wallets: 1)))
                ?? .sw(.success)
        }
        let tray = CardTray([own, stranger].map { InProcessConnection(card: $0, clock: clock) })
        let sdk = TangemSDK(reader: tray, delegate: log, clock: clock)
        let error = try #require(throws: TangemError.self) { try sdk.setAccessCode("1234") }
        #expect(error.kind == .wrongCardNumber)
        #expect(Set(stranger.instructions) == [TangemInstruction.read.rawValue])
        let new = UserCode("1234").digest.hex
        #expect(!stranger.wire.contains { $0.hex.contains(new) })
    }

    @Test("a set takes its codes once", arguments: ["4.45d", "6.33d"])
    func linkBackupCards(_ firmware: String) throws {
        for instruction in [TangemInstruction.linkBackupCards, .linkPrimaryCard] {
            let primary = try card(firmware, ["start": "loaded"])
            let backup = try TangemCard(firmware: firmware, options: ["delay": "0s"], seed: 4, clock: clock)
            let first = losing(primary, instruction)
            let second = losing(backup, instruction)
            let key = try sdk(first).run(StartPrimaryCardLinkingCommand())
            let link = try sdk(second).run(StartBackupCardLinkingCommand(primaryLinkingKey: key))
            let (access, pass) = (UserCode("access"), UserCode("passcode"))
            let attest = try sdk(first).run(
                LinkBackupCardsCommand(
                    links: [
                        LinkBackupCardsCommand.Link(
                            linkingKey: link.linkingKey,
                            certificate: certificate(backup),
                            attestSignature: link.attestSignature
                        )
                    ],
                    accessCode: access,
                    passcode: pass
                )
            )
            let status = try sdk(second).run(
                LinkPrimaryCardCommand(
                    primaryLinkingKey: key,
                    certificate: certificate(primary),
                    attestSignature: attest,
                    backupLinkingKeys: [link.linkingKey],
                    accessCode: access,
                    passcode: pass
                )
            )
            #expect(status == Int(TangemBackupStatus.linked))
            #expect(first.losses + second.losses == 1)
            #expect(failures(primary) && failures(backup))
        }
    }

    private func certificate(_ card: TangemCard) throws(TangemError) -> CardCertificate {
        let objects = try CardObjects(parsing: card.certificate)
        return CardCertificate(
            cardPublicKey: try objects.required(.cardPublicKey),
            issuerSignature: try objects.required(.issuerDataSignature)
        )
    }

    // MARK: Commands that name no card

    @Test("a card is made blank once, and another one is left alone", arguments: ["2.11r", "6.33d"])
    func depersonalize(_ firmware: String) throws {
        for before in [false, true] {
            let card = try card(firmware, ["start": "loaded"])
            let connection = losing(card, .depersonalize, before: before)
            try sdk(connection).depersonalize()
            #expect(connection.losses == 1)
            #expect(card.cardID == nil)
            #expect(connection.count(.depersonalize) == (before ? 2 : 1))
        }
        // Without a UID nobody can say which card lies there.
        let own = try card(firmware, ["start": "loaded"])
        let nameless = losing(own, .depersonalize, before: true)
        nameless.uid = nil
        let error = try #require(throws: TangemError.self) { try sdk(nameless).depersonalize() }
        #expect(error.kind == .tagLost && own.cardID != nil)
        let stranger = try TangemCard(firmware: firmware, options: ["start": "loaded"], seed: 9, clock: clock)
        let first = losing(own, .depersonalize)
        let second = losing(stranger, .purgeWallet)
        let tray = CardTray([first, second])
        #expect(throws: TangemError.self) { try TangemSDK(reader: tray, clock: clock).depersonalize() }
        #expect(stranger.cardID != nil)
        #expect(second.count(.depersonalize) == 0)
    }

    @Test("a card that comes while the lost one is looked at is left alone")
    func changedTwice() throws {
        let own = try card("6.33d", ["start": "loaded"])
        let stranger = try TangemCard(firmware: "6.33d", options: ["start": "loaded"], seed: 9, clock: clock)
        let first = losing(own, .depersonalize, before: true)
        let again = losing(own, .read)
        let second = losing(stranger, .purgeWallet)
        let sdk = TangemSDK(reader: CardTray([first, again, second]), clock: clock)
        #expect(throws: TangemError.self) { try sdk.depersonalize() }
        #expect(own.cardID != nil && stranger.cardID != nil)
        #expect(again.count(.read) == 1 && second.count(.depersonalize) == 0)
    }

    @Test("files that cannot be counted are deleted too, but not after a loss")
    func uncounted() throws {
        for isLost in [false, true] {
            let card = try card("6.33d")
            let files = [[1], [2]].map { NewFile(data: $0) }
            _ = try sdk(InProcessConnection(card: card, clock: clock)).writeFiles(files)
            let connection = losing(card, isLost ? .writeFileData : .purgeWallet)
            let silent = AlteringConnection(connection, .readFileData) { _, _ in
                (CardObjects(), TangemStatus.invalidState)
            }
            if isLost {
                #expect(throws: TangemError.self) { try sdk(silent).deleteFiles(indices: [0]) }
            } else {
                try sdk(silent).deleteFiles(indices: [0])
            }
            #expect(connection.count(.writeFileData) == 1)
        }
    }

    @Test("a backup that was ended is at its end")
    func finalizedBackup() throws {
        let record = try SampleCard.objects(
            firmware: "6.33d SDK",
            wallets: 1,
            more: [CardObject(.backupStatus, [0, 1]), CardObject(.backupCount, [1])]
        )
        for isLost in [true, false] {
            let card = FakeCard { command, number in
                let isRead = command.ins == TangemInstruction.read.rawValue
                if isRead { return .objects(record) }
                return isLost && number == 1
                    ? CardAnswer([], ending: .removed) : .sw(TangemStatus.invalidState)
            }
            let sdk = sdk(InProcessConnection(card: card, clock: clock))
            let session = try sdk.startSession(preflight: .cardOnly)
            if isLost {
                #expect(throws: Never.self) { try session.finalizeReadingBackup() }
            } else {
                #expect(throws: TangemError.self) { try session.finalizeReadingBackup() }
            }
            session.stop()
        }
    }

    @Test("an imported key is there although its answer was lost")
    func imported() throws {
        let key = try ImportedKey.root(seed: [UInt8](0..<16), curve: .secp256k1)
        let connection = losing(try card("6.33d"), .createWallet)
        #expect(try sdk(connection).importWallet(key).wallet.index == 0)
        #expect(connection.losses == 1)
    }

    @Test("a card that is named is compared before it is made blank", arguments: ["2.11r", "6.33d"])
    func depersonalizeNamed(_ firmware: String) throws {
        let card = try card(firmware, ["start": "loaded"])
        let connection = losing(card, .purgeWallet)
        let sdk = sdk(connection)
        sdk.configuration.cardTimeout = .zero
        let error = try #require(throws: TangemError.self) { try sdk.depersonalize(cardId: SampleCard.id) }
        #expect(error.kind == .wrongCardNumber)
        #expect(connection.count(.depersonalize) == 0)
        try sdk.depersonalize(cardId: try #require(card.cardID).hex)
        #expect(card.cardID == nil)
    }

    @Test("a card is personalized once, and only as the one that is named")
    func personalize() throws {
        let id = try CardID(SampleCard.id)
        let wanted = PersonalizationConfiguration(
            id: id,
            settings: [.allowUnencrypted, .isReusable],
            batch: [0xFF, 0xFF],
            date: CardDate(year: 2021, month: 3, day: 15)
        )
        for before in [false, true] {
            var configuration = wanted
            configuration.accessCode = UserCode("access")
            let card = try card("6.33d", ["start": "blank"])
            let connection = losing(card, .personalize, before: before)
            #expect(try sdk(connection).personalize(configuration).id == id)
            #expect(connection.losses == 1)
            #expect(failures(card))
        }
        let blank = losing(try card("6.33d", ["start": "blank"]), .purgeWallet)
        let error = try #require(throws: TangemError.self) {
            try sdk(blank).withSession(cardId: "BB03000000000004", preflight: .none) {
                session throws(TangemError) in try session.personalize(wanted)
            }
        }
        #expect(error.kind == .wrongCardNumber && blank.count(.personalize) == 0)
    }

    // MARK: Data

    @Test("a purge and issuer data that were done are done")
    func done() throws {
        for firmware in ["2.11r", "4.12r", "6.33d"] {
            let connection = losing(try card(firmware, ["start": "loaded"]), .purgeWallet)
            let sdk = sdk(connection)
            try sdk.purgeWallet(walletPublicKey: try #require(try sdk.readCard().wallets.first).publicKey)
            #expect(connection.losses == 1)
            #expect(try sdk.readCard().wallets.isEmpty)
        }
        let connection = losing(try card("3.05r"), .writeIssuerData)
        let sdk = sdk(connection)
        let id = try sdk.readCard().id
        try sdk.writeIssuerData(
            issuerData: [1, 2],
            issuerDataSignature: try VendorKeys.issuer(
                SignedMessage.issuerData(id, data: [1, 2], counter: 5)
            ),
            issuerDataCounter: 5
        )
        #expect(connection.losses == 1)
        #expect(try sdk.readIssuerData().data == [1, 2])
    }

    @Test("extra data are written from their start again", arguments: [0, 1, 2, 3, 4])
    func extraData(_ step: Int) throws {
        for before in [false, true] {
            let connection = losing(try card("3.34d"), .writeIssuerData, after: step, before: before)
            let sdk = sdk(connection)
            let id = try sdk.readCard().id
            let data = [UInt8](repeating: 5, count: 2500)
            try sdk.writeIssuerExtraData(
                issuerData: data,
                startingSignature: VendorKeys.issuer(
                    SignedMessage.extraDataStart(id, size: 2500, counter: 2)
                ),
                finalizingSignature: VendorKeys.issuer(SignedMessage.issuerData(id, data: data, counter: 2)),
                issuerDataCounter: 2
            )
            #expect(connection.losses == 1)
            #expect(try sdk.readIssuerExtraData().data == data)
        }
        let command = WriteIssuerExtraDataCommand.block(offset: 0, data: [1])
        let context = try SampleCard.context(firmware: "3.34d SDK")
        #expect(command.meaning(of: TangemError(.invalidState), context).kind == .invalidState)
    }
}

/// Signatures with the published development keys.
private enum VendorKeys {
    static func issuer(_ message: [UInt8]) throws -> [UInt8] {
        try SignatureCheck.sign(
            message,
            with: PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        )
    }
}
