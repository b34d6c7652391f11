// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("A seeded run")
struct RepeatableRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "suite.yaml",
            """
            rig: 1
            suite: demo.random
            target: nbt
            vars:
              mark: { random: 4 }
            setup:
              - select: D2760000850101
            cases:
              - name: writes what it drew
                matrix: { offset: [0, 8] }
                steps:
                  - write: { file: FILE_1, offset: "${offset}", data: "${mark}" }
                  - read: { file: FILE_1, offset: "${offset}", length: 4 }
                    expect: { data: "${mark}" }
              - name: has a flaky link
                fault: { at: 1, kind: remove, times: 1 }
                steps:
                  - write: { file: FILE_1, data: "${mark}" }
              - name: waits
                steps:
                  - delay: 15s
                  - read: { file: FILE_1, length: 1 }
                    repeat: 20
            """
        )
    }

    private func run(_ options: [String], in place: String? = nil) throws -> Int32 {
        try Taprig.start(["run", folder.path("suite.yaml")] + options, in: place ?? folder.path).wait().status
    }

    /// The bytes of all traces and of the JUnit file below a run folder.
    private func bytes(_ owner: TemporaryFolder, _ out: String) throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in owner.files(below: out) where name.hasSuffix(".jsonl") || name == "junit.xml" {
            result[name] = try owner.data("\(out)/\(name)")
        }
        return result
    }

    @Test("leaves the same bytes in two folders outside of the working folder")
    func outside() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(try run(["--seed", "1", "--out", one.path("a")]) == 0)
        #expect(try run(["--seed", "1", "--out", two.path("other name")]) == 0)
        let first = try bytes(one, "a")
        #expect(first.count >= 5)
        #expect(first == (try bytes(two, "other name")))
    }

    @Test("leaves the same bytes in the default folder, whenever it runs")
    func standard() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(try run(["--seed", "1"], in: one.path) == 0)
        #expect(try run(["--seed", "1"], in: two.path) == 0)
        let first = try bytes(one, "Reports/latest/")
        #expect(first.count >= 5)
        #expect(first == (try bytes(two, "Reports/latest/")))
        #expect(try one.data("Reports/latest/run.json") == (try two.data("Reports/latest/run.json")))
    }

    @Test("with another seed draws other values and comes to the same verdicts")
    func otherSeed() throws {
        #expect(try run(["--seed", "1", "--out", "one"]) == 0)
        #expect(try run(["--seed", "2", "--out", "two"]) == 0)
        let (first, second) = (try bytes(folder, "one"), try bytes(folder, "two"))
        #expect(first.keys.sorted() == second.keys.sorted())
        let trace = "traces/demo.random/writes-what-it-drew-offset-0.jsonl"
        let written = [first, second].map { run in
            String(decoding: run[trace] ?? Data(), as: UTF8.self).split(separator: "\n")
                .compactMap { try? JSON(parsing: Array($0.utf8))["c"]?.string }.filter {
                    $0.hasPrefix("00D6")
                }
        }
        #expect(!written[0].isEmpty)
        #expect(written[0] != written[1])
        #expect(try verdicts("one") == (try verdicts("two")))
    }

    @Test("draws a seed when none is given, and records it so that the run can be repeated")
    func recordedSeed() throws {
        #expect(try run(["--out", "one"]) == 0)
        let seed = try #require(try JSON(parsing: Array(try folder.data("one/run.json")))["seed"]?.integer)
        #expect(try run(["--out", "two", "--seed", "\(seed)"]) == 0)
        for (name, data) in try bytes(folder, "one") where name.hasSuffix(".jsonl") {
            #expect(data == (try folder.data("two/\(name)")), "\(name)")
        }
    }

    private func verdicts(_ out: String) throws -> [String?] {
        let record = try JSON(parsing: Array(try folder.data("\(out)/run.json")))
        return (record.at("suites.0.cases")?.array ?? []).map { $0["verdict"]?.string }
    }
}
