// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@Suite("Fault interposer")
struct FaultInterposerTests {
    private let card = TestCard()
    private let clock = ModelClock()

    /// An armed interposer in a step "first" of the verb `nbt.write`.
    private func interposer(
        _ faults: InjectedFault...,
        capabilities: Set<Capability> = [.fieldControl, .fieldCut]
    ) -> (FaultInterposer, RecordingConnection) {
        let facts = ConnectionFacts(
            readerName: "Test",
            atr: card.atr,
            protocolName: "T=1",
            capabilities: capabilities
        )
        let recorder = RecordingConnection(
            InProcessConnection(card: card, clock: clock, facts: facts, deadline: .seconds(5))
        )
        let interposer = FaultInterposer(recorder, clock: clock, faults: faults)
        interposer.isArmed = true
        interposer.beginStep(name: "first", verb: "nbt.write")
        return (interposer, recorder)
    }

    private func counter(_ connection: any Connection) throws -> UInt8 {
        try connection.transmit(TestCommand.tell)[0]
    }

    // MARK: Where

    @Test("strikes the exchange with the number, counted over armed exchanges only")
    func exchangeNumber() throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(2), when: .before, kind: .sw(StatusWord(rawValue: 0x6F00)))
        )
        connection.isArmed = false
        for _ in 1...3 { _ = try connection.transmit(TestCommand.tell) }
        connection.isArmed = true
        #expect(try connection.transmit(TestCommand.raise).hex == "019000")
        #expect(connection.unstruckFaults.count == 1)
        #expect(try connection.transmit(TestCommand.raise).hex == "6F00")
        #expect(try connection.transmit(TestCommand.raise).hex == "029000")
        #expect(connection.exchangeCount == 3)
        #expect(connection.unstruckFaults.isEmpty)
    }

    @Test(
        "strikes the step with the name or the verb",
        arguments: [
            InjectedFault.Trigger.step("second"), .verb("read"), .verb("nbt.read"), .word("second"),
            .word("read"),
        ]
    )
    func step(_ trigger: InjectedFault.Trigger) throws {
        let (connection, _) = interposer(
            InjectedFault(at: trigger, when: .before, kind: .sw(StatusWord(rawValue: 0x6F00)))
        )
        #expect(try connection.transmit(TestCommand.tell).hex == "009000")
        connection.beginStep(name: "second", verb: "nbt.read")
        #expect(try connection.transmit(TestCommand.tell).hex == "6F00")
        #expect(try connection.transmit(TestCommand.tell).hex == "009000")
    }

    @Test("a word that only ends like the verb does not match", arguments: ["ad", "overread", "tangem.read"])
    func otherVerb(_ word: String) throws {
        let (connection, _) = interposer(InjectedFault(at: .verb(word), when: .before, kind: .remove))
        connection.beginStep(name: nil, verb: "nbt.read")
        #expect(try connection.transmit(TestCommand.tell).hex == "009000")
        #expect(connection.unstruckFaults.count == 1)
    }

    @Test("strikes as many exchanges as asked, so that a repeat fails too")
    func times() throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(1), when: .before, kind: .sw(StatusWord(rawValue: 0x6F00)), times: 2)
        )
        #expect(try connection.transmit(TestCommand.tell).hex == "6F00")
        #expect(try connection.transmit(TestCommand.tell).hex == "6F00")
        #expect(try connection.transmit(TestCommand.tell).hex == "009000")
    }

    @Test("takes a fault that comes with a step")
    func added() throws {
        let (connection, _) = interposer()
        connection.add(InjectedFault(at: .step("first"), when: .afterAnswerLost, kind: .mute))
        #expect(fault(of: TestCommand.raise, on: connection)?.kind == .timeout)
    }

    // MARK: Removal

    @Test(
        "before: the card is gone and never saw the command",
        arguments: [InjectedFault.Kind.remove, .powerLoss]
    )
    func removedBefore(_ kind: InjectedFault.Kind) throws {
        let (connection, recorder) = interposer(InjectedFault(at: .exchange(2), when: .before, kind: kind))
        _ = try connection.transmit(TestCommand.raise)
        #expect(fault(of: TestCommand.raise, on: connection)?.kind == .cardRemoved)
        #expect(recorder.commands.count == 1)
        #expect(!card.isPowered)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardRemoved)
        #expect(fault { () throws(TransportFault) in try connection.reset(.warm) }?.kind == .cardRemoved)
        try connection.reconnect()
        #expect(try counter(connection) == 0)
    }

    @Test(
        "after the answer was lost: the card did it, and field on brings it back",
        arguments: [true, false]
    )
    func removedAfter(_ byField: Bool) throws {
        let (connection, recorder) = interposer(
            InjectedFault(at: .exchange(1), when: .afterAnswerLost, kind: .remove)
        )
        #expect(fault(of: TestCommand.raise, on: connection)?.detail == "the card left the reader")
        #expect(recorder.commands.count == 1)
        if byField { try connection.setField(.on) } else { try connection.reconnect() }
        #expect(try counter(connection) == 0)
    }

    @Test("field off after a removal is field off")
    func fieldOffAfterRemoval() throws {
        let (connection, _) = interposer(InjectedFault(at: .exchange(1), when: .before, kind: .remove))
        #expect(fault(of: TestCommand.raise, on: connection)?.kind == .cardRemoved)
        try connection.setField(.off)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .noCard)
        try connection.setField(.on)
        #expect(try counter(connection) == 0)
    }

    @Test("a reader that cannot switch its field clears the card by a cold reset")
    func removedWithoutFieldControl() throws {
        let (connection, recorder) = interposer(
            InjectedFault(at: .exchange(2), when: .before, kind: .remove),
            capabilities: []
        )
        _ = try connection.transmit(TestCommand.raise)
        #expect(fault(of: TestCommand.raise, on: connection)?.kind == .cardRemoved)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardRemoved)
        try connection.reconnect()
        #expect(recorder.calls == ["reconnect", "reset cold"])
        #expect(try counter(connection) == 0)
    }

    @Test("during: the hook is told, the card has the command, and its power goes")
    func cut() throws {
        let (connection, recorder) = interposer(
            InjectedFault(at: .exchange(1), when: .during, kind: .powerLoss)
        )
        var told: [String] = []
        connection.onCut = { command in told.append("\(command.hex) after \(recorder.commands.count)") }
        let lost = fault(of: TestCommand.raise, on: connection)
        #expect(lost?.kind == .cardRemoved)
        #expect(lost?.detail == "the card lost its power")
        #expect(told == ["80010000 after 0"])
        #expect(recorder.commands == ["80010000"])
        #expect(!card.isPowered)
        try connection.setField(.on)
        #expect(try counter(connection) == 0)
    }

    @Test("during: a card that goes silent at the cut does not spoil the recovery")
    func cutOfSilentCard() throws {
        let (connection, _) = interposer(InjectedFault(at: .exchange(1), when: .during, kind: .remove))
        #expect(fault(of: TestCommand.mute, on: connection)?.kind == .cardRemoved)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardRemoved)
        try connection.setField(.on)
        #expect(try counter(connection) == 0)
    }

    @Test(
        "during is refused where the field cannot be cut",
        arguments: [InjectedFault.Kind.remove, .powerLoss, .reset]
    )
    func noCut(_ kind: InjectedFault.Kind) throws {
        let (connection, recorder) = interposer(
            InjectedFault(at: .exchange(1), when: .during, kind: kind),
            capabilities: [.fieldControl]
        )
        let refused = fault(of: TestCommand.raise, on: connection)
        #expect(refused?.kind == .control)
        #expect(refused?.detail == "reader \"Test\" cannot cut the field in the middle of an exchange")
        #expect(recorder.commands.isEmpty)
        #expect(try counter(connection) == 0)
    }

    @Test("a fault says whether it needs a field that can be cut")
    func needsFieldCut() {
        #expect(InjectedFault(at: .exchange(1), when: .during, kind: .remove).needsFieldCut)
        #expect(!InjectedFault(at: .exchange(1), when: .before, kind: .remove).needsFieldCut)
        #expect(!InjectedFault(at: .exchange(1), when: .during, kind: .mute).needsFieldCut)
    }

    // MARK: Reset

    @Test("somebody else's reset sticks until connected anew", arguments: InjectedFault.Moment.allCases)
    func reset(_ moment: InjectedFault.Moment) throws {
        let (connection, recorder) = interposer(InjectedFault(at: .exchange(2), when: moment, kind: .reset))
        _ = try connection.transmit(TestCommand.raise)
        #expect(fault(of: TestCommand.raise, on: connection)?.detail == "card was reset by somebody else")
        #expect(recorder.commands.count == (moment == .before ? 1 : 2))
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .cardReset)
        try connection.reconnect()
        #expect(try counter(connection) == 0)
    }

    // MARK: Silence and delay

    @Test("mute costs the deadline, and the connection is lost", arguments: InjectedFault.Moment.allCases)
    func mute(_ moment: InjectedFault.Moment) throws {
        let (connection, recorder) = interposer(InjectedFault(at: .exchange(1), when: moment, kind: .mute))
        let silence = fault(of: TestCommand.raise, on: connection)
        #expect(silence?.kind == .timeout)
        #expect(silence?.detail == "no answer in 5000 ms")
        #expect(clock.now == .seconds(5))
        #expect(recorder.commands.count == (moment == .before ? 0 : 1))
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .transport)
        #expect(fault { () throws(TransportFault) in try connection.setField(.on) }?.kind == .transport)
        try connection.reconnect()
        #expect(try counter(connection) == 0)
    }

    @Test("a delay passes on the clock", arguments: InjectedFault.Moment.allCases)
    func delay(_ moment: InjectedFault.Moment) throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(1), when: moment, kind: .delay(.milliseconds(400)))
        )
        #expect(try connection.transmit(TestCommand.raise).hex == "019000")
        #expect(clock.now == .milliseconds(403))
    }

    @Test("a delay past the deadline is a timeout", arguments: InjectedFault.Moment.allCases)
    func longDelay(_ moment: InjectedFault.Moment) throws {
        let (connection, recorder) = interposer(
            InjectedFault(at: .exchange(1), when: moment, kind: .delay(.seconds(9)))
        )
        #expect(fault(of: TestCommand.raise, on: connection)?.detail == "no answer in 5000 ms")
        #expect(clock.now == .seconds(5))
        #expect(recorder.commands.count == (moment == .before ? 0 : 1))
        #expect(fault(of: TestCommand.raise, on: connection)?.kind == .transport)
    }

    // MARK: Answers

    @Test("a status word stands in for the answer", arguments: InjectedFault.Moment.allCases)
    func statusWord(_ moment: InjectedFault.Moment) throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(1), when: moment, kind: .sw(StatusWord(rawValue: 0x6581)))
        )
        #expect(try connection.transmit(TestCommand.raise).hex == "6581")
        #expect(try counter(connection) == (moment == .before ? 0 : 1))
    }

    @Test(
        "a cut answer is an answer from two bytes on",
        arguments: [(3, "019000"), (2, "0190"), (1, nil), (0, nil)]
    )
    func truncate(_ count: Int, _ answer: String?) throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(1), when: .during, kind: .truncate(count))
        )
        do throws(TransportFault) {
            #expect(try connection.transmit(TestCommand.raise).hex == answer)
        } catch {
            #expect(answer == nil)
            #expect(error.kind == .transport)
            #expect(error.detail == "response too short (\(count) bytes)")
        }
        #expect(try counter(connection) == 1)
    }

    @Test("corruption inverts the first byte")
    func corrupt() throws {
        let (connection, _) = interposer(
            InjectedFault(at: .exchange(1), when: .during, kind: .corrupt, times: 2)
        )
        #expect(try connection.transmit(TestCommand.raise).hex == "FE9000")
        #expect(try connection.transmit([0x00, 0x00, 0x00, 0x00]).hex == "9200")
    }
}
