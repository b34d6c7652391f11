// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Testing

@Suite("Retry ledger and guard")
struct RetryGuardTests {
    private let ledger = RetryLedger()
    private let pin = RetryLedger.Reference(isResettingCode: false, p2: 0x01)
    private let puk = RetryLedger.Reference(isResettingCode: true, p2: 0x01)
    private let verify: [UInt8] = [0x00, 0x20, 0x00, 0x01, 0x02, 0x31, 0x32]

    private func guarded(
        _ rules: [(c: String, r: String)],
        floor: Int = 1,
        sample: String = "A"
    ) throws -> (GuardedConnection, RecordingConnection) {
        let list = rules.map { #"{"c":"\#($0.c)","r":"\#($0.r)"}"# }.joined(separator: ",")
        let card = try ScriptedCard(json: Array("{\"rules\":[\(list)]}".utf8), name: "card.json")
        let recorder = RecordingConnection(InProcessConnection(card: card, clock: ModelClock()))
        return (GuardedConnection(recorder, ledger: ledger, sample: sample, floor: floor), recorder)
    }

    @Test("says which numbers stopped it and how to go on")
    func text() throws {
        ledger.setTriesLeft(1, sample: "A", reference: pin)
        let (connection, recorder) = try guarded([])
        let stopped = fault(of: verify, on: connection)
        #expect(stopped?.kind == .guarded)
        #expect(stopped?.detail == "stopped: 1 try left, floor is 1")
        #expect(stopped?.hint == "write `allow: guard` at the step to let one through")
        #expect(recorder.commands.isEmpty)
    }

    @Test("lets exactly one through when told")
    func letThrough() throws {
        ledger.setTriesLeft(1, sample: "A", reference: pin)
        let (connection, _) = try guarded([("00200001023132", "63C0")])
        connection.letsNextThrough = true
        #expect(try connection.transmit([0x00, 0xB0, 0x00, 0x00]).hex == "6D00")
        #expect(connection.letsNextThrough)
        #expect(try connection.transmit(verify).hex == "63C0")
        #expect(!connection.letsNextThrough)
        #expect(fault(of: verify, on: connection)?.detail == "stopped: 0 tries left, floor is 1")
    }

    @Test("a right value gives the tries back")
    func restored() throws {
        ledger.setTriesLeft(2, sample: "A", reference: pin)
        let (connection, _) = try guarded([("00200001023132", "9000")])
        _ = try connection.transmit(verify)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == nil)
    }

    @Test("a right resetting code frees the PIN too, a wrong one counts for itself")
    func resettingCode() throws {
        ledger.setTriesLeft(0, sample: "A", reference: pin)
        let (connection, _) = try guarded([("002C000102AAAA", "63C4"), ("002C000102BBBB", "9000")])
        _ = try connection.transmit(HexText.bytes("002C000102AAAA"))
        #expect(ledger.triesLeft(sample: "A", reference: puk) == 4)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 0)
        _ = try connection.transmit(HexText.bytes("002C000102BBBB"))
        #expect(ledger.triesLeft(sample: "A", reference: puk) == nil)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == nil)
    }

    @Test("CHANGE shares the counter of VERIFY")
    func change() throws {
        ledger.setTriesLeft(1, sample: "A", reference: pin)
        let (connection, recorder) = try guarded([])
        #expect(fault(of: try HexText.bytes("80240001023132"), on: connection)?.kind == .guarded)
        #expect(recorder.commands.isEmpty)
    }

