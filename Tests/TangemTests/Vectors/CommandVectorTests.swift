// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import Tangem

@Suite("Vectors: commands")
struct CommandVectorTests {
    @Test("every command has the bytes of the published hosts", arguments: Vector.of("command_apdu"))
    func commands(_ vector: Vector) throws {
        let bytes = try frame(vector)
        #expect(bytes.hex == (try vector.expected.text("apdu").uppercased()))
        // The dictionary knows all of them.
        #expect(TangemDictionary.name(of: try CommandAPDU(bytes: bytes)) != nil)
    }

    private func frame(_ vector: Vector) throws -> [UInt8] {
        let list = try vector.input.objects()
        func number(_ tag: TangemTag) throws -> Int { try list.requiredNumber(tag) }
        var context = try SampleCard.context(firmware: "4.12r")
        func bytes(_ command: any TangemCommand) throws -> [UInt8] { try command.frame(context).bytes }
        let hashes = { () throws -> [[UInt8]] in
            let all = try list.required(.transactionOutHash)
            let size = try number(.transactionOutHashSize)
            return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<$0 + size]) }
        }
        let terminal = try PrivateKey(
            Vector.named("emulator-key-terminal").input.hex("privateKey"),
            curve: .secp256k1
        )

        switch vector.name {
        case "apdu-read-pin-only": return try bytes(ReadCardCommand(omitsMode: true))
        case "apdu-read-pin-terminal-key":
            // The key of the source is a public one: its objects stand as they are.
            let body = try ReadCardCommand(omitsMode: true).body(context).bytes
            let key = CardObjects([CardObject(.terminalPublicKey, try list.required(.terminalPublicKey))])
            return try CommandFrame(.read, body: body + key.bytes).bytes
        case "apdu-read-card": return try bytes(ReadCardCommand())
        case "apdu-read-card-terminal":
            context.terminalKey = terminal
            return try bytes(ReadCardCommand())
        case "apdu-read-wallet", "apdu-read-wallet-derived":
            let path = try list[.walletHDPath].map { try DerivationPath(value: $0) }
            return try bytes(ReadWalletCommand(index: number(.walletIndex), path: path))
        case "apdu-read-wallets-list": return try bytes(ReadWalletsCommand())
        case "apdu-read-wallets-list-next":
            return try bytes(ReadWalletsCommand(received: number(.walletIndex)))
        case "apdu-attest-card-key":
            return try bytes(AttestCardKeyCommand(challenge: list.required(.challenge)))
        case "apdu-attest-wallet-key":
            return try bytes(
                AttestWalletKeyCommand(
                    challenge: list.required(.challenge),
                    walletIndex: number(.walletIndex)
                )
            )
        case "apdu-sign-one-hash", "apdu-sign-two-hashes", "apdu-sign-hash-size-300":
            return try bytes(SignCommand(hashes: hashes(), walletIndex: number(.walletIndex)))
        case "apdu-sign-linked-terminal":
            context.terminalKey = terminal
            return try bytes(SignCommand(hashes: hashes(), walletIndex: number(.walletIndex)))
        case "apdu-create-wallet-v3":
            context = try SampleCard.context(firmware: "3.34d SDK")
            return try bytes(CreateWalletCommand())
        case "apdu-create-wallet-v4":
            return try bytes(CreateWalletCommand(curve: list.curve(), index: number(.walletIndex)))
        case "apdu-purge-wallet": return try bytes(PurgeWalletCommand(index: number(.walletIndex)))
        case "apdu-write-issuer-data", "apdu-write-issuer-data-counter":
            return try bytes(
                WriteIssuerDataCommand(
                    data: list.required(.issuerData),
                    signature: list.required(.issuerDataSignature),
                    counter: list.number(.issuerDataCounter).map { UInt32($0) }
                )
            )
        case "apdu-read-issuer-data": return try bytes(ReadIssuerDataCommand())
        case "apdu-write-issuer-extra-start":
            return try bytes(
                WriteIssuerExtraDataCommand.start(
                    size: UInt16(number(.size)),
                    signature: list.required(.issuerDataSignature),
                    counter: UInt32(number(.issuerDataCounter))
                )
            )
        case "apdu-write-issuer-extra-part-0", "apdu-write-issuer-extra-part-900",
            "apdu-write-issuer-extra-part-1800":
            return try bytes(
                WriteIssuerExtraDataCommand.block(
                    offset: UInt16(number(.offset)),
                    data: list.required(.issuerData)
                )
            )
        case "apdu-write-issuer-extra-finalize":
            return try bytes(
                WriteIssuerExtraDataCommand.finish(signature: list.required(.issuerDataSignature))
            )
        case "apdu-read-issuer-extra":
            return try bytes(ReadIssuerExtraDataCommand(offset: number(.offset)))
        case "apdu-write-user-data":
            return try bytes(
                WriteUserDataCommand(
                    data: list.required(.userData),
                    counter: UInt32(number(.userCounter))
                )
            )
        case "apdu-write-user-protected-data":
            return try bytes(WriteUserDataCommand(protectedData: list.required(.userProtectedData)))
        case "apdu-read-user-data": return try bytes(ReadUserDataCommand())
        case "apdu-set-access-code":
            return try bytes(SetPINCommand(accessCode: UserCode(digest: list.required(.newPIN))))
        case "apdu-set-access-code-4.39":
            context = try SampleCard.context(firmware: "4.45d SDK")
            return try bytes(SetPINCommand(accessCode: UserCode(digest: list.required(.newPIN))))
        case "apdu-check-user-codes": return try bytes(SetPINCommand())
        case "apdu-file-write-start-passcode":
            return try bytes(
                WriteFileCommand.start(
                    size: UInt16(number(.size)),
                    by: .user,
                    walletIndex: nil,
                    settings: FileSettings(isPublic: true)
                )
            )
        case "apdu-file-write-part":
            return try bytes(
                WriteFileCommand.block(
                    index: number(.fileIndex),
                    offset: UInt16(number(.offset)),
                    data: list.required(.issuerData)
                )
            )
        case "apdu-file-write-confirm-passcode":
            return try bytes(
                WriteFileCommand.confirm(index: number(.fileIndex), digest: list.required(.codeHash))
            )
        case "apdu-file-read-v4": return try bytes(ReadFileCommand(index: 0))
        case "apdu-file-read-v3":
            context = try SampleCard.context(firmware: "3.34d SDK")
            return try bytes(ReadFileCommand(index: 0))
        case "apdu-file-read-private":
            return try bytes(ReadFileCommand(index: 0, readsPrivateFiles: true))
        case "apdu-file-checksum": return try bytes(ReadFileChecksumCommand(index: 0))
        case "apdu-file-delete": return try bytes(WriteFileCommand.delete(index: 0))
        case "apdu-file-settings-v3-public":
            context = try SampleCard.context(firmware: "3.34d SDK")
            return try bytes(
                WriteFileCommand.changeSettings(index: 0, settings: FileSettings(isPublic: true))
            )
        case "apdu-file-settings-v4-private":
            return try bytes(
                WriteFileCommand.changeSettings(index: 0, settings: FileSettings(isPublic: false))
            )
        case "apdu-get-entropy": return try bytes(GetEntropyCommand())
        case "apdu-set-user-settings-forbid-reset-pin":
            return try bytes(SetUserSettingsCommand(settings: .forbidResetPIN))
        case "apdu-depersonalize": return try bytes(DepersonalizeCommand())
        case "apdu-open-session-fast", "apdu-open-session-strong": return try opened(vector)
        default:
            Issue.record("no command is known for this vector")
            return []
        }
    }

    /// The OPEN_SESSION of a session that gets the vector's random bytes; the command behind it is looked into.
    private func opened(_ vector: Vector) throws -> [UInt8] {
        let isFast = vector.name.hasSuffix("fast")
        let keys = try Vector.named(isFast ? "session-key-fast" : "session-key-strong")
        let random = try keys.input.hex(isFast ? "keyA" : "privateA")
        let response = try vector.expected.hex("response")
        let card = FakeCard { command, _ in
            command.ins == TangemInstruction.openSession.rawValue
                ? CardAnswer(response + [0x90, 0x00]) : .sw(TangemStatus.invalidState)
        }
        let sdk = TangemSDK(card, clock: ModelClock(), log: EventLog()) {
            $0.encryption = isFast ? .fast : .strong
            $0.randomBytes = { _ in random }
        }
        #expect(throws: TangemError.self) { try sdk.readCard() }
        let cipher = try SessionCipher(
            encryption: isFast ? .fast : .strong,
            key: keys.expected.hex("sessionKey")
        )
        try #require(card.wire.count >= 2)
        let read = try CommandAPDU(bytes: card.wire[1])
        #expect(read.p1 == cipher.encryption.rawValue)
        #expect(try cipher.decrypt(read.data) == ReadCardCommand().body(CommandContext()).bytes)
        return card.wire[0]
    }

    @Test("legacy mode stands before everything else")
    func legacy() throws {
        var context = try SampleCard.context(firmware: "4.12r")
        context.isLegacyMode = true
        #expect(try ReadIssuerDataCommand().frame(context).body.prefix(3).hex == "290104")
        #expect(try DepersonalizeCommand().frame(context).bytes.hex == "00E30000")
    }

    @Test("PERSONALIZE of the example app", arguments: Vector.of("personalize"))
    func personalize(_ vector: Vector) throws {
        let id = try CardID(series: "CB", number: 7_900_000_000_000)
        #expect(id.description == (try vector.expected.text("cardId")))
        let mask = try vector.expected.hex("settingsMask").reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var configuration = PersonalizationConfiguration(
            id: id,
            settings: TangemSettings(rawValue: mask),
            batch: [0xCB, 0x79],
            date: CardDate(year: 2021, month: 3, day: 15)
        )
        configuration.securityDelayMilliseconds = 5000
        configuration.walletsCount = 20
        let command = PersonalizeCommand(configuration)
        #expect(try command.body(CommandContext()) == vector.input.objects())
        #expect(try command.body(CommandContext()).bytes == vector.expected.hex("plainTlvs"))
        #expect(try command.frame(CommandContext()).bytes == vector.expected.hex("apdu"))
    }

    @Test("NDEF messages of PERSONALIZE", arguments: Vector.of("ndef_encode"))
    func ndef(_ vector: Vector) throws {
        var configuration = PersonalizationConfiguration(
            id: try CardID(SampleCard.id),
            settings: vector.input["useDynamicNDEF"]?.boolean == true ? .useDynamicNDEF : [],
            batch: [0, 0],
            date: CardDate(year: 2021, month: 1, day: 1)
        )
        configuration.ndef = try #require(vector.input["records"]?.array).map { record in
            let value = try record.text("value")
            switch try record.text("type") {
            case "URI": return .uri(value)
            case "AAR": return .application(value)
            default: return .text(value)
            }
        }
        #expect(try configuration.ndefBytes() == vector.expected.hex("bytes"))
    }

    @Test("no kind of vector is left out")
    func complete() {
        let tested: Set<String> = [
            "apdu_serialize", "raw_apdu", "tlv_encode", "tlv_decode", "tlv_decode_error", "tlv_encode_value",
            "int_be", "int_from_be", "date_decode", "utf8_decode", "response_sw", "signing_method",
            "file_settings", "named_file", "slix_ndef", "read_response", "card_json", "card_id_check",
            "card_id_build", "card_id_format", "card_id_range", "card_id_range_error", "firmware_version",
            "manufacturer_key_select", "public_key", "online_attestation", "user_code", "sha256_text",
            "sha256",
            "sha512", "key_pair", "private_key_valid", "key_compress", "key_compress_error",
            "derivation_path_parse", "derivation_path_parse_error", "derivation_path_tlv",
            "derivation_path_tlv_error", "bip44_path", "hd_derive_public", "hd_derive_seed",
            "extended_key_parse_error", "master_key", "key_import", "key_import_public", "bls_keygen",
            "hkdf_sha256", "slip23_master", "base58", "wif", "mnemonic_seed", "bip39", "mnemonic_parse",
            "mnemonic_parse_error", "hash_chunks", "signature_verify", "ecdsa_sign", "signature_normalize",
            "issuer_data_signature", "file_signature", "manufacturer_signature", "attest_card_signature",
            "attest_wallet_signature", "attest_wallet_card_signature", "terminal_signature",
            "wallet_signature", "session_key", "crc16", "encrypted_apdu", "encrypted_response", "need_pause",
            "command_apdu", "personalize", "ndef_encode", "json_rpc", "bls_verify",
        ]
        #expect(Set(Vector.all.map(\.kind)) == tested)
        #expect(Vector.all.count == 429)
        #expect(Vector.all.count { $0.provenance == "source" } == 343)
    }
}
