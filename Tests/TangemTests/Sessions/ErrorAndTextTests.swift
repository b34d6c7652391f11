// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Errors, texts and names")
struct ErrorAndTextTests {
    @Test("every error has a name, a number of its own and a sentence")
    func errors() {
        let kinds = TangemError.Kind.allCases
        #expect(Set(kinds.map(\.name)).count == kinds.count)
        for kind in kinds {
            #expect(TangemError.Kind(name: kind.name) == kind)
            #expect(kind.sentence.count > 10)
            #expect(kind.name.first?.isLowercase == true)
        }
        let codes: [(TangemError.Kind, Int)] = [
            (.tagLost, 10001), (.walletNotFound, 30008), (.cardVerificationFailed, 40011), (.busy, 50003),
            (.wrongCardNumber, 50005), (.nonHardenedDerivationNotSupported, 40402), (.filesDisabled, 42002),
        ]
        for (kind, code) in codes { #expect(kind.code == code) }
        #expect(TangemError.Kind(name: "noSuchError") == nil)
    }

    @Test("status words become the errors of the published hosts")
    func statusWords() {
        let expected: [(StatusWord, TangemError.Kind)] = [
            (TangemStatus.errorProcessingCommand, .errorProcessingCommand),
            (TangemStatus.needEncryption, .needEncryption), (TangemStatus.invalidState, .invalidState),
            (TangemStatus.fileNotFound, .fileNotFound), (TangemStatus.invalidParameters, .invalidParams),
            (TangemStatus.walletNotFound, .walletNotFound),
            (TangemStatus.walletAlreadyExists, .walletAlreadyCreated),
            (TangemStatus.invalidAccessCode, .accessCodeRequired),
            (TangemStatus.invalidPasscode, .passcodeRequired),
            (TangemStatus.instructionNotSupported, .insNotSupported),
        ]
        for (sw, kind) in expected { #expect(TangemError(sw: sw)?.kind == kind) }
        for sw in 0x9000...0x9007 { #expect(TangemError(sw: StatusWord(rawValue: UInt16(sw))) == nil) }
    }

    @Test("a sentence says where, what, and the number")
    func description() {
        let error = TangemError(
            .walletNotFound,
            "slot 3 is empty",
            command: "SIGN",
            sw: TangemStatus.walletNotFound
        )
        #expect(
            error.description
                == "SIGN: the card has no such wallet; slot 3 is empty (walletNotFound, 30008, status word 6A88)"
        )
        let fault = TangemError(TransportFault(.timeout, "no answer in 5000 ms"))
        #expect(fault.kind == .nfcTimeout)
        #expect(fault.description.contains("no answer in 5000 ms"))
    }

    @Test("the terminal shows what happens, in any words")
    func terminal() throws {
        var lines: [String] = []
        var texts = SessionTexts()
        texts.replacements[.tagConnected] = "Karte gefunden"
        texts.replacements[.delay] = "noch {remaining} von {total} s"
        texts.errors[.userCancelled] = "abgebrochen"
        var codes = ["1234", ""]
        let delegate = TerminalDelegate(
            texts: texts,
            write: { lines.append($0) },
            read: { codes.removeFirst() }
        )
        let events: [SessionEvent] = [
            .started(message: nil), .started(message: "Sign in"), .tagConnected, .tagLost,
            .wrongCard(found: try CardID("BB03000000000004"), wanted: try CardID(SampleCard.id)),
            .delay(remaining: 2001, total: 15_000), .delay(remaining: nil, total: nil), .delayEnded,
            .progress(percent: 45), .encryption(.fast), .health(3), .attested(CardAttestation()),
            .codeRequested(CodeRequest(kind: .passcode, cardID: nil, isWrong: true)),
            .stopped(message: nil, nil), .stopped(message: nil, TangemError(.userCancelled)),
        ]
        for event in events { delegate.handle(event) }
        #expect(
            lines == [
                "Put the card on the reader.", "Sign in", "Karte gefunden", "Card lost, put it back.",
                "This is card BB03000000000004; put card CB79000000018201 on the reader.",
                "noch 3 von 15 s", "Security delay, keep the card still.", "Security delay over.", "45 %",
                "The card asked for encryption (fast).",
                "The card found trouble in its hardware (3); replace it soon.",
                "Proofs of the card: skipped.",
                "The code was wrong. Enter the passcode:", "Done, take the card away.",
                "Stopped: abgebrochen.",
            ]
        )
        let request = CodeRequest(kind: .accessCode, cardID: nil, isWrong: false)
        #expect(delegate.code(for: request) == .text("1234"))
        #expect(delegate.code(for: request) == .cancel)
    }

    @Test("commands and tags have names")
    func dictionary() throws {
        func name(_ text: String) throws -> String? {
            TangemDictionary.name(of: try CommandAPDU(bytes: hex(text)))
        }
        #expect(try name("00A4040008A000000812010208") == "SELECT wallet application")
        #expect(try name("00A4040007D2760000850101") == nil)
        #expect(try name("00F20000000003230101") == "READ card")
        #expect(try name("00F20000000003230103") == "READ wallets")
        #expect(try name("00FB0100000010000102030405060708090A0B0C0D0E0F") == "SIGN (encrypted)")
        #expect(try name("00FF00020000021A00") == "OPEN_SESSION strong")
        #expect(try name("00D00000000003230105") == "WRITE_FILE_DATA delete")
        #expect(try name("00B0000000") == nil)
        #expect(try name("80F20000000003230101") == nil)
        #expect(TangemDictionary.tag(named: "cardId") == .cardID)
        #expect(TangemDictionary.tag(named: "nothing") == nil)
        #expect(TangemDictionary.tagNames.contains("walletPublicKey"))
        for tag in [TangemTag.pin, .pin2, .newPIN, .newPIN2] {
            #expect(TangemDictionary.secretTags.contains(tag))
        }
        #expect(
            TangemDictionary.meaning(of: TangemStatus.walletNotFound)?.hasPrefix("walletNotFound") == true
        )
        #expect(TangemDictionary.meaning(of: StatusWord(rawValue: 0x1234)) == nil)
    }

    @Test("bodies are shown line by line, secrets as stars")
    func lines() throws {
        var objects = CardObjects()
        objects.add(.pin, [1, 2, 3])
        objects.add(.curve, text: "secp256k1")
        objects.add(.pauseBeforePIN2, [0x05, 0xDC])
        objects.add(.cardData, list: CardObjects([CardObject(.manufactureDate, try hex("07E2071B"))]))
        objects.add(TangemTag(rawValue: 0xEE), [0xAB])
        #expect(
            TangemDictionary.lines(of: objects) == [
                "10 pin ******", "05 curveId 736563703235366B3100 ('secp256k1')",
                "09 pauseBeforePin2 05DC (1500)",
                "0C cardData", "  82 manufactureDateTime 07E2071B (2018-07-27)", "EE ? AB",
            ]
        )
    }

    @Test("settings have names")
    func settings() {
        #expect(
            TangemSettings(rawValue: 0x8000_0005).titles == ["isReusable", "permanentWallet", "0x80000000"]
        )
        #expect(TangemSettings(rawValue: 0x0001).encryptions == [.strong])
    }
}
