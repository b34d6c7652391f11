// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@Suite("Commands to the reader")
struct ReaderCommandTests {
    private final class ContactlessCard: Card {
        let atr: [UInt8] = [0x3B, 0x82, 0x80, 0x01, 0xAB, 0xCD, 0x65]
        let contactlessUID: [UInt8]? = [0x04, 1, 2, 3, 4, 5, 6]
        func powerOn() {}
        func powerOff() {}
        func respond(to command: [UInt8]) -> CardAnswer { CardAnswer([0x6E, 0x00]) }
    }

    @Test(
        "a contactless card's UID and historical bytes come from the reader",
        arguments: [
            ("FFCA000000", "040102030405069000"), ("FFCA000007", "040102030405069000"),
            ("FFCA000004", "6C07"), ("FFCA00000A", "040102030405066282"), ("FFCA010000", "ABCD9000"),
            ("FFCA020000", "6B00"), ("FFCA000100", "6B00"), ("FFCA0000", "6700"), ("FFB0000000", "6E00"),
            ("00CA000000", "6E00"), ("FF", "6E00"),
        ]
    )
    func contactless(_ command: String, _ answer: String) throws {
        let connection = InProcessConnection(card: ContactlessCard(), clock: ModelClock())
        #expect(try connection.transmit(HexText.bytes(command)).hex == answer)
    }

    @Test("a card without a UID gets the command itself")
    func contact() throws {
        let card = TestCard()
        let connection = InProcessConnection(card: card, clock: ModelClock())
        #expect(try connection.transmit([0xFF, 0xCA, 0, 0, 0]) == [0x6D, 0x00])
        #expect(card.received == ["FFCA000000"])
        let plain = ContactlessCard()
        #expect(ReaderCommand.answer(to: [0xFF, 0xCA, 1, 0, 0], of: card) == nil)
        #expect(ReaderCommand.answer(to: [], of: plain) == nil)
    }
}
