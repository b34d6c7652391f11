// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Scenario

@testable import Bench

/// The folder of the fixtures in the test bundle.
var fixtures: String { (Bundle.module.resourceURL?.path ?? "") + "/Fixtures" }

/// A folder of its own, removed at the end of a test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array(
            FileManager.default.temporaryDirectory.appending(path: "bench-tests-XXXXXX").path.utf8CString
        )
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(path, 0o755)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a script for the shell.
    func script(_ name: String, _ script: String) throws -> String {
        let path = "\(self.path)/\(name)"
        try Data("\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

let anywhere = SourcePosition(file: "bench.yaml", line: 1, column: 1)

/// A program that the shell runs.
func shell(
    _ name: ControlProgram.Name,
    _ script: String,
    timeout: Duration? = .seconds(20)
) -> ControlProgram {
    ControlProgram(
        name,
        path: "/bin/sh",
        arguments: ["-c", script, "sh"],
        timeout: timeout,
        folder: "/lab",
        position: anywhere
    )
}

/// A bench in one role.
func bench(_ text: String, isNamed: Bool = true) -> (bench: TestBench?, mistakes: [ScenarioMistake]) {
    TestBench.read(Array(text.utf8), file: "bench.yaml", folder: "/lab", isNamedOnCommandLine: isNamed)
}

/// The fault that a piece of work ends with, or nil.
func fault(of work: () throws(TransportFault) -> Void) -> TransportFault? {
    do throws(TransportFault) {
        try work()
        return nil
    } catch {
        return error
    }
}

/// A connection that answers from a table.
final class TableConnection: Connection {
    var facts: ConnectionFacts
    var exchangeDeadline = Duration.seconds(30)
    var answers: [String: [UInt8]]
    /// Whether the card is in the field, as the test sees it.
    var isPresent: () -> Bool = { true }
    var fieldStates: [FieldState] = []
    var atrAfterField: [UInt8]?
    var fieldFault: TransportFault?
    private(set) var isClosed = false

    init(
        atr: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01],
        capabilities: Set<Capability> = [],
        answers: [String: [UInt8]] = [:]
    ) {
        facts = ConnectionFacts(readerName: "R", atr: atr, protocolName: "T=1", capabilities: capabilities)
        self.answers = answers
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard isPresent() else { throw TransportFault(.cardRemoved, "card was removed") }
        return answers[command.hex] ?? [0x6D, 0x00]
    }

    func reset(_ kind: ResetKind) throws(TransportFault) {}

    func setField(_ state: FieldState) throws(TransportFault) {
        if let fieldFault { throw fieldFault }
        fieldStates.append(state)
        if state == .on, let atrAfterField { facts.atr = atrAfterField }
    }

    func reconnect() throws(TransportFault) {}

    func close() { isClosed = true }
}

extension Sequence<UInt8> {
    var hex: String { map { String(format: "%02X", $0) }.joined() }
}
