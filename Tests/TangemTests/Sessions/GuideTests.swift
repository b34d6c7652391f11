// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

/// The functions in the words of the vendor's guide, as an application writes them.
@Suite("The guide's functions")
struct GuideTests {
    private let clock = ModelClock()
    private let log = EventLog()

    private func sdk(_ firmware: String, _ options: [String: String] = ["start": "loaded"]) throws
        -> TangemSDK
    {
        let card = try TangemCard(firmware: firmware, options: options, seed: 3, clock: clock)
        return TangemSDK(
            connection: InProcessConnection(card: card, clock: clock),
            delegate: log,
            clock: clock
        )
    }

    private func issuerSignature(_ message: [UInt8]) throws -> [UInt8] {
        let scalar = try HexText.bytes(TangemDevelopmentKeys.issuerData.privateKey)
        return try ECDSA.sign(message: message, with: PrivateKey(scalar, curve: .secp256k1)).raw(
            for: .secp256k1
        )
    }

    @Test("work with any card and with the one that is meant", arguments: [false, true])
    func all(_ namesCard: Bool) throws {
        let sdk = try sdk("3.34d")
        let card = try sdk.scanCard()
        let id: String? = namesCard ? card.id.description : nil
        let key = try #require(card.wallets.first).publicKey
        let hash = SHA256.digest([1])

        #expect(try sdk.scanCard(cardId: id).attestation.wallets == [0: .verified])
        #expect(try sdk.sign(hash: hash, walletPublicKey: key, cardId: id).areVerified == true)
        #expect(try sdk.sign(hashes: [hash, hash], walletPublicKey: key, cardId: id).signatures.count == 2)

        let data: [UInt8] = [1, 2, 3]
        try sdk.writeIssuerData(
            issuerData: data,
            issuerDataSignature: issuerSignature(SignedMessage.issuerData(card.id, data: data, counter: 1)),
            issuerDataCounter: 1,
            cardId: id
        )
        #expect(try sdk.readIssuerData(cardId: id).data == data)
        let large = [UInt8](repeating: 7, count: 2000)
        try sdk.writeIssuerExtraData(
            issuerData: large,
            startingSignature: issuerSignature(
                SignedMessage.extraDataStart(card.id, size: 2000, counter: 1)
            ),
            finalizingSignature: issuerSignature(
                SignedMessage.issuerData(card.id, data: large, counter: 1)
            ),
            issuerDataCounter: 1,
            cardId: id
        )
        #expect(try sdk.readIssuerExtraData(cardId: id).data == large)
        try sdk.writeUserData(userData: [9], userCounter: 4, cardId: id)
        try sdk.writeUserProtectedData(userProtectedData: [8], userProtectedCounter: 5, cardId: id)
        let user = try sdk.readUserData(cardId: id)
        #expect(user.data == [9] && user.counter == 4)
        #expect(user.protectedData == [8] && user.protectedCounter == 5)

        try sdk.purgeWallet(walletPublicKey: key, cardId: id)
        let made = try sdk.createWallet(config: WalletConfig(), cardId: id)
        #expect(made.wallet.publicKey != key)
    }

    @Test("run several commands in one session, which both ways of stopping end")
    func session() throws {
        let sdk = try sdk("4.12r")
        let session = try sdk.startSession(cardId: nil)
        let key = try #require(session.card?.wallets.first).publicKey
        try session.attestCard()
        _ = try session.sign(hashes: [SHA256.digest([1])], walletPublicKey: key)
        // One function at a time: the session has to be over first.
        #expect(try #require(throws: TangemError.self) { try sdk.scanCard() }.kind == .busy)
        session.stop()
        #expect(log.events.last == .stopped(message: nil, nil))
        #expect(log.events.filter { $0 == .started(message: nil) }.count == 1)

        let second = try sdk.startSession()
        second.stop(error: TangemError(.userCancelled))
        #expect(log.events.last == .stopped(message: nil, TangemError(.userCancelled)))
        #expect(try #require(throws: TangemError.self) { try second.attestCard() }.kind == .sessionInactive)
    }

