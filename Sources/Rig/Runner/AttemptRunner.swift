// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import HostSystem
import JSONText
import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

/// One attempt at a case: connect, set-up, steps, teardown.
///
/// Runs from its first to its last line on one thread.
struct AttemptRunner: Sendable {
    let planned: PlannedCase
    let options: RunOptions
    let route: any Route
    let verbs: VerbTable
    let ledger: RetryLedger
    let interruption: Interruption
    let progress: AttemptProgress
    /// Absolute path of the trace file.
    let tracePath: String
    /// `started` in the trace's header.
    let started: String
    /// How often the case's own fault struck in the attempts before this one.
    let earlierStrikes: Int
    /// What the teardown may take.
    let teardownLimit: Duration

    /// What the attempt is for.
    enum Purpose {
        /// The whole case.
        case wholeCase
        /// Only the teardown, on a new connection, after the first one was given up.
        case teardownOnly
    }

    /// Runs the attempt; all it finds is in `progress`.
    func run(_ purpose: Purpose, watch: DeadlineWatch?) {
        let scope: Scope
        do throws(ScenarioMistake) {
            scope = try resolver.scope(
                for: planned.suite,
                case: planned.title,
                row: planned.row,
                repetition: max(planned.repetition, 1) - 1,
                dictionary: Dictionaries.of(planned.suite.target)
            )
        } catch {
            return end(.mistake(error, record: planned.connectRecord(route)))
        }
        let setup = deviceSetup
        let card: OpenedCard
        do throws(TransportFault) {
            watch?.arm(setup.exchangeDeadline + RunDefaults.reconnectLimit, "the connection was not made")
            defer { watch?.disarm() }
            card = try route.open(setup)
        } catch {
            // Given up while connecting: whatever comes now belongs to nobody.
            if watch?.isAbandoned == true { ParkedThread.park() }
            return end(.fault(error, record: planned.connectRecord(route)))
        }
        if watch?.isAbandoned == true {
            card.connection.close()
            ParkedThread.park()
        }
        progress.update { $0.isConnected = true }
        if planned.isDestructive, !route.isEmulated, let objection = card.destructiveObjection {
            watch?.arm(setup.exchangeDeadline, "the connection was not closed")
            card.connection.close()
            watch?.disarm()
            let fault = TransportFault(
                .permission,
                "the case is destructive, and \(objection)",
                hint:
                    "run it with --via emulator, or put the sample under `allow` of the bench that --bench names"
            )
            return end(.fault(fault, record: planned.connectRecord(route)))
        }
        run(purpose, on: card, scope: scope, watch: watch)
    }

    private func run(_ purpose: Purpose, on card: OpenedCard, scope: Scope, watch: DeadlineWatch?) {
        let facts = card.connection.facts
        progress.update {
            $0.facts = facts
            $0.firmware = card.firmware
        }
        let needs = NeedsCheck(
            offered: card.capabilities.union(options.capabilities),
            firmware: firmware(of: card),
            place: "\(planned.suite.target)@\(route.spec)",
            required: options.required,
            absenceOfRole: { [route] in route.absence(ofRole: $0, target: planned.suite.target) }
        )
        let unmet = needs.complaints(about: NeedsCheck.all(of: planned))
        if purpose == .wholeCase, let first = unmet.first {
            progress.update { $0.unmet = unmet.first { $0.requirement != nil } ?? first }
            watch?.arm(deviceSetup.exchangeDeadline, "the connection was not closed")
            card.connection.close()
            watch?.disarm()
            return
        }
        let writer =
            purpose == .teardownOnly
            ? TraceWriter(continuing: tracePath)
            : TraceWriter(path: tracePath, header: header(facts, card: card))
        let shared = SharedByConnections(
            writer: writer,
            mask: secretMask(scope),
            patience: Patience(clock: card.clock, interruption: interruption, watch: watch),
            watch: watch,
            calls: watch.map { OutsideCalls(base: card.connection, watch: $0, progress: progress) },
            begin: card.clock.now
        )
        let (session, stack) = makeSession(card, shared)
        let steps = StepRunner(
            suite: planned.suite,
            verbs: verbs,
            session: session,
            stack: stack,
            patience: shared.patience,
            offered: needs,
            limits: limits,
            progress: progress
        )
        steps.openRole = { role throws(TransportFault) in
            guard let open = card.openRole else {
                throw TransportFault(.control, "there is no connection '\(role)'")
            }
            var other = card
            other.connection = try open(role)
            (other.kit, other.onCut, other.acceptsChaining) = (nil, nil, false)
            other.sample = "\(card.sample) \(role)"
            other.isSampleNamed = false
            other.exchangeOverhead = card.overheadOfRole[role] ?? .zero
            return makeSession(other, shared)
        }
        steps.kitTrace = session.kit.map(KitTrace.init)
        let caseScope = Scope(parent: scope)
        if purpose == .wholeCase { runCase(steps, scope: caseScope) }
        tearDown(steps, isFresh: purpose == .teardownOnly, scope: caseScope)
        letGo(of: session.kit)
        steps.kitTrace?.end(into: stack.tracing)
        let duration = card.clock.now - shared.begin
        steps.closeOthers()
        stack.close()
        // Either this thread ends the trace, or whoever has given it up.
        if let watch, !watch.complete() { ParkedThread.park() }
        finish(writer, purpose: purpose, duration: duration)
    }

