// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import SmartCard
import Testing

@Suite("Field cases at the waist")
struct FieldCaseTests {
    /// A reader with its card, and the record of what reached it.
    private func rig(_ item: FieldCase, deadline: Duration = .seconds(30)) throws -> (
        RecordingConnection, ModelClock
    ) {
        let card = try item.card()
        let clock = ModelClock()
        let connection = InProcessConnection(
            card: card,
            clock: clock,
            facts: item.facts(for: card),
            deadline: deadline
        )
        return (RecordingConnection(connection), clock)
    }

    @Test(
        "what a card announces is fetched, and a wrong Le is repeated once",
        arguments: try FieldCase.load("S01", "S02")
    )
    func following(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        try item.play(on: FollowingConnection(recorder), section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("with following off the first answer is the result", arguments: try FieldCase.load("S01", "S02"))
    func rawMode(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        let connection = FollowingConnection(recorder)
        connection.isFollowing = false
        if let section = item.expect["raw_mode"] {
            try item.play(on: connection, section: section)
        } else {
            for command in item.commands { _ = try connection.transmit(command) }
        }
        #expect(recorder.commands == item.commands.map(\.hex))
    }

    @Test("no warning makes the rig send anything", arguments: try FieldCase.load("S03"))
    func warnings(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        try item.play(on: FollowingConnection(recorder), section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("a raw script goes out line by line", arguments: try FieldCase.load("S04"))
    func rawScript(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        let connection = FollowingConnection(recorder)
        connection.isFollowing = item.expect["mode"] != "raw"
        try item.play(on: connection, section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("a command that is too long is chained", arguments: try FieldCase.load("S06"))
    func chaining(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        let connection = ChainingConnection(recorder, cardAcceptsChaining: try item.card().acceptsChaining)
        try item.play(on: connection, section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test(
        "a command that is too long and cannot be chained is refused unsent",
        arguments: try FieldCase.load("S06")
    )
    func noChaining(_ item: FieldCase) throws {
        guard let section = item.expect["without_chaining"] else { return }
        let (recorder, _) = try rig(item)
        let connection = ChainingConnection(recorder, cardAcceptsChaining: false)
        let fault = #expect(throws: TransportFault.self) { try connection.transmit(item.commands[0]) }
        let needs = try #require(section["error"]?["needs"]?.integer)
        let accepts = try #require(section["error"]?["accepts"]?.integer)
        #expect(fault?.kind == .limit)
        #expect(fault?.detail == "command needs \(needs) bytes, reader accepts \(accepts)")
        #expect(recorder.commands.isEmpty)
    }

    @Test("answers come whole, whatever Le asked for", arguments: try FieldCase.load("S07", "S08"))
    func lengths(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        try item.play(on: FollowingConnection(recorder), section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("256 bytes are the ones of the card")
    func fullBlock() throws {
        let item = try #require(try FieldCase.load("S07").first)
        let answer = try rig(item).0.transmit(item.commands[0])
        #expect(answer.dropLast(2).elementsEqual(0...255))
    }

    @Test(
        "an answer below two bytes is a fault, and the next exchange works",
        arguments: try FieldCase.load("S09")
    )
    func shortAnswers(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        try item.play(on: FollowingConnection(recorder), section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("a foreign reset is told apart, and the card answers after connecting anew")
    func foreignReset() throws {
        let item = try #require(try FieldCase.load("S12").first)
        let card = try item.card()
        let connection = InProcessConnection(card: card, clock: ModelClock())
        #expect(try connection.transmit(item.commands[0]) == [0x90, 0x00])
        #expect(try connection.transmit(item.commands[1]) == [0x90, 0x00])
        for _ in 1...2 {
            let fault = #expect(throws: TransportFault.self) { try connection.transmit(item.commands[2]) }
            #expect(fault?.kind == .cardReset)
            #expect(fault?.detail == "card was reset by somebody else")
        }
        try connection.reconnect()
        #expect(try connection.transmit(item.commands[2]).hex == "000A9000")
        // One power-on at the start, one by the other program, none by connecting anew.
        #expect(card.events == [.powerOn, .powerOff, .powerOn])
    }

    @Test("a reader that never answers costs the deadline on the clock")
    func mute() throws {
        let item = try #require(try FieldCase.load("S13").first)
        let deadline = try #require(item.expect["deadline_ms"]?.integer)
        let (recorder, clock) = try rig(item, deadline: .milliseconds(deadline))
        try item.play(on: recorder, section: item.expect)
        #expect(clock.now == .milliseconds(deadline))
    }

    @Test("9789 is a result of one exchange, for the device's own poll", arguments: try FieldCase.load("S25"))
    func securityDelay(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        try item.play(on: FollowingConnection(recorder), section: item.expect, pollWhile: "9789")
        #expect(try recorder.commands == item.wire(item.expect))
    }

    @Test("the remaining time that the card names comes through unchanged")
    func securityDelayTime() throws {
        let item = try #require(try FieldCase.load("S25").first)
        let (recorder, clock) = try rig(item)
        let answers = try (1...3).map { _ in try recorder.transmit(item.commands[0]).hex }
        #expect(answers == ["1C0205DC9789", "1C0203209789", "1C01649789"])
        #expect(clock.now == .milliseconds(150))
    }

    @Test("attempts stop at the floor", arguments: try FieldCase.load("S29"))
    func retryGuard(_ item: FieldCase) throws {
        let (recorder, _) = try rig(item)
        let connection = GuardedConnection(
            recorder,
            ledger: RetryLedger(),
            sample: "04A1B2C3",
            floor: item.expect["floor"]?.integer ?? 1
        )
        try item.play(on: connection, section: item.expect)
        #expect(try recorder.commands == item.wire(item.expect))
    }
}

/// How long the card works, how long the step waits and how long the reader does.
private struct LongOperation: CustomTestStringConvertible {
    let card: Int
    let step: Int
    var reader: Int?
    let fault: String?
    let passed: Int

    var testDescription: String { "card \(card) ms, step \(step) ms" }

    static let all = [
        // The field case S26: a good reader, and one that gives up by itself.
        LongOperation(card: 9000, step: 12_000, fault: nil, passed: 9000),
        LongOperation(
            card: 9000,
            step: 12_000,
            reader: 3000,
            fault: "reader timeout after 3.0 s, step allows 12 s",
            passed: 3000
        ),
        LongOperation(card: 450, step: 400, fault: "no answer in 400 ms", passed: 400),
        LongOperation(card: 12_000, step: 12_000, fault: nil, passed: 12_000),
        LongOperation(
            card: 2600,
            step: 5500,
            reader: 2500,
            fault: "reader timeout after 2.5 s, step allows 5.5 s",
            passed: 2500
        ),
        LongOperation(card: 2600, step: 2000, reader: 2500, fault: "no answer in 2000 ms", passed: 2000),
    ]
}

@Suite("Long operations")
struct LongOperationTests {
    @Test(
        "the deadline follows the step, and a reader that gives up first is named",
        arguments: LongOperation.all
    )
    private func longOperation(_ item: LongOperation) throws {
        let json = #"{"rules":[{"c":"80460000","r":"9000","delay_ms":\#(item.card)}]}"#
        let clock = ModelClock()
        let connection = InProcessConnection(
            card: try ScriptedCard(json: Array(json.utf8), name: "card.json"),
            clock: clock,
            readerPatience: item.reader.map { .milliseconds($0) }
        )
        connection.exchangeDeadline = .milliseconds(item.step)
        do throws(TransportFault) {
            #expect(try connection.transmit([0x80, 0x46, 0x00, 0x00]) == [0x90, 0x00])
            #expect(item.fault == nil)
        } catch {
            #expect(error.detail == item.fault)
            #expect(error.kind == (item.reader.map { $0 < item.step } == true ? .transport : .timeout))
        }
        #expect(clock.now == .milliseconds(item.passed))
    }
}
