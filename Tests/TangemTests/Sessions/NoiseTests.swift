// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants
import TangemEmulator
import Testing

@testable import Tangem

@Suite("Against noise")
struct NoiseTests {
    /// Every function of a session that talks to the card.
    private static let operations: [@Sendable (CardSession, [UInt8]) throws -> Void] = [
        { session, _ in _ = try session.scan() },
        { session, _ in _ = try session.readAgain() },
        { session, key in _ = try session.sign(hashes: [[1, 2, 3], [4, 5, 6]], walletPublicKey: key) },
        { session, _ in _ = try session.createWallet(config: WalletConfig(curve: .secp256k1)) },
        { session, key in try session.purgeWallet(walletPublicKey: key) },
        { session, _ in _ = try session.readIssuerData() },
        { session, _ in _ = try session.readIssuerExtraData() },
        { session, _ in _ = try session.readUserData() },
        { session, _ in _ = try session.readFiles() },
        { session, _ in _ = try session.writeFiles([NewFile(data: [1, 2, 3])]) },
        { session, _ in try session.deleteFiles() },
        { session, _ in _ = try session.setCodes(accessCode: "access") },
        { session, _ in _ = try session.entropy() },
        { session, _ in _ = try session.run(AuthorizeCommand.getToken) },
        { session, _ in _ = try session.run(GenerateOTPCommand()) },
        { session, _ in _ = try session.run(StartPrimaryCardLinkingCommand()) },
        { session, _ in _ = try session.run(ReadBackupDataCommand(backupLinkingKey: [1], walletIndex: 0)) },
        { session, _ in _ = try session.run(BackupResetCommand()) },
        { session, key in
            _ = try session.deriveKey(walletPublicKey: key, path: DerivationPath([0, 1]))
        },
    ]

    @Test("no answer of any kind is more than an error", arguments: 0..<40)
    func noise(_ seed: UInt64) throws {
        let record = try SampleCard.objects(
            firmware: ["2.11r", "3.34d SDK", "4.12r", "6.33d SDK"][Int(seed) % 4]
        )
        let wallets = try Self.walletList()
        for (number, operation) in Self.operations.enumerated() {
            var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
            let answers = (0..<64).map { _ in Self.answer(&generator, record) }
            let card = FakeCard { command, number in
                if number < 2, command.ins == TangemInstruction.read.rawValue {
                    return .objects(number == 0 ? record : wallets)
                }
                return answers[number % answers.count]
            }
            let clock = ModelClock()
            var configuration = SessionConfiguration()
            configuration.handlesErrors = seed % 2 == 0
            configuration.delayPolls = 20
            configuration.reconnections = 2
            let sdk = TangemSDK(
                connection: InProcessConnection(card: card, clock: clock),
                configuration: configuration,
                clock: clock
            )
            do {
                let session = try sdk.startSession()
                let key = session.card?.wallets.first?.publicKey ?? []
                try operation(session, key)
            } catch let error as TangemError {
                #expect(!error.description.isEmpty)
            }
            #expect(card.wire.count < 1000)
        }
    }

    private static func walletList() throws -> CardObjects {
        let key = try Vector.named("emulator-key-wallet").expected.hex("publicKey")
        let wallet = CardObjects([
            CardObject(.status, [2]), CardObject(.walletPublicKey, key),
            CardObject(.curve, Array("secp256k1".utf8)), CardObject(.walletIndex, [0]),
        ])
        let empty = CardObjects([CardObject(.status, [1]), CardObject(.walletIndex, [1])])
        return CardObjects([
            CardObject(.cardID, try hex(SampleCard.id)), CardObject(.cardWallet, wallet.bytes),
            CardObject(.cardWallet, empty.bytes), CardObject(.cardWallet, empty.bytes),
        ])
    }

    private static func answer(_ generator: inout SeededGenerator, _ record: CardObjects) -> CardAnswer {
        let words = [0x9000, 0x9000, 0x9000, 0x9789, 0x6A86, 0x6982, 0x6AF1, 0x6985, 0x6A82, 0x1234]
        let word = words[Int.random(in: 0..<words.count, using: &generator)]
        var data: [UInt8]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: data = generator.bytes(Int.random(in: 0..<80, using: &generator))
        case 1:
            data = record.bytes
            if !data.isEmpty {
                data[Int.random(in: 0..<data.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
        case 2: data = Array(record.bytes.prefix(Int.random(in: 0..<200, using: &generator)))
        default:
            // Tags that belong somewhere, with values that do not.
            var objects = CardObjects([CardObject(.cardID, (try? hex(SampleCard.id)) ?? [])])
            for _ in 0..<12 {
                let tag = TangemTag.all[Int.random(in: 0..<TangemTag.all.count, using: &generator)]
                objects.add(tag, generator.bytes(Int.random(in: 0..<12, using: &generator)))
            }
            data = objects.bytes
        }
        let ending: CardAnswer.Ending = Int.random(in: 0..<12, using: &generator) == 0 ? .removed : .answered
        return CardAnswer(
            data + [UInt8(word >> 8), UInt8(word & 0xFF)],
            time: .milliseconds(Int.random(in: 0..<2000, using: &generator)),
            ending: ending
        )
    }

    @Test("no bytes are more than a refused list, packet, path or key")
    func parsers() throws {
        var generator = SeededGenerator(seed: 99)
        let cipher = try SessionCipher(encryption: .fast, key: [UInt8](repeating: 1, count: 32))
        for _ in 0..<800 {
            let bytes = generator.bytes(Int.random(in: 0..<200, using: &generator))
            if let objects = try? CardObjects(parsing: bytes) {
                #expect(try CardObjects(parsing: objects.bytes) == objects)
                _ = TangemDictionary.lines(of: objects)
            }
            _ = try? cipher.decrypt(bytes)
            _ = try? DerivationPath(value: bytes)
            _ = try? SLIXMemory([0x03] + bytes)
            _ = try? NamedFile(bytes)
            _ = try? Mnemonic(entropy: bytes)
            _ = CardDate(bytes)
            _ = CardFirmware(String(decoding: bytes, as: UTF8.self))
            _ = try? DerivationPath(String(decoding: bytes, as: UTF8.self))
            _ = try? ExtendedKey(String(decoding: bytes, as: UTF8.self))
            for curve in TangemCurve.allCases {
                _ = SignatureCheck.isValid(
                    Array(bytes.prefix(64)),
                    message: bytes,
                    key: Array(bytes.suffix(33)),
                    curve: curve
                )
            }
        }
    }
}
