// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

/// A card made of rules, on a connection that records.
private func scripted(
    _ rules: [(c: String, r: String)],
    facts: ConnectionFacts? = nil
) throws -> RecordingConnection {
    let list = rules.map { #"{"c":"\#($0.c)","r":"\#($0.r)"}"# }.joined(separator: ",")
    let card = try ScriptedCard(json: Array("{\"rules\":[\(list)]}".utf8), name: "card.json")
    return RecordingConnection(InProcessConnection(card: card, clock: ModelClock(), facts: facts))
}

@Suite("Following")
struct FollowingConnectionTests {
    @Test("9Fxx is fetched where that is asked for")
    func sim() throws {
        let recorder = try scripted([("A0A40000027F20", "9F03"), ("A0C0000003", "0102039000")])
        let connection = FollowingConnection(recorder)
        connection.follows9F = true
        #expect(try connection.transmit(HexText.bytes("A0A40000027F20")).hex == "0102039000")
    }

    @Test("a card that announces more for ever comes to an end")
    func endless() throws {
        let recorder = try scripted([("00CA0000", "6101"), ("00C0000001", "AA6101")])
        let answer = try FollowingConnection(recorder).transmit([0x00, 0xCA, 0x00, 0x00])
        #expect(recorder.commands.count == 1 + FollowingConnection.fetchLimit)
        #expect(answer.count == FollowingConnection.fetchLimit + 2)
        #expect(answer.suffix(2).hex == "6101")
    }

    @Test("6Cxx with data in front is shown as it is")
    func dataBefore6C() throws {
        let recorder = try scripted([("00B0000000", "AABB6C02")])
        #expect(try FollowingConnection(recorder).transmit(HexText.bytes("00B0000000")).hex == "AABB6C02")
        #expect(recorder.commands.count == 1)
    }

    @Test("bytes that are no command are not repeated")
    func malformed() throws {
        let recorder = try scripted([("00B00000050102", "6C02")])
        #expect(try FollowingConnection(recorder).transmit(HexText.bytes("00B00000050102")).hex == "6C02")
        #expect(recorder.commands.count == 1)
    }

    @Test("a fault in the middle is thrown")
    func faultInside() throws {
        let recorder = try scripted([("00CA0000", "AA6101"), ("00C0000001", "90")])
        #expect(fault(of: [0x00, 0xCA, 0x00, 0x00], on: FollowingConnection(recorder))?.kind == .transport)
    }

    @Test(
        "the class of GET RESPONSE",
        arguments: [
            ("00", "00"), ("10", "00"), ("03", "03"), ("50", "40"), ("80", "80"), ("90", "90"), ("A0", "A0"),
        ]
    )
    func fetchClass(_ cla: String, _ fetched: String) throws {
        let recorder = try scripted([(cla + "CA0000", "6101"), (fetched + "C0000001", "AA9000")])
        #expect(try FollowingConnection(recorder).transmit(HexText.bytes(cla + "CA0000")).hex == "AA9000")
    }

    @Test("everything else goes to the connection below")
    func passes() throws {
        let recorder = try scripted([])
        let connection = FollowingConnection(recorder)
        connection.exchangeDeadline = .seconds(7)
        #expect(recorder.exchangeDeadline == .seconds(7))
        try connection.reset(.warm)
        try connection.setField(.off)
        try connection.setField(.on)
        try connection.reconnect()
        connection.close()
        #expect(recorder.calls == ["reset warm", "field off", "field on", "reconnect", "close"])
        #expect(connection.facts == recorder.facts)
    }
}

@Suite("Chaining")
struct ChainingConnectionTests {
    private func shortReader(_ limit: Int = 261) -> ConnectionFacts {
        ConnectionFacts(
            readerName: "Short",
            atr: [],
            protocolName: "T=1",
            largestCommand: limit,
            largestResponse: 258
        )
    }

    @Test("a reader that passes extended length gets every command as it is")
    func untouched() throws {
        let recorder = try scripted([])
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        for command in ["00B00000000000", "00D6000000000101", "00B000", "00A4", "00", ""] {
            _ = try connection.transmit(HexText.bytes(command))
        }
        #expect(recorder.commands == ["00B00000000000", "00D6000000000101", "00B000", "00A4", "00", ""])
    }

    @Test("parts fit a reader with a small buffer, the one with the Le included")
    func smallBuffer() throws {
        let recorder = try scripted(
            [("10D60000020102", "9000"), ("10D60000020304", "9000"), ("00D60000010500", "9000")],
            facts: shortReader(8)
        )
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        #expect(try connection.transmit(HexText.bytes("00D6000005010203040500")).hex == "9000")
        #expect(recorder.commands == ["10D60000020102", "10D60000020304", "00D60000010500"])
    }

    @Test("more bytes than a short answer holds are refused with both numbers")
    func longAnswer() throws {
        let recorder = try scripted([], facts: shortReader())
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        let refused = fault(of: try HexText.bytes("00B00000000000"), on: connection)
        #expect(refused?.kind == .limit)
        #expect(refused?.detail == "command needs 7 bytes and asks for 65536, reader accepts 261 and 256")
        #expect(recorder.commands.isEmpty)
    }

    @Test("a class that cannot carry the chaining bit is refused unsent", arguments: [0xFF, 0x90] as [UInt8])
    func unmarkable(_ cla: UInt8) throws {
        let recorder = try scripted([], facts: shortReader())
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        let command = [cla, 0xDA, 0x01, 0x00, 0x00, 0x01, 0x2C] + [UInt8](repeating: 0, count: 300)
        #expect(fault(of: command, on: connection)?.detail == "command needs 307 bytes, reader accepts 261")
        #expect(recorder.commands.isEmpty)
    }

    @Test("bytes that are no command and too long are refused unsent")
    func malformed() throws {
        let recorder = try scripted([], facts: shortReader())
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        let command = [0x00, 0xDA, 0x01, 0x00, 0x05] + [UInt8](repeating: 0, count: 300)
        #expect(fault(of: command, on: connection)?.kind == .limit)
        #expect(recorder.commands.isEmpty)
    }

    @Test("the link breaking in a chain is thrown")
    func faultInside() throws {
        let recorder = try scripted([("10D60000020102", "")], facts: shortReader(7))
        let connection = ChainingConnection(recorder, cardAcceptsChaining: true)
        #expect(fault(of: try HexText.bytes("00D600000401020304"), on: connection)?.kind == .transport)
        #expect(recorder.commands.count == 1)
    }
}
