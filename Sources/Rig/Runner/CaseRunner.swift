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
    let stamps: Stamps
    private let ledger = RetryLedger()
    /// Why the reader is out of use; nil while it is in use.
    private(set) var quarantine: TransportFault?

    init(
        options: RunOptions,
        route: any Route,
        verbs: VerbTable,
        interruption: Interruption,
        stamps: Stamps,
        emit: @escaping (RunEvent) -> Void
    ) {
        self.options = options
        self.route = route
        self.verbs = verbs
        self.interruption = interruption
        self.stamps = stamps
        self.emit = emit
    }

    /// What was learnt of the reader and the card, for the suite's record.
    private(set) var lastFacts: ConnectionFacts?
    private(set) var lastFirmware: String?

    /// Runs a case to its record.
    func run(_ planned: PlannedCase) -> CaseRecord {
        var record = CaseRecord(
            name: planned.name,
            file: planned.suite.file,
            line: planned.testCase.position.line,
            tags: planned.tags
        )
        if let refusal = refusal(of: planned) {
            settle(&record, refusal)
            return record
        }
        record.started = stamps.now
        let attempts = 1 + (planned.testCase.retry?.max ?? 0)
        for number in 1...attempts {
            let state = attempt(planned, number: number)
            lastFacts = state.facts ?? lastFacts
            lastFirmware = state.firmware ?? lastFirmware
            if let reason = state.skipReason {
                settle(&record, skip(planned, reason: reason))
                record.started = nil
                return record
            }
            record.attempts.append(state.record)
            record.duration += state.record.duration
            record.warnings += state.warnings
            record.resentCommands += state.resentCommands
            stamps.advance(by: state.record.duration)
            guard number < attempts, let retry = planned.testCase.retry, let problem = state.record.problem,
                retry.types.contains(problem.type), interruption.signal == nil, quarantine == nil
            else { break }
            emit(.attemptEnded(suite: planned.suite.name, name: planned.name, state.record))
            if !route.isVirtualTime { SystemClock().wait(retry.delay) }
            stamps.advance(by: retry.delay)
        }
        conclude(&record)
        return record
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
    private func refusal(of planned: PlannedCase) -> Problem? {
        if let quarantine {
            return Problem(
                type: quarantine.kind.junitType,
                isRigError: true,
                message: "the reader is out of use since an earlier case: \(quarantine.detail)",
                file: planned.suite.file,
                line: planned.testCase.position.line,
                hint: "unplug and plug the reader, or restart the service, then run again"
            )
        }
        if planned.isDestructive, !route.isEmulated {
            return Problem(
                type: FaultKind.permission.junitType,
                isRigError: true,
                message: options.allowsDestructive
                    ? "the case is destructive, and no allow-list names this card's serial"
                    : "the case is destructive and runs on real cards only with --allow-destructive",
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
        let device = DeviceSelection(planned, options: options)
        guard let offered = route.capabilities(target: planned.suite.target, options: device.options) else {
            return nil
        }
        let check = NeedsCheck(
            offered: offered,
            firmware: device.firmware,
            place: "\(planned.suite.target)@\(route.spec)"
        )
        // A firmware bound can be judged only by the connection when nobody named a version.
        guard let unmet = check.complaint(about: planned) else { return nil }
        if case .firmware = unmet.need.kind, device.firmware == nil { return nil }
        return skip(planned, reason: unmet.reason)
    }

    /// The cell of the case's row that only an emulator can follow; a firmware that was named on the command line may
    /// also be that of a real device.
    private func emulatorCell(of planned: PlannedCase) -> MatrixRow.Cell? {
        let names = options.emulatorOptionNames[planned.suite.target] ?? []
        return planned.row.values.first { cell in
            cell.key == "firmware" ? cell.text != options.firmware : names.contains(cell.key)
        }
    }

    /// A skip with its reason; an error where the capability was required.
    private func skip(_ planned: PlannedCase, reason: String) -> Problem {
        let isRequired =
            options.required.contains { reason.hasPrefix("needs capability \($0);") }
            || options.required.contains { reason.hasPrefix("needs \($0);") }
        return Problem(
            type: isRequired ? "SetupFailed" : "",
            isRigError: true,
            message: isRequired ? "\(reason), and --require asks for it" : reason,
            file: planned.suite.file,
            line: planned.testCase.position.line
        )
    }

    private func settle(_ record: inout CaseRecord, _ problem: Problem) {
        record.problem = problem
        record.verdict = problem.type.isEmpty ? .skipped : .error
    }

    // MARK: One attempt

    private func attempt(_ planned: PlannedCase, number: Int) -> AttemptProgress.State {
        let trace = "traces/\(planned.suite.name)/\(planned.slug)\(number > 1 ? ".\(number)" : "").jsonl"
        let progress = AttemptProgress(AttemptRecord(number: number, started: stamps.now, trace: trace))
        let runner = makeRunner(planned, progress: progress, trace: trace)
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
        let supervisor = AttemptSupervisor(interruption: interruption, teardownLimit: teardownLimit(planned))
        let outcome = SupervisedWorker.perform({ watch in runner.run(.wholeCase, watch: watch) }) {
            report(progress, planned)
            return supervisor.look()
        }
        report(progress, planned)
        if case .abandoned(let fault) = outcome {
            giveUp(planned, runner: runner, fault: fault, begin: begin)
        }
        progress.update { $0.record.duration = MonotonicTime.now - begin }
        return progress.snapshot
    }

    private func teardownLimit(_ planned: PlannedCase) -> Duration {
        planned.testCase.limits.teardown ?? planned.suite.limits.teardown ?? RunDefaults.teardownLimit
    }

    private func makeRunner(_ planned: PlannedCase, progress: AttemptProgress, trace: String) -> AttemptRunner
    {
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
            started: stamps.now
        )
    }

    private func report(_ progress: AttemptProgress, _ planned: PlannedCase) {
        for step in progress.takeFreshSteps() {
            emit(.stepEnded(suite: planned.suite.name, name: planned.name, step))
        }
    }

    // MARK: A call that never returned

    /// Books the case, then tries once, within a bound, to reach the reader again for the teardown.
    private func giveUp(_ planned: PlannedCase, runner: AttemptRunner, fault: TransportFault, begin: Duration)
    {
        let progress = runner.progress
        let state = progress.snapshot
        let current =
            state.current
            ?? StepRecord(
                label: "connect",
                title: route.spec,
                verb: "connect",
                file: planned.suite.file,
                line: planned.testCase.position.line
            )
        let wasInterrupted = interruption.signal != nil
        progress.update {
            var step = current
            step.verdict = .error
            $0.record.steps.append(step)
            $0.current = nil
            $0.record.verdict = .error
            $0.record.problem = .fault(fault, record: current)
            if wasInterrupted { $0.record.problem?.type = "Interrupted" }
        }
        TraceCompletion.append(
            fault,
            state: state,
            step: "\(current.label) \(current.title)",
            begin: begin,
            to: "\(options.outputFolder)/\(state.record.trace)"
        )
        guard !interruption.isImpatient else { return }
        let rescue = makeRunner(planned, progress: progress, trace: state.record.trace)
        let limit = RunDefaults.reconnectLimit + teardownLimit(planned)
        let end = MonotonicTime.now + limit
        let outcome = SupervisedWorker.perform({ watch in rescue.run(.teardownOnly, watch: watch) }) {
            MonotonicTime.now < end
                ? .goOn
                : .abandon(
                    TransportFault(
                        .timeout,
                        "the reader did not come back within \(DurationText.text(limit))"
                    )
                )
        }
        report(progress, planned)
        switch outcome {
        case .abandoned(let second): quarantine = second
        case .finished:
            if progress.snapshot.record.teardownProblem != nil
                || progress.snapshot.record.problem?.step == "connect"
            {
                quarantine = fault
            }
        }
        // The verdict of the case is the hang, whatever the teardown did.
        progress.update {
            $0.record.verdict = .error
            $0.record.problem = .fault(fault, record: current)
            if wasInterrupted { $0.record.problem?.type = "Interrupted" }
        }
        if let quarantine {
            emit(.note("\(route.spec): out of use for the rest of the run: \(quarantine.detail)"))
        }
    }
}
