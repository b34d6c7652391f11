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
    private let ledger: RetryLedger
    /// Why the reader is out of use; nil while it is in use.
    var quarantine: TransportFault?

    init(
        options: RunOptions,
        route: any Route,
        verbs: VerbTable,
        interruption: Interruption,
        ledger: RetryLedger,
        stamps: Stamps,
        emit: @escaping (RunEvent) -> Void
    ) {
        self.options = options
        self.route = route
        self.verbs = verbs
        self.interruption = interruption
        self.ledger = ledger
        self.stamps = stamps
        self.emit = emit
    }

    /// What was learnt of the reader and the card, for the suite's record.
    private(set) var lastFacts: ConnectionFacts?
    private(set) var lastFirmware: String?

    /// Another suite begins, perhaps with another device.
    func beginSuite() {
        lastFacts = nil
        lastFirmware = nil
    }

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
            var state = attempt(planned, number: number)
            // Without a connection there is no trace; nobody should be sent to look for one.
            if !HostFile.exists("\(options.outputFolder)/\(state.record.trace)") { state.record.trace = "" }
            lastFacts = state.facts ?? lastFacts
            lastFirmware = state.firmware ?? lastFirmware
            if let unmet = state.unmet {
                settle(&record, skip(planned, unmet))
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
            wait(retry.delay)
            stamps.advance(by: retry.delay)
        }
        conclude(&record)
        if let known = planned.testCase.known { apply(known, to: &record) }
        return record
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
            offered: offered.union(options.capabilities),
            firmware: device.firmware,
            place: "\(planned.suite.target)@\(route.spec)",
            required: options.required
        )
        // A firmware bound can be judged only by the connection when nobody named a version.
        let unmet = check.complaints(about: NeedsCheck.all(of: planned)).filter {
            if case .firmware = $0.need.kind { return device.firmware != nil }
            return true
        }
        return (unmet.first { $0.requirement != nil } ?? unmet.first).map { skip(planned, $0) }
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
            teardownLimit: teardownLimit ?? planned.testCase.limits.teardown ?? planned.suite.limits
                .teardown ?? RunDefaults.teardownLimit
        )
    }

    func report(_ progress: AttemptProgress, _ planned: PlannedCase) {
        for step in progress.takeFreshSteps() {
            emit(.stepEnded(suite: planned.suite.name, name: planned.name, step))
        }
    }
}
