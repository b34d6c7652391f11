// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Testing
import Verbs

/// Calls verbs on a card that answers by a table, without the runner.
final class VerbBench: Connection {
    let facts = ConnectionFacts(readerName: "table", atr: [0x3B, 0x00], protocolName: "T=1")
    var exchangeDeadline = Duration.seconds(1)
    /// Answers by command; `*` answers the rest.
    var answers: [String: String]
    /// What was sent.
    private(set) var wire: [String] = []
    private(set) var events: [String] = []
    /// Faults by command, used up in order.
    var faults: [String: [TransportFault]] = [:]
    let clock = ModelClock()

    init(_ answers: [String: String]) {
        self.answers = answers
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        let text = command.hex
        wire.append(text)
        clock.wait(.milliseconds(2))
        if var list = faults[text], !list.isEmpty {
            let fault = list.removeFirst()
            faults[text] = list
            throw fault
        }
        return (try? HexText.bytes(answers[text] ?? answers["*"] ?? "6D00")) ?? []
    }

    func reset(_ kind: ResetKind) throws(TransportFault) { events.append("reset \(kind.rawValue)") }
    func setField(_ state: FieldState) throws(TransportFault) { events.append("field \(state.rawValue)") }
    func reconnect() throws(TransportFault) { events.append("reconnect") }
    func close() {}

    lazy var session = CardSession(
        connection: self,
        clock: clock,
        kit: nil,
        setFollowing: { _ in },
        setGuardPass: { _ in },
        wait: { [clock] in clock.wait($0) }
    )

    /// Calls a verb with values; gives the call and what ended it.
    func call(
        _ name: String,
        _ arguments: [String: Value] = [:],
        target: String = "nbt",
        recovery: @escaping (TransportFault, [UInt8], Int) throws -> Bool = { _, _, _ in false }
    ) throws -> (call: VerbCall, stop: VerbStop?) {
        let verb = try #require(VerbTable.shipped[name])
        let place = SourcePosition(file: "t.yaml", line: 3, column: 9)
        let call = VerbCall(
            step: Step(.verb(verb.spec, arguments: [:]), at: place),
            arguments: arguments,
            target: target,
            session: session,
            recovery: recovery
        )
        do {
            try verb.run(call)
            return (call, nil)
        } catch let stop as VerbStop {
            return (call, stop)
        }
    }
}

extension Value {
    /// Bytes from hex text.
    static func hex(_ text: String) -> Value { .bytes((try? HexText.bytes(text)) ?? []) }
}

extension VerbStop {
    /// The end in short, for comparison.
    var text: String {
        switch self {
        case .earlierCommand(let what, let exchange):
            "\(what) answered \(exchange.response.map { "\($0.sw)" } ?? "nothing")"
        case .ended: "ended"
        case .fault(let fault): "fault \(fault.kind.rawValue)"
        case .device(let name, _): "error \(name)"
        case .mismatch(let mismatch): "\(mismatch.kind.rawValue): \(mismatch.message)"
        case .argument(let mistake): mistake.description
        }
    }
}