    // MARK: Set-up and steps

    private func runCase(_ steps: StepRunner, scope: Scope) {
        steps.patience.beginCase(limit: limits.testCase)
        if let fault = caseFault {
            steps.stack.interposer.add(fault)
            steps.stack.interposer.onStrike = { [progress] struck in
                if struck == fault { progress.update { $0.strikes += 1 } }
            }
        }
        steps.recover = { lost, state in try recover(lost, in: state, steps: steps, scope: scope) }
        defer { steps.recover = { _, _ in .none } }
        let mask = { steps.stack.tracing.masks }
        do {
            try setUp(steps, scope: scope)
        } catch let stop as StepEnd {
            return end(stop.problem.asSetupProblem.masked(by: mask()))
        } catch {
            return end(interrupted(error))
        }
        do {
            try steps.run(planned.testCase.steps, phase: .step, scope: scope)
            if let problem = unstruckFault(steps.stack.interposer) { end(problem) }
        } catch let stop as StepEnd {
            end(stop.problem.masked(by: mask()))
        } catch {
            end(interrupted(error))
        }
    }

    /// Runs the set-up, again from its start when a lost command asks for it.
    private func setUp(_ steps: StepRunner, scope: Scope) throws {
        while true {
            do {
                return try steps.run(planned.suite.setup, phase: .setup, scope: scope)
            } catch is SetupRestart {
                // What was done before the loss is in the trace; the report has the set-up that counts.
                progress.update { $0.record.steps = [] }
            }
        }
    }

    /// A case that waits for a fault which never came proves nothing.
    private func unstruckFault(_ interposer: FaultInterposer) -> Problem? {
        let known = earlierStrikes > 0 ? caseFault : nil
        guard let fault = interposer.unstruckFaults.first(where: { $0 != known }) else { return nil }
        let plans = [planned.testCase.fault].compactMap { $0 } + FaultPlan.all(in: planned.testCase.steps)
        let plan = plans.first { InjectedFault($0)?.kind == fault.kind } ?? plans.first
        return plan.map(Problem.unstruck)
    }

    // MARK: A lost command

    /// Decides whether a lost command may be sent again, and brings the card back to where it was.
    private func recover(
        _ lost: LostCommand,
        in state: VolatileState,
        steps: StepRunner,
        scope: Scope
    ) throws -> Recovery {
        guard steps.phase != .teardown, ResendRule.allows(lost, state: state) else { return .none }
        if steps.phase == .setup {
            // A set-up that is lost each time must end somewhere.
            guard progress.snapshot.resentCommands < RunDefaults.resendLimit else { return .none }
        }
        let stack = steps.stack
        stack.tracing.record(
            event: "recovery",
            fields: [JSON.Member("cause", .string(lost.fault.kind.rawValue))]
        )
        try stack.top.reconnect()
        if steps.phase == .setup {
            noteRecovery(lost, in: state)
            return .restartSetup
        }
        let label = stack.writer.step
        defer { stack.writer.step = label }
        stack.interposer.isArmed = false
        if state.holdsSetup {
            do {
                // Captures of the set-up get their values anew: they may name something that the reset made new.
                try steps.makeQuiet().run(planned.suite.setup, phase: .setup, scope: scope)
            } catch let stop as StepEnd {
                throw stop.fault ?? lost.fault
            }
            stack.writer.step = label
        }
        stack.top.isFollowing = true
        for selection in state.selections {
            // A card that is not where it was must not be judged by what it answers there.
            let bytes = try stack.top.transmit(selection)
            guard let answer = try? ResponseAPDU(bytes: bytes),
                answer.sw == .success || (0x61...0x63).contains(answer.sw.sw1)
            else {
                throw lost.fault
            }
        }
        stack.interposer.isArmed = true
        noteRecovery(lost, in: state)
        return .resend
    }

