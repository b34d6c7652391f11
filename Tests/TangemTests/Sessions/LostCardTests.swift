// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants
import Testing

@Suite("Lost cards")
struct LostCardTests {
    private let clock = ModelClock()
    private let log = EventLog()
    private let command = WriteFileCommand.block(index: 0, offset: 0, data: [1])
    private static let other = "BB03000000000004"

    /// A card before 4.0 that answers READ, and everything else as the closure says.
    private func card(_ id: String = SampleCard.id, _ answer: @escaping FakeCard.Answer) throws -> FakeCard {
        let record = try SampleCard.objects(firmware: "3.34d SDK", id: id, wallets: 1)
        return FakeCard { command, number in
            command.ins == TangemInstruction.read.rawValue ? .objects(record) : answer(command, number)
        }
    }

    private static let done: FakeCard.Answer = { _, _ in
        .objects(CardObjects([CardObject(.cardID, [0xCB, 0x79, 0, 0, 0, 0x01, 0x82, 0x01])]))
    }
    private static let gone: FakeCard.Answer = { _, _ in CardAnswer([], ending: .removed) }
    private static let refused: FakeCard.Answer = { _, _ in .sw(TangemStatus.invalidParameters) }

    private func tray(_ cards: FakeCard...) -> CardTray {
        CardTray(cards.map { InProcessConnection(card: $0, clock: clock) })
    }

    private func sdk(
        _ reader: any CardReader,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> TangemSDK {
        var configuration = SessionConfiguration()
        change(&configuration)
        return TangemSDK(reader: reader, delegate: log, configuration: configuration, clock: clock)
    }

    private func wrong(_ id: String?) throws -> SessionEvent {
        .wrongCard(found: try id.map { try CardID($0) }, wanted: try CardID(SampleCard.id))
    }

    @Test("a card whose answer did not come is one that was lost", arguments: [0, 1])
    func noAnswer(_ count: Int) throws {
        let card = try card { command, number in
            number < 3
                ? CardAnswer([UInt8](repeating: 0x90, count: count)) : Self.done(command, number)
        }
        #expect(throws: Never.self) { try sdk(tray(card)).run(command) }
        #expect(log.events.filter { $0 == .tagLost }.count == 1)
        let error = try #require(throws: TangemError.self) {
            try sdk(tray(try self.card { _, _ in CardAnswer([]) })) { $0.reconnections = 0 }.run(command)
        }
        #expect(error.fault?.kind == .transport)
    }

    @Test("another card gets nothing but READ, and the command goes on with the right one")
    func otherCard() throws {
        let first = try card(SampleCard.id, Self.gone)
        let other = try card(Self.other, Self.refused)
        let last = try card(SampleCard.id, Self.done)
        #expect(throws: Never.self) { try sdk(tray(first, other, last)).run(command) }
        #expect(other.instructions == [TangemInstruction.read.rawValue])
        #expect(last.instructions == [TangemInstruction.read.rawValue, first.wire[1][1]])
        #expect(last.wire.last == first.wire.last)
        #expect(log.events.filter { $0 == (try? wrong(Self.other)) }.count == 1)
    }

    @Test("a card that cannot be read is another one")
    func unreadable() throws {
        let locked = FakeCard { _, _ in .sw(TangemStatus.invalidAccessCode) }
        let blank = FakeCard { _, _ in .objects(CardObjects([CardObject(.status, [0])])) }
        let last = try card(SampleCard.id, Self.done)
        let cards = tray(try card(SampleCard.id, Self.gone), locked, blank, last)
        #expect(throws: Never.self) { try sdk(cards).run(command) }
        #expect(log.events.filter { $0 == (try? wrong(nil)) }.count == 2)
        #expect(log.requests.isEmpty)
        let text = SessionTexts().line(try wrong(nil))
        #expect(text == "This is another card; put card \(SampleCard.id) on the reader.")
    }

    @Test("nobody waits for the right card beyond the time for it")
    func timeIsOver() throws {
        let cards = tray(try card(SampleCard.id, Self.gone), try card(Self.other, Self.refused))
        let error = try #require(throws: TangemError.self) { try sdk(cards).run(command) }
        #expect(error.kind == .wrongCardNumber)
        #expect(error.detail.contains("did not come within 60 s"))
        let none = tray(try card(SampleCard.id, Self.gone), try card(Self.other, Self.refused))
        let atOnce = try #require(throws: TangemError.self) {
            try sdk(none) { $0.cardTimeout = .zero }.run(command)
        }
        #expect(atOnce.detail == "\(Self.other) lies there, not \(SampleCard.id)")
        log.wrongCardReply = .cancel
        let third = tray(try card(SampleCard.id, Self.gone), try card(Self.other, Self.refused))
        let cancelled = try #require(throws: TangemError.self) { try sdk(third).run(command) }
        #expect(cancelled.kind == .userCancelled)
    }

    @Test("a reader without a card is looked at until the right one comes")
    func emptyReader() throws {
        let cards = tray(try card(Self.other, Self.refused), try card(SampleCard.id, Self.done))
        cards.emptyLooks = 3
        #expect(try sdk(cards).readCard(cardId: SampleCard.id).id.description == SampleCard.id)
        let lost = tray(try card(SampleCard.id, Self.gone), try card(SampleCard.id, Self.done))
        lost.emptyLooks = 3
        #expect(throws: Never.self) { try sdk(lost).run(command) }
        let never = tray(try card(SampleCard.id, Self.gone))
        never.emptyLooks = 1000
        let error = try #require(throws: TangemError.self) { try sdk(never).run(command) }
        #expect(error.fault?.kind == .noCard)
    }

    @Test("a tag that is dropped in a delay must have the same UID afterwards")
    func flash() throws {
        let notice = CardAnswer([0x1C, 0x01, 0x64, 0x28, 0x00, 0x97, 0x89])
        let first = UIDConnection(
            InProcessConnection(card: try card { _, _ in notice }, clock: clock),
            uid: [1, 2, 3, 4]
        )
        let foreign = try card(Self.other, Self.refused)
        let second = UIDConnection(InProcessConnection(card: foreign, clock: clock), uid: [5, 6, 7, 8])
        let again = UIDConnection(InProcessConnection(card: foreign, clock: clock), uid: [5, 6, 7, 8])
        let same = try card(SampleCard.id, Self.done)
        let third = UIDConnection(InProcessConnection(card: same, clock: clock), uid: [1, 2, 3, 4])
        #expect(throws: Never.self) { try sdk(CardTray([first, second, again, third])).run(command) }
        #expect(foreign.instructions == [TangemInstruction.read.rawValue])
        // Its UID says enough: a READ might cost the delay that it keeps.
        #expect(same.wire.count == 1)
    }
}
