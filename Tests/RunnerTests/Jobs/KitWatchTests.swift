// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import RunRecord
import Runner
import Scenario
import Synchronization
import Testing

/// Calls to a kit that never return.
@Suite(.timeLimit(.minutes(5))) struct KitWatchTests {
    private let bench: ScenarioBench

    init() throws {
        bench = try ScenarioBench()
        bench.options.kitDeadline = .milliseconds(300)
    }

    private let text = """
        rig: 1
        suite: t
        target: iso7816
        limits: { teardown: 1s }
        teardown:
          - send: 00B00000FF
        cases:
          - name: hangs
            steps:
              - send: 00B0000001
              - kit.button: press
              - send: 00B0000002
          - name: next
            steps:
              - send: 00B0000003
              - kit.led: dark
        """

    private static let capabilities: Set<Capability> = [
        .fieldControl, Capability(rawValue: "kit.button"), Capability(rawValue: "kit.led"),
    ]

    private func route(_ kit: HangingKit) -> ScriptedRoute {
        ScriptedRoute(
            kit: kit,
            offered: Self.capabilities,
            carried: Self.capabilities
        ) { _ in "9000" }
    }

    @Test func `A button that hangs costs its case, and the reader is free for the next one`() throws {
        let kit = HangingKit()
        defer { kit.release() }
        let route = route(kit)
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["hangs: error", "next: passed"], "\(record.messages)")
        let problem = try record.testCase("hangs").problem
        #expect(problem?.type == "RigTimeout")
        #expect(problem?.message == "step 2 kit.button press: the hanging kit did not answer in 300 ms")
        #expect(try record.testCase("hangs").attempts[0].teardownProblem == nil)
        #expect(route.commands == ["00B0000001", "00B00000FF", "00B0000003", "00B00000FF"])
        // The connection of the thread that hangs, that of its teardown, and that of the next case.
        #expect(route.opens == 3)
        #expect(route.closes == 3)
        #expect(record.notes == [])
    }

    @Test func `A button that comes back late disturbs nothing`() throws {
        let kit = HangingKit()
        let route = route(kit)
        let record = try bench.run(text, route: route)
        let path = try record.testCase("hangs").attempts[0].trace
        let before = try bench.traceRecords(path).count
        let (commands, closes) = (route.commands, route.closes)
        kit.release()
        SystemClock().wait(.milliseconds(100))
        #expect(try bench.traceRecords(path).count == before)
        #expect(route.commands == commands)
        #expect(route.closes == closes)
    }

    private let asking = """
        rig: 1
        suite: t
        target: iso7816
        cases:
          - name: one
            steps:
              - operator: { ask: turn the card over, within: 100ms }
              - send: 00B0000001
          - name: two
            steps:
              - operator: { ask: turn it back, within: 100ms }
              - send: 00B0000002
        """

    @Test(arguments: [nil, "second"])
    func `An operator's program that hangs costs its case, whichever connection asks`(role: String?) throws {
        let person = Person(hangsOn: "turn the card over")
        defer { person.release() }
        bench.options.operatorPort = person
        let route = ScriptedRoute(roles: ["second"]) { _ in "9000" }
        let text = asking.replacing("100ms }", with: role.map { "100ms }\n        on: \($0)" } ?? "100ms }")
        let record = try bench.run(text, route: route)
        #expect(record.verdicts == ["one: error", "two: passed"], "\(record.messages)")
        #expect(try record.testCase("one").problem?.type == "RigTimeout")
        // The second connection of the case that hangs stays with its thread.
        #expect(route.closes == (role == nil ? route.opens : route.opens + 1))
    }

    @Test(arguments: [nil, "second"])
    func `Two cases never ask the operator at the same time, whichever connection asks`(role: String?) throws
    {
        let person = Person(hangsOn: nil)
        bench.options.operatorPort = person
        let routes = ["a", "b"].map {
            ScriptedRoute(spec: "pcsc:\($0)", reader: $0, roles: ["second"]) { _ in "9000" }
        }
        let text = asking.replacing("100ms }", with: role.map { "100ms }\n        on: \($0)" } ?? "100ms }")
        let record = try bench.run(text, routes: RouteSet(routes))
        #expect(record.verdicts == ["one: passed", "two: passed"], "\(record.messages)")
        #expect(person.asked == 2)
        #expect(person.mostAtATime == 1)
    }

    @Test func `A kit that is slow within its deadline only slows the run down`() throws {
        let kit = HangingKit()
        kit.release()
        let record = try bench.run(text, route: route(kit))
        #expect(record.verdicts == ["hangs: passed", "next: passed"], "\(record.messages)")
        #expect(kit.presses == 1)
    }
}

/// A kit whose button hangs until it is released.
private final class HangingKit: Kit {
    let name = "hanging kit"
    private let state = Mutex((isReleased: false, presses: 0))

    var presses: Int { state.withLock { $0.presses } }

    func release() { state.withLock { $0.isReleased = true } }

    func pressButton() throws(TransportFault) {
        while !state.withLock({ $0.isReleased }) { SystemClock().wait(.milliseconds(5)) }
        state.withLock { $0.presses += 1 }
    }

    func led() throws(TransportFault) -> LEDState { .dark }

    func uartLines(since index: Int) -> [UARTLine] { [] }

    func settle() {}
}

/// Somebody who is asked, and may never answer.
private final class Person: OperatorPort {
    private let state = Mutex((isReleased: false, asked: 0, now: 0, most: 0))
    private let hanging: String?

    init(hangsOn request: String?) {
        hanging = request
    }

    var asked: Int { state.withLock { $0.asked } }
    var mostAtATime: Int { state.withLock { $0.most } }

    func release() { state.withLock { $0.isReleased = true } }

    func ask(_ request: String, within limit: Duration?) -> OperatorAnswer {
        state.withLock {
            $0.asked += 1
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        SystemClock().wait(.milliseconds(60))
        while request == hanging, !state.withLock({ $0.isReleased }) { SystemClock().wait(.milliseconds(5)) }
        return .done
    }
}
