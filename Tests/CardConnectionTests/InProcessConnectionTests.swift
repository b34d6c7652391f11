// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@Suite("In-process connection")
struct InProcessConnectionTests {
    private let card = TestCard()
    private let clock = ModelClock()

    private func connect(facts: ConnectionFacts? = nil) -> InProcessConnection {
        InProcessConnection(card: card, clock: clock, facts: facts, deadline: .seconds(5))
    }

    @Test("lets the card's time pass and nothing more")
    func time() throws {
        let connection = connect()
        #expect(try connection.transmit(TestCommand.raise) == [0x01, 0x90, 0x00])
        #expect(try connection.transmit(TestCommand.raise) == [0x02, 0x90, 0x00])
        #expect(clock.now == .milliseconds(6))
    }

    @Test(
        "takes the protocol from the ATR",
        arguments: [
            ("3B020405", "T=0"), ("3B80800101", "T=1"), ("3B8180018080", "T=1"), ("3B", "T=0"), ("", "T=0"),
            ("3B80", "T=0"), ("3BF71100008131FE4565", "T=1"), ("3B8001", "T=1"),
        ]
    )
    func protocolOfATR(_ hex: String, _ name: String) throws {
        let other = TestCard(atr: try HexText.bytes(hex))
        #expect(InProcessConnection(card: other, clock: clock).facts.protocolName == name)
    }

    @Test("claims to pass and to switch everything unless told otherwise")
    func facts() {
        #expect(connect().facts.capabilities == [.extendedLength, .fieldControl, .fieldCut])
        #expect(connect().facts.atr == card.atr)
    }

    @Test("is lost after a timeout until it is made anew")
    func lost() throws {
        let connection = connect()
        _ = try connection.transmit(TestCommand.raise)
        let timeout = fault(of: TestCommand.mute, on: connection)
        #expect(timeout?.kind == .timeout)
        #expect(timeout?.detail == "no answer in 5000 ms")
        #expect(clock.now == .milliseconds(5003))
        let later = [
            fault(of: TestCommand.tell, on: connection),
            fault { () throws(TransportFault) in try connection.reset(.warm) },
            fault { () throws(TransportFault) in try connection.setField(.on) },
        ]
        for fault in later {
            #expect(fault?.kind == .transport)
            #expect(fault?.detail == "the connection is lost since an exchange got no answer")
        }
        try connection.reconnect()
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
    }

    @Test("knows that the card left until it is back", arguments: [true, false])
    func removed(_ byField: Bool) throws {
        let connection = connect()
        #expect(fault(of: TestCommand.leave, on: connection)?.kind == .cardRemoved)
        #expect(clock.now == .seconds(2))
        #expect(!card.isPowered)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardRemoved)
        if byField { try connection.setField(.on) } else { try connection.reconnect() }
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
        #expect(card.powerOns == 2)
    }

    @Test("a card that would leave after the deadline is a timeout")
    func removedTooLate() {
        let connection = connect()
        connection.exchangeDeadline = .milliseconds(1500)
        #expect(fault(of: TestCommand.leave, on: connection)?.detail == "no answer in 1500 ms")
        #expect(clock.now == .milliseconds(1500))
    }

    @Test("names a foreign reset once the card is asked again, and a reset of its own clears it")
    func foreignReset() throws {
        let connection = connect()
        _ = try connection.transmit(TestCommand.raise)
        #expect(try connection.transmit(TestCommand.foreignReset) == [0x90, 0x00])
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardReset)
        try connection.reset(.cold)
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
    }

    @Test("field off is no card, with the way out in the hint")
    func field() throws {
        let connection = connect()
        _ = try connection.transmit(TestCommand.raise)
        try connection.setField(.on)
        #expect(try connection.transmit(TestCommand.tell) == [0x01, 0x90, 0x00])
        try connection.setField(.off)
        #expect(!card.isPowered)
        let off = fault(of: TestCommand.tell, on: connection)
        #expect(off?.kind == .noCard)
        #expect(off?.description == "no card: the field is off; switch the field on first")
        #expect(fault { () throws(TransportFault) in try connection.reconnect() }?.kind == .noCard)
        try connection.setField(.on)
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
        #expect(card.powerOns == 2)
    }

    @Test("a reader without field control refuses")
    func noFieldControl() {
        let connection = connect(
            facts: ConnectionFacts(readerName: "Desk 00 00", atr: [], protocolName: "T=1")
        )
        let refused = fault { () throws(TransportFault) in try connection.setField(.off) }
        #expect(refused?.kind == .control)
        #expect(refused?.detail == "reader \"Desk 00 00\" cannot switch its field")
        #expect(card.isPowered)
    }

    @Test("both resets clear the card's memory", arguments: ResetKind.allCases)
    func reset(_ kind: ResetKind) throws {
        let connection = connect()
        _ = try connection.transmit(TestCommand.raise)
        try connection.reset(kind)
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
    }

    @Test("answers that are too short or too long are faults, and the link stays")
    func lengths() throws {
        let connection = connect(
            facts: ConnectionFacts(
                readerName: "Short",
                atr: [],
                protocolName: "T=1",
                largestCommand: 261,
                largestResponse: 258
            )
        )
        #expect(fault(of: TestCommand.short, on: connection)?.detail == "response too short (1 bytes)")
        let long = fault(of: TestCommand.long, on: connection)
        #expect(long?.kind == .limit)
        #expect(long?.detail == "answer has 300 bytes, reader passes 258")
        let received = card.received.count
        let command = fault(of: Array(repeating: 0x80, count: 262), on: connection)
        #expect(command?.kind == .limit)
        #expect(command?.detail == "command needs 262 bytes, reader accepts 261")
        #expect(card.received.count == received)
        #expect(try connection.transmit(TestCommand.tell) == [0x00, 0x90, 0x00])
    }

    @Test("close takes the power away, twice is fine, and nothing works afterwards")
    func close() {
        let connection = connect()
        connection.close()
        connection.close()
        #expect(!card.isPowered)
        #expect(fault(of: TestCommand.tell, on: connection)?.detail == "the connection is closed")
        #expect(fault { () throws(TransportFault) in try connection.reconnect() }?.kind == .transport)
    }
}
