// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import HostSystem
import JSONText
import Report
import Routes
import RunRecord
import Runner
import Synchronization
import Testing

/// Several workers at one run.
@Suite(.timeLimit(.minutes(5))) struct JobsTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    /// A suite whose cases send one command each, `00B00001..` and so on.
    private func suite(_ name: String = "t", cases: Int, target: String = "iso7816", from first: Int = 1)
        -> String
    {
        let list = (first..<(first + cases)).map { number in
            let digits = String(number, radix: 16, uppercase: true)
            let p2 = digits.count < 2 ? "0" + digits : digits
            return "  - name: s\(number)\n    steps:\n      - send: 00B000\(p2)01\n"
        }
        return "rig: 1\nsuite: \(name)\ntarget: \(target)\nlimits: { apdu: 400ms, teardown: 1s }\ncases:\n"
            + list.joined()
    }

    // MARK: The same bytes

    @Test(arguments: [2, 3, 5])
    func `Emulators leave the same bytes with any number of workers`(count: Int) throws {
        let texts = [
            nbtHead + """
                setup:
                  - select: D2760000850101
                cases:
                  - name: writes what it drew
                    matrix: { offset: [0, 4, 8, 12] }
                    steps:
                      - write: { file: FILE_1, offset: "${offset}", data: 01020304 }
                      - delay: 3s
                  - name: fails
                    steps:
                      - read: { file: FILE_1, length: 1 }
                        expect: { data: EE }
                  - name: is tried again
                    retry: { on: [CardRemoved], max: 2, delay: 5s }
                    fault: { at: 2, kind: remove, when: before }
                    steps:
                      - write: { file: FILE_1, data: 01 }
                """,
            kitHead.replacing("suite: t", with: "suite: u") + """
                cases:
                  - name: reads
                    steps:
                      - select: D2760000850101
                      - read: { file: FILE_1, length: 1 }
                  - name: has no such firmware
                    needs: ["firmware>=9999"]
                    steps:
                      - select: D2760000850101
                """,
        ]
        let one = try run(texts, RouteSet([EmulatorRoute()]), out: "one")
        let many = try run(texts, RouteSet((0..<count).map { _ in EmulatorRoute() }), out: "many")
        #expect(one.record.jsonText == many.record.jsonText)
        #expect(one.files.count == 8)
        #expect(one.files == many.files)
        let writer = JUnitWriter(options: JUnitOptions(runFolder: "out"))
        #expect(writer.text(one.record) == writer.text(many.record))
        #expect(
            one.record.suites.flatMap(\.cases).map(\.started).compactMap { $0 }.allSatisfy {
                $0 == "2000-01-01T00:00:00.000Z"
            }
        )
    }

    private func run(
        _ texts: [String],
        _ routes: RouteSet,
        out: String
    ) throws -> (record: RunRecord, files: [String: Data]) {
        var options = bench.options
        options.outputFolder = bench.folder + "/" + out
        let plan = RunPlan(suites: try bench.load(texts), options: options)
        let record = Runner(options: options, routes: routes).run(plan)
        var files: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: options.outputFolder)?.compactMap { $0 as? String }
        for name in names ?? [] where name.hasSuffix(".jsonl") {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(options.outputFolder)/\(name)"))
        }
        return (record, files)
    }

    // MARK: One case a reader

    @Test func `Eight scenarios on two readers overlap on none, and stand in file order (S18)`() throws {
        let slow = { @Sendable (command: String) throws(TransportFault) -> String? in
            // The first cases take longest, so that the finish order is another one.
            SystemClock().wait(.milliseconds(command == "00B0000101" ? 120 : 25))
            return "9000"
        }
        let routes = ["r1", "r2"].map { ScriptedRoute(spec: "pcsc:\($0)", reader: $0, behaviour: slow) }
        let log = EventLog()
        let record = try bench.run(suite(cases: 8), routes: RouteSet(routes), observer: log)
        let order = try JobsFixture.json("S18-eight-scenarios-two-readers-run-in/expect.json")["report_order"]
        #expect(record.suites[0].cases.map(\.name) == order?.array?.compactMap(\.string))
        #expect(record.verdicts.allSatisfy { $0.hasSuffix("passed") })
        #expect(Set(record.suites[0].cases.map(\.reader)) == ["r1", "r2"])
        #expect(record.suites[0].reader == "r1, r2")
        #expect(record.suites[0].via == "pcsc:r1, pcsc:r2")
        #expect(ScheduleEntry.overlap(in: log.schedule(record)) == nil)
        #expect(log.ended != record.suites[0].cases.map(\.name))
        #expect(routes.map(\.opens).reduce(0, +) == 8)
        #expect(routes.allSatisfy { $0.opens >= 2 })
        // Both readers worked at the same time.
        #expect(log.mostAtATime == 2)
    }

    @Test func `Events come one at a time, and those of a case in its own order`() throws {
        let routes = (1...4).map { number in
            ScriptedRoute(spec: "pcsc:\(number)", reader: "\(number)") { _ in "9000" }
        }
        let log = EventLog()
        let first = suite("t", cases: 12)
        let second = suite("u", cases: 12, from: 20)
        let record = try bench.run(first, second, routes: RouteSet(routes), observer: log)
        #expect(!log.wasCalledTwice)
        for suite in record.suites {
            for item in suite.cases {
                let name = "\(suite.name)/\(item.name)"
                #expect(
                    log.lines.filter { $0.hasSuffix(name) } == [
                        "start \(name)", "step \(name)", "end \(name)",
                    ]
                )
            }
            let own = log.lines.indices.filter { log.lines[$0].contains("\(suite.name)/") }
            #expect(log.lines.firstIndex(of: "suite \(suite.name)") ?? .max < own.first ?? 0)
            #expect(log.lines.firstIndex(of: "suite end \(suite.name)") ?? 0 > own.last ?? .max)
        }
        #expect(log.indices.sorted() == Array(1...24))
        #expect(log.lines.first == "run")
        #expect(log.lines.last == "run end")
    }

    // MARK: Readers that fail

    @Test func `A reader that goes out of use leaves its cases to the other one`() throws {
        let gate = ScriptedRoute { _ in nil }
        let broken = ScriptedRoute(
            spec: "pcsc:broken",
            reader: "broken",
            opening: { if $0 > 1 { gate.block() } },
            behaviour: { _ in nil }
        )
        let good = ScriptedRoute(spec: "pcsc:good", reader: "good") { _ in
            SystemClock().wait(.milliseconds(20))
            return "9000"
        }
        defer {
            gate.release()
            broken.release()
        }
        let record = try bench.run(suite(cases: 6), routes: RouteSet([broken, good]))
        let verdicts = record.suites[0].cases.map(\.verdict)
        #expect(verdicts.filter { $0 == .error }.count == 1)
        #expect(verdicts.filter { $0 == .passed }.count == 5)
        let note = "pcsc:broken: out of use for the rest of the run: no answer in 400 ms"
        let named = note.replacing("broken:", with: "broken (broken):")
        #expect(record.notes == [named])
        #expect(record.suites[0].notes == [named])
        #expect(record.jsonText.contains("\"notes\":[\"pcsc:broken (broken): out of use"))
        let junit = JUnitWriter(options: JUnitOptions(runFolder: "out")).text(record)
        #expect(junit.components(separatedBy: named).count == 2)
    }

    @Test func `With all readers out of use the rest are errors at once`() throws {
        let gate = ScriptedRoute { _ in nil }
        let routes = ["a", "b"].map { name in
            ScriptedRoute(
                spec: "pcsc:\(name)",
                reader: name,
                opening: { if $0 > 1 { gate.block() } },
                behaviour: { _ in nil }
            )
        }
        defer {
            gate.release()
            for route in routes { route.release() }
        }
        let record = try bench.run(suite(cases: 9), routes: RouteSet(routes))
        #expect(record.suites[0].cases.map(\.name) == (1...9).map { "s\($0)" })
        #expect(record.suites[0].cases.allSatisfy { $0.verdict == .error })
        #expect(record.suites[0].cases.filter { $0.attempts.isEmpty }.count == 7)
        #expect(record.notes.count == 2)
    }

    // MARK: Roles and capabilities

    @Test func `A case waits for the reader of its role`() throws {
        let nbt = ScriptedRoute(spec: "pcsc:n", reader: "n") { _ in "9000" }
        let iso = ScriptedRoute(spec: "pcsc:i", reader: "i") { _ in "9000" }
        let routes = RouteSet(members: [
            RouteSet.Member(nbt, roles: ["nbt"]), RouteSet.Member(iso, roles: ["iso7816"]),
        ])
        let record = try bench.run(
            suite("t", cases: 4),
            suite("u", cases: 3, target: "nbt", from: 20),
            routes: routes
        )
        #expect(record.suites.map(\.name) == ["t", "u"])
        #expect(record.suites.map(\.reader) == ["i", "n"])
        #expect(iso.commands == (1...4).map { "00B0000\($0)01" })
        #expect(nbt.opens == 3)
        #expect(record.verdicts.allSatisfy { $0.hasSuffix("passed") })
    }

    @Test func `A case whose role no reader has is an error with a sentence`() throws {
        let iso = ScriptedRoute(spec: "pcsc:i", reader: "i") { _ in "9000" }
        let record = try bench.run(
            suite("t", cases: 1),
            suite("u", cases: 2, target: "nbt", from: 20),
            routes: RouteSet(members: [RouteSet.Member(iso, roles: ["iso7816"])])
        )
        #expect(record.verdicts == ["s1: passed", "s20: error", "s21: error"])
        let problem = try record.testCase("s20").problem
        #expect(problem?.type == "ReaderAbsent")
        #expect(problem?.message == "no reader of this run has the role 'nbt'")
    }

    @Test func `A case that one reader cannot take goes to one that can`() throws {
        let poor = ScriptedRoute(spec: "pcsc:poor", reader: "poor", isEmulated: false, carried: []) { _ in
            "9000"
        }
        let rich = ScriptedRoute(spec: "pcsc:rich", reader: "rich", isEmulated: false) { _ in
            SystemClock().wait(.milliseconds(30))
            return "9000"
        }
        let needy = suite(cases: 6).replacing("    steps:", with: "    needs: [field.control]\n    steps:")
        let log = EventLog()
        let record = try bench.run(needy, routes: RouteSet([poor, rich]), observer: log)
        #expect(record.verdicts.allSatisfy { $0.hasSuffix("passed") })
        #expect(record.suites[0].cases.allSatisfy { $0.reader == "rich" })
        #expect(poor.commands.isEmpty)
        #expect(log.lines.filter { $0.hasPrefix("start") }.count == 6)
    }

    @Test func `A case that no reader can take is skipped once, for the first reader's reason`() throws {
        let routes = ["a", "b"].map {
            ScriptedRoute(spec: "pcsc:\($0)", reader: $0, isEmulated: false, carried: []) { _ in "9000" }
        }
        let needy = suite(cases: 4).replacing("    steps:", with: "    needs: [field.control]\n    steps:")
        let record = try bench.run(needy, routes: RouteSet(routes))
        #expect(record.verdicts == (1...4).map { "s\($0): skipped" })
        let message = "needs capability field.control; iso7816@pcsc:a does not offer it"
        #expect(record.messages == Array(repeating: message, count: 4))
    }

    @Test func `What a reader in use has found missing is a skip, though the other one is out of use`() throws
    {
        let gate = ScriptedRoute { _ in nil }
        let broken = ScriptedRoute(
            spec: "pcsc:broken",
            reader: "broken",
            isEmulated: false,
            carried: [],
            opening: { if $0 > 1 { gate.block() } },
            behaviour: { _ in nil }
        )
        let good = ScriptedRoute(spec: "pcsc:good", reader: "good", isEmulated: false, carried: []) { _ in
            "9000"
        }
        defer {
            gate.release()
            broken.release()
        }
        let needy = suite("u", cases: 3, from: 20).replacing(
            "    steps:",
            with: "    needs: [field.control]\n    steps:"
        )
        // The good reader has turned the cases down while the broken one still hangs in its own.
        let record = try bench.run(
            suite("t", cases: 1, target: "nbt"),
            needy,
            routes: RouteSet(members: [
                RouteSet.Member(broken, roles: ["nbt", "iso7816"]), RouteSet.Member(good, roles: ["iso7816"]),
            ])
        )
        #expect(record.verdicts == ["s1: error", "s20: skipped", "s21: skipped", "s22: skipped"])
        let message = "needs capability field.control; iso7816@pcsc:good does not offer it"
        #expect(record.suites[1].cases.allSatisfy { $0.problem?.message == message })
    }

    // MARK: Ends before the end

    @Test func `A signal ends the cases of all workers with their teardown`() throws {
        let interruption = Interruption()
        let meeting = Counter()
        let routes = ["a", "b"].map { name in
            ScriptedRoute(spec: "pcsc:\(name)", reader: name) { command in
                if command == "00B00000FF" { return "9000" }
                if meeting.next() == 2 { interruption.request("SIGTERM") }
                while interruption.signal == nil { SystemClock().wait(.milliseconds(2)) }
                return "9000"
            }
        }
        let text = suite(cases: 5).replacing("cases:\n", with: "teardown:\n  - send: 00B00000FF\ncases:\n")
            .replacing("01\n", with: "01\n      - delay: 30s\n").replacing("400ms", with: "20s")
        let record = try bench.run(text, routes: RouteSet(routes), interruption: interruption)
        #expect(record.interruptedBy == "SIGTERM")
        #expect(record.verdicts == ["s1: error", "s2: error"])
        #expect(record.notes == ["3 of 5 cases were not run"])
        #expect(record.suites[0].cases.allSatisfy { $0.problem?.type == "Interrupted" })
        #expect(routes.allSatisfy { $0.commands.last == "00B00000FF" })
    }

    @Test func `A run stops after so many errors of the rig`() throws {
        bench.options.maxErrors = 2
        let route = ScriptedRoute { command throws(TransportFault) in
            if ["00B0000201", "00B0000401", "00B0000501"].contains(command) {
                throw TransportFault(.cardMute, "mute")
            }
            return command == "00B0000301" ? "6A82" : "9000"
        }
        let record = try bench.run(suite(cases: 8), route: route)
        #expect(record.verdicts == ["s1: passed", "s2: error", "s3: failed", "s4: error"])
        #expect(
            record.notes == [
                "stopped after 2 errors of the rig (--max-errors 2)", "4 of 8 cases were not run",
            ]
        )
        #expect(record.notRun == 4)
    }

    @Test func `With several workers, fail-fast takes no further case`() throws {
        bench.options.failsFast = true
        let routes = ["a", "b"].map {
            ScriptedRoute(spec: "pcsc:\($0)", reader: $0) { command in
                SystemClock().wait(.milliseconds(10))
                return command == "00B0000301" ? "6A82" : "9000"
            }
        }
        let log = EventLog()
        let record = try bench.run(suite(cases: 200), routes: RouteSet(routes), observer: log)
        #expect(record.suites[0].cases.count < 200)
        let rest = log.lines.drop { $0 != "end t/s3" }
        #expect(!rest.isEmpty)
        #expect(!rest.contains { $0.hasPrefix("start ") })
        #expect(record.suites[0].cases.contains { $0.name == "s3" && $0.verdict == .failed })
        let left = 200 - record.suites[0].cases.count
        #expect(record.notes.last == "\(left) of 200 cases were not run")
        #expect(record.notes.count == 2)
    }
}