    /// Tells of a recovery that came about; one that did not has told of itself.
    private func noteRecovery(_ lost: LostCommand, in state: VolatileState) {
        let done = state.holdsSetup ? "connected again and set up again" : "connected again"
        progress.update {
            $0.resentCommands += 1
            $0.resentTypes.append(lost.fault.kind.junitType)
            $0.warnings.append("\(lost.fault.detail); \(done), then the command was repeated")
        }
    }

    // MARK: Teardown

    private func tearDown(_ steps: StepRunner, isFresh: Bool, scope: Scope) {
        guard !planned.suite.teardown.isEmpty, !interruption.isImpatient else { return }
        steps.patience.beginTeardown(limit: teardownLimit)
        progress.update { $0.teardownSince = MonotonicTime.now }
        do {
            do throws(TransportFault) {
                if !isFresh { try bringCardBack(steps) }
            } catch {
                throw StepEnd(problem: .fault(error, record: planned.teardownRecord))
            }
            try steps.run(planned.suite.teardown, phase: .teardown, scope: scope)
        } catch let stop as StepEnd {
            noteTeardown(stop.problem.masked(by: steps.stack.tracing.masks))
        } catch {
            noteTeardown(interrupted(error))
        }
    }

    /// Teardown starts with a card that has power and answers, however the case left it.
    private func bringCardBack(_ steps: StepRunner) throws(TransportFault) {
        let session = steps.session
        if session.field == .off {
            do throws(TransportFault) {
                try steps.stack.top.setField(.on)
            } catch {
                // A link that was lost cannot switch anything; made anew, it has its field on.
                try steps.stack.top.reconnect()
            }
            session.fieldCameOn()
        } else if session.linkFault != nil {
            // Any other problem left a card that answers, in the state that the steps gave it.
            try steps.stack.top.reconnect()
        }
        session.linkFault = nil
    }

    /// The next case finds a kit that runs, also when this one was interrupted while it held the reset line.
    private func letGo(of kit: (any Kit)?) {
        do {
            try kit?.letGo()
        } catch {
            guard progress.snapshot.record.teardownProblem == nil else { return }
            noteTeardown(.fault(error, record: planned.teardownRecord))
        }
    }

    private func noteTeardown(_ problem: Problem) {
        var problem = problem
        problem.isRigError = true
        problem.type = "TeardownFailed"
        progress.update { $0.record.teardownProblem = problem }
    }

    // MARK: The end

    private func end(_ problem: Problem) {
        progress.update {
            $0.record.problem = problem
            $0.record.verdict = problem.isRigError ? .error : .failed
        }
    }

    private func interrupted(_ error: any Error) -> Problem {
        let cause = (error as? Interrupted)?.signal ?? "an unknown cause (\(error))"
        return Problem(
            type: "Interrupted",
            isRigError: true,
            message: "the run was interrupted by \(cause)",
            file: planned.suite.file,
            line: planned.testCase.position.line
        )
    }

    private func finish(_ writer: TraceWriter, purpose: Purpose, duration: Duration) {
        // The end of a trace that goes on after a hang is written when it is known how that came out.
        if purpose == .wholeCase { writer.end(verdict: progress.snapshot.record.verdict.rawValue) }
        let digest = writer.finish()
        let timing = writer.timing.map { AttemptRecord.Timing(p50: $0.p50, p95: $0.p95, max: $0.max) }
        progress.update {
            $0.record.duration = duration
            $0.record.exchangeCount = writer.exchangeCount
            // After a hang, only the exchanges of the teardown were timed here.
            if purpose == .wholeCase { $0.record.timing = timing }
            $0.record.traceSHA256 = digest
            guard let failure = writer.failure else { return }
            // The exchanges went on, but their record is not whole: that is for the rig to say, not the product.
            let problem = Problem(
                type: "TeardownFailed",
                isRigError: true,
                message: "the trace is incomplete: \(failure)",
                file: planned.suite.file,
                line: planned.testCase.position.line,
                hint: "make room, or choose another folder with --out"
            )
            if $0.record.problem == nil {
                $0.record.problem = problem
                $0.record.verdict = .error
            } else if $0.record.teardownProblem == nil {
                $0.record.teardownProblem = problem
            }
        }
    }
}
