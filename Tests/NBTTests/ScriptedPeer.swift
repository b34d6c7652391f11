// SPDX-License-Identifier: MIT

import CardConnection
import JSONText
import SmartCard
import Testing

/// A peer that knows one conversation, and answers only when it hears that.
final class ScriptedPeer: Connection {
    var facts = ConnectionFacts(readerName: "script", atr: [], protocolName: "T=1")
    var exchangeDeadline = Duration.seconds(1)
    /// What was heard.
    private(set) var heard: [String] = []
    private var script: [(command: String, answer: String)]

    init(_ script: [(String, String)]) {
        self.script = script
    }

    /// The conversation of a fixture: pairs of command and answer.
    convenience init(_ exchanges: JSON?) throws {
        let pairs = try #require(exchanges?.array)
        self.init(pairs.map { ($0[0].string ?? "", $0[1].string ?? "") })
    }

    /// True when the whole conversation was held.
    var isOver: Bool { script.isEmpty }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        heard.append(command.hex)
        guard let next = script.first, next.command == command.hex || next.command == "*" else {
            throw TransportFault(.transport, "\(command.hex) does not come here")
        }
        script.removeFirst()
        return (try? HexText.bytes(next.answer)) ?? []
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {}
    func setField(_ state: FieldState) throws(TransportFault) {}
    func reconnect() throws(TransportFault) {}
    func close() {}
}

extension JSON {
    /// An element of a list; null beyond its end.
    subscript(index: Int) -> JSON {
        guard let array, array.indices.contains(index) else { return .null }
        return array[index]
    }
}
