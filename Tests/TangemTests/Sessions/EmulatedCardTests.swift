// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

@Suite("With the emulated card")
struct EmulatedCardTests {
    private let clock = ModelClock()
    private let log = EventLog()
    static let profiles = TangemCard.profiles

    private func sdk(
        _ firmware: String,
        _ options: [String: String] = [:],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> TangemSDK {
        var configuration = SessionConfiguration()
        change(&configuration)
        let card = try TangemCard(firmware: firmware, options: options, seed: 7, clock: clock)
        return TangemSDK(
            connection: InProcessConnection(card: card, clock: clock),
            delegate: log,
            configuration: configuration,
            clock: clock
        )
    }

    private func hashes(_ count: Int) -> [[UInt8]] {
        (0..<count).map { SHA256.digest([UInt8(truncatingIfNeeded: $0)]) }
    }

    @Test("scan, create, sign, check and purge on every profile", arguments: profiles)
    func wholeLife(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let empty = try sdk.scanCard()
        #expect(empty.wallets.isEmpty)
        #expect(empty.attestation.cardKey == .verified)
        #expect(empty.attestation.manufacturer == .verified)
        #expect(empty.isPasscodeDefault == true || firmware == "2.11r" || firmware.hasPrefix("3."))
        #expect(empty.id.hasRightCheckDigit)

        let id = empty.id.description
        let created = try sdk.createWallet(
            config: WalletConfig(curve: empty.has(.multiWallet) ? .secp256k1 : nil),
            cardId: id
        )
        let key = created.wallet.publicKey
        let card = try sdk.scanCard(cardId: id)
        #expect(card.wallets.map(\.publicKey) == [key])
        #expect(card.attestation.wallets == [0: .verified])

        let result = try sdk.sign(hashes: hashes(12), walletPublicKey: key, cardId: id)
        #expect(result.areVerified == true)
        #expect(result.signatures.count == 12)
        #expect(result.totalSignedHashes == 12)
        #expect((result.remainingSignatures == nil) == empty.has(.multiWallet))
        #expect(log.events.contains(.progress(percent: 100)))

        try sdk.purgeWallet(walletPublicKey: key, cardId: id)
        #expect(try sdk.scanCard(cardId: id).wallets.isEmpty)
    }

    @Test("a new wallet takes the lowest slot that was not purged for good", arguments: ["4.12r", "6.33d"])
    func purgedForGood(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["wallet-settings": "own", "delay": "0s"])
        let once = WalletConfig(curve: .secp256k1, isReusable: false)
        let first = try sdk.createWallet(config: once).wallet
        #expect(first.index == 0)
        try sdk.purgeWallet(walletPublicKey: first.publicKey)
        #expect(try sdk.readCard().purgedSlots == [0])
        let refused = try #require(throws: TangemError.self) {
            try sdk.createWallet(config: WalletConfig(curve: .secp256k1, index: 0))
        }
        #expect(refused.kind == .walletIsPurged && refused.sw == nil)
        // Also where the purge is of the same session.
        try sdk.withSession { session throws(TangemError) in
            let second = try session.createWallet(config: once).wallet
            #expect(second.index == 1)
            try session.purgeWallet(walletPublicKey: second.publicKey)
            #expect(session.card?.status == TangemCardStatus.empty)
            #expect(try session.createWallet(config: once).wallet.index == 2)
            #expect(session.card?.status == TangemCardStatus.loaded)
        }
    }

    @Test("without checks the card itself judges what is too long or too short")
    func cardJudges() throws {
        let unchecked = { (configuration: inout SessionConfiguration) in configuration.handlesErrors = false }
        let old = try sdk("3.34d", ["delay": "0s"], unchecked)
        let extra = [UInt8](repeating: 1, count: TangemLimits.extraDataSize + 1)
        let file = [UInt8](repeating: 1, count: TangemLimits.filesSize + 1)
        for error in [
            try #require(throws: TangemError.self) {
                try old.writeIssuerExtraData(
                    issuerData: extra,
                    startingSignature: [],
                    finalizingSignature: []
                )
            },
            try #require(throws: TangemError.self) { try old.writeFiles([NewFile(data: file)]) },
        ] { #expect(error.sw == TangemStatus.invalidParameters, "\(error)") }
        let new = try sdk("6.33d", ["delay": "0s"], unchecked)
        // The default code again changes nothing.
        #expect(try !new.setAccessCode("000000").isAccessCodeChanged)
        #expect(try new.setPasscode("1").isPasscodeChanged)
    }

    @Test("the reader tells the UID that the card keeps to itself", arguments: ["fast", "strong"])
    func uidOfReader(_ mode: String) throws {
        let sdk = try sdk("4.45d", ["session-uid": "no", "encryption": mode])
        #expect(try sdk.scanCard().attestation.cardKey == .verified)
        #expect(log.events.contains(.encryption(mode == "fast" ? .fast : .strong)))
    }

    @Test(
        "every curve signs",
        arguments: [TangemCurve.secp256k1, .secp256r1, .ed25519, .bip0340, .ed25519SLIP0010]
    )
    func curves(_ curve: TangemCurve) throws {
        let sdk = try sdk("6.33d")
        let wallet = try sdk.createWallet(config: WalletConfig(curve: curve, index: 3)).wallet
        #expect(wallet.curve == curve && wallet.index == 3)
        #expect(try sdk.sign(hashes: hashes(2), walletPublicKey: wallet.publicKey).areVerified == true)
        #expect(try sdk.scanCard().attestation.wallets == [3: .verified])
        let again = try #require(throws: TangemError.self) {
            try sdk.createWallet(config: WalletConfig(curve: curve, index: 3))
        }
        #expect(again.kind == .maxNumberOfWalletsCreated)
        let old = try self.sdk("4.12r")
        if curve == .bip0340 || curve == .ed25519SLIP0010 {
            let error = try #require(throws: TangemError.self) {
                try old.createWallet(config: WalletConfig(curve: curve))
            }
            #expect(error.kind == .unsupportedCurve)
        }
    }

    @Test("hashes of different sizes come back in the order of the caller")
    func mixedSizes() throws {
        let sdk = try sdk("4.12r", ["start": "loaded"])
        let key = try #require(try sdk.readCard().wallets.first).publicKey
        var hashes = hashes(11)
        hashes.insert([UInt8](repeating: 9, count: 20), at: 3)
        hashes.append([UInt8](repeating: 8, count: 48))
        let result = try sdk.sign(hashes: hashes, walletPublicKey: key)
        #expect(result.areVerified == true)
        #expect(result.totalSignedHashes == 13)
    }

    @Test(
        "encryption goes up as far as the card asks",
        arguments: ["none", "fast", "strong"],
        ["2.11r", "4.45d"]
    )
    func encryption(_ mode: String, _ firmware: String) throws {
        let sdk = try sdk(firmware, ["encryption": mode, "start": "loaded"])
        let session = try sdk.startSession()
        #expect("\(session.encryption)" == mode)
        let card = try session.scan()
        let key = try #require(card.wallets.first).publicKey
        #expect(try session.sign(hashes: hashes(1), walletPublicKey: key).areVerified == true)
        #expect(log.events.contains(.encryption(.strong)) == (mode == "strong"))
        // A change of the access code makes another session key.
        if card.settings.contains(.allowSetPIN1) {
            try session.setCodes(accessCode: "access")
            #expect(try session.readAgain().id == card.id)
        }
    }

    @Test("the reader's UID serves when the card leaves it out")
    func readerUID() throws {
        let card = try TangemCard(
            firmware: "4.12r",
            options: ["encryption": "fast", "session-uid": "no"],
            seed: 7,
            clock: clock
        )
        let connection = UIDConnection(InProcessConnection(card: card, clock: clock), uid: card.uid)
        #expect(throws: Never.self) { try TangemSDK(connection: connection, clock: clock).readCard() }
        connection.uid = nil
        let error = try #require(throws: TangemError.self) {
            try TangemSDK(connection: connection, clock: clock).readCard()
        }
        #expect(error.kind == .failedToEstablishEncryption)
    }

    @Test("the security delay is shown", arguments: ["2.11r", "4.45d"])
    func delay(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["start": "loaded", "delay": "3s"]) { $0.checksUserCodes = false }
        let key = try #require(try sdk.readCard().wallets.first).publicKey
        _ = try sdk.sign(hashes: hashes(1), walletPublicKey: key)
        let totals: Set<Int?> = Set(
            log.events.compactMap { event in
                guard case .delay(_, let total) = event else { return nil }
                return total
            }
        )
        #expect(totals.count == 1)
        #expect(log.events.contains(.delayEnded))
        #expect(clock.now >= .seconds(3))
    }

    @Test("issuer data are written and read", arguments: ["2.11r", "3.05r", "3.34d", "4.12r", "4.45d"])
    func issuerData(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let card = try sdk.readCard()
        let issuer = try PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        #expect(try sdk.readIssuerData().data.isEmpty)
        let data = [UInt8](0..<200)
        let isProtected = card.settings.contains(.protectIssuerDataAgainstReplay)
        let counter: UInt32? = isProtected ? 1 : nil
        let message = SignedMessage.issuerData(card.id, data: data, counter: counter)
        let signature = try SignatureCheck.sign(message, with: issuer)
        try sdk.writeIssuerData(
            issuerData: data,
            issuerDataSignature: signature,
            issuerDataCounter: counter
        )
        #expect(try sdk.readIssuerData().data == data)
        let wrong = try #require(throws: TangemError.self) {
            try sdk.writeIssuerData(issuerData: [1], issuerDataSignature: signature, issuerDataCounter: 9)
        }
        #expect(wrong.kind == .verificationFailed)
        guard isProtected else { return }
        let replay = try #require(throws: TangemError.self) {
            try sdk.writeIssuerData(
                issuerData: data,
                issuerDataSignature: signature,
                issuerDataCounter: counter
            )
        }
        #expect(replay.kind == .dataCannotBeWritten)
        let missing = try #require(throws: TangemError.self) {
            try sdk.writeIssuerData(issuerData: data, issuerDataSignature: signature)
        }
        #expect(missing.kind == .missingCounter)
    }

    @Test("another issuer's key judges data before they are sent, too, and files")
    func otherIssuer() throws {
        let other = try PrivateKey([UInt8](repeating: 0x44, count: 32), curve: .secp256k1)
        let sdk = try sdk("3.34d") { $0.issuerPublicKey = other.publicKey.uncompressed }
        let card = try sdk.readCard()
        let message = SignedMessage.issuerData(card.id, data: [1, 2], counter: 1)
        func write(by key: PrivateKey) throws -> TangemError {
            try #require(throws: TangemError.self) {
                try sdk.writeIssuerData(
                    issuerData: [1, 2],
                    issuerDataSignature: SignatureCheck.sign(message, with: key),
                    issuerDataCounter: 1
                )
            }
        }
        let own = try PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        #expect(try write(by: own).kind == .verificationFailed)
        // The host lets it pass; the card knows its own issuer alone.
        #expect(try write(by: other).kind == .dataCannotBeWritten)
    }

    @Test(
        "a card whose own settings rule its wallets says so, and the host does not try",
        arguments: ["4.45d", "6.33d"]
    )
    func permanentByCard(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["settings": "00EABA35", "start": "loaded"])
        let key = try #require(try sdk.readCard().wallets.first?.publicKey)
        let error = try #require(throws: TangemError.self) { try sdk.purgeWallet(walletPublicKey: key) }
        #expect(error.kind == .purgeWalletProhibited)
    }

    @Test("before 2.30 no card is linked to a terminal, whatever its settings say")
    func noLinkBefore() throws {
        let terminal = try PrivateKey([UInt8](repeating: 0x33, count: 32), curve: .secp256k1)
        for (firmware, link) in [("2.11r", .none), ("3.05r", .other)] as [(String, CardRecord.LinkedTerminal)]
        {
            let sdk = try sdk(firmware, ["settings": "00087E21"]) { $0.terminalKey = terminal }
            #expect(try sdk.readCard().linkedTerminal == link)
        }
    }

    @Test("issuer extra data go block by block", arguments: ["2.11r", "3.05r", "3.34d"])
    func extraData(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let id = try sdk.readCard().id
        let issuer = try PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        let data = (0..<2000).map { UInt8(truncatingIfNeeded: $0) }
        let starting = SignedMessage.extraDataStart(id, size: 2000, counter: 5)
        let finalizing = SignedMessage.issuerData(id, data: data, counter: 5)
        try sdk.writeIssuerExtraData(
            issuerData: data,
            startingSignature: SignatureCheck.sign(starting, with: issuer),
            finalizingSignature: SignatureCheck.sign(finalizing, with: issuer),
            issuerDataCounter: 5
        )
        let read = try sdk.readIssuerExtraData()
        #expect(read.data == data)
        #expect(read.counter == 5)
        #expect(log.events.contains(.progress(percent: 45)))
        let new = try self.sdk("4.12r")
        let error = try #require(throws: TangemError.self) { try new.readIssuerExtraData() }
        #expect(error.kind == .notSupportedFirmwareVersion)
    }

    @Test("data of the user are written and read", arguments: ["2.11r", "3.34d", "4.12r", "6.33d"])
    func userData(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        try sdk.writeUserData(userData: [1, 2, 3], userCounter: 4)
        try sdk.writeUserProtectedData(userProtectedData: [5, 6], userProtectedCounter: 7)
        let data = try sdk.readUserData()
        #expect(data.data == [1, 2, 3] && data.protectedData == [5, 6])
        #expect(data.counter == 4 && data.protectedCounter == 7)
        let middle = try self.sdk("3.05r")
        let error = try #require(throws: TangemError.self) { try middle.readUserData() }
        #expect(error.kind == .notSupportedFirmwareVersion)
    }

    @Test("files are written, read, changed and deleted", arguments: ["3.34d", "4.12r", "6.33d"])
    func files(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let long = (0..<2500).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let named = try NamedFile(name: "File 1", payload: [0xAA, 0xBB]).data()
        let card = try sdk.readCard()
        #expect(try sdk.writeFiles([NewFile(data: long), NewFile(data: named)]) == [0, 1])
        let files = try sdk.readFiles()
        #expect(files.map(\.data) == [long, named])
        #expect(files.last?.named?.name == "File 1")
        try sdk.changeFileSettings([1: FileSettings(isPublic: false)])
        let session = try sdk.startSession()
        #expect(try session.fileChecksum(index: 0).digest == SHA256.digest(long))
        session.stop()
        #expect(try sdk.readFiles(readsPrivateFiles: true).last?.settings?.isPublic == false)
        // An owner writes with signatures in place of the passcode.
        let issuer = try PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        let owner = NewFile.Owner(
            startingSignature: try SignatureCheck.sign(
                SignedMessage.fileStart(card.id, size: 4, counter: 1),
                with: issuer
            ),
            finalizingSignature: try SignatureCheck.sign(
                SignedMessage.fileEnd(card.id, data: [1, 2, 3, 4], counter: 1),
                with: issuer
            ),
            counter: 1
        )
        #expect(try sdk.writeFiles([NewFile(data: [1, 2, 3, 4], owner: owner)]) == [2])
        try sdk.deleteFiles(indices: [0])
        #expect(try sdk.readFiles(readsPrivateFiles: true).map(\.data) == [named, [1, 2, 3, 4]])
        try sdk.deleteFiles()
        #expect(try sdk.readFiles(readsPrivateFiles: true).isEmpty)
    }

    @Test("keys are derived, and card and host agree", arguments: ["4.45d", "6.33d"])
    func derivation(_ firmware: String) throws {
        let hardened = try DerivationPath("m/44'/0'")
        let soft = try DerivationPath("m/0/1")
        let sdk = try sdk(firmware, ["start": "loaded"]) {
            $0.derivationPaths = [.secp256k1: [hardened, soft]]
        }
        let card = try sdk.scanCard()
        let wallet = try #require(card.wallets.first)
        #expect(Set(wallet.derivedKeys.keys) == [hardened, soft])
        let session = try sdk.startSession()
        let key = try session.deriveKey(walletPublicKey: wallet.publicKey, path: hardened)
        let result = try session.sign(hashes: hashes(1), walletPublicKey: wallet.publicKey, path: hardened)
        #expect(result.areVerified == true)
        #expect(result.publicKey == key.publicKey)
        #expect(try session.attestWallet(publicKey: wallet.publicKey, path: hardened) == .verified)
        let child = try HostDerivation.child(
            of: key.publicKey,
            chainCode: try #require(key.chainCode),
            path: soft
        )
        let whole = DerivationPath(hardened.indices + soft.indices)
        let derived = try session.deriveKey(walletPublicKey: wallet.publicKey, path: whole)
        #expect(derived.publicKey == child.publicKey && derived.chainCode == child.chainCode)
        session.stop()
        let old = try self.sdk("4.12r", ["start": "loaded"])
        let oldKey = try #require(try old.readCard().wallets.first).publicKey
        let error = try #require(throws: TangemError.self) {
            try old.deriveWalletPublicKey(walletPublicKey: oldKey, derivationPath: soft)
        }
        #expect(error.kind == .notSupportedFirmwareVersion)
    }

    @Test(
        "keys are imported, encrypted strongly",
        arguments: [TangemCurve.secp256k1, .secp256r1, .ed25519, .bip0340, .ed25519SLIP0010]
    )
    func importing(_ curve: TangemCurve) throws {
        let mnemonic = try Mnemonic(entropy: [UInt8](repeating: 3, count: 16))
        let key = try ImportedKey.root(of: mnemonic, curve: curve)
        let sdk = try sdk("6.33d")
        let wallet = try sdk.importWallet(key).wallet
        #expect(log.events.contains(.encryption(.strong)))
        #expect(wallet.isImported)
        #expect(try sdk.sign(hashes: hashes(1), walletPublicKey: wallet.publicKey).areVerified == true)
        let again = try #require(throws: TangemError.self) { try sdk.importWallet(key) }
        #expect(again.kind == .walletAlreadyCreated)
        let old = try #require(throws: TangemError.self) { try self.sdk("4.45d").importWallet(key) }
        #expect(old.kind == .notSupportedFirmwareVersion)
    }

    @Test("a development card is made out of a blank one and back")
    func personalization() throws {
        let sdk = try sdk("4.45d", ["start": "blank"])
        #expect(try #require(throws: TangemError.self) { try sdk.readCard() }.kind == .notPersonalized)
        var configuration = PersonalizationConfiguration(
            id: try CardID(series: "CB", number: 7_900_000_000_000),
            settings: TangemSettings(rawValue: 0x01E8_BA30),
            batch: [0xCB, 0x79],
            date: CardDate(year: 2021, month: 3, day: 15)
        )
        configuration.walletsCount = 5
        configuration.securityDelayMilliseconds = 0
        configuration.accessCode = UserCode("access")
        let card = try sdk.personalize(configuration)
        #expect(card.id == configuration.id)
        #expect(card.walletsCount == 5)
        #expect(card.isAccessCodeDefault == false)
        #expect(
            try #require(throws: TangemError.self) { try sdk.personalize(configuration) }.kind
                == .alreadyPersonalized
        )
        log.replies = [.text("access")]
        #expect(try sdk.scanCard().attestation.overall == .verified)
        try sdk.depersonalize()
        #expect(try #require(throws: TangemError.self) { try sdk.readCard() }.kind == .notPersonalized)
    }

    @Test("small commands answer", arguments: ["6.33d"])
    func small(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let session = try sdk.startSession()
        #expect(try !session.entropy().isEmpty)
        #expect(try session.setUserSettings(.forbidResetPIN) == .forbidResetPIN)
        #expect(session.card?.isCodeRecoveryAllowed == false)
        session.stop()
        #expect(try sdk.setUserCodeRecoveryAllowed(true) == [])
    }

    @Test("a linked terminal signs without the delay")
    func linkedTerminal() throws {
        let key = try PrivateKey([UInt8](repeating: 0x33, count: 32), curve: .secp256k1)
        let sdk = try sdk("4.12r", ["start": "loaded"]) { $0.terminalKey = key }
        let card = try sdk.readCard()
        #expect(card.linkedTerminal == .other)
        let wallet = try #require(card.wallets.first).publicKey
        _ = try sdk.sign(hashes: hashes(1), walletPublicKey: wallet)
        #expect(try sdk.readCard().linkedTerminal == .current)
        let before = clock.now
        _ = try sdk.sign(hashes: hashes(1), walletPublicKey: wallet)
        #expect(clock.now - before < .seconds(2))
    }

    @Test("a forged proof is found out", arguments: [TangemInstruction.attestCardKey, .attestWalletKey])
    func forged(_ instruction: TangemInstruction) throws {
        let card = try TangemCard(firmware: "4.12r", options: ["start": "loaded"], seed: 7, clock: clock)
        let connection = ForgingConnection(InProcessConnection(card: card, clock: clock), instruction)
        let error = try #require(throws: TangemError.self) {
            try TangemSDK(connection: connection, clock: clock).scanCard()
        }
        #expect(error.kind == .cardVerificationFailed)
        #expect(error.command == instruction.name)
    }

    @Test("a lost card is found in mid-command, with a new session key")
    func lostAndFound() throws {
        let card = try TangemCard(
            firmware: "4.45d",
            options: ["start": "loaded", "encryption": "strong"],
            seed: 7,
            clock: clock
        )
        let sdk = TangemSDK(
            connection: InProcessConnection(card: card, clock: clock),
            delegate: log,
            clock: clock
        )
        let session = try sdk.startSession()
        let key = try #require(session.card?.wallets.first).publicKey
        card.cutDuringNextWrite(leaving: .oldState)
        #expect(try session.sign(hashes: hashes(1), walletPublicKey: key).areVerified == true)
        #expect(log.events.contains(.tagLost))
        #expect(log.events.filter { $0 == .encryption(.strong) }.count == 2)
    }
}
