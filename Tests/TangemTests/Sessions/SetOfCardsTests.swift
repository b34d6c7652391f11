// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import Foundation
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import TestSupport
import Testing

@Suite("Sets of cards, and other judges")
struct SetOfCardsTests {
    private let clock = ModelClock()
    private let desk = Desk()

    /// A connection for each card: closing an earlier one would take the power from a later one.
    private final class Desk {
        private var connections: [ObjectIdentifier: InProcessConnection] = [:]

        func connection(_ card: any Card, _ clock: ModelClock) -> InProcessConnection {
            if let known = connections[ObjectIdentifier(card)] { return known }
            let connection = InProcessConnection(card: card, clock: clock)
            connections[ObjectIdentifier(card)] = connection
            return connection
        }
    }

    private func sdk(_ card: any Card, accessCode: String? = nil, passcode: String? = nil) -> TangemSDK {
        var configuration = SessionConfiguration()
        if let accessCode { configuration.accessCode = UserCode(accessCode) }
        if let passcode { configuration.passcode = UserCode(passcode) }
        return TangemSDK(
            connection: desk.connection(card, clock),
            configuration: configuration,
            clock: clock
        )
    }

    private func certificate(_ card: TangemCard) throws -> CardCertificate {
        let objects = try CardObjects(parsing: card.certificate)
        return CardCertificate(
            cardPublicKey: try objects.required(.cardPublicKey),
            issuerSignature: try objects.required(.issuerDataSignature)
        )
    }

    @Test("a backup card gets the wallets, and resets the codes of the other", arguments: ["4.45d", "6.33d"])
    func backup(_ firmware: String) throws {
        let primary = try TangemCard(firmware: firmware, options: ["start": "loaded"], seed: 1, clock: clock)
        let second = try TangemCard(firmware: firmware, seed: 2, clock: clock)
        let access = UserCode("access")
        let pass = UserCode("passcode")

        var session = try sdk(primary).startSession()
        let wallet = try #require(session.card?.wallets.first)
        let slots = try #require(session.card).walletsCount
        let primaryKey = try session.run(StartPrimaryCardLinkingCommand())
        session.stop()

        session = try sdk(second).startSession()
        let link = try session.run(StartBackupCardLinkingCommand(primaryLinkingKey: primaryKey))
        session.stop()

        session = try sdk(primary).startSession()
        let attest = try session.run(
            LinkBackupCardsCommand(
                links: [
                    LinkBackupCardsCommand.Link(
                        linkingKey: link.linkingKey,
                        certificate: certificate(second),
                        attestSignature: link.attestSignature
                    )
                ],
                accessCode: access,
                passcode: pass
            )
        )
        session.stop()
        session = try sdk(primary, accessCode: "access", passcode: "passcode").startSession()
        var data: [BackupData] = []
        for index in 0..<slots {
            data.append(
                try session.run(ReadBackupDataCommand(backupLinkingKey: link.linkingKey, walletIndex: index))
            )
        }
        if try #require(session.card).has(.keysImport) {
            _ = try session.run(FinalizeReadBackupDataCommand())
        }
        session.stop()

        session = try sdk(second).startSession()
        _ = try session.run(
            LinkPrimaryCardCommand(
                primaryLinkingKey: primaryKey,
                certificate: certificate(primary),
                attestSignature: attest,
                backupLinkingKeys: [link.linkingKey],
                accessCode: access,
                passcode: pass
            )
        )
        session.stop()
        session = try sdk(second, accessCode: "access", passcode: "passcode").startSession()
        var status = 0
        for part in data { status = try session.run(WriteBackupDataCommand(part)) }
        #expect(status == Int(TangemBackupStatus.active))
        let card = try session.readAgain()
        #expect(card.wallets.first?.publicKey == wallet.publicKey)
        #expect(card.wallets.first?.hasBackup == true)
        #expect(card.backupStatus == 2)
        let hash = SHA256.digest([1])
        #expect(try session.sign(hashes: [hash], walletPublicKey: wallet.publicKey).areVerified == true)
        if card.has(.keysImport) {
            #expect(try session.attestCard(isFull: true).backupKeys?.isEmpty == false)
        }
        session.stop()

        // The other card vouches for the user.
        let first = try sdk(primary, accessCode: "access", passcode: "passcode").startSession()
        guard case .token(let token) = try first.run(AuthorizeCommand.getToken) else {
            Issue.record("no token")
            return
        }
        let other = try sdk(second, accessCode: "access", passcode: "passcode").startSession()
        guard case .signedToken(let signed) = try other.run(AuthorizeCommand.sign(token)) else {
            Issue.record("no signed token")
            return
        }
        #expect(try first.run(AuthorizeCommand.authenticate(signed)) == .authenticated)
        _ = try first.run(ResetPINCommand(accessCode: UserCode("new access"), passcode: UserCode("new pass")))
        first.stop()
        #expect(throws: Never.self) { try sdk(primary, accessCode: "new access").readCard() }
    }

    @Test("a backup begins with a wallet on one side and none on the other")
    func refusedBackups() throws {
        let empty = try TangemCard(firmware: "4.45d", seed: 1, clock: clock)
        let loaded = try TangemCard(firmware: "4.45d", options: ["start": "loaded"], seed: 1, clock: clock)
        func kind(_ command: some TangemCommand, _ card: TangemCard) throws -> TangemError.Kind {
            try #require(throws: TangemError.self) { try sdk(card).run(command) }.kind
        }
        #expect(try kind(StartPrimaryCardLinkingCommand(), empty) == .backupFailedEmptyWallets)
        let link = StartBackupCardLinkingCommand(primaryLinkingKey: [1])
        #expect(try kind(link, loaded) == .backupFailedNotEmptyWallets)
        #expect(try kind(AuthorizeCommand.getToken, loaded) == .noActiveBackup)
        let old = try TangemCard(firmware: "4.12r", options: ["start": "loaded"], seed: 1, clock: clock)
        #expect(try kind(StartPrimaryCardLinkingCommand(), old) == .notSupportedFirmwareVersion)
        #expect(
            try kind(AttestCardKeyCommand(challenge: [1], isFull: true), loaded)
                == .notSupportedFirmwareVersion
        )
    }

    @Test(
        "openssl agrees on the signatures",
        .enabled(if: OpenSSLCommand.path != nil, "install openssl"),
        arguments: [TangemCurve.secp256k1, .secp256r1, .ed25519SLIP0010]
    )
    func openssl(_ curve: TangemCurve) throws {
        let card = try TangemCard(firmware: "6.33d", seed: 5, clock: clock)
        let sdk = sdk(card)
        let wallet = try sdk.createWallet(config: WalletConfig(curve: curve)).wallet
        let message = Array("a message that both see".utf8)
        let input = curve == .ed25519SLIP0010 ? message : SHA256.digest(message)
        let signature = try #require(
            try sdk.sign(hash: input, walletPublicKey: wallet.publicKey).signatures.first
        )
        let group: Curve = curve == .secp256k1 ? .secp256k1 : curve == .secp256r1 ? .secp256r1 : .ed25519
        let key = try PublicKey(wallet.publicKey, curve: group)
        let bytes =
            group == .ed25519 ? signature : try ECDSASignature(raw: signature, curve: group).der
        #expect(
            try OpenSSLCommand.verifies(bytes, of: input, isRaw: group == .ed25519, spki: key.spki)
        )
    }
}
