// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Sessions")
struct SessionTests {
    private let clock = ModelClock()
    private let log = EventLog()

    private func sdk(_ card: any Card, _ change: (inout SessionConfiguration) -> Void = { _ in }) -> TangemSDK
    {
        TangemSDK(card, clock: clock, log: log, change)
    }

    /// A card before 4.0 that answers READ, and everything else as the closure says.
    private func oldCard(
        firmware: String = "3.34d SDK",
        more: [CardObject] = [],
        _ answer: @escaping FakeCard.Answer = { _, _ in .sw(TangemStatus.instructionNotSupported) }
    ) throws -> FakeCard {
        let record = try SampleCard.objects(firmware: firmware, wallets: 1, more: more)
        return FakeCard { command, number in
            command.ins == TangemInstruction.read.rawValue ? .objects(record) : answer(command, number)
        }
    }

    private let done = CardObjects([CardObject(.cardID, [0xCB, 0x79, 0, 0, 0, 0x01, 0x82, 0x01])])

    @Test("begin with SELECT and READ, and end when they are stopped")
    func scripted() throws {
        let record = try SampleCard.objects(firmware: "3.05r", wallets: 1).bytes.hex
        let pin = UserCode.standard(.accessCode).digest.hex
        let json = """
            {"kind": "card", "rules": [
              {"c": "00A4040008A000000812010208", "r": "9000"},
              {"c": "00F200000000251020\(pin)230101", "r": "\(record)9000"},
              {"c": "00F7000000002C1020\(pin)0108CB79000000018201", "r": "0108CB7900000001820132009000"}
            ]}
            """
        let card = try ScriptedCard(json: Array(json.utf8), name: "card.json")
        let sdk = sdk(card)
        let session = try sdk.startSession(cardId: "cb79000000018201", message: "Hello")
        #expect(session.card?.firmware.description == "3.05r")
        #expect(try session.readIssuerData() == session.run(ReadIssuerDataCommand()))
        session.stop(message: "Bye")
        session.stop(error: TangemError(.userCancelled))
        #expect(
            log.events == [
                .started(message: "Hello"), .tagConnected, .stopped(message: "Bye", nil),
            ]
        )
        #expect(throws: TangemError(.sessionInactive, command: "READ_ISSUER_DATA")) {
            try session.readIssuerData()
        }
    }

    @Test("are refused while another one is open")
    func busy() throws {
        let card = try oldCard()
        let sdk = sdk(card)
        let session = try sdk.startSession()
        #expect(throws: TangemError(.busy)) { try sdk.readCard() }
        #expect(throws: TangemError(.busy)) { try sdk.startSession() }
        let count = card.wire.count
        session.stop(error: TangemError(.userCancelled))
        #expect(log.events.last == .stopped(message: nil, TangemError(.userCancelled)))
        #expect(card.wire.count == count)
        #expect(try sdk.readCard().id.description == SampleCard.id)
        // Nor may a function be called from within another one.
        var inner: TangemError?
        log.onEvent = { event in
            guard case .tagConnected = event else { return }
            do { _ = try sdk.readCard() } catch { inner = error as? TangemError }
        }
        _ = try sdk.readCard()
        #expect(inner?.kind == .busy)
    }

    @Test("ask for the right card, and go on when it comes")
    func wrongCard() throws {
        let record = try SampleCard.objects(id: "BB03000000000004")
        let wrong = FakeCard { _, _ in .objects(record) }
        let right = try oldCard()
        let tray = CardTray([
            InProcessConnection(card: wrong, clock: clock), InProcessConnection(card: wrong, clock: clock),
            InProcessConnection(card: right, clock: clock),
        ])
        let sdk = TangemSDK(reader: tray, delegate: log, clock: clock)
        let card = try sdk.readCard(cardId: SampleCard.id)
        #expect(card.id.description == SampleCard.id)
        let event = SessionEvent.wrongCard(
            found: try CardID("BB03000000000004"),
            wanted: try CardID(SampleCard.id)
        )
        #expect(log.events.filter { $0 == event }.count == 2)
        #expect(clock.now >= .seconds(4))
        #expect(tray.disconnections == 1)
        #expect(wrong.wire.count == 2)
    }

    @Test("end when the right card does not come, or when the user gives up")
    func wrongCardForever() throws {
        let sdk = sdk(try oldCard())
        let other = "BB03000000000004"
        #expect(
            performing: { try sdk.readCard(cardId: other) },
            throws: { error in
                (error as? TangemError)?.kind == .wrongCardNumber
            }
        )
        #expect(clock.now >= .seconds(60) && clock.now < .seconds(70))
        log.wrongCardReply = .cancel
        #expect(
            performing: { try sdk.readCard(cardId: other) },
            throws: { error in
                (error as? TangemError)?.kind == .userCancelled
            }
        )
        guard case .stopped(_, let error?) = log.events.last else {
            Issue.record("the session was not stopped")
            return
        }
        #expect(error.kind == .userCancelled)
        #expect(throws: TangemError.self) { try sdk.readCard(cardId: "no card") }
    }

    @Test("send nothing for a wallet that is not there")
    func walletNotFound() throws {
        let card = try oldCard()
        let sdk = sdk(card)
        for kind in try [
            #require(throws: TangemError.self) { try sdk.sign(hash: [1], walletPublicKey: [1, 2, 3]) },
            #require(throws: TangemError.self) { try sdk.purgeWallet(walletPublicKey: [1, 2, 3]) },
        ].map(\.kind) { #expect(kind == .walletNotFound) }
        #expect(card.instructions == [0xF2, 0xF2])
    }

    @Test("refuse cards that are not admitted")
    func filter() throws {
        let sdk = sdk(try oldCard(firmware: "3.34m"))
        let error = try #require(throws: TangemError.self) { try sdk.readCard() }
        #expect(error.kind == .wrongCardType)
        let developer = self.sdk(try oldCard()) { $0.filter.releases = [.release] }
        #expect(try #require(throws: TangemError.self) { try developer.readCard() }.kind == .wrongCardType)
        let batch = self.sdk(try oldCard()) { $0.filter.batches = ["0001"] }
        #expect(try #require(throws: TangemError.self) { try batch.readCard() }.kind == .wrongCardType)
        let issuer = self.sdk(try oldCard()) { $0.filter.issuers = ["TANGEM SDK"] }
        #expect(throws: Never.self) { try issuer.readCard() }
    }

    @Test("repeat a command through the security delay, byte for byte")
    func delay() throws {
        let card = try oldCard { [done] command, number in
            guard command.ins == TangemInstruction.setPIN.rawValue else { return .objects(done) }
            let left = 3 - number
            guard left > 0 else { return .objects(done, TangemStatus.pin2Changed) }
            var notice = CardAnswer([0x1C, 0x02, 0x00, UInt8(left * 50), 0x97, 0x89])
            notice.time = .milliseconds(500)
            return notice
        }
        let session = try sdk(card).startSession()
        let answer = try session.setCodes(passcode: "1234")
        #expect(answer.isPasscodeChanged && !answer.isAccessCodeChanged)
        #expect(Set(card.wire.dropFirst()).count == 1)
        #expect(card.wire.count == 4)
        #expect(
            log.events.suffix(3) == [
                .delay(remaining: 1000, total: 2000), .delay(remaining: 500, total: 2000), .delayEnded,
            ]
        )
        #expect(session.passcode == UserCode("1234"))
    }

    @Test(
        "give up a security delay that does not end",
        arguments: [[], [0x1C, 0x02, 0x00, 0x64], [0x1C, 0x09]]
    )
    func endlessDelay(_ notice: [UInt8]) throws {
        let card = try oldCard { _, _ in CardAnswer(notice + [0x97, 0x89], time: .seconds(1)) }
        let error = try #require(throws: TangemError.self) { try self.sdk(card).readIssuerData() }
        #expect(error.kind == .nfcTimeout)
        #expect(error.command == "READ_ISSUER_DATA")
        #expect(clock.now < .seconds(70))
        // Also when the card takes no time at all.
        let fast = try oldCard { _, _ in CardAnswer([0x97, 0x89]) }
        let sdk = self.sdk(fast) { $0.delayPolls = 50 }
        #expect(try #require(throws: TangemError.self) { try sdk.readIssuerData() }.kind == .nfcTimeout)
        #expect(fast.wire.count == 52)
    }

    @Test("drop the tag when the card keeps its delay in flash")
    func flash() throws {
        let card = try oldCard { [done] _, number in
            // Before each drop the reader, here the card, is asked for the UID.
            number < 5 ? CardAnswer([0x1C, 0x01, 0x64, 0x28, 0x00, 0x97, 0x89]) : .objects(done)
        }
        let session = try sdk(card).startSession()
        #expect(throws: Never.self) {
            try session.run(WriteFileCommand.block(index: 0, offset: 0, data: [1]))
        }
        #expect(card.powerOns == 3)
        #expect(log.events.filter { $0 == .tagConnected }.count == 3)
    }

    @Test("find a lost card again, as often as they may")
    func lost() throws {
        let card = try oldCard { [done] _, number in
            // Each loss costs a READ besides the command.
            number < 5 ? CardAnswer([], ending: .removed) : .objects(done)
        }
        let command = WriteFileCommand.block(index: 0, offset: 0, data: [1])
        #expect(throws: Never.self) { try sdk(card).run(command) }
        #expect(log.events.filter { $0 == .tagLost }.count == 2)
        let other = try oldCard { _, _ in CardAnswer([], ending: .removed) }
        let error = try #require(throws: TangemError.self) {
            try sdk(other) { $0.reconnections = 0 }.run(command)
        }
        #expect(error.kind == .tagLost)
        #expect(error.fault?.kind == .cardRemoved)
    }

    @Test("report trouble in the card's hardware once")
    func health() throws {
        let card = try oldCard(more: [CardObject(.health, [3])]) { [done] _, _ in .objects(done) }
        let session = try sdk(card).startSession()
        #expect(session.card?.health == 3)
        #expect(log.events.filter { $0 == .health(3) }.count == 1)
    }

    @Test("do not take another card for the one they are with")
    func exchanged() throws {
        let card = try oldCard { _, _ in
            .objects(CardObjects([CardObject(.cardID, [0xBB, 3, 0, 0, 0, 0, 0, 4])]))
        }
        let session = try sdk(card).startSession()
        let error = try #require(throws: TangemError.self) {
            try session.run(WriteFileCommand.block(index: 0, offset: 0, data: [1]))
        }
        #expect(error.kind == .wrongCardNumber)
        let nameless = try oldCard { _, _ in .sw(.success) }
        let missing = try #require(throws: TangemError.self) { try sdk(nameless).readIssuerData() }
        #expect(missing.kind == .decodingFailedMissingTag)
    }

    @Test("need a card that was read")
    func preflight() throws {
        let card = try oldCard()
        let session = try sdk(card).startSession(preflight: .none)
        #expect(card.wire.isEmpty)
        let error = try #require(throws: TangemError.self) { try session.readIssuerData() }
        #expect(error.kind == .missingPreflightRead)
        try session.readAgain()
        #expect(session.card != nil)
    }

    @Test("say so where no source tells how a command works")
    func unpublished() throws {
        let session = try sdk(try oldCard()).startSession()
        for instruction in UnpublishedCommands.all {
            let error = try #require(throws: TangemError.self) { try session.run(unpublished: instruction) }
            #expect(error.kind == .unsupportedCommand)
            #expect(error.description.contains("no source tells"))
        }
    }

    @Test("take a wallet that is there after all")
    func createdBefore() throws {
        let key = try Vector.named("emulator-key-wallet").expected.hex("publicKey")
        let empty = try SampleCard.objects(firmware: "3.34d SDK", wallets: 1)
        let loaded = try SampleCard.objects(
            firmware: "3.34d SDK",
            wallets: 1,
            status: TangemCardStatus.loaded,
            more: [CardObject(.walletPublicKey, key), CardObject(.curve, Array("secp256k1".utf8))]
        )
        let card = FakeCard { command, number in
            guard command.ins == TangemInstruction.read.rawValue else {
                return .sw(TangemStatus.invalidState)
            }
            return .objects(number == 0 ? empty : loaded)
        }
        #expect(try sdk(card).createWallet().wallet.publicKey == key)
        #expect(card.instructions == [0xF2, 0xF8, 0xF2])
    }

    @Test("know the card's own refusals without errors being handled")
    func raw() throws {
        let card = try oldCard { _, _ in .sw(TangemStatus.invalidParameters) }
        let plain = try sdk(card) { $0.handlesErrors = false }.startSession()
        let error = try #require(throws: TangemError.self) { try plain.purgeWalletUnchecked() }
        #expect(error.kind == .invalidParams)
        #expect(error.sw == TangemStatus.invalidParameters)
    }
}

extension CardSession {
    fileprivate func purgeWalletUnchecked() throws(TangemError) { _ = try run(PurgeWalletCommand(index: 0)) }
}
