// SPDX-License-Identifier: MIT

import CardConnection
import Glibc
import SmartCard
import Synchronization
import Testing

/// Blocks callers until it is opened; a pipe, so that the thread really sits in a call of the kernel.
private final class Gate: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var pair: [Int32] = [-1, -1]
        _ = pipe(&pair)
        ends = (pair[0], pair[1])
    }

    func wait() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }

    func open() {
        var byte: UInt8 = 1
        _ = write(ends.write, &byte, 1)
    }
}

/// A connection whose calls block at a gate.
private final class BlockedConnection: Connection {
    let facts = ConnectionFacts(readerName: "Blocked", atr: [0x3B, 0x00], protocolName: "T=0")
    var exchangeDeadline: Duration = .milliseconds(80)
    let gate: Gate
    let calls: CallCount

    init(gate: Gate, calls: CallCount) {
        self.gate = gate
        self.calls = calls
    }

    func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        calls.add()
        gate.wait()
        return [0x90, 0x00]
    }

    func reset(_ kind: ResetKind) throws(TransportFault) { calls.add() }
    func setField(_ state: FieldState) throws(TransportFault) { calls.add() }
    func reconnect() throws(TransportFault) {
        calls.add()
        gate.wait()
    }
    func close() { calls.add() }
}

/// How many calls reached a connection.
private final class CallCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() {
        count.add(1, ordering: .relaxed)
    }
}

@Suite("Supervisor")
struct SupervisorTests {
    @Test("work that ends hands its result over at once")
    func finished() {
        let outcome = SupervisedWorker.perform { _ in 6 * 7 }
        guard case .finished(let value) = outcome else {
            Issue.record("given up: \(outcome)")
            return
        }
        #expect(value == 42)
    }

    @Test("work runs on a thread of its own, with room for deep recursion")
    func ownThread() {
        let caller = UInt(pthread_self())
        let outcome = SupervisedWorker.perform { _ in
            withUnsafeTemporaryAllocation(byteCount: 4 << 20, alignment: 16) { room in
                room[0] = 1
                return UInt(pthread_self())
            }
        }
        guard case .finished(let worker) = outcome else {
            Issue.record("given up: \(outcome)")
            return
        }
        #expect(worker != caller)
    }

    @Test("a call that blocks is given up soon after its deadline")
    func blocked() {
        let gate = Gate()
        let start = SystemClock().now
        let outcome = SupervisedWorker.perform { watch in
            watch.arm(.milliseconds(120), "no answer in 120 ms")
            gate.wait()
        }
        let elapsed = SystemClock().now - start
        guard case .abandoned(let fault) = outcome else {
            Issue.record("finished without an answer")
            return
        }
        #expect(fault.kind == .timeout)
        #expect(fault.detail == "no answer in 120 ms")
        #expect(elapsed >= .milliseconds(120))
        #expect(elapsed < .seconds(1))
        gate.open()
    }

    @Test("a late answer is thrown away, and the connection below is never touched again")
    func lateAnswer() {
        let (gate, done, calls) = (Gate(), Gate(), CallCount())
        let faults = Mutex<[TransportFault?]>([])
        let outcome = SupervisedWorker.perform { watch in
            let connection = WatchedConnection(
                BlockedConnection(gate: gate, calls: calls),
                watch: watch,
                grace: .zero
            )
            let late = fault(of: [0x00, 0xB0, 0x00, 0x00], on: connection)
            let next = fault(of: [0x00, 0xB0, 0x00, 0x00], on: connection)
            let again = fault { () throws(TransportFault) in try connection.reconnect() }
            connection.exchangeDeadline = .seconds(1)
            connection.close()
            faults.withLock { $0 = [late, next, again] }
            #expect(connection.facts.readerName == "Blocked")
            done.open()
        }
        guard case .abandoned(let fault) = outcome else {
            Issue.record("finished without an answer")
            return
        }
        #expect(fault.detail == "no answer in 80 ms")
        #expect(calls.value == 1)
        gate.open()
        done.wait()
        #expect(calls.value == 1)
        #expect(faults.withLock { $0 }.map { $0?.kind } == [.timeout, .timeout, .timeout])
    }

