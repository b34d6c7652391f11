// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario
import SmartCard

/// What the workers of a run share: the cases to do, what came of them, and those who listen.
///
/// Each change and the events that tell of it are one step under one lock, so that listeners hear one thing at a time
/// and in the order in which things happen.
final class RunBoard: Sendable {
    /// The cases, in the order of the files.
    let items: [PlannedCase]
    private let suites: [Suite]
    private let suiteOfItem: [Int]
    private let routes: RouteSet
    private let options: RunOptions
    private let interruption: Interruption
    private let monitor: Monitor<State>

    private struct SuiteState {
        /// Nil before the first case was taken.
        var record: SuiteRecord?
        let items: Range<Int>
        var left: Int
        var isClosed = false
    }

    private struct State {
        let observers: [any RunObserver]
        var queue: CaseQueue
        var suites: [SuiteState]
        var runs: [CaseRun?]
        /// What readers said that could not take a case, by case and worker.
        var refusals: [Int: [Int: CaseRun]] = [:]
        /// The case that each worker has in hand.
        var hands: [Int?]
        /// Whether each worker's reader is out of use.
        var isOut: [Bool]
        /// Whether a teardown has left each worker's device as it was not meant to.
        var isDirty: [Bool]
        var errorCount = 0
        var isOver = false
        var notes: [String] = []

        func tell(_ event: RunEvent) {
            for observer in observers { observer.observe(event) }
        }
    }

    init(
        plan: RunPlan,
        routes: RouteSet,
        options: RunOptions,
        interruption: Interruption,
        observers: [any RunObserver]
    ) {
        items = plan.suites.flatMap(\.cases)
        suites = plan.suites.map(\.suite)
        suiteOfItem = plan.suites.enumerated().flatMap { index, suite in
            repeatElement(index, count: suite.cases.count)
        }
        self.routes = routes
        self.options = options
        self.interruption = interruption
        var states: [SuiteState] = []
        for (_, cases) in plan.suites {
            let first = states.last?.items.upperBound ?? 0
            states.append(SuiteState(items: first..<(first + cases.count), left: cases.count))
        }
        monitor = Monitor(
            State(
                observers: observers,
                queue: CaseQueue(roles: items.map(\.suite.target)),
                suites: states,
                runs: Array(repeating: nil, count: items.count),
                hands: Array(repeating: nil, count: routes.members.count),
                isOut: Array(repeating: false, count: routes.members.count),
                isDirty: Array(repeating: false, count: routes.members.count)
            )
        )
    }

    /// Tells an event.
    func tell(_ event: RunEvent) {
        monitor.withLock { $0.tell(event) }
    }

    // MARK: Taking

    private enum Turn {
        case item(Int)
        case over
    }

    /// The next case for a worker; nil when there is none for it any more.
    ///
    /// Waits while a case is in another worker's hands that may have to come to this one.
    func take(_ worker: Int) -> Int? {
        let turn = monitor.wait { state -> Turn? in
            while !state.isOver, !interruption.isRequested {
                let (isOut, refusals) = (state.isOut, state.refusals)
                let index = state.queue.take(
                    where: { role in isFor(worker, role: role, refusals: nil, isOut) },
                    again: { isFor(worker, role: items[$0].suite.target, refusals: refusals[$0], isOut) }
                )
                guard let index else { return mayComeBack(to: worker, state) ? nil : .over }
                if isOut[worker], let known = firstRefusal(of: index, state) {
                    // A reader that was in use has judged; one that is out of use knows no better.
                    state.refusals[index] = nil
                    book(index, known, &state)
                    continue
                }
                begin(index, &state)
                state.hands[worker] = index
                return .item(index)
            }
            return .over
        }
        guard case .item(let index) = turn else { return nil }
        return index
    }

