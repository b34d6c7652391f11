// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import Testing

/// What the shipped scenarios of the NBT reach, counted from their traces.
@Suite struct NBTCoverageTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios/nbt").path

    /// The commands of the chip, each with the status words that the vendor's tables name for it.
    ///
    /// Source: the status tables of the vendor's public host libraries (MIT). 6985 of GET CONFIGURATION shares its row
    /// with SET CONFIGURATION, which provokes it.
    private static let wanted: [(command: String, words: [String])] = [
        ("SELECT application", ["9000", "6700", "6A82"]),
        ("SELECT file", ["9000", "6700", "6A82", "6A80"]),
        ("READ BINARY", ["9000", "6986", "6700", "6982"]),
        ("UPDATE BINARY", ["9000", "6986", "6700", "6982", "6985", "6A80", "6A86"]),
        ("AUTHENTICATE TAG", ["9000", "6985", "6700", "6A86"]),
        ("GET DATA", ["9000", "6A86", "6700"]),
        ("CREATE PASSWORD", ["9000", "6A86", "6982", "6700", "6985", "6A80"]),
        ("DELETE PASSWORD", ["9000", "6982", "6A88"]),
        ("CHANGE PASSWORD", ["9000", "6A86", "6A88", "6700", "6985"]),
        ("UNBLOCK PASSWORD", ["9000", "6A86", "6A88", "6700", "6985"]),
        ("PERSONALIZE DATA", ["9000", "6A80", "6A88", "6985", "6700", "6A86"]),
        ("SET CONFIGURATION", ["9000", "6700", "6985", "6A80", "6A86"]),
        ("GET CONFIGURATION", ["9000", "6700", "6A80", "6A86"]),
        ("unknown to the configurator", ["6A00"]),
        ("unknown instruction", ["6D00"]),
        ("unknown class", ["6E00"]),
    ]

    /// The commands that there are over I2C alone: a second connection of the emulated chip sends them, or the modelled
    /// firmware, whose log is in the trace.
    private static let wantedOfHost: [(command: String, words: [String])] = [
        ("BACKEND TEST", ["9000", "6985"]),
        ("FETCH DATA", ["9000"]),
        ("PUT RESPONSE", ["9000", "6985"]),
    ]

    /// The traces of one run of all of them, whichever test comes first.
    private static let traces = Result<[[JSON]], any Error> {
        let bench = try ScenarioBench()
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [folder])
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        return try record.suites.flatMap(\.cases).flatMap(\.attempts).map { try bench.traceRecords($0.trace) }
    }

    /// Pairs of a command's name and a status word, as the traces have them.
    private func seen() throws -> Set<String> {
        var pairs: Set<String> = []
        for trace in try Self.traces.get() {
            var isConfigurator = false
            for record in trace {
                // What the kit's log tells is an event with keys of its own.
                guard let command = (record["c"] ?? record["command"])?.string,
                    let answer = (record["r"] ?? record["answer"])?.string, command.count >= 8,
                    answer.count >= 4
                else { continue }
                let word = String(answer.suffix(4))
                pairs.insert("\(Self.name(of: command, inConfigurator: isConfigurator)) \(word)")
                if record["event"] == nil, command.hasPrefix("00A40400"), word == "9000" {
                    isConfigurator = command.dropFirst(8).hasPrefix("0DD276000004")
                }
            }
        }
        return pairs
    }

    private static func name(of command: String, inConfigurator: Bool) -> String {
        let p1 = command.dropFirst(4).prefix(2)
        let isChange = command.dropFirst(6).first.map { "4567CDEF".contains($0) } ?? false
        switch command.prefix(4) {
        case "00A4": return p1 == "04" ? "SELECT application" : "SELECT file"
        case "2020" where inConfigurator: return "SET CONFIGURATION"
        case "2030" where inConfigurator: return "GET CONFIGURATION"
        case _ where inConfigurator: return "unknown to the configurator"
        case "00B0": return "READ BINARY"
        case "00D6": return "UPDATE BINARY"
        case "0088": return "AUTHENTICATE TAG"
        case "0030": return "GET DATA"
        case "00E1": return "CREATE PASSWORD"
        case "00E4": return "DELETE PASSWORD"
        case "0024": return isChange ? "CHANGE PASSWORD" : "UNBLOCK PASSWORD"
        case "00E2": return "PERSONALIZE DATA"
        case "00BE": return "BACKEND TEST"
        case "38CA": return "FETCH DATA"
        case "38DA": return "PUT RESPONSE"
        default: return command.hasPrefix("00") ? "unknown instruction" : "unknown class"
        }
    }

    private func misses(of rows: [(command: String, words: [String])]) throws -> [String] {
        let pairs = try seen()
        return rows.flatMap { row in row.words.map { "\(row.command) \($0)" } }.filter { !pairs.contains($0) }
    }

    @Test func `They reach every command and every status word of the protocol`() throws {
        #expect(try misses(of: Self.wanted) == [])
    }

    @Test func `They reach the commands of the host's side`() throws {
        #expect(try misses(of: Self.wantedOfHost) == [])
    }

    @Test func `A reader that cannot switch its field skips the LED's cases, and says why`() throws {
        let bench = try ScenarioBench()
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [Self.folder + "/led.yaml"])
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: FieldlessRoute()).run(plan)
        let cases = record.suites.flatMap(\.cases)
        #expect(!cases.isEmpty)
        for item in cases {
            #expect(item.verdict == .skipped)
            #expect(item.problem?.message.contains("field.control") == true)
            #expect(item.attempts.isEmpty)
        }
    }
}

/// The way to the emulator over a reader whose field stays on.
private final class FieldlessRoute: Route {
    private let emulator = EmulatorRoute()

    var spec: String { emulator.spec }
    var isVirtualTime: Bool { true }
    var isEmulated: Bool { true }

    func capabilities(target: String, options: [String: String]) -> Set<Capability>? {
        emulator.capabilities(target: target, options: options)?.subtracting([.fieldControl, .fieldCut])
    }

    func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard { try emulator.open(setup) }

    func close() {}
}
