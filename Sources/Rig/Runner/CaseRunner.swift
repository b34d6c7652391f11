// SPDX-License-Identifier: MIT

import CardConnection
import HostSystem
import RunRecord
import Scenario
import Verbs

/// Runs a case with its attempts, and gives up what hangs.
final class CaseRunner {
    let options: RunOptions
    let route: any Route
    let verbs: VerbTable
    let interruption: Interruption
    let emit: (RunEvent) -> Void
    private let stamps: Stamps
    private let ledger: RetryLedger
    /// Why the reader is out of use; nil while it is in use.
    var quarantine: TransportFault?
    /// True when the reader could not be had from the beginning, so that no case has put it out of use.
    var isUnprepared = false

    init(
        options: RunOptions,
        route: any Route,
        verbs: VerbTable,
        interruption: Interruption,
        ledger: RetryLedger,
        emit: @escaping (RunEvent) -> Void
    ) {
        self.options = options
        self.route = route
        self.verbs = verbs
        self.interruption = interruption
        self.ledger = ledger
        stamps = Stamps(isVirtual: route.isVirtualTime)
        self.emit = emit
    }

    /// Runs a case to its outcome.
    func run(_ planned: PlannedCase) -> CaseRun {
        var run = CaseRun(record: CaseRecord(planned))
        if let refusal = refusal(of: planned) {
            settle(&run.record, refusal.problem)
            run.isUnmet = refusal.isUnmet
            run.quarantine = quarantine
            return run
        }
        stamps.beginCase()
        attemptAll(planned, &run)
        run.quarantine = quarantine
        // In process the next case has a card of its own.
        if !route.isVirtualTime { run.dirt = run.record.attempts.last?.teardownProblem?.message }
        return run
    }

    private func attemptAll(_ planned: PlannedCase, _ run: inout CaseRun) {
        run.record.started = stamps.now
        var strikes = 0
        let attempts = 1 + (planned.testCase.retry?.max ?? 0)
        for number in 1...attempts {
            var state = attempt(planned, number: number, strikes: strikes)
            strikes += state.strikes
            // Without a connection there is no trace; nobody should be sent to look for one.
            if !HostFile.exists("\(options.outputFolder)/\(state.record.trace)") { state.record.trace = "" }
            run.facts = state.facts ?? run.facts
            run.firmware = state.firmware ?? run.firmware
            if let unmet = state.unmet {
                settle(&run.record, skip(planned, unmet))
                run.record.started = nil
                run.isUnmet = true
                return
            }
            run.record.attempts.append(state.record)
            run.record.duration += state.record.duration
            run.record.warnings += state.warnings
            run.record.resentCommands += state.resentCommands
            run.record.resentTypes += state.resentTypes
            stamps.advance(by: state.record.duration)
            guard number < attempts, let retry = planned.testCase.retry, let problem = state.record.problem,
                retry.types.contains(problem.type), interruption.signal == nil, quarantine == nil
            else { break }
            emit(.attemptEnded(suite: planned.suite.name, name: planned.name, state.record))
            wait(retry.delay)
            stamps.advance(by: retry.delay)
        }
        conclude(&run.record)
        if let known = planned.known { apply(known, to: &run.record) }
    }

    /// Waits between two attempts, but not longer than a signal lets it.
    private func wait(_ delay: Duration) {
        guard !route.isVirtualTime else { return }
        let end = MonotonicTime.now + delay
        while MonotonicTime.now < end, interruption.signal == nil {
            MonotonicTime.sleep(min(.milliseconds(50), end - MonotonicTime.now))
        }
    }

    private func conclude(_ record: inout CaseRecord) {
        guard let last = record.attempts.last else { return }
        record.verdict = last.verdict
        record.problem = last.problem
        if last.problem == nil, let teardown = last.teardownProblem {
            record.verdict = .error
            record.problem = teardown
        }
    }

    // MARK: Before anything is sent

    /// Why a case is not begun at all.
    private struct Refusal {
        let problem: Problem
        /// True when another reader might have what is missing.
        var isUnmet = false
    }

    /// What is known without the reader goes before its being out of use.
    private func refusal(of planned: PlannedCase) -> Refusal? {
        if let problem = prohibition(of: planned) { return Refusal(problem: problem) }
        return unmet(planned) ?? outOfUse(planned).map { Refusal(problem: $0) }
    }

    private func unmet(_ planned: PlannedCase) -> Refusal? {
        let device = DeviceSelection(planned, options: options)
        guard let offered = route.capabilities(target: planned.suite.target, options: device.options) else {
            return nil
        }
        let check = NeedsCheck(
            offered: offered.union(options.capabilities),
            firmware: device.firmware,
            place: "\(planned.suite.target)@\(route.spec)",
            required: options.required,
            absenceOfRole: { [route] in route.absence(ofRole: $0, target: planned.suite.target) }
        )
        // A firmware bound can be judged only by the connection when nobody named a version.
        let unmet = check.complaints(about: NeedsCheck.all(of: planned)).filter {
            if case .firmware = $0.need.kind { return device.firmware != nil }
            return true
        }
        let first = unmet.first { $0.requirement != nil } ?? unmet.first
        return first.map { Refusal(problem: skip(planned, $0), isUnmet: true) }
    }

