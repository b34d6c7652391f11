// SPDX-License-Identifier: MIT

public import CardConnection
import HostSystem
public import RunRecord
public import Scenario
import SmartCard
public import Verbs

/// Runs a plan on a way to a card, and tells what happens.
///
/// It prints nothing and writes nothing but traces: observers make text and reports of its events.
public final class Runner {
    private let options: RunOptions
    private let route: any Route
    private let verbs: VerbTable
    private let interruption: Interruption
    private let ledger: RetryLedger
    private var observers: [any RunObserver] = []

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - options: What the command line says.
    ///   - route: The way to the card.
    ///   - verbs: What the scenarios' words do.
    ///   - interruption: The flag that signals set.
    ///   - ledger: What is remembered of the retry counters of real samples; whoever made it keeps it across runs.
    public init(
        options: RunOptions,
        route: any Route,
        verbs: VerbTable = .shipped,
        interruption: Interruption = Interruption(),
        ledger: RetryLedger = RetryLedger()
    ) {
        self.options = options
        self.route = route
        self.verbs = verbs
        self.interruption = interruption
        self.ledger = ledger
    }

    /// Adds somebody who listens.
    public func add(_ observer: any RunObserver) {
        observers.append(observer)
    }

    /// Runs everything, and gives the outcome.
    ///
    /// - Parameters:
    ///   - plan: The cases.
    ///   - broken: Suites that could not be read; each stands in the outcome as an error.
    /// - Returns: The outcome; never throws, since whatever happens belongs into it.
    public func run(_ plan: RunPlan, broken: [LoadedSuites.BrokenSuite] = []) -> RunRecord {
        let stamps = Stamps(isVirtual: route.isVirtualTime)
        let begin = MonotonicTime.now
        var record = RunRecord(
            name: plan.suites.first?.suite.name ?? broken.first?.suiteName ?? "run",
            rigVersion: options.rigVersion,
            started: stamps.now,
            seed: options.seed,
            hostName: options.hostName
        )
        record.labels = options.labels.map { RunRecord.Label(key: $0.key, value: $0.value) }
        record.showsSecrets = options.showsSecrets
        emit(.runStarted(record, cases: plan.caseCount))
        for suite in broken { record.suites.append(suite.record(started: stamps.now, via: route.spec)) }
        let cases = CaseRunner(
            options: options,
            route: route,
            verbs: verbs,
            interruption: interruption,
            ledger: ledger,
            stamps: stamps,
            emit: { [self] in emit($0) }
        )
        var index = 0
        suites: for (suite, planned) in plan.suites {
            var suiteRecord = SuiteRecord(
                name: suite.name,
                title: suite.title,
                file: suite.file,
                target: suite.target,
                via: route.spec,
                started: stamps.now
            )
            suiteRecord.firmware = options.firmware ?? ""
            cases.beginSuite()
            emit(.suiteStarted(suiteRecord))
            var isOver = false
            for item in planned {
                guard interruption.signal == nil else {
                    isOver = true
                    break
                }
                index += 1
                emit(.caseStarted(suite: suite.name, name: item.name, index: index))
                let outcome = cases.run(item)
                suiteRecord.cases.append(outcome)
                suiteRecord.duration += outcome.duration
                emit(.caseEnded(suite: suite.name, outcome))
                if options.failsFast, outcome.verdict == .failed || outcome.verdict == .error {
                    record.notes.append("stopped after the first case that did not pass (--fail-fast)")
                    isOver = true
                    break
                }
            }
            if let facts = cases.lastFacts {
                suiteRecord.reader = facts.readerName
                suiteRecord.atr = facts.atr.hex
                suiteRecord.protocolName = facts.protocolName
            }
            if suiteRecord.firmware.isEmpty { suiteRecord.firmware = cases.lastFirmware ?? "" }
            emit(.suiteEnded(suiteRecord))
            record.suites.append(suiteRecord)
            if isOver { break suites }
        }
        route.close()
        record.interruptedBy = interruption.signal
        record.duration =
            route.isVirtualTime
            ? record.suites.reduce(.zero) { $0 + $1.duration } : MonotonicTime.now - begin
        emit(.runEnded(record))
        return record
    }

    private func emit(_ event: RunEvent) {
        for observer in observers { observer.observe(event) }
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
            hint: "see all mistakes with: taprig lint \(file)"
        )
        suite.cases = [outcome]
        return suite
    }
}