    @Test("a call of any kind that blocks is given up")
    func blockedReconnect() {
        let (gate, calls) = (Gate(), CallCount())
        let outcome = SupervisedWorker.perform { watch in
            let connection = WatchedConnection(BlockedConnection(gate: gate, calls: calls), watch: watch)
            return fault { () throws(TransportFault) in try connection.reconnect() }
        }
        guard case .abandoned(let fault) = outcome else {
            Issue.record("finished")
            return
        }
        #expect(fault.kind == .timeout)
        gate.open()
    }

    @Test("the caller looks around while it waits, and may give up for its own reasons")
    func order() {
        let gate = Gate()
        var looks = 0
        let reason = TransportFault(.control, "interrupted")
        let outcome = SupervisedWorker.perform(
            { _ in gate.wait() },
            tick: {
                looks += 1
                return looks < 3 ? .goOn : .abandon(reason)
            }
        )
        guard case .abandoned(let fault) = outcome else {
            Issue.record("finished")
            return
        }
        #expect(fault == reason)
        #expect(looks == 3)
        gate.open()
    }

    @Test("a connection with a deadline of its own says itself that no answer came")
    func innerDeadline() throws {
        let item = try #require(try FieldCase.load("S13").first)
        let card = try item.card()
        let commands = item.commands
        let outcome = SupervisedWorker.perform { watch in
            let inner = InProcessConnection(card: card, clock: SystemClock(), deadline: .milliseconds(60))
            let connection = WatchedConnection(inner, watch: watch, grace: .seconds(5))
            return [fault(of: commands[0], on: connection), fault(of: commands[1], on: connection)]
        }
        guard case .finished(let faults) = outcome else {
            Issue.record("given up")
            return
        }
        #expect(faults.map { $0?.detail } == [nil, "no answer in 60 ms"])
    }

    @Test("work that has completed in the moment in which it was to be given up ends by itself")
    func completed() {
        let (completed, looked) = (Gate(), Gate())
        var looks = 0
        let outcome = SupervisedWorker.perform { watch in
            let mayGoOn = watch.complete()
            completed.open()
            looked.wait()
            return mayGoOn && !watch.isAbandoned
        } tick: {
            looks += 1
            if looks == 1 {
                completed.wait()
                looked.open()
            }
            return .abandon(TransportFault(.timeout, "given up"))
        }
        guard case .finished(true) = outcome else {
            Issue.record("given up: \(outcome)")
            return
        }
    }

    @Test("work that was given up cannot complete any more")
    func givenUpFirst() {
        let (isGivenUp, end) = (Gate(), Gate())
        let mayGoOn = Mutex<Bool?>(nil)
        let outcome = SupervisedWorker.perform { watch in
            isGivenUp.wait()
            mayGoOn.withLock { $0 = watch.complete() }
            end.open()
        } tick: {
            .abandon(TransportFault(.timeout, "given up"))
        }
        isGivenUp.open()
        end.wait()
        #expect(mayGoOn.withLock { $0 } == false)
        guard case .abandoned = outcome else {
            Issue.record("not given up")
            return
        }
    }

    @Test("a watch that was disarmed in time never strikes")
    func disarmed() {
        let watch = DeadlineWatch()
        #expect(watch.arm(.zero, "no answer in 0 ms"))
        #expect(watch.disarm())
        #expect(!watch.isAbandoned)
        #expect(watch.abandonment == nil)
        #expect(watch.arm(.seconds(Int64.max), "no answer for ever"))
        #expect(watch.disarm())
    }

    @Test("a watched connection answers and keeps its deadline in step")
    func transparent() throws {
        let card = TestCard()
        let recorder = RecordingConnection(InProcessConnection(card: card, clock: ModelClock()))
        let connection = WatchedConnection(recorder, watch: DeadlineWatch())
        #expect(connection.exchangeDeadline == .seconds(30))
        connection.exchangeDeadline = .seconds(2)
        #expect(recorder.exchangeDeadline == .seconds(2))
        #expect(try connection.transmit(TestCommand.raise).hex == "019000")
        #expect(fault(of: TestCommand.mute, on: connection)?.detail == "no answer in 2000 ms")
        try connection.reconnect()
        try connection.reset(.warm)
        try connection.setField(.off)
        #expect(fault(of: TestCommand.tell, on: connection)?.kind == .noCard)
        connection.close()
        #expect(recorder.calls == ["reconnect", "reset warm", "field off", "close"])
    }
}
