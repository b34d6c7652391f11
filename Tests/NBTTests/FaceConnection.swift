// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import SmartCard
import Testing

/// Reads the fixtures of this target.
enum Fixture {
    static func json(_ name: String) throws -> JSON {
        let root = try #require(Bundle.module.resourceURL)
        return try JSON(parsing: Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/\(name)"))))
    }
}

extension JSON {
    /// The bytes of a hex text under a key.
    func hex(_ key: String) throws -> [UInt8] { try HexText.bytes(try #require(self[key]?.string)) }
}

/// A connection straight to a card, without a clock.
final class FaceConnection: Connection {
    var facts: ConnectionFacts
    var exchangeDeadline = Duration.seconds(30)
    private(set) var wire: [String] = []
    private let card: any Card

    init(_ card: any Card) {
        self.card = card
        facts = ConnectionFacts(readerName: "test", atr: card.atr, protocolName: "T=1")
        card.powerOn()
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        wire.append(command.hex)
        let answer = card.respond(to: command)
        switch answer.ending {
        case .answered, .resetAfterwards: return answer.bytes
        case .mute: throw TransportFault(.cardMute, "the card does not answer")
        case .removed: throw TransportFault(.cardRemoved, "the card left the reader")
        }
    }

    func reset(_ kind: ResetKind) throws(TransportFault) { card.powerOn() }

    func setField(_ state: FieldState) throws(TransportFault) {
        if state == .on { card.powerOn() } else { card.powerOff() }
    }

    func reconnect() throws(TransportFault) { card.powerOn() }
    func close() { card.powerOff() }
}