    /// Whether a case is for a worker: because its reader may take it, or because it was the last that could.
    private func isFor(_ worker: Int, role: String, refusals: [Int: CaseRun]?, _ isOut: [Bool]) -> Bool {
        let members = routes.members
        guard members[worker].serves(role), refusals?[worker] == nil else { return false }
        guard isOut[worker] else { return true }
        return !members.indices.contains { other in
            !isOut[other] && members[other].serves(role) && refusals?[other] == nil
        }
    }

    /// What came of a case on the first reader that could not take it: whoever was asked last, that stands in the
    /// report.
    private func firstRefusal(of index: Int, _ state: State) -> CaseRun? {
        state.refusals[index]?.min { $0.key < $1.key }?.value
    }

    private func mayComeBack(to worker: Int, _ state: State) -> Bool {
        guard !routes.isUniform, !state.isOut[worker] else { return false }
        return state.hands.enumerated().contains { other, index in
            guard other != worker, let index else { return false }
            return isFor(
                worker,
                role: items[index].suite.target,
                refusals: state.refusals[index],
                state.isOut
            )
        }
    }

    private func begin(_ index: Int, _ state: inout State) {
        let item = items[index]
        open(suiteOfItem[index], &state)
        guard state.refusals[index] == nil else { return }
        state.tell(.caseStarted(suite: item.suite.name, name: item.name, index: index + 1))
    }

    private func open(_ place: Int, _ state: inout State) {
        guard state.suites[place].record == nil else { return }
        let suite = suites[place]
        var record = SuiteRecord(
            name: suite.name,
            title: suite.title,
            file: suite.file,
            target: suite.target,
            via: routes.spec,
            started: Stamps(isVirtual: routes.isVirtualTime).now
        )
        record.firmware = options.firmware ?? ""
        state.suites[place].record = record
        state.tell(.suiteStarted(record))
    }

    // MARK: Booking

    /// Leaves a worker out whose reader could not be had; it only books what no other worker may take.
    func exclude(_ worker: Int, _ fault: TransportFault) {
        monitor.change { state in
            state.isOut[worker] = true
            guard !interruption.isRequested else { return }
            let note = CaseRunner.quarantineNote(place(of: worker, nil), fault)
            state.notes.append(note)
            state.tell(.note(note))
        }
    }

    /// Takes what came of a case.
    func finish(_ index: Int, by worker: Int, _ run: CaseRun) {
        monitor.change { state in
            state.hands[worker] = nil
            if let fault = run.quarantine, !state.isOut[worker] {
                state.isOut[worker] = true
                add(CaseRunner.quarantineNote(place(of: worker, run.facts), fault), index, &state)
            } else if let dirt = run.dirt, !state.isDirty[worker] {
                state.isDirty[worker] = true
                let (place, name) = (place(of: worker, run.facts), run.record.name)
                add("\(place): dirty since the teardown of '\(name)': \(dirt)", index, &state)
            }
            var run = run
            if run.isUnmet, !routes.isUniform {
                state.refusals[index, default: [:]][worker] = run
                let refusals = state.refusals[index]
                let others = routes.members.indices.filter { other in
                    !state.isOut[other] && refusals?[other] == nil
                        && routes.members[other].serves(items[index].suite.target)
                }
                guard others.isEmpty else { return state.queue.putBack(index) }
                run = firstRefusal(of: index, state) ?? run
            }
            state.refusals[index] = nil
            book(index, run, &state)
        }
    }

    /// Adds a remark to the run and to the suite of a case, and tells it.
    private func add(_ note: String, _ index: Int, _ state: inout State) {
        state.notes.append(note)
        state.suites[suiteOfItem[index]].record?.notes.append(note)
        state.tell(.note(note))
    }

    /// The words for a worker's reader.
    private func place(of worker: Int, _ facts: ConnectionFacts?) -> String {
        let spec = routes.members[worker].route.spec
        guard routes.members.count > 1, let name = facts?.readerName else { return spec }
        return "\(spec) (\(name))"
    }

