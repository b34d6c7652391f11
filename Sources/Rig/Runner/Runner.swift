// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem
public import RunRecord
public import Scenario
public import Verbs
import Wording

/// Runs a plan on ways to cards, and tells what happens.
///
/// It prints nothing and writes nothing but traces: observers make text and reports of its events.
public final class Runner {
    private let options: RunOptions
    private let routes: RouteSet
    private let verbs: VerbTable
    private let interruption: Interruption
    private let ledger: RetryLedger
    private var observers: [any RunObserver] = []

    /// Makes a runner with one worker for each way.
    ///
    /// - Parameters:
    ///   - options: What the command line says.
    ///   - routes: The ways to cards.
    ///   - verbs: What the scenarios' words do.
    ///   - interruption: The flag that signals set.
    ///   - ledger: What is remembered of the retry counters of real samples; whoever made it keeps it across runs.
    public init(
        options: RunOptions,
        routes: RouteSet,
        verbs: VerbTable = .shipped,
        interruption: Interruption = Interruption(),
        ledger: RetryLedger = RetryLedger()
    ) {
        self.options = options
        self.routes = routes
        self.verbs = verbs
        self.interruption = interruption
        self.ledger = ledger
    }

    /// Makes a runner with one way to a card.
    public convenience init(
        options: RunOptions,
        route: any Route,
        verbs: VerbTable = .shipped,
        interruption: Interruption = Interruption(),
        ledger: RetryLedger = RetryLedger()
    ) {
        self.init(
            options: options,
            routes: RouteSet([route]),
            verbs: verbs,
            interruption: interruption,
            ledger: ledger
        )
    }

    /// Adds somebody who listens; called by one thread at a time, though not always by the same.
    public func add(_ observer: any RunObserver) {
        observers.append(observer)
    }

    /// Runs everything, and gives the outcome.
    ///
    /// - Parameters:
    ///   - plan: The cases.
    ///   - broken: Suites that could not be read; each stands in the outcome as an error.
    ///   - leftOut: How many cases are not in the plan because of those suites; they count as not run.
    /// - Returns: The outcome, in the order of the files; never throws, since whatever happens belongs into it.
    public func run(
        _ plan: RunPlan,
        broken: [LoadedSuites.BrokenSuite] = [],
        leftOut: Int = 0
    ) -> RunRecord {
        let stamps = Stamps(isVirtual: routes.isVirtualTime)
        let begin = MonotonicTime.now
        var record = RunRecord(
            name: plan.name ?? broken.first?.suiteName ?? "run",
            rigVersion: options.rigVersion,
            started: stamps.now,
            seed: options.seed,
            hostName: options.hostName
        )
        record.labels = options.labels.map { RunRecord.Label(key: $0.key, value: $0.value) }
        record.showsSecrets = options.showsSecrets
        record.shard = plan.shard
        let board = RunBoard(
            plan: plan,
            routes: routes,
            options: options,
            interruption: interruption,
            observers: observers
        )
        board.tell(.runStarted(record, cases: plan.caseCount))
        for suite in broken { record.suites.append(suite.record(started: stamps.now, via: routes.spec)) }
        work(on: board)
        routes.close()
        let outcome = board.conclude()
        record.suites += outcome.suites
        record.notes += outcome.notes
        record.notRun = outcome.notRun + leftOut
        if let note = record.notRunNote { record.notes.append(note) }
        if let shard = plan.shard, plan.caseCount == 0, broken.isEmpty {
            let there = shard.caseCount == 1 ? "there is" : "there are"
            record.notes.append(
                "this shard, \(shard.index) of \(shard.count), has no case: \(there) "
                    + "\(Amount.text(shard.caseCount, "case")) to divide"
            )
        }
        record.interruptedBy = interruption.signal
        record.duration =
            routes.isVirtualTime
            ? record.suites.reduce(.zero) { $0 + $1.duration } : MonotonicTime.now - begin
        board.tell(.runEnded(record))
        return record
    }

    /// Lets a worker for each way take cases until there are none left.
    private func work(on board: RunBoard) {
        board.bookUnserved()
        guard !routes.members.isEmpty else { return }
        let workers = routes.members.indices.map { number in
            RunWorker(
                number: number,
                board: board,
                options: options,
                route: routes.members[number].route,
                isOneOfMany: routes.members.count > 1,
                verbs: verbs,
                interruption: interruption,
                ledger: ledger
            )
        }
        var threads: [WorkerThread] = []
        // This thread is a worker too, and does the work of those that the host gives no thread.
        var own = [workers[0]]
        for worker in workers.dropFirst() {
            if let thread = WorkerThread.start({ worker.run() }) {
                threads.append(thread)
            } else {
                own.append(worker)
            }
        }
        for worker in own { worker.run() }
        for thread in threads { thread.join() }
    }
}

/// One who takes cases to one reader, one after the other.
private struct RunWorker: Sendable {
    let number: Int
    let board: RunBoard
    let options: RunOptions
    let route: any Route
    let isOneOfMany: Bool
    let verbs: VerbTable
    let interruption: Interruption
    let ledger: RetryLedger

    func run() {
        var options = options
        options.operatorPort = route.operatorPort(else: options.operatorPort)
        let cases = CaseRunner(
            options: options,
            route: route,
            verbs: verbs,
            interruption: interruption,
            ledger: ledger,
            emit: { [board] in board.tell($0) }
        )
        if !board.items.isEmpty {
            do throws(TransportFault) {
                try route.prepare(
                    isCancelled: { [interruption] in interruption.isRequested },
                    tell: { [board] in board.tell(.waiting($0)) }
                )
            } catch {
                cases.quarantine = error
                cases.isUnprepared = true
                board.exclude(number, error)
            }
        }
        while let index = board.take(number) {
            let item = board.items[index]
            var run = cases.run(item)
            // With one reader, or with modelled ones, the suite's record says it all.
            if isOneOfMany, !route.isVirtualTime, let facts = run.facts {
                run.record.reader = facts.readerName
            }
            board.finish(index, by: number, run)
        }
    }
}

extension LoadedSuites.BrokenSuite {
    /// The suite's record: one error of type ScenarioInvalid.
    fileprivate func record(started: String, via: String) -> SuiteRecord {
        var suite = SuiteRecord(
            name: suiteName,
            title: "",
            file: file,
            target: "",
            via: via,
            started: started
        )
        var outcome = CaseRecord(
            name: "the file is read",
            file: file,
            line: mistakes.first?.position.line ?? 1,
            tags: []
        )
        outcome.verdict = .error
        let first = mistakes.first
        outcome.problem = Problem(
            type: "ScenarioInvalid",
            isRigError: true,
            message: first?.description ?? "\(file) cannot be read",
            file: file,
            line: first?.position.line ?? 1,
            details: mistakes.dropFirst().prefix(20).map(\.description)
                + (mistakes.count > 21 ? ["... and \(mistakes.count - 21) more"] : []),
            hint: advice
        )
        suite.cases = [outcome]
        return suite
    }
}
