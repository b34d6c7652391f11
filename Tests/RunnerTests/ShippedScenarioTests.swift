// SPDX-License-Identifier: MIT

import Foundation
import Routes
import RunRecord
import Runner
import Scenario
import Testing

/// The scenarios that ship with the program.
@Suite struct ShippedScenarioTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios").path

    @Test func `They are free of mistakes, and all hold on the emulators`() throws {
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [Self.folder])
        #expect(loaded.mistakes.map(\.description) == [])
        let bench = try ScenarioBench()
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        #expect(record.messages == [])
        #expect(record.suites.flatMap(\.cases).allSatisfy { $0.verdict == .passed })
        #expect(record.suites.count >= 9)
    }

    @Test(arguments: ["0", "3"])
    func `The host's side of the tag holds over blocks as well`(requests: String) throws {
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [Self.folder + "/nbt/i2c.yaml"])
        let bench = try ScenarioBench()
        bench.options.emulatorOptions = ["i2c-link": "blocks", "i2c-wtx": requests]
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        #expect(record.messages == [])
        let cases = record.suites.flatMap(\.cases)
        #expect(
            cases.filter { $0.verdict != .passed }.map { "\($0.name): \($0.problem?.message ?? "")" } == []
        )
        #expect(cases.count >= 6)
    }

    @Test func `The refusals of SELECT, READ and UPDATE are all provoked`() throws {
        let loaded = SuiteLoader(vocabulary: .shipped).load(paths: [Self.folder + "/nbt/negative.yaml"])
        let bench = try ScenarioBench()
        let plan = RunPlan(suites: loaded.suites, options: bench.options)
        let record = Runner(options: bench.options, route: EmulatorRoute()).run(plan)
        var seen: Set<String> = []
        for attempt in record.suites.flatMap(\.cases).flatMap(\.attempts) {
            for line in try bench.trace(attempt) {
                let words = line.split(separator: " ")
                guard words.count == 2, words[0].count >= 4 else { continue }
                seen.insert("\(words[0].dropFirst(2).prefix(2)) \(words[1].suffix(4))")
            }
        }
        let wanted: Set<String> = [
            "A4 6700", "A4 6A82", "A4 6A80", "B0 6986", "B0 6700", "B0 6982", "D6 6986", "D6 6700", "D6 6982",
            "D6 6985", "D6 6A80", "D6 6A86",
        ]
        #expect(wanted.subtracting(seen).sorted() == [])
    }
}