    /// Books the cases whose role no way has as errors.
    func bookUnserved() {
        let roles = Set(items.map(\.suite.target)).filter { role in
            !routes.members.contains { $0.serves(role) }
        }
        guard !roles.isEmpty else { return }
        monitor.change { state in
            while !state.isOver, !interruption.isRequested,
                let index = state.queue.take(where: { roles.contains($0) }, again: { _ in false })
            {
                begin(index, &state)
                let item = items[index]
                var record = CaseRecord(item)
                record.verdict = .error
                record.problem = Problem(
                    type: FaultKind.noReader.junitType,
                    isRigError: true,
                    message: "no reader of this run has the role '\(item.suite.target)'",
                    file: item.suite.file,
                    line: item.suite.position.line,
                    hint: "give the role a reader in the bench file, or choose other scenarios"
                )
                book(index, CaseRun(record: record), &state)
            }
        }
    }

    private func book(_ index: Int, _ run: CaseRun, _ state: inout State) {
        let item = items[index]
        let place = suiteOfItem[index]
        state.runs[index] = run
        state.tell(.caseEnded(suite: item.suite.name, run.record))
        state.suites[place].left -= 1
        if state.suites[place].left == 0 { close(place, &state) }
        let verdict = run.record.verdict
        if verdict == .error { state.errorCount += 1 }
        guard !state.isOver else { return }
        if options.failsFast, verdict == .failed || verdict == .error {
            state.isOver = true
            state.notes.append("stopped after the first case that did not pass (--fail-fast)")
        } else if let limit = options.maxErrors, state.errorCount >= limit {
            state.isOver = true
            let count = "\(limit) \(limit == 1 ? "error" : "errors")"
            state.notes.append("stopped after \(count) of the rig (--max-errors \(limit))")
        }
    }

    private func close(_ place: Int, _ state: inout State) {
        guard var record = state.suites[place].record, !state.suites[place].isClosed else { return }
        var seen = SeenReaders()
        for index in state.suites[place].items {
            guard let run = state.runs[index] else { continue }
            record.cases.append(run.record)
            record.duration += run.record.duration
            seen.note(run)
            // The suite has it now.
            state.runs[index] = nil
        }
        seen.tell(&record)
        state.suites[place].record = record
        state.suites[place].isClosed = true
        state.tell(.suiteEnded(record))
    }

    // MARK: The end

    /// Closes what is still open, and gives what came of everything, in the order of the files, and the number of cases
    /// that nothing came of.
    func conclude() -> (suites: [SuiteRecord], notes: [String], notRun: Int) {
        monitor.withLock { state in
            for place in state.suites.indices { close(place, &state) }
            let left = state.suites.reduce(0) { $0 + $1.left }
            return (state.suites.compactMap(\.record), state.notes, left)
        }
    }
}

/// The readers that a suite ran on, each as it was last seen.
private struct SeenReaders {
    private var readers: [(name: String, facts: ConnectionFacts)] = []
    private var firmwares: [String: String] = [:]

    mutating func note(_ run: CaseRun) {
        guard let facts = run.facts else { return }
        if let index = readers.firstIndex(where: { $0.name == facts.readerName }) {
            readers[index].facts = facts
        } else {
            readers.append((facts.readerName, facts))
        }
        if let firmware = run.firmware { firmwares[facts.readerName] = firmware }
    }

    func tell(_ record: inout SuiteRecord) {
        // Which reader came first is chance; the report must not be.
        let readers = readers.sorted { $0.name < $1.name }
        record.reader = Self.joined(readers.map(\.name))
        record.atr = Self.joined(readers.map(\.facts.atr.hex))
        record.protocolName = Self.joined(readers.map(\.facts.protocolName))
        if record.firmware.isEmpty {
            record.firmware = Self.joined(readers.compactMap { firmwares[$0.name] })
        }
    }

    private static func joined(_ texts: [String]) -> String {
        texts.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
    }
}
