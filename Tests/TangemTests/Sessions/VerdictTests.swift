// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

/// Good cards pass, and others do not.
@Suite("Verdicts of the library")
struct VerdictTests {
    private let clock = ModelClock()
    private let log = EventLog()

    private func sdk(
        _ firmware: String,
        _ options: [String: String] = [:],
        _ wrap: (InProcessConnection) -> any Connection = { $0 }
    ) throws -> TangemSDK {
        let usual = ["delay": "0s", "start": "loaded"]
        let card = try TangemCard(
            firmware: firmware,
            options: usual.merging(options) { $1 },
            seed: 5,
            clock: clock
        )
        let connection = wrap(InProcessConnection(card: card, clock: clock))
        return TangemSDK(connection: connection, delegate: log, clock: clock)
    }

    private func key(_ sdk: TangemSDK) throws -> [UInt8] {
        try #require(try sdk.readCard().wallets.first).publicKey
    }

    @Test("a command may wait for two delays", arguments: ["3.34d", "4.12r", "6.33d"])
    func twoDelays(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["delay": "60s", "wrong-codes-free": "0", "smart-delay": "no"])
        sdk.configuration.checksUserCodes = false
        let key = try key(sdk)
        let hash = [UInt8](repeating: 3, count: 32)
        sdk.configuration.passcode = UserCode("wrong")
        #expect(throws: TangemError.self) { try sdk.sign(hash: hash, walletPublicKey: key) }
        sdk.configuration.passcode = .standard(.passcode)
        #expect(try sdk.sign(hash: hash, walletPublicKey: key).areVerified == true)
        let totals = log.events.compactMap { event -> Int? in
            guard case .delay(_, let total) = event else { return nil }
            return total
        }
        #expect((60_000...61_000).contains(totals.last ?? 0))
    }

    @Test("a delay that grows for ever is not believed")
    func growingDelay() throws {
        let sdk = try sdk("6.33d", ["delay": "2s"]) { inner in
            var left: UInt8 = 1
            return AlteringConnection(inner, .sign) { _, _ in
                left = left < 250 ? left + 1 : left
                return (CardObjects([CardObject(.pause, [left])]), TangemStatus.needPause)
            }
        }
        sdk.configuration.delaySlack = .zero
        let key = try key(sdk)
        let error = try #require(throws: TangemError.self) {
            try sdk.sign(hash: [UInt8](repeating: 3, count: 32), walletPublicKey: key)
        }
        #expect(error.kind == .nfcTimeout)
    }

    @Test("issuer data without the issuer's signature are not the issuer's", arguments: ["2.11r", "4.12r"])
    func unsignedIssuerData(_ firmware: String) throws {
        let unsigned = try sdk(firmware) { inner in
            AlteringConnection(inner, .readIssuerData) { objects, _ in
                (CardObjects(objects.items.filter { $0.tag != .issuerDataSignature }), .success)
            }
        }
        #expect(try unsigned.readIssuerData().data.isEmpty)
        let id = try unsigned.readCard().id
        let signature = try SignatureCheck.sign(
            SignedMessage.issuerData(id, data: [1], counter: 1),
            with: PrivateKey(hex(TangemDevelopmentKeys.issuerData.privateKey), curve: .secp256k1)
        )
        try unsigned.writeIssuerData(issuerData: [1], issuerDataSignature: signature, issuerDataCounter: 1)
        let error = try #require(throws: TangemError.self) { try unsigned.readIssuerData() }
        #expect(error.kind == .verificationFailed)
    }

    @Test("a slot that comes twice is none of another wallet")
    func listBeginsAnew() throws {
        let sdk = try sdk("6.33d") { inner in
            BeginningAnew(inner)
        }
        let error = try #require(throws: TangemError.self) {
            for _ in 0..<20 { _ = try sdk.createWallet(config: WalletConfig(curve: .secp256k1)) }
        }
        #expect(error.kind == .deserializeApduFailed)
        #expect(error.detail.contains("twice"))
    }

    @Test("the key that signed is the derived one, whatever its path", arguments: ["4.45d", "6.33d"])
    func hardenedPath(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let key = try key(sdk)
        let hash = SHA256.digest([9])
        for path in ["m/44'/0'/0'/0/0", "m/0/1"] {
            let path = try DerivationPath(path)
            let derived = try sdk.deriveWalletPublicKey(walletPublicKey: key, derivationPath: path).publicKey
            let result = try sdk.sign(hash: hash, walletPublicKey: key, derivationPath: path)
            #expect(result.publicKey == derived && derived != key)
            #expect(result.areVerified == true)
        }
        sdk.configuration.handlesErrors = false
        let hardened = try DerivationPath("m/1'")
        let unknown = try sdk.sign(hash: hash, walletPublicKey: key, derivationPath: hardened)
        #expect(unknown.publicKey == nil && unknown.areVerified == nil)
    }

    @Test("a code that the card says it kept is not taken for changed", arguments: ["3.34d", "6.33d"])
    func keptCode(_ firmware: String) throws {
        let sdk = try sdk(firmware) { inner in
            AlteringConnection(inner, .setPIN) { objects, _ in (objects, .success) }
        }
        sdk.configuration.checksUserCodes = false
        let session = try sdk.startSession()
        let old = session.accessCode
        let error = try #require(throws: TangemError.self) { try session.setCodes(accessCode: "1234") }
        #expect(error.sw == .success && error.detail.contains("the access code did not change"))
        #expect(session.accessCode == old)
    }

    @Test("a wallet that the card does not confirm is not verified")
    func unconfirmed() throws {
        func outcome(
            without tags: Set<TangemTag>,
            _ confirmation: AttestWalletKeyCommand.Confirmation,
            _ firmware: String = "3.34d"
        ) throws -> CardAttestation.Outcome {
            let sdk = try sdk(firmware) { inner in
                AlteringConnection(inner, .attestWalletKey) { objects, _ in
                    (CardObjects(objects.items.filter { !tags.contains($0.tag) }), .success)
                }
            }
            let key = try key(sdk)
            return try sdk.withSession { session throws(TangemError) in
                try session.attestWallet(publicKey: key, confirmation: confirmation)
            }
        }
        let none: Set<TangemTag> = [.cardSignature, .publicKeySalt, .status]
        #expect(try outcome(without: [], .dynamic) == .verified)
        #expect(try outcome(without: [], .constant) == .verified)
        #expect(try outcome(without: [], .omitted) == .verified)
        #expect(try outcome(without: none, .omitted) == .verified)
        #expect(try outcome(without: none, .dynamic) == .unverifiable)
        #expect(try outcome(without: none, .constant) == .unverifiable)
        // The constant signature in the place of the dynamic one.
        let replayed = try sdk("6.33d") { inner in WithoutKeyChallenge(inner) }
        #expect(try replayed.scanCard().attestation.wallets == [0: .unverifiable])
    }

    @Test("a card whose only wallet was purged for good says so", arguments: ["2.11r", "3.34d"])
    func purged(_ firmware: String) throws {
        let sdk = try sdk(firmware, ["settings": "00007E20"])
        let key = try key(sdk)
        try sdk.purgeWallet(walletPublicKey: key)
        let error = try #require(throws: TangemError.self) {
            try sdk.sign(hash: [UInt8](repeating: 1, count: 32), walletPublicKey: key)
        }
        #expect(error.kind == .walletIsPurged)
    }

    @Test("a private file is passed over by those who did not ask for it", arguments: ["4.12r", "6.33d"])
    func privateFiles(_ firmware: String) throws {
        let sdk = try sdk(firmware)
        let rights = [true, false, true].map { FileSettings(isPublic: $0, isPermanent: false) }
        _ = try sdk.writeFiles(rights.enumerated().map { NewFile(data: [UInt8($0)], settings: $1) })
        #expect(try sdk.readFiles().map(\.data) == [[0], [2]])
        #expect(try sdk.readFiles(readsPrivateFiles: true).map(\.data) == [[0], [1], [2]])
        #expect(log.requests.isEmpty)
        try sdk.deleteFiles(indices: [0, 2])
        #expect(throws: TangemError.self) { try sdk.readFiles() }
    }

    @Test("a scan that only reads tries no code, and another value is not a wrong passcode")
    func codes() throws {
        let old = try sdk("3.34d", ["passcode": UserCode("own").digest.hex])
        old.configuration.attestation = .none
        #expect(try old.scanCard().isPasscodeDefault == nil)
        old.configuration.attestation = .card
        #expect(try old.scanCard().isPasscodeDefault == false)
        let new = try sdk("6.33d", ["passcode": UserCode("own").digest.hex, "hash-lengths": "32"])
        new.configuration.passcode = UserCode("own")
        let key = try key(new)
        let error = try #require(throws: TangemError.self) {
            try new.sign(hash: [1, 2], walletPublicKey: key)
        }
        #expect(error.kind == .invalidParams)
    }
}

/// A card that begins its list of wallets anew with each part.
private final class BeginningAnew: ConnectionShell {
    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        try inner.transmit(without(.walletIndex, command, .read))
    }
}

/// A card that does not see the host's challenge to its key.
private final class WithoutKeyChallenge: ConnectionShell {
    override func answer(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        try inner.transmit(without(.publicKeyChallenge, command, .attestWalletKey, isEmptied: true))
    }
}

/// A command without an object, or with an empty one.
private func without(
    _ tag: TangemTag,
    _ command: [UInt8],
    _ instruction: TangemInstruction,
    isEmptied: Bool = false
) -> [UInt8] {
    guard let apdu = try? CommandAPDU(bytes: command), apdu.ins == instruction.rawValue,
        let objects = try? CardObjects(parsing: apdu.data)
    else { return command }
    let items = objects.items.compactMap { object in
        object.tag != tag ? object : isEmptied ? CardObject(tag, []) : nil
    }
    return (try? CommandFrame(instruction, body: CardObjects(items).bytes).bytes) ?? command
}
