// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import Tangem

/// The requests of the vendor's JSON interface, as functions here: what goes to the card is looked at object by object.
@Suite("Vectors: requests of the vendor's JSON interface")
struct RequestVectorTests {
    static func of(_ methods: String...) -> [Vector] {
        Vector.of("json_rpc").filter { vector in
            methods.contains(vector.input["method"]?.string?.uppercased() ?? "")
        }
    }

    func parameters(_ vector: Vector) throws -> JSON { try #require(vector.input["params"]) }

    func result(_ vector: Vector) throws -> JSON { try #require(vector.expected["result"]) }

    /// Bytes of a path, reckoned here: `m/44'/0` is 44 with the highest bit, then 0.
    func pathBytes(_ text: String) throws -> [UInt8] {
        try text.split(separator: "/").dropFirst().flatMap { part -> [UInt8] in
            let number = try #require(UInt32(part.filter(\.isNumber)))
            let index = part.hasSuffix("'") ? number | 0x8000_0000 : number
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: index >> $0) }
        }
    }

    @Test("all of them are tried")
    func complete() {
        let tried = [
            "ATTEST_CARD_KEY", "CREATE_WALLET", "DEPERSONALIZE", "DERIVE_WALLET_PUBLIC_KEY",
            "DERIVE_WALLET_PUBLIC_KEYS", "CHANGE_FILE_SETTINGS", "DELETE_FILES", "READ_FILES", "WRITE_FILES",
            "IMPORT_WALLET", "PERSONALIZE", "PURGE_WALLET", "SCAN", "SET_ACCESSCODE", "SET_PASSCODE",
            "SET_USERCODE_RECOVERY_ALLOWED", "SIGN_HASH", "SIGN_HASHES",
        ]
        let methods = Vector.of("json_rpc").compactMap { $0.input["method"]?.string?.uppercased() }
        #expect(Set(methods) == Set(tried))
        #expect(methods.count == 19)
    }

    // MARK: The card

