// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import SmartCard
import Testing

/// Reads the fixtures of this target.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let root = try #require(Bundle.module.resourceURL)
        return Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/\(path)")))
    }

    static func json(_ path: String) throws -> JSON { try JSON(parsing: try bytes(path)) }

    static func hex(_ path: String) throws -> [UInt8] {
        try HexText.bytes(
            String(decoding: try bytes(path), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }
}

/// A connection that answers by rules and keeps what was sent.
final class ScriptedConnection: Connection {
    var facts = ConnectionFacts(
        readerName: "script",
        atr: [0x3B, 0x80, 0x80, 0x01, 0x01],
        protocolName: "T=1"
    )
    var exchangeDeadline = Duration.seconds(30)
    private(set) var wire: [String] = []
    private let answer: (String) throws -> [UInt8]

    /// Answers by a function from the command's hex text.
    init(_ answer: @escaping (String) throws -> [UInt8]) {
        self.answer = answer
    }

    /// Answers by the rules of a scripted card.
    convenience init(card: JSON) throws {
        let rules = try (card["rules"]?.array ?? []).map { rule in
            (try #require(rule["c"]?.string), try HexText.bytes(try #require(rule["r"]?.string)))
        }
        let fallback = try HexText.bytes(try #require(card["default"]?.string))
        self.init { command in rules.first { $0.0 == command }?.1 ?? fallback }
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        wire.append(command.hex)
        do {
            return try answer(command.hex)
        } catch {
            throw error as? TransportFault ?? TransportFault(.transport, "\(error)")
        }
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {}
    func setField(_ state: FieldState) throws(TransportFault) {}
    func reconnect() throws(TransportFault) {}
    func close() {}
}
