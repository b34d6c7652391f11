// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import Foundation
import HostSystem
import JSONText
import Routes
import RunRecord
import Runner
import Scenario
import Synchronization
import Testing

/// What a bench changes in a run, without a reader.
@Suite("Runs on a bench")
struct BenchRunTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
    }

    private let harmful =
        nbtHead + """
            cases:
              - name: harmful
                tags: [destructive]
                steps:
                  - select: D2760000850101
            """

    private let harmless =
        nbtHead + """
            cases:
              - name: one
                steps:
                  - select: D2760000850101
              - name: two
                steps:
                  - select: D2760000850101
            """

    // MARK: Destructive cases

    @Test("A destructive case sends nothing to a real card that nobody allowed by name")
    func destructiveUnknownCard() throws {
        bench.options.allowsDestructive = true
        let card = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        let outcome = try bench.runCase(harmful, route: card)
        #expect(outcome.problem?.type == "NotPermitted")
        #expect(
            outcome.problem?.message
                == "connect pcsc:X: the case is destructive, and no bench names this card's serial"
        )
        #expect(card.commands == [])
        #expect(card.closes == 1)
    }

    @Test(
        "A destructive case runs on a real card that its bench allows, and only when the command line says so"
    )
    func destructiveAllowedCard() throws {
        let route = DressedRoute(objection: nil)
        #expect(try bench.runCase(harmful, route: route).problem?.type == "NotPermitted")
        #expect(route.card.opens == 0)
        bench.options.allowsDestructive = true
        #expect(try bench.runCase(harmful, route: route).verdict == .passed)
        #expect(route.card.commands == [selectTag])
    }

    @Test("A bench's objection stands in the report")
    func destructiveObjection() throws {
        bench.options.allowsDestructive = true
        let route = DressedRoute(objection: "the card 04AA is not in the `allow` list of b.yaml")
        let outcome = try bench.runCase(harmful, route: route)
        #expect(outcome.problem?.message.contains("the card 04AA is not in the `allow` list") == true)
        #expect(route.card.commands == [])
    }

    // MARK: Limits

    @Test("A bench's limits hold where the scenario gives none")
    func limits() throws {
        let route = DressedRoute(limits: Limits(apdu: .seconds(7)))
        _ = try bench.run(harmless, route: route)
        #expect(route.deadlines == [.seconds(7), .seconds(7)])
        let own = DressedRoute(limits: Limits(apdu: .seconds(7)))
        _ = try bench.run(
            harmless.replacingOccurrences(of: "cases:", with: "limits: { apdu: 2s }\ncases:"),
            route: own
        )
        #expect(own.deadlines == [.seconds(2), .seconds(2)])
    }

    @Test("A bench's limit of a case ends it")
    func caseLimit() throws {
        let route = DressedRoute(limits: Limits(testCase: .milliseconds(20)))
        let outcome = try bench.runCase(
            nbtHead + """
                cases:
                  - name: slow
                    steps:
                      - delay: 5s
                """,
            route: route
        )
        #expect(outcome.problem?.message.contains("longer than its limit of 20ms") == true)
    }

    // MARK: Timing

    private let quick =
        nbtHead + """
            cases:
              - name: quick
                steps:
                  - select: D2760000850101
                    expect: { time: "<1us" }
            """

    @Test("What the bench knows of its reader is no time of the card's")
    func overhead() throws {
        // Nothing goes through all wrappers and into a trace within a microsecond.
        #expect(try bench.runCase(quick, route: DressedRoute()).problem?.type == "TimingExceeded")
        let route = DressedRoute(overhead: .seconds(1), timingBand: "10%")
        let outcome = try bench.runCase(quick, route: route)
        #expect(outcome.verdict == .passed)
        let path = try #require(outcome.attempts.first?.trace)
        let records = try bench.traceRecords(path)
        #expect(records[0]["overhead_us"]?.integer == 1_000_000)
        #expect(records[0]["band"]?.string == "10%")
        // The trace keeps what was measured.
        #expect(records.contains { $0["us"].map { $0 != .integer(0) } ?? false })
    }

    // MARK: Preparing

    private let busy = TransportFault(.busy, "the reader 'R' is in use by pid 7", hint: "wait for it")

    @Test("A reader that cannot be had makes an error of each case, and is not connected to")
    func unprepared() throws {
        let route = DressedRoute(preparing: busy)
        let record = try bench.run(harmless, route: route)
        #expect(record.verdicts == ["one: error", "two: error"])
        #expect(Set(record.messages) == ["the reader 'R' is in use by pid 7"])
        #expect(record.suites[0].cases[0].problem?.type == "ReaderBusy")
        #expect(record.suites[0].cases[0].problem?.hint == "wait for it")
        #expect(route.card.opens == 0)
    }

    @Test("With two readers the one that can be had takes all cases")
    func onePrepared() throws {
        let free = DressedRoute()
        let record = try bench.run(
            harmless,
            routes: RouteSet([DressedRoute(preparing: busy), free])
        )
        #expect(record.verdicts == ["one: passed", "two: passed"])
        #expect(free.card.opens == 2)
        #expect(record.notes.contains { $0.contains("is in use by pid 7") })
    }

    @Test("A run that waits for a reader says so before its first case, and for each of several readers")
    func waitIsTold() throws {
        let log = EventLog()
        let routes = RouteSet(["A", "B"].map { DressedRoute(waiting: "waiting up to 10min for \($0)") })
        _ = try bench.run(harmless, routes: routes, observer: log)
        let waits = log.lines.filter { $0.hasPrefix("waiting ") }
        #expect(Set(waits) == ["waiting waiting up to 10min for A", "waiting waiting up to 10min for B"])
        #expect(waits.count == 2)
        _ = try bench.run(harmless, route: DressedRoute(waiting: "waiting up to 5s for C"))
        let kinds = bench.events.prefix(4).map { event in
            switch event {
            case .runStarted: "run"
            case .waiting(let text): text
            case .suiteStarted: "suite"
            case .caseStarted: "case"
            default: "other"
            }
        }
        #expect(kinds == ["run", "waiting up to 5s for C", "suite", "case"])
    }

    @Test("A run without cases locks no reader")
    func nothingToPrepare() throws {
        let route = DressedRoute(preparing: busy)
        let plan = RunPlan(suites: [], options: bench.options)
        _ = Runner(options: bench.options, route: route).run(plan)
        #expect(route.preparations == 0)
    }
}

