// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import NBTEmulator
import SmartCard
import Testing

@testable import DevKit
@testable import DevKitEmulator

/// A kit with a probe on it, spoken to in lines of hex.
struct ProbeBench {
    let bench: KitBench
    let probe: EmulatedProbe

    var kit: EmulatedKit { bench.kit }

    init(kit kitOptions: [String: String] = [:], probe probeOptions: [String: String] = [:]) throws {
        bench = try KitBench(kit: kitOptions)
        probe = try EmulatedProbe(kit: bench.kit, options: probeOptions)
    }

    /// A probe whose wires are up, with access port 0 chosen and words without increment.
    static func started(
        kit: [String: String] = [:],
        probe: [String: String] = [:],
        mode: String = "02 00 00 23"
    ) throws -> ProbeBench {
        let made = try ProbeBench(kit: kit, probe: probe)
        try made.connect()
        try made.say("05 00 04 00 1E 00 00 00 08 00 00 00 00 04 00 00 00 50 06", "05 04 01 00 00 00 F0")
        try made.say("05 00 01 01 \(mode)", "05 01 01")
        return made
    }

    /// From DAP_Connect to DPIDR.
    func connect() throws {
        for request in ["02 01", "04 02 50 00 00 00", "13 00"] { _ = try ask(request) }
        try resetLine()
        try say("05 00 01 02", "05 01 01 77 24 A0 6B")
    }

    /// Line reset, switch to SWD, line reset, idle.
    func resetLine() throws {
        for request in [
            "12 33 FF FF FF FF FF FF FF", "12 10 9E E7", "12 33 FF FF FF FF FF FF FF", "12 08 00",
        ] {
            try say(request, "12 00")
        }
    }

    /// Sends a packet; all that comes back, in hex, packets divided by a stroke.
    func ask(_ request: String) throws -> String {
        switch probe.respond(to: try HexText.bytes(request)) {
        case .packets(let packets): packets.map(\.hex).joined(separator: "|")
        case .gone: "gone"
        }
    }

    /// Sends a packet that must get this answer.
    func say(_ request: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let wanted = answer.filter { $0 != " " }.uppercased()
        let got = try ask(request)
        #expect(got == wanted, "after \(request)", sourceLocation: sourceLocation)
    }

    /// Replays a file of the fixtures.
    ///
    /// - Returns: How many packets it has.
    func replay(_ name: String) throws -> Int {
        let root = try #require(Bundle.module.resourceURL)
        let text = try String(contentsOf: root.appendingPathComponent("Fixtures/\(name)"), encoding: .utf8)
        var count = 0
        for line in text.split(separator: "\n") where line.hasPrefix(">") {
            let parts = line.dropFirst().split(separator: "<", omittingEmptySubsequences: false)
            try say(
                parts[0].trimmingCharacters(in: .whitespaces),
                String(try #require(parts.last)).trimmingCharacters(in: .whitespaces)
            )
            count += 1
        }
        return count
    }
}
