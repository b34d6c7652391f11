// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import SmartCard
import Tangem
import TangemConstants
import Testing

/// The functions over a card of the vendor's samples: it has its wallets, takes every command, and remembers each.
struct VendorCard {
    typealias Answer = @Sendable (_ instruction: TangemInstruction, _ objects: CardObjects) -> CardAnswer?

    /// The identifier of the vendor's samples.
    static let id = "C000111122223333"

    let card: FakeCard
    let sdk: TangemSDK

    /// - Parameters:
    ///   - firmware: The firmware of ``SampleCard``'s record.
    ///   - record: What READ tells of the card; that of ``SampleCard`` when left out.
    ///   - wallets: The wallet records, one for each slot.
    ///   - configuration: How the session behaves.
    ///   - answer: Answers a command; nil takes it and says no more than the card's identifier.
    /// - Throws: What is wrong with the bytes that are put together.
    init(
        firmware: String = "4.12r",
        record: CardObjects? = nil,
        wallets: [CardObjects] = [],
        configuration: SessionConfiguration = SessionConfiguration(),
        _ answer: @escaping Answer = { _, _ in nil }
    ) throws {
        let id = try hex(Self.id)
        let slots = wallets.isEmpty ? [Self.emptySlot(0)] : wallets
        let isLoaded = !wallets.isEmpty
        let known = try SampleCard.objects(
            firmware: firmware,
            id: Self.id,
            wallets: slots.count,
            status: isLoaded ? TangemCardStatus.loaded : TangemCardStatus.empty
        )
        let read = record ?? known
        let owner = read[.cardID] ?? id
        card = FakeCard { command, _ in
            let instruction = TangemInstruction(rawValue: command.ins)
            guard let objects = try? CardObjects(parsing: command.data) else { return .sw(.success) }
            if instruction == .read, objects[.interactionMode] == [TangemMode.readCard] {
                return .objects(read)
            }
            if instruction == .read, objects[.interactionMode] == [TangemMode.readWalletsList] {
                var list = CardObjects([CardObject(.cardID, owner)])
                for slot in slots { list.add(.cardWallet, list: slot) }
                return .objects(list)
            }
            return answer(instruction, objects) ?? .objects(CardObjects([CardObject(.cardID, owner)]))
        }
        sdk = TangemSDK(card, clock: ModelClock(), log: EventLog()) { $0 = configuration }
    }

    /// The objects of all commands of one instruction, in order.
    func sent(_ instruction: TangemInstruction) throws -> [CardObjects] {
        try card.wire.map { try CommandAPDU(bytes: $0) }.filter { $0.ins == instruction.rawValue }
            .map { try CardObjects(parsing: $0.data) }
    }

    /// The objects of the only command of an instruction.
    func only(_ instruction: TangemInstruction) throws -> CardObjects {
        let all = try sent(instruction)
        try #require(all.count == 1)
        return all[0]
    }

    /// An answer of the card.
    static func answer(_ objects: [CardObject], _ sw: StatusWord = .success) throws -> CardAnswer {
        .objects(CardObjects([CardObject(.cardID, try hex(id))] + objects), sw)
    }

    /// The record of a slot without a wallet.
    static func emptySlot(_ index: UInt8) -> CardObjects {
        CardObjects([CardObject(.status, [TangemWalletStatus.empty]), CardObject(.walletIndex, [index])])
    }

    /// The record of a wallet.
    static func wallet(
        _ key: [UInt8],
        _ curve: TangemCurve,
        index: UInt8,
        settings: UInt8 = 0x01,
        signedHashes: UInt8 = 0
    ) -> CardObjects {
        var wallet = CardObjects([
            CardObject(.status, [TangemWalletStatus.loaded]), CardObject(.walletIndex, [index]),
            CardObject(.walletPublicKey, key), CardObject(.settingsMask, [0, 0, 0, settings]),
            CardObject(.walletSignedHashes, [0, 0, 0, signedHashes]),
        ])
        wallet.add(.curve, text: curve.rawValue)
        return wallet
    }
}