/// A real card that answers 9000 to everything, with what a bench says of it.
final class DressedRoute: Route {
    let card: ScriptedRoute
    let limits: Limits
    private let objection: String?
    private let fault: TransportFault?
    private let waiting: String?
    private let overhead: Duration
    private let timingBand: String?
    private let seen = Mutex<(deadlines: [Duration], preparations: Int)>(([], 0))

    init(
        limits: Limits = Limits(),
        objection: String? = nil,
        preparing fault: TransportFault? = nil,
        waiting: String? = nil,
        overhead: Duration = .zero,
        timingBand: String? = nil
    ) {
        self.overhead = overhead
        self.timingBand = timingBand
        card = ScriptedRoute(spec: "pcsc:X", isEmulated: false) { _ in "9000" }
        self.limits = limits
        self.objection = objection
        self.fault = fault
        self.waiting = waiting
    }

    /// The deadline of each connection.
    var deadlines: [Duration] { seen.withLock { $0.deadlines } }
    /// How often the way was made ready.
    var preparations: Int { seen.withLock { $0.preparations } }

    var spec: String { card.spec }
    var isVirtualTime: Bool { card.isVirtualTime }
    var isEmulated: Bool { card.isEmulated }

    func capabilities(target: String, options: [String: String]) -> Set<Capability>? { nil }

    func prepare(
        isCancelled: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (String) -> Void
    ) throws(TransportFault) {
        seen.withLock { $0.preparations += 1 }
        if let waiting { tell(waiting) }
        if let fault { throw fault }
    }

    func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        seen.withLock { $0.deadlines.append(setup.exchangeDeadline) }
        var opened = try card.open(setup)
        opened.destructiveObjection = objection
        opened.exchangeOverhead = overhead
        opened.timingBand = timingBand
        return opened
    }

    func close() { card.close() }
}