    @Test("SCAN gives the card of the vendor's model", arguments: of("SCAN"))
    func scan(_ vector: Vector) throws {
        let model = try Vector.named("card-model-json").expected
        let issuer = try #require(model["issuer"])
        let maker = try #require(model["manufacturer"])
        let settings = try #require(model["settings"])
        let version = try #require(model["firmwareVersion"])
        let day = try maker.text("manufactureDate").split(separator: "-").compactMap { Int($0) }
        var data = CardObjects([CardObject(.batchID, try model.hex("batchId"))])
        data.add(.manufactureDate, [UInt8(day[0] >> 8), UInt8(day[0] & 0xFF), UInt8(day[1]), UInt8(day[2])])
        data.add(.issuerName, text: try issuer.text("name"))
        data.add(.cardIDManufacturerSignature, try maker.hex("signature"))
        var record = CardObjects([
            CardObject(.cardID, try model.hex("cardId")), CardObject(.status, [TangemCardStatus.loaded]),
            CardObject(.cardPublicKey, try model.hex("cardPublicKey")),
            CardObject(.issuerPublicKey, try issuer.hex("publicKey")),
            // The bits of the model's settings: no new access code, a passcode, a permanent wallet, and so on.
            CardObject(.settingsMask, [0x00, 0xE8, 0xF0, 0x24]), CardObject(.pauseBeforePIN2, [0x01, 0x2C]),
            CardObject(.walletsCount, [UInt8(try settings.number("maxWalletsCount"))]),
            CardObject(.backupStatus, [0, 0]), CardObject(.userSettingsMask, [0, 0, 0, 0]),
        ])
        record.add(.manufacturerName, text: try maker.text("name"))
        record.add(.firmwareVersion, text: try version.text("stringValue"))
        record.add(.cardData, list: data)
        let wallets = try #require(model["wallets"]?.array)
        var slots = try wallets.enumerated().map { index, wallet in
            VendorCard.wallet(
                try wallet.hex("publicKey"),
                try wallet.curve(),
                index: UInt8(index),
                settings: wallet["settings"]?["isPermanent"]?.boolean == true ? 0x04 : 0x00,
                signedHashes: UInt8(try wallet.number("totalSignedHashes"))
            )
        }
        slots += (slots.count..<36).map { VendorCard.emptySlot(UInt8($0)) }

        var configuration = SessionConfiguration()
        configuration.attestation = .none
        let vendor = try VendorCard(record: record, wallets: slots, configuration: configuration)
        let card = try vendor.sdk.scanCard()
        #expect(vendor.card.wire.first == (try Vector.named("apdu-read-card").expected.hex("apdu")))
        #expect(card.id.description == (try model.text("cardId")))
        #expect(card.production.batchID == (try model.text("batchId")))
        #expect(card.production.date.description == (try maker.text("manufactureDate")))
        #expect(card.production.issuerName == (try issuer.text("name")))
        #expect(card.production.manufacturerSignature == (try maker.hex("signature")))
        #expect(card.manufacturerName == (try maker.text("name")))
        #expect(card.publicKey == (try model.hex("cardPublicKey")))
        #expect(card.issuerPublicKey == (try issuer.hex("publicKey")))
        #expect(card.firmware.description == (try version.text("stringValue")))
        #expect(card.walletsCount == (try settings.number("maxWalletsCount")))
        #expect(card.securityDelayMilliseconds == (try settings.number("securityDelay")))
        #expect(card.isPasscodeDefault == (model["isPasscodeSet"]?.boolean == false))
        #expect(card.isCodeRecoveryAllowed == model["userSettings"]?["isUserCodeRecoveryAllowed"]?.boolean)
        #expect(card.linkedTerminal.rawValue == (try model.text("linkedTerminalStatus")))
        #expect(card.backupStatus == 0)
        let curves = try #require(model["supportedCurves"]?.array).compactMap(\.string)
        #expect(Set(card.supportedCurves.map(\.rawValue)) == Set(curves))
        let modes = try #require(settings["supportedEncryptionModes"]?.array).compactMap(\.string)
        #expect(Set(card.settings.encryptions.map { "\($0)" }) == Set(modes))
        for (name, setting) in [
            ("isSettingAccessCodeAllowed", TangemSettings.allowSetPIN1),
            ("isSettingPasscodeAllowed", .allowSetPIN2), ("isPermanentWallet", .permanentWallet),
            ("isOverwritingIssuerExtraDataRestricted", .restrictOverwriteIssuerExtraData),
            ("isLinkedTerminalEnabled", .skipDelayIfValidatedByLinkedTerminal),
            ("isSelectBlockchainAllowed", .allowSelectBlockchain),
            ("isIssuerDataProtectedAgainstReplay", .protectIssuerDataAgainstReplay),
            ("isHDWalletAllowed", .allowHDWallets), ("isBackupAllowed", .allowBackup),
            ("isKeysImportAllowed", .allowKeysImport),
        ] {
            #expect(card.settings.contains(setting) == settings[name]?.boolean, "\(name)")
        }
        #expect(card.settings.contains(.disableFiles) != settings["isFilesAllowed"]?.boolean)
        #expect(
            card.settings.contains(.prohibitDefaultPIN1) != settings["isRemovingUserCodesAllowed"]?.boolean
        )
        try #require(card.wallets.count == wallets.count)
        for (wallet, expected) in zip(card.wallets, wallets) {
            #expect(wallet.publicKey == (try expected.hex("publicKey")))
            #expect(wallet.curve == (try expected.curve()))
            #expect(wallet.index == (try expected.number("index")))
            #expect(wallet.signedHashes == (try expected.number("totalSignedHashes")))
            #expect(wallet.hasBackup == expected["hasBackup"]?.boolean)
            #expect(wallet.isImported == expected["isImported"]?.boolean)
            let isPermanent = wallet.settings?.contains(.permanentWallet)
            #expect(isPermanent == expected["settings"]?["isPermanent"]?.boolean)
        }
    }

    @Test("ATTEST_CARD_KEY sends the challenge", arguments: of("ATTEST_CARD_KEY"))
    func attest(_ vector: Vector) throws {
        let challenge = try parameters(vector).hex("challenge")
        let key = try PrivateKey(Vector.named("emulator-key-card").input.hex("privateKey"), curve: .secp256k1)
        let salt = try result(vector).hex("salt")
        let signature = try SignatureCheck.sign(challenge + salt, with: key)
        let reply = try VendorCard.answer([
            CardObject(.salt, salt), CardObject(.cardSignature, signature),
        ])
        let vendor = try VendorCard { instruction, _ in instruction == .attestCardKey ? reply : nil }
        let answer = try vendor.sdk.withSession(preflight: .cardOnly) { session throws(TangemError) in
            try session.attestCard(challenge: challenge, isFull: false)
        }
        let sent = try vendor.only(.attestCardKey)
        #expect(sent.items.map(\.tag) == [.pin, .cardID, .challenge])
        #expect(sent[.challenge] == challenge)
        #expect(answer.challenge == challenge)
        #expect(answer.salt == salt)
        #expect(answer.signature == signature)
    }

    @Test("DEPERSONALIZE sends no object", arguments: of("DEPERSONALIZE"))
    func depersonalize(_ vector: Vector) throws {
        #expect(try result(vector)["success"]?.boolean == true)
        let vendor = try VendorCard()
        try vendor.sdk.depersonalize()
        // The first one asks the reader for the UID, the only name that the command leaves.
        #expect(vendor.card.wire.map(\.hex) == ["FFCA000000", "00E30000"])
        let other = try VendorCard { _, _ in .sw(TangemStatus.invalidState) }
        #expect(throws: TangemError.self) { try other.sdk.depersonalize() }
    }

    @Test("PERSONALIZE writes what the configuration says", arguments: of("PERSONALIZE"))
    func personalize(_ vector: Vector) throws {
        let parameters = try parameters(vector)
        let config = try #require(parameters["config"])
        let data = try #require(config["cardData"])
        let isNew = vector.name.hasSuffix("v4")
        let names: [(String, TangemSettings)] = [
            ("isReusable", .isReusable), ("useActivation", .useActivation),
            ("forbidPurgeWallet", .permanentWallet), ("useBlock", .useBlock), ("allowSwapPIN", .allowSetPIN1),
            ("allowSwapPIN2", .allowSetPIN2), ("useCVC", .useCVC), ("forbidDefaultPIN", .prohibitDefaultPIN1),
            ("useOneCommandAtTime", .useOneCommandAtTime), ("useNDEF", .useNDEF),
            ("useDynamicNDEF", .useDynamicNDEF), ("smartSecurityDelay", .smartSecurityDelay),
            ("protocolAllowUnencrypted", .allowUnencrypted),
            ("protocolAllowStaticEncryption", .allowFastEncryption),
            ("protectIssuerDataAgainstReplay", .protectIssuerDataAgainstReplay),
            ("allowSelectBlockchain", .allowSelectBlockchain),
            ("disablePrecomputedNDEF", .disablePrecomputedNDEF),
            ("skipSecurityDelayIfValidatedByIssuer", .skipDelayIfValidatedByIssuer),
            ("skipCheckPIN2andCVCIfValidatedByIssuer", .skipCodesIfValidatedByIssuer),
            ("skipSecurityDelayIfValidatedByLinkedTerminal", .skipDelayIfValidatedByLinkedTerminal),
            ("restrictOverwriteIssuerDataEx", .restrictOverwriteIssuerExtraData),
            ("disableIssuerData", .disableIssuerData), ("disableUserData", .disableUserData),
            ("disableFiles", .disableFiles),
        ]
        var settings: TangemSettings = []
        for (name, setting) in names where config[name]?.boolean == true { settings.insert(setting) }
        let day = try data.text("date").split(separator: "-").compactMap { Int($0) }
        try #require(day.count == 3)
        var made = PersonalizationConfiguration(
            id: try CardID(series: config.text("series"), number: config.number("startNumber")),
            settings: settings,
            batch: try data.hex("batch"),
            date: CardDate(year: day[0], month: day[1], day: day[2])
        )
        made.curve = try #require(TangemCurve(rawValue: try config.text("curveID")))
        made.maxSignatures = config["MaxSignatures"]?.integer.map { UInt32($0) }
        made.securityDelayMilliseconds = try config.number("pauseBeforePIN2")
        made.accessCode = UserCode(try config.text("PIN"))
        made.passcode = UserCode(try config.text("PIN2"))
        made.cvc = try config.text("CVC")
        made.createsWallet = try config.number("createWallet") != 0
        made.walletsCount = config["walletsCount"]?.integer
        made.issuerName = try #require(parameters["issuer"]).text("id")
        made.blockchainName = try data.text("blockchain")
        made.ndef = try #require(config["NDEF"]?.array).map { entry in
            try entry.text("type") == "AAR"
                ? .application(try entry.text("value")) : .uri(try entry.text("value"))
        }

        let command = PersonalizeCommand(made)
        let objects = try command.body(CommandContext())
        #expect(
            objects.items.map { [$0.tag.rawValue].hex }.joined(separator: " ")
                == (isNew
                    ? "01 05 08 07 0A 09 19 0E 0D 12 13 30 31 0C 66 37"
                    : "01 05 08 07 0A 09 19 0E 0D 12 13 30 31 0C 37")
        )
        // Reckoned by hand from the samples.
        #expect(objects[.cardID]?.hex.hasPrefix(isNew ? "CB7900000000000" : "CB5300000000000") == true)
        #expect(CardID(objects[.cardID] ?? [])?.hasRightCheckDigit == true)
        #expect(objects[.settingsMask]?.hex == (isNew ? "0508BA24" : "00087E21"))
        #expect(objects[.pauseBeforePIN2]?.hex == (isNew ? "0BB8" : "05DC"))
        #expect(objects[.maxSignatures]?.hex == (isNew ? "FFFFFFFF" : "000F4240"))
        #expect(try objects.text(.curve) == (isNew ? "secp256k1" : "ed25519"))
        #expect(objects[.signingMethod] == [0x81])
        #expect(objects[.cvc] == Array("000".utf8))
        #expect(objects[.createWalletAtPersonalize] == [0])
        #expect(objects[.newPIN] == SHA256.digest(Array("000000".utf8)))
        #expect(objects[.newPIN2] == SHA256.digest(Array("000".utf8)))
        #expect(objects[.walletsCount] == (isNew ? [10] : nil))
        let message =
            isNew
            ? try hex("0019D101155504") + Array("tangem.com/ndef/CB79".utf8)
            : try hex("0023940F11") + Array("android.com:pkgcom.tangem.wallet".utf8)
        #expect(objects[.ndefData] == message)
        let production = try #require(try objects.list(.cardData))
        #expect(production[.batchID]?.hex == (isNew ? "CB79" : "0063"))
        #expect(production[.manufactureDate]?.hex == (isNew ? "07E5030F" : "07E4080C"))
        #expect(production[.productMask] == [0x01])
        #expect(try production.text(.issuerName) == "TANGEM SDK")
        #expect(try production.text(.blockchainName) == (isNew ? "ANY" : "CARDANO-S"))
        let cipher = try #require(try command.ownCipher)
        let frame = try CommandAPDU(bytes: command.frame(CommandContext()).bytes)
        #expect(frame.p1 == 0)
        #expect(try cipher.decrypt(frame.data) == objects.bytes)
    }

    // MARK: Codes

    @Test(
        "SET_ACCESSCODE and SET_PASSCODE leave the other code",
        arguments: of("SET_ACCESSCODE", "SET_PASSCODE")
    )
    func codes(_ vector: Vector) throws {
        let parameters = try parameters(vector)
        let isAccessCode = parameters["accessCode"] != nil
        let text = try parameters.text(isAccessCode ? "accessCode" : "passcode")
        let word = isAccessCode ? TangemStatus.pin1Changed : TangemStatus.pin2Changed
        let reply = try VendorCard.answer([], word)
        let vendor = try VendorCard { instruction, _ in instruction == .setPIN ? reply : nil }
        let answer =
            try isAccessCode ? vendor.sdk.setAccessCode(text) : vendor.sdk.setPasscode(text)
        let sent = try vendor.only(.setPIN)
        let digest = SHA256.digest(Array(text.utf8))
        let access = SHA256.digest(Array("000000".utf8))
        let pass = SHA256.digest(Array("000".utf8))
        #expect(sent[.pin] == access)
        #expect(sent[.pin2] == pass)
        #expect(sent[.newPIN] == (isAccessCode ? digest : access))
        #expect(sent[.newPIN2] == (isAccessCode ? pass : digest))
        #expect(answer.isAccessCodeChanged == isAccessCode)
        #expect(answer.isPasscodeChanged == !isAccessCode)
    }

    @Test("SET_USERCODE_RECOVERY_ALLOWED clears the bit", arguments: of("SET_USERCODE_RECOVERY_ALLOWED"))
    func recovery(_ vector: Vector) throws {
        let isAllowed = try #require(parameters(vector)["isAllowed"]?.boolean as Bool?)
        for (wanted, value) in [(isAllowed, UInt8(0)), (!isAllowed, 1)] {
            let reply = try VendorCard.answer([CardObject(.userSettingsMask, [0, 0, 0, value])])
            let vendor = try VendorCard(firmware: "6.33d SDK") { instruction, _ in
                instruction == .setUserSettings ? reply : nil
            }
            let settings = try vendor.sdk.setUserCodeRecoveryAllowed(wanted)
            #expect(try vendor.only(.setUserSettings)[.userSettingsMask] == [0, 0, 0, value])
            #expect(settings.contains(.forbidResetPIN) != wanted)
        }
    }

}
