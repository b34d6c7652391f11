// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import Testing

/// A folder for one test with scenarios and scripted cards, and a way to run them in process.
final class ScenarioBench {
    /// The folder; it goes with the bench.
    let folder: String
    /// What the run is told.
    var options: RunOptions
    /// Variables that are known to lint beside those of the file.
    var externalNames: Set<String> = []
    private(set) var events: [RunEvent] = []

    init() throws {
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "rig-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        folder = base.path
        options = RunOptions(outputFolder: folder + "/out", rigVersion: "0.0.0", hostName: "host")
        options.seed = 42
        for target in EmulatorCatalog.targets {
            options.emulatorOptionNames[target] = Set(EmulatorCatalog.options(of: target).map(\.name))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Writes a file into the folder.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let path = folder + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Writes a scripted card; rules are `command: answer` pairs, the first that fits answers.
    func writeCard(_ rules: [Rule], named name: String = "card.json", default fallback: String = "6D00")
        throws
    {
        let list = rules.map { rule in
            var members = ["\"c\": \"\(rule.command)\""]
            if let answer = rule.answer { members.append("\"r\": \"\(answer)\"") }
            if let times = rule.times { members.append("\"times\": \(times)") }
            if let delay = rule.delayMilliseconds { members.append("\"delay_ms\": \(delay)") }
            if let fault = rule.fault { members.append("\"fault\": \"\(fault)\"") }
            return "{" + members.joined(separator: ", ") + "}"
        }
        try write(
            name,
            "{\"kind\": \"card\", \"atr\": \"3B80800101\", \"protocol\": \"T=1\", \"default\": \"\(fallback)\", "
                + "\"rules\": [\(list.joined(separator: ",\n"))]}"
        )
    }

    /// Reads scenarios; there must be no mistake in them.
    func load(_ texts: [String]) throws -> [Suite] {
        let loaded = try read(texts)
        #expect(loaded.mistakes.map(\.description) == [])
        return loaded.suites
    }

    /// The mistakes of a scenario.
    func mistakes(_ text: String) throws -> [String] {
        try read([text]).mistakes.map(\.description)
    }

    private func read(_ texts: [String]) throws -> LoadedSuites {
        let paths = try texts.enumerated().map { try write("scenario\($0.offset + 1).yaml", $0.element) }
        let loader = SuiteLoader(
            vocabulary: .shipped,
            projectFolder: folder,
            externalNames: externalNames
        )
        return loader.load(paths: paths)
    }

    /// Runs scenarios to their outcome.
    @discardableResult
    func run(
        _ texts: String...,
        route: (any Route)? = nil,
        interruption: Interruption = Interruption(),
        ledger: RetryLedger = RetryLedger()
    ) throws -> RunRecord {
        let plan = RunPlan(suites: try load(texts), options: options)
        let runner = Runner(
            options: options,
            route: route ?? EmulatorRoute(),
            interruption: interruption,
            ledger: ledger
        )
        let listener = Listener()
        runner.add(listener)
        let record = runner.run(plan)
        events = listener.events
        return record
    }

    /// Runs scenarios with several workers.
    @discardableResult
    func run(
        _ texts: String...,
        routes: RouteSet,
        interruption: Interruption = Interruption(),
        observer: (any RunObserver)? = nil
    ) throws -> RunRecord {
        let plan = RunPlan(suites: try load(texts), options: options)
        let runner = Runner(options: options, routes: routes, interruption: interruption)
        if let observer { runner.add(observer) }
        return runner.run(plan)
    }

    /// Runs a scenario with one case.
    func runCase(
        _ text: String,
        route: (any Route)? = nil,
        interruption: Interruption = Interruption(),
        ledger: RetryLedger = RetryLedger()
    ) throws -> CaseRecord {
        let record = try run(text, route: route, interruption: interruption, ledger: ledger)
        return try #require(record.suites.first?.cases.first)
    }

    /// The lines of a trace in short: `00B0000001 9000`, `00B0000001 !timeout`, `(reconnect)`, `# remark`, `= passed`.
    func trace(_ attempt: AttemptRecord?) throws -> [String] {
        let attempt = try #require(attempt)
        return try traceRecords(attempt.trace).compactMap { record in
            if let command = record["c"]?.string {
                if let answer = record["r"]?.string { return "\(command) \(answer)" }
                return "\(command) !\(record["fault"]?.string ?? "?")"
            }
            if let event = record["event"]?.string {
                let state = record["state"]?.string ?? record["kind"]?.string
                return state.map { "(\(event) \($0))" } ?? "(\(event))"
            }
            if let note = record["note"]?.string { return "# \(note)" }
            if let end = record["end"]?.string { return "= \(end)" }
            return nil
        }
    }

    /// The commands of a trace, set-up and teardown included.
    func commands(_ attempt: AttemptRecord?) throws -> [String] {
        let attempt = try #require(attempt)
        return try traceRecords(attempt.trace).compactMap { $0["c"]?.string }
    }

    /// The records of a trace file of the run folder.
    func traceRecords(_ path: String) throws -> [JSON] {
        let text = try String(contentsOfFile: "\(options.outputFolder)/\(path)", encoding: .utf8)
        return try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }
}

/// A rule of a scripted card.
struct Rule {
    var command: String
    var answer: String?
    var times: Int?
    var delayMilliseconds: Int?
    var fault: String?

    init(_ command: String, _ answer: String?, times: Int? = nil, delay: Int? = nil, fault: String? = nil) {
        self.command = command
        self.answer = answer
        self.times = times
        delayMilliseconds = delay
        self.fault = fault
    }
}

/// Keeps the events of a run.
final class Listener: RunObserver {
    private(set) var events: [RunEvent] = []

    func observe(_ event: RunEvent) {
        events.append(event)
    }
}

extension RunRecord {
    /// The case whose name begins like this.
    func testCase(_ name: String) throws -> CaseRecord {
        try #require(suites.flatMap(\.cases).first { $0.name.hasPrefix(name) })
    }

    /// All cases as `name: verdict`.
    var verdicts: [String] {
        suites.flatMap(\.cases).map { "\($0.name): \($0.verdict.rawValue)" }
    }
}

/// The head of a scenario for the emulated NBT on its kit, whose firmware has set the policy up.
let kitHead = """
    rig: 1
    suite: t
    target: nbt

    """

/// The head of a scenario for the emulated NBT in its delivery state.
let nbtHead = kitHead + "options: { firmware-loop: off }\n"

/// The head of a scenario for a scripted card.
let scriptedHead = """
    rig: 1
    suite: t
    target: iso7816
    options: { card: card.json }

    """

/// SELECT of the NBT's tag application, as the rig sends it.
let selectTag = "00A4040007D276000085010100"

extension RunRecord {
    /// What the cases complain about.
    var messages: [String] { suites.flatMap(\.cases).compactMap(\.problem?.message) }
}