/// Listens to a run, and notes whether it is called by two threads at a time.
final class EventLog: RunObserver {
    private(set) var lines: [String] = []
    private(set) var indices: [Int] = []
    private(set) var ended: [String] = []
    private(set) var mostAtATime = 0
    private(set) var wasCalledTwice = false
    private let isInside = Atomic(false)
    private var running = 0
    private var starts: [String: Duration] = [:]
    private var ends: [String: Duration] = [:]

    func observe(_ event: RunEvent) {
        if isInside.exchange(true, ordering: .acquiringAndReleasing) { wasCalledTwice = true }
        defer { isInside.store(false, ordering: .releasing) }
        switch event {
        case .runStarted: lines.append("run")
        case .runEnded: lines.append("run end")
        case .suiteStarted(let suite): lines.append("suite \(suite.name)")
        case .suiteEnded(let suite): lines.append("suite end \(suite.name)")
        case .caseStarted(let suite, let name, let index):
            lines.append("start \(suite)/\(name)")
            indices.append(index)
            running += 1
            mostAtATime = max(mostAtATime, running)
            starts[name] = MonotonicTime.now
        case .stepEnded(let suite, let name, _): lines.append("step \(suite)/\(name)")
        case .attemptEnded: break
        case .caseEnded(let suite, let item):
            lines.append("end \(suite)/\(item.name)")
            ended.append(item.name)
            running -= 1
            ends[item.name] = MonotonicTime.now
        case .note(let text): lines.append("note \(text)")
        case .waiting(let text): lines.append("waiting \(text)")
        }
    }

    /// When each case held its reader.
    func schedule(_ record: RunRecord) -> [ScheduleEntry] {
        record.suites.flatMap(\.cases).map {
            ScheduleEntry(
                scenario: $0.name,
                reader: $0.reader,
                start: (starts[$0.name] ?? .zero) / .seconds(1),
                end: (ends[$0.name] ?? .zero) / .seconds(1)
            )
        }
    }
}
