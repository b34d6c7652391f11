// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import Testing

/// A folder that is removed with its contents.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("trace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The fixtures of this target.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)")))
    }

    static func json(_ name: String) throws -> JSON {
        try JSON(parsing: try bytes(name))
    }
}

/// A connection that plays answers and takes a modelled time for each.
final class PlayedConnection: Connection {
    var facts = ConnectionFacts(
        readerName: "Played",
        atr: [0x3B, 0x80, 0x80, 0x01, 0x01],
        protocolName: "T=1"
    )
    var exchangeDeadline: Duration = .seconds(30)
    let clock: ModelClock
    var answers: [Result<[UInt8], TransportFault>]

    init(clock: ModelClock, answers: [Result<[UInt8], TransportFault>]) {
        self.clock = clock
        self.answers = answers
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        clock.wait(.microseconds(412.3))
        guard !answers.isEmpty else { return [0x90, 0x00] }
        return try answers.removeFirst().get()
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {}

    func setField(_ state: FieldState) throws(TransportFault) {
        if state == .off { throw TransportFault(.control, "the field cannot be switched") }
    }

    func reconnect() throws(TransportFault) {}

    func close() {}
}
