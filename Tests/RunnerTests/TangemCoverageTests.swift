// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import TangemConstants
import Testing

/// What the shipped scenarios of the wallet card reach, counted from their traces.
@Suite struct TangemCoverageTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios/tangem").path

    /// The traces of one run of all of them, whichever test comes first.
    private static let run = Result<[[JSON]], any Error> {
        let bench = try ScenarioBench()
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [folder])
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        return try record.suites.flatMap(\.cases).flatMap(\.attempts).map { try bench.traceRecords($0.trace) }
    }

    private let traces: [[JSON]]

    init() throws {
        traces = try Self.run.get()
    }

    private func exchanges() -> [(command: String, answer: String)] {
        traces.flatMap { $0 }.compactMap { record in
            guard let command = record["c"]?.string, let answer = record["r"]?.string, command.count >= 8,
                answer.count >= 4
            else { return nil }
            return (command, answer)
        }
    }

    @Test func `They reach every command and every status word of the protocol`() {
        let seen = exchanges()
        let instructions = Set(seen.map { String($0.command.dropFirst(2).prefix(2)) })
        let missing = TangemInstruction.all.filter {
            !instructions.contains(String(format: "%02X", $0.rawValue))
        }
        #expect(missing.compactMap(\.name) == [])
        let words = Set(seen.map { String($0.answer.suffix(4)) })
        #expect(TangemStatus.names.filter { !words.contains("\($0.sw)") }.map(\.name) == [])
    }

    @Test func `At least twenty cases run on each profile`() {
        var counts: [String: Int] = [:]
        for trace in traces { counts[trace.first?["firmware"]?.string ?? "none", default: 0] += 1 }
        let profiles = ["2.11r", "3.05r", "3.34d SDK", "4.12r", "4.45d SDK", "6.33d SDK"]
        for profile in profiles {
            let count = counts[profile] ?? counts[String(profile.prefix { $0 != " " })] ?? 0
            #expect(count >= 20, "\(profile): \(count) of \(counts)")
        }
    }

    @Test func `Every answer of a card fits what hosts can take`() {
        // Source: the vendor's library, which takes 1152 bytes in the clear and 1120 encrypted ones.
        let all = exchanges()
        #expect(all.count > 1000)
        for exchange in all {
            let isPlain = exchange.command.dropFirst(4).prefix(2) == "00"
            #expect(exchange.answer.count / 2 - 2 <= (isPlain ? 1152 : 1120))
        }
    }
}