    /// Why no case can go to this reader any more; nil while it is in use.
    private func outOfUse(_ planned: PlannedCase) -> Problem? {
        guard let quarantine else { return nil }
        return Problem(
            type: quarantine.kind.junitType,
            isRigError: true,
            message: isUnprepared
                ? quarantine.detail
                : "the reader is out of use since an earlier case: \(quarantine.detail)",
            file: planned.suite.file,
            line: planned.testCase.position.line,
            hint: isUnprepared
                ? quarantine.hint : "unplug and plug the reader, or restart the service, then run again"
        )
    }

    /// Why the case must not go to this card.
    private func prohibition(of planned: PlannedCase) -> Problem? {
        // Whether the very card is allowed is known when it has told its name.
        if planned.isDestructive, !route.isEmulated, !options.allowsDestructive {
            return Problem(
                type: FaultKind.permission.junitType,
                isRigError: true,
                message: "the case is destructive and runs on real cards only with --allow-destructive",
                file: planned.suite.file,
                line: planned.testCase.position.line,
                hint: "run it with --via emulator, or allow the sample by its serial in the bench file"
            )
        }
        if !route.isEmulated, let cell = emulatorCell(of: planned) {
            return skip(
                planned,
                reason:
                    "the row \(cell.key)=\(cell.text) configures an emulator; \(route.spec) is a real device"
            )
        }
        return nil
    }

    /// The cell of the case's row that only an emulator can follow; a firmware that was named on the command line may
    /// also be that of a real device.
    private func emulatorCell(of planned: PlannedCase) -> MatrixRow.Cell? {
        let names = options.emulatorOptionNames[planned.suite.target] ?? []
        return planned.row.values.first { cell in
            cell.key == "firmware" ? cell.text != options.firmware : names.contains(cell.key)
        }
    }

    private func skip(_ planned: PlannedCase, _ unmet: NeedsCheck.Unmet) -> Problem {
        guard let requirement = unmet.requirement else { return skip(planned, reason: unmet.reason) }
        return Problem(
            type: "SetupFailed",
            isRigError: true,
            message: requirement,
            file: planned.suite.file,
            line: unmet.need.position.line
        )
    }

    /// A skip with its reason.
    private func skip(_ planned: PlannedCase, reason: String) -> Problem {
        Problem(
            type: "",
            isRigError: true,
            message: reason,
            file: planned.suite.file,
            line: planned.testCase.position.line
        )
    }

    private func settle(_ record: inout CaseRecord, _ problem: Problem) {
        record.problem = problem
        record.verdict = problem.type.isEmpty ? .skipped : .error
    }

    // MARK: One attempt

    private func attempt(_ planned: PlannedCase, number: Int, strikes: Int) -> AttemptProgress.State {
        let trace = "traces/\(planned.suite.name)/\(planned.slug)\(number > 1 ? ".\(number)" : "").jsonl"
        let progress = AttemptProgress(AttemptRecord(number: number, started: stamps.now, trace: trace))
        let runner = makeRunner(planned, progress: progress, trace: trace, strikes: strikes)
        do {
            try HostFile.makeFolder("\(options.outputFolder)/traces/\(planned.suite.name)")
        } catch {
            progress.update {
                $0.record.verdict = .error
                $0.record.problem = Problem(
                    type: "SetupFailed",
                    isRigError: true,
                    message: "the trace cannot be written: \(error)",
                    file: planned.suite.file,
                    line: planned.testCase.position.line,
                    hint: "choose another folder with --out"
                )
            }
            return progress.snapshot
        }
        guard !route.isVirtualTime else {
            runner.run(.wholeCase, watch: nil)
            report(progress, planned)
            return progress.snapshot
        }
        let begin = MonotonicTime.now
        let supervisor = AttemptSupervisor(
            interruption: interruption,
            progress: progress,
            teardownLimit: runner.teardownLimit
        )
        let outcome = SupervisedWorker.perform({ watch in runner.run(.wholeCase, watch: watch) }) {
            report(progress, planned)
            return supervisor.look()
        }
        report(progress, planned)
        if case .abandoned(let fault) = outcome {
            giveUp(planned, runner: runner, fault: fault, begin: begin, supervisor: supervisor)
        }
        progress.update { $0.record.duration = MonotonicTime.now - begin }
        return progress.snapshot
    }

    func makeRunner(
        _ planned: PlannedCase,
        progress: AttemptProgress,
        trace: String,
        strikes: Int = 0,
        teardownLimit: Duration? = nil
    ) -> AttemptRunner {
        AttemptRunner(
            planned: planned,
            options: options,
            route: route,
            verbs: verbs,
            // An emulator is made anew for each case, and so are its counters.
            ledger: route.isEmulated ? RetryLedger() : ledger,
            interruption: interruption,
            progress: progress,
            tracePath: "\(options.outputFolder)/\(trace)",
            started: stamps.now,
            earlierStrikes: strikes,
            teardownLimit: teardownLimit ?? planned.limits(on: route).teardown ?? RunDefaults.teardownLimit
        )
    }

    func report(_ progress: AttemptProgress, _ planned: PlannedCase) {
        for step in progress.takeFreshSteps() {
            emit(.stepEnded(suite: planned.suite.name, name: planned.name, step))
        }
    }
}

extension CaseRecord {
    /// The record of a planned case that has not begun.
    init(_ planned: PlannedCase) {
        self.init(
            name: planned.name,
            file: planned.suite.file,
            line: planned.testCase.position.line,
            tags: planned.tags
        )
        number = planned.number ?? 0
        repetition = planned.repetition
    }
}