    @Test("the status query always passes, in each of its forms, and what it says is remembered")
    func statusQuery() throws {
        ledger.setTriesLeft(0, sample: "A", reference: pin)
        let (connection, _) = try guarded([("00200001", "63C1"), ("0020000100", "63C3")])
        #expect(try connection.transmit(HexText.bytes("00200001")).hex == "63C1")
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 1)
        #expect(try connection.transmit(HexText.bytes("0020000100")).hex == "63C3")
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 3)
    }

    @Test("a status query that is answered 9000 proves nothing")
    func statusQuerySuccess() throws {
        ledger.setTriesLeft(1, sample: "A", reference: pin)
        let (connection, _) = try guarded([("00200001", "9000")])
        _ = try connection.transmit(HexText.bytes("00200001"))
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 1)
    }

    @Test("samples and references have counters of their own")
    func keys() throws {
        ledger.setTriesLeft(0, sample: "A", reference: pin)
        let (other, _) = try guarded([("00200001023132", "9000")], sample: "B")
        #expect(try other.transmit(verify).hex == "9000")
        let (same, _) = try guarded([("00200081023132", "9000")])
        #expect(try same.transmit(HexText.bytes("00200081023132")).hex == "9000")
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 0)
    }

    @Test(
        "words that tell without a counter",
        arguments: [("6983", 0), ("6300", 2), ("6982", 3), ("6A80", 3), ("6700", 3)]
    )
    func otherWords(_ word: String, _ left: Int) throws {
        ledger.setTriesLeft(3, sample: "A", reference: pin)
        let (connection, _) = try guarded([("00200001023132", word)])
        _ = try connection.transmit(verify)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == left)
    }

    @Test("an attempt whose answer is lost counts as a wrong one, once for a link that is down")
    func lostAnswer() throws {
        ledger.setTriesLeft(3, sample: "A", reference: pin)
        let script = #"{"rules":[{"c":"00200001023132","fault":"mute"}]}"#
        let inner = InProcessConnection(
            card: try ScriptedCard(json: Array(script.utf8), name: "card.json"),
            clock: ModelClock()
        )
        let connection = GuardedConnection(inner, ledger: ledger, sample: "A")
        #expect(fault(of: verify, on: connection)?.kind == .timeout)
        #expect(fault(of: verify, on: connection)?.kind == .transport)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 2)
        try connection.reconnect()
        #expect(fault(of: verify, on: connection)?.kind == .timeout)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 1)
        try connection.reconnect()
        #expect(fault(of: verify, on: connection)?.kind == .guarded)
    }

    @Test("a command that was refused unsent does not count")
    func refused() throws {
        ledger.setTriesLeft(3, sample: "A", reference: pin)
        let (connection, _) = try guarded([])
        try connection.setField(.off)
        #expect(fault(of: verify, on: connection)?.kind == .noCard)
        #expect(ledger.triesLeft(sample: "A", reference: pin) == 3)
    }

    @Test("bytes that are no command are taken for an attempt")
    func malformed() throws {
        ledger.setTriesLeft(1, sample: "A", reference: pin)
        let (connection, _) = try guarded([])
        #expect(fault(of: try HexText.bytes("00200001083132"), on: connection)?.kind == .guarded)
    }

    @Test("the ledger comes back from its text")
    func persistence() throws {
        ledger.setTriesLeft(2, sample: "04A1B2C3", reference: pin)
        ledger.setTriesLeft(9, sample: "04A1B2C3", reference: puk)
        ledger.setTriesLeft(0, sample: "serial \"7\"", reference: pin)
        ledger.setTriesLeft(1, sample: "gone", reference: pin)
        ledger.setTriesLeft(nil, sample: "gone", reference: pin)
        let text = ledger.jsonText
        #expect(
            text == """
                {
                  "retry_ledger": 1,
                  "samples": {
                    "04A1B2C3": {
                      "20/01": 2,
                      "2C/01": 9
                    },
                    "serial \\"7\\"": {
                      "20/01": 0
                    }
                  }
                }

                """
        )
        let copy = try RetryLedger(json: Array(text.utf8))
        #expect(copy.jsonText == text)
        #expect(copy.triesLeft(sample: "04A1B2C3", reference: puk) == 9)
    }

    @Test(
        "a text that is no ledger is refused in one sentence",
        arguments: [
            ("", "the retry ledger is no JSON text, line 1, column 1: the text ends where a value should be"),
            ("{}", "the retry ledger lacks \"retry_ledger\": 1 or its \"samples\""),
            (
                "{\"retry_ledger\":2,\"samples\":{}}",
                "the retry ledger lacks \"retry_ledger\": 1 or its \"samples\""
            ),
            (
                "{\"retry_ledger\":1,\"samples\":{\"A\":3}}",
                "sample \"A\" of the retry ledger is no object of counters"
            ),
            (
                "{\"retry_ledger\":1,\"samples\":{\"A\":{\"20/01\":-1}}}",
                "counter \"20/01\" of sample \"A\" in the retry ledger is no number from 0 to 15"
            ),
        ]
    )
    func badText(_ text: String, _ sentence: String) {
        let error = #expect(throws: RetryLedgerError.self) { try RetryLedger(json: Array(text.utf8)) }
        #expect(error?.description == sentence)
    }
}