    @Test("tell the delegate of the delay with its whole length", arguments: ["4.12r", "6.33d"])
    func delay(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["start": "loaded", "delay": "3s"])
        let key = try #require(try sdk.readCard().wallets.first).publicKey
        _ = try sdk.sign(hash: SHA256.digest([1]), walletPublicKey: key)
        let told = log.events.compactMap { event -> String? in
            guard case .delay(let remaining?, let total?) = event else { return nil }
            return "\(remaining)/\(total)"
        }
        // Firmware of before 4.39 tells the time after its first second.
        let total = firmware == "4.12r" ? 4000 : 3000
        #expect(told == ["3000/\(total)", "2000/\(total)", "1000/\(total)"])
        #expect(log.events.contains(.delayEnded))
    }

    @Test("find no wallet that the card does not have")
    func walletNotFound() throws {
        let sdk = try sdk("6.33d")
        let key = [UInt8](repeating: 2, count: 33)
        let errors = try [
            #require(throws: TangemError.self) { try sdk.sign(hash: [1], walletPublicKey: key) },
            #require(throws: TangemError.self) { try sdk.sign(hashes: [[1]], walletPublicKey: key) },
            #require(throws: TangemError.self) { try sdk.purgeWallet(walletPublicKey: key) },
            #require(throws: TangemError.self) {
                try sdk.deriveWalletPublicKey(walletPublicKey: key, derivationPath: DerivationPath("m/0"))
            },
        ]
        #expect(errors.map(\.kind) == [.walletNotFound, .walletNotFound, .walletNotFound, .walletNotFound])
    }

    @Test("name a card whose access code is lost, and ask for nothing without its name")
    func lostCode() throws {
        let sdk = try sdk("6.33d")
        let id = try sdk.readCard().id
        let nameless = try sdk.startSession(preflight: .none)
        let missing = try #require(throws: TangemError.self) { try nameless.run(AuthorizeCommand.getToken) }
        #expect(missing.kind == .missingPreflightRead)
        nameless.stop()
        // The card knows itself by the name, and is in no set.
        let named = try sdk.startSession(cardId: id.description, preflight: .none)
        let refused = try #require(throws: TangemError.self) { try named.run(AuthorizeCommand.getToken) }
        #expect(refused.kind == .invalidState)
        let reset = ResetPINCommand(accessCode: UserCode("1234"), passcode: UserCode("5678"))
        #expect(throws: TangemError.self) { try named.run(reset) }
    }

    @Test(
        "read cards of firmware 1 to 6",
        arguments: ["1.16r", "1.28r", "2.42r", "3.37r", "4.52r", "5.27r", "6.33r"]
    )
    func firmware(_ text: String) throws {
        let isMulti = text >= "4"
        let record = try SampleCard.objects(
            firmware: text,
            wallets: isMulti ? 2 : 1,
            status: TangemCardStatus.empty
        )
        let slots = CardObjects([
            CardObject(.cardID, try hex(SampleCard.id)),
            CardObject(.cardWallet, [0x02, 0x01, 0x01, 0x65, 0x01, 0x00]),
            CardObject(.cardWallet, [0x02, 0x01, 0x01, 0x65, 0x01, 0x01]),
        ])
        let card = FakeCard { command, _ in
            let isList = command.data.suffix(64).contains(TangemMode.readWalletsList) && isMulti
            return .objects(isList && command.data.count > 40 ? slots : record)
        }
        let sdk = TangemSDK(
            connection: InProcessConnection(card: card, clock: clock),
            delegate: log,
            clock: clock
        )
        let read = try sdk.readCard()
        #expect(read.firmware.description == text)
        #expect(read.wallets.isEmpty)
        #expect(card.instructions.allSatisfy { $0 == TangemInstruction.read.rawValue })
        #expect(card.wire.count == (isMulti ? 2 : 1))
    }
}
