// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

/// `taprig run --bench` where no reader can be reached.
@Suite("A run on a bench")
struct BenchRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
    }

    /// Readers are locked for the whole host, which may run several of these tests at a time.
    private let serial = "RR554-\(UUID().uuidString.prefix(8))"

    private var bench: String {
        """
        bench: 1
        ledger: state/counters.json
        roles:
          nbt: { reader: { serial: "\(serial)" } }
        """
    }

    private func run(_ more: String...) throws -> ChildProcess.Ending {
        try Taprig.start(
            ["run", "suite.yaml", "--out", "out", "--json"] + more,
            in: folder.path,
            environment: Taprig.withoutService
        ).wait()
    }

    @Test("goes to the reader of the suite's target, with the bench's file of retry counters")
    func reader() throws {
        try folder.write("bench.yaml", bench)
        let ending = try run("--bench", "bench.yaml")
        #expect(ending.status == 3, "\(ending.errors)")
        #expect(try ending.json().at("suites.0.via") == .string("pcsc:serial=\(serial)"))
        #expect(try ending.json().at("suites.0.cases.0.problem.type") == "ServiceGone")
        #expect(folder.files(below: "state").contains("counters.json"))
    }

    @Test("follows --via where both are given")
    func namedWay() throws {
        try folder.write("bench.yaml", bench)
        let ending = try run("--bench", "bench.yaml", "--via", "emulator")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try ending.json().at("suites.0.via") == "emulator")
    }

    @Test("takes the bench of the project's settings, unless a way is named")
    func projectBench() throws {
        try folder.write("lab/bench.yaml", bench)
        try folder.write("taprig.yaml", "bench: lab/bench.yaml\n")
        let ending = try run()
        #expect(ending.status == 3, "\(ending.errors)")
        #expect(try ending.json().at("suites.0.via") == .string("pcsc:serial=\(serial)"))
        #expect(try run("--via", "emulator").status == 0)
    }

    @Test("ends with 2 when the bench is wrong, not there, or has no such role")
    func mistakes() throws {
        try folder.write("bench.yaml", bench.replacingOccurrences(of: "serial", with: "seriel"))
        let wrong = try run("--bench", "bench.yaml")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("bench.yaml:4:"), "\(wrong.errors)")
        #expect(wrong.errors.contains("the bench bench.yaml is wrong: nothing was run"))
        #expect(try run("--bench", "missing.yaml").status == 2)
        try folder.write(
            "other.yaml",
            "bench: 1\nroles: { nbtt: { reader: { serial: A1 } }, tangem: { reader: { serial: B2 } } }"
        )
        let role = try run("--bench", "other.yaml")
        #expect(role.status == 2)
        #expect(role.sentence?.contains("has no role 'nbt'; did you mean 'nbtt'?") == true, "\(role.errors)")
        #expect(folder.files(below: "out") == [])
    }

    @Test("is refused for destructive cases without --allow-destructive")
    func destructive() throws {
        try folder.write("bench.yaml", bench)
        try folder.write(
            "suite.yaml",
            Scenarios.nbt(cases: Scenarios.passing, header: "tags: [destructive]\n")
        )
        let ending = try run("--bench", "bench.yaml")
        #expect(ending.status == 3)
        #expect(try ending.json().at("suites.0.cases.0.problem.type") == "NotPermitted")
    }
}
