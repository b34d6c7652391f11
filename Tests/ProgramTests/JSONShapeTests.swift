// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing

@Suite("JSON for other programs")
struct JSONShapeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func card(_ rules: String) throws -> [String] {
        let path = try folder.write("card.json", "{\"protocol\":\"T=0\",\"rules\":[\(rules)]}")
        return ["send", "--json", "--target", "iso7816", "--option", "card=\(path)"]
    }

    @Test("of send: one result for each command asked for, and every exchange in wire")
    func send() throws {
        let options = try card(
            "{\"c\":\"00B0000000\",\"r\":\"6C02\"},{\"c\":\"00B0000002\",\"r\":\"CAFE9000\"},"
                + "{\"c\":\"0020000102FFFF\",\"r\":\"63C2\"}"
        )
        let ending = try Taprig.start(options + ["00B0000000", "00200001"], environment: [:]).wait()
        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        let json = try ending.json()
        #expect(json.keys == ["results", "wire"])
        #expect(json["results"]?.array?.count == 2)
        #expect(json.at("results.0.c") == "00B0000000")
        #expect(json.at("results.0.data") == "CAFE")
        #expect(json.at("results.0.sw") == "9000")
        #expect(json.at("results.0.us")?.double != nil)
        #expect(json.at("results.1.sw") == "6D00")
        #expect(
            json["wire"]?.array?.compactMap { $0["c"]?.string } == ["00B0000000", "00B0000002", "00200001"]
        )
        #expect(json.at("wire.0.r") == "6C02")
        #expect(json.at("wire.1.r") == "CAFE9000")
    }

    @Test("of send: a fault has its word and its detail")
    func sendFault() throws {
        let ending = try Taprig.start(
            try card("{\"c\":\"00B0000001\",\"fault\":\"mute\"}") + [
                "--deadline", "5000ms", "00B0000001", "00B0000002",
            ]
        ).wait()
        #expect(ending.status == 3)
        let json = try ending.json()
        #expect(json.at("results.0.fault") == "timeout")
        #expect(json.at("results.0.detail") == "no answer in 5000 ms")
        #expect(json.at("results.1.sw") == "6D00")
    }

    @Test("of send: the guard names a way out that there is without steps")
    func sendGuarded() throws {
        let options = try card("{\"c\":\"0020000102FFFF\",\"r\":\"63C1\"}")
        let ending = try Taprig.start(options + ["0020000102FFFF", "0020000102FFFF"]).wait()
        #expect(ending.status == 3)
        let json = try ending.json()
        #expect(json.at("results.1.fault") == "guard")
        #expect(json.at("results.1.hint") == "'taprig shell' lets one through after ':guard pass'")
        #expect(!ending.errors.contains("allow: guard"))
    }

    @Test("of send: without a connection each command has the fault, and was not sent")
    func sendWithoutConnection() throws {
        let ending = try Taprig.run(
            "send",
            "--json",
            "--via",
            "pcsc:Some",
            "00B0000001",
            "00B0000002",
            environment: Taprig.withoutService
        )
        #expect(ending.status == 3)
        let json = try ending.json()
        #expect(json["results"]?.array?.map { $0["fault"]?.string } == ["service", "service"])
        #expect(json.at("results.1.detail")?.string?.hasPrefix("not sent: ") == true)
        #expect(json["wire"] == [])
        #expect(ending.sentence?.hasPrefix("taprig: pcsc:Some: ") == true)
    }

    @Test("of send: with --stats the times by command are in the same document")
    func sendStatistics() throws {
        let ending = try Taprig.run("send", "--json", "--stats", "--repeat", "3", "00B0000001")
        let json = try ending.json()
        #expect(json.at("commands.0.name") == "READ BINARY")
        #expect(json.at("commands.0.count") == 3)
        #expect(json["results"]?.array?.count == 3)
    }

    @Test("of lint: file, line, column, message and the word that was meant")
    func lint() throws {
        let path = try folder.write(
            "wrong.yaml",
            Scenarios.nbt(cases: "  - name: x\n    steps:\n      - raed: FILE_1\n      - select: FILE_9")
        )
        let ending = try Taprig.run("lint", "--json", path)
        #expect(ending.status == 2)
        #expect(ending.errors.isEmpty)
        let json = try ending.json()
        #expect(json.keys == ["mistakes"])
        let first = try #require(json.at("mistakes.0"))
        #expect(first.keys == ["file", "line", "column", "message", "hint"])
        #expect(first["file"]?.string?.hasSuffix("wrong.yaml") == true)
        #expect(first["line"] == 7)
        #expect(first["column"] == 9)
        #expect(first["hint"] == "read")
        #expect(json["mistakes"]?.array?.count == 2)

        let good = try folder.write("good.yaml", Scenarios.nbt(cases: Scenarios.passing))
        #expect(try Taprig.run("lint", "--json", good).json() == .object(["mistakes": []]))
    }

    @Test("of readers: lists of readers, probes and emulators, without a service too")
    func readers() throws {
        let ending = try Taprig.run("readers", "--json", environment: Taprig.withoutService)
        #expect(ending.status == 3)
        let json = try ending.json()
        #expect(json["readers"] == [])
        #expect(json["probes"] == [])
        #expect(json["emulators"]?.array?.contains("nbt") == true)
    }

    @Test("of list: suites with their cases, tags and needs")
    func list() throws {
        let path = try folder.write(
            "suite.yaml",
            Scenarios.nbt(
                cases: Scenarios.passing,
                header: "title: Demo\ntags: [smoke]\nneeds: [field.control]\n"
            )
        )
        let json = try Taprig.run("list", "--json", path).json()
        let suite = try #require(json.at("suites.0"))
        #expect(suite.keys == ["name", "title", "file", "target", "tags", "needs", "cases"])
        #expect(suite["needs"] == ["field.control"])
        #expect(suite.at("cases.0.name") == "passes")
        #expect(suite.at("cases.0.tags") == ["smoke"])
        #expect(suite.at("cases.0.line") == 8)

        try folder.write("wrong.yaml", "rig: 1")
        let wrong = try Taprig.run("list", "--json", folder.path("wrong.yaml"))
        #expect(wrong.status == 2)
        #expect(try wrong.json()["suites"] == [])
        #expect(try wrong.json().at("mistakes.0.message") != nil)
    }

    @Test("of trace stats: name, count and percentiles of each command")
    func statistics() throws {
        try folder.write("suite.yaml", Scenarios.nbt(cases: Scenarios.passing))
        #expect(try Taprig.run("run", "suite.yaml", "--out", "out", in: folder.path).status == 0)
        let ending = try Taprig.run(
            "trace",
            "stats",
            "--json",
            folder.path("out/traces/demo.suite/passes.jsonl")
        )
        let command = try #require(try ending.json().at("commands.0"))
        #expect(command["name"] == "SELECT application")
        #expect(command["count"] == 1)
        for key in ["p50_us", "p95_us", "p99_us", "max_us"] {
            #expect(command[key]?.double == 3000, "\(key)")
        }
        #expect(command["outliers"] == [])
    }

    @Test("of run: the record, alone on standard output; people read standard error")
    func run() throws {
        try folder.write(
            "suite.yaml",
            Scenarios.nbt(cases: [Scenarios.passing, Scenarios.failing].joined(separator: "\n"))
        )
        let ending = try Taprig.run(
            "run",
            "suite.yaml",
            "--out",
            "out",
            "--json",
            "--seed",
            "7",
            "--label",
            "board=A1",
            in: folder.path
        )
        #expect(ending.status == 1)
        #expect(ending.errors.contains("2 cases: 1 passed, 1 failed"))
        #expect(ending.output == folder.text("out/run.json"))
        let json = try ending.json()
        #expect(json["run"] == 1)
        #expect(json["seed"] == 7)
        #expect(json.at("labels.0.key") == "board")
        #expect(json.at("suites.0.name") == "demo.suite")
        #expect(json.at("suites.0.via") == "emulator")
        #expect(json.at("suites.0.cases.0.verdict") == "passed")
        #expect(json.at("suites.0.cases.1.verdict") == "failed")
        #expect(json.at("suites.0.cases.1.problem.type") == "UnexpectedData")
        #expect(json.at("suites.0.cases.1.attempts.0.trace") == "traces/demo.suite/fails.jsonl")
        #expect(json.at("suites.0.cases.1.attempts.0.steps.1.exchanges")?.integer == 2)
    }

    @Test("of run: a document for wrong files as well")
    func runWrong() throws {
        try folder.write("wrong.yaml", Scenarios.nbt(cases: "  - name: x"))
        let ending = try Taprig.run("run", "wrong.yaml", "--out", "out", "--json", in: folder.path)
        #expect(ending.status == 2)
        #expect(try ending.json().at("suites.0.cases.0.problem.type") == "ScenarioInvalid")
    }
}
