// SPDX-License-Identifier: MIT

import DebugProbe
import Foundation
import Synchronization
import Testing

/// A link that expects certain packets and answers with certain others.
final class ScriptedLink: ProbeLink {
    /// One packet out, one packet back.
    struct Exchange: Sendable {
        var request: [UInt8]
        var answer: [UInt8]
    }

    private struct State {
        var script: [Exchange]
        var requests: [[UInt8]] = []
        var isClosed = false
        var packetSize = 0
    }

    let name = "scripted probe"
    private let state: Mutex<State>

    init(_ script: [Exchange]) {
        state = Mutex(State(script: script))
    }

    /// Takes lines `> request < answer`.
    convenience init(_ lines: String...) {
        self.init(lines.flatMap(Self.exchanges))
    }

    /// The packets that were sent.
    var requests: [[UInt8]] { state.withLock { $0.requests } }
    /// What was expected and never sent.
    var rest: Int { state.withLock { $0.script.count } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var packetSize: Int { state.withLock { $0.packetSize } }

    func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8] {
        let next = state.withLock { state -> Exchange? in
            state.requests.append(request)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let next else {
            Issue.record("nothing was expected any more, sent was \(Self.text(request))")
            throw ProbeError("the script is over")
        }
        #expect(Self.text(request) == Self.text(next.request))
        guard !next.answer.isEmpty else { throw ProbeError("the scripted probe was unplugged") }
        return next.answer
    }

    func learn(packetSize: Int) { state.withLock { $0.packetSize = packetSize } }

    func close() { state.withLock { $0.isClosed = true } }

    // MARK: Text

    /// The exchanges of a fixture.
    static func fixture(_ name: String) throws -> [Exchange] {
        let root = try #require(Bundle.module.resourceURL)
        let url = root.appendingPathComponent("Fixtures/\(name)")
        return exchanges(try String(contentsOf: url, encoding: .utf8))
    }

    static func exchanges(_ text: String) -> [Exchange] {
        text.split(separator: "\n").filter { $0.hasPrefix(">") }.map { line in
            let parts = line.dropFirst().split(separator: "<", omittingEmptySubsequences: false)
            return Exchange(request: bytes(parts[0]), answer: parts.count > 1 ? bytes(parts[1]) : [])
        }
    }

    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
}
