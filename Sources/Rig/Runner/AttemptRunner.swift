// SPDX-License-Identifier: MIT

import CardConnection
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

    /// What the attempt is for.
    enum Purpose {
        /// The whole case.
        case wholeCase
        /// Only the teardown, on a new connection, after the first one was given up.
        case teardownOnly
    }

    /// Runs the attempt; all it finds is in `progress`.
    func run(_ purpose: Purpose, watch: DeadlineWatch?) {
        let subject = StepRecord(
            label: "connect",
            title: route.spec,
            verb: "connect",
            file: planned.suite.file,
            line: planned.testCase.position.line
        )
        let scope: Scope
        do throws(ScenarioMistake) {
            scope = try resolver.scope(
                for: planned.suite,
                case: planned.testCase.name,
                row: planned.row,
                repetition: planned.repetition - 1,
                dictionary: dictionary
            )
        } catch {
            end(.mistake(error, record: subject))
            return
        }
        let setup = deviceSetup
        let card: OpenedCard
        do throws(TransportFault) {
            watch?.arm(setup.exchangeDeadline + .seconds(5), "the connection was not made")
            defer { watch?.disarm() }
            card = try route.open(setup)
        } catch {
            // Given up while connecting: whatever comes now belongs to nobody.
            if watch?.isAbandoned == true { return }
            end(.fault(error, record: subject))
            return
        }
        if watch?.isAbandoned == true {
            card.connection.close()
            return
        }
        run(purpose, on: card, scope: scope, watch: watch, subject: subject)
    }

    private func run(
        _ purpose: Purpose,
        on card: OpenedCard,
        scope: Scope,
        watch: DeadlineWatch?,
        subject: StepRecord
    ) {
        defer { card.connection.close() }
        let facts = card.connection.facts
        progress.update {
            $0.facts = facts
            $0.firmware = card.firmware
        }
        let needs = NeedsCheck(
            offered: card.capabilities,
            firmware: deviceSetup.firmware ?? card.firmware,
            place: "\(planned.suite.target)@\(route.spec)"
        )
        if purpose == .wholeCase, let unmet = needs.complaint(about: planned) {
            progress.update { $0.skipReason = unmet.reason }
            return
        }
        let writer =
            purpose == .teardownOnly
            ? TraceWriter(continuing: tracePath)
            : TraceWriter(path: tracePath, header: header(facts, card: card))
        var mask = SecretMask(target: planned.suite.target, showsSecrets: options.showsSecrets)
        for secret in scope.secretValues {
            switch secret {
            case .bytes(let bytes): mask.addSecret(bytes)
            default: mask.addSecret(secret.text)
            }
        }
        let hiding = mask
        progress.update { $0.mask = hiding }
        let stack = ConnectionStack(
            card,
            watch: watch,
            writer: writer,
            mask: mask,
            ledger: ledger,
            target: planned.suite.target,
            progress: progress
        )
        let clock = card.clock
        let session = CardSession(
            connection: stack.top,
            clock: clock,
            kit: card.kit,
            setFollowing: { stack.top.isFollowing = $0 },
            letNextThroughGuard: { stack.guarding.letsNextThrough = true },
            wait: { [interruption] in try Self.wait($0, clock: clock, interruption: interruption) }
        )
        let steps = StepRunner(
            suite: planned.suite,
            verbs: verbs,
            session: session,
            stack: stack,
            progress: progress,
            interruption: interruption,
            offered: needs,
            limits: planned.testCase.limits
        )
        if let limit = planned.testCase.limits.testCase ?? planned.suite.limits.testCase {
            steps.caseEnd = (clock.now + limit, limit)
        }
        if let plan = planned.testCase.fault, let fault = InjectedFault(plan) { stack.interposer.add(fault) }
        let begin = clock.now
        if purpose == .wholeCase { runCase(steps, scope: scope) }
        tearDown(steps, scope: scope)
        let verdict = progress.snapshot.record.verdict
        finish(writer, verdict: verdict, duration: clock.now - begin)
    }

    // MARK: Set-up and steps

    private func runCase(_ steps: StepRunner, scope: Scope) {
        steps.recover = { fault, command, step, phase in
            try recover(from: fault, command: command, step: step, phase: phase, steps: steps, scope: scope)
        }
        let caseScope: Scope
        do {
            caseScope = try setUp(steps, scope: scope)
        } catch let stop as StepEnd {
            end(stop.problem.asSetupProblem)
            return
        } catch {
            end(interrupted(error))
            return
        }
        do {
            try steps.run(planned.testCase.steps, phase: .step, scope: caseScope)
        } catch let stop as StepEnd {
            end(stop.problem)
        } catch {
            end(interrupted(error))
        }
    }

    /// Runs the set-up, again from its start when a lost command asks for it; gives the scope with its captures.
    private func setUp(_ steps: StepRunner, scope: Scope) throws -> Scope {
        while true {
            let caseScope = Scope(parent: scope)
            do {
                try steps.run(planned.suite.setup, phase: .setup, scope: caseScope)
                return caseScope
            } catch is SetupRestart {}
        }
    }

    /// Decides whether a lost command may be sent again, and brings the card back to where the set-up left it.
    private func recover(
        from fault: TransportFault,
        command: [UInt8],
        step: Step,
        phase: Phase,
        steps: StepRunner,
        scope: Scope
    ) throws -> Bool {
        guard phase != .teardown, ResendRule.allows(fault, command: command, step: step),
            progress.snapshot.resentCommands < RunDefaults.resendLimit
        else { return false }
        progress.update {
            $0.resentCommands += 1
            $0.warnings.append(
                "\(fault.detail); connected again and set up again, then the command was repeated"
            )
        }
        steps.stack.tracing.record(
            event: "recovery",
            fields: [JSON.Member("cause", .string(fault.kind.rawValue))]
        )
        try steps.stack.top.reconnect()
        if phase == .setup { throw SetupRestart() }
        let label = steps.stack.writer.step
        let inner = Scope(parent: scope)
        // The replay is quiet: its steps are in the trace, not in the report, and nothing in it is sent again.
        let replay = StepRunner(
            suite: planned.suite,
            verbs: verbs,
            session: steps.session,
            stack: steps.stack,
            progress: AttemptProgress(AttemptRecord(number: 0, started: "", trace: "")),
            interruption: interruption,
            offered: steps.offered,
            limits: steps.limits
        )
        do {
            try replay.run(planned.suite.setup, phase: .setup, scope: inner)
        } catch let stop as StepEnd {
            throw stop.fault ?? fault
        }
        for selection in steps.selections { _ = try steps.stack.top.transmit(selection) }
        steps.stack.interposer.isArmed = true
        steps.stack.writer.step = label
        return true
    }

    // MARK: Teardown

    private func tearDown(_ steps: StepRunner, scope: Scope) {
        guard !planned.suite.teardown.isEmpty, !interruption.isImpatient else { return }
        let clock = steps.session.clock
        let limit =
            planned.testCase.limits.teardown ?? planned.suite.limits.teardown ?? RunDefaults.teardownLimit
        steps.caseEnd = nil
        steps.recover = { _, _, _, _ in false }
        steps.limits.apdu = min(steps.limits.apdu ?? planned.suite.limits.apdu ?? limit, limit)
        let end = clock.now + limit
        do {
            try bringCardBack(steps)
            for (index, step) in planned.suite.teardown.enumerated() {
                guard clock.now <= end else {
                    throw StepEnd(problem: teardownTimeout(limit, step: step, number: index + 1))
                }
                try steps.run([step], phase: .teardown, from: index, scope: scope)
            }
        } catch let stop as StepEnd {
            noteTeardown(stop.problem)
        } catch let fault as TransportFault {
            noteTeardown(
                .fault(
                    fault,
                    record: StepRecord(
                        label: "teardown",
                        title: "reconnect",
                        verb: "connect",
                        file: planned.suite.file,
                        line: planned.suite.teardown[0].position.line
                    )
                )
            )
        } catch {
            noteTeardown(interrupted(error))
        }
    }

    /// Teardown starts with a card that has power and answers, however the case left it.
    private func bringCardBack(_ steps: StepRunner) throws(TransportFault) {
        if steps.session.field == .off {
            try steps.stack.top.setField(.on)
            steps.session.field = .on
        }
        let state = progress.snapshot
        if state.record.problem?.isRigError == true
            || state.record.steps.contains(where: { $0.verdict == .error })
        {
            try steps.stack.top.reconnect()
        }
    }

    private func teardownTimeout(_ limit: Duration, step: Step, number: Int) -> Problem {
        Problem(
            type: "TeardownFailed",
            isRigError: true,
            message: "teardown \(number) was not reached within \(DurationText.text(limit))",
            file: step.position.file,
            line: step.position.line,
            step: "teardown.\(number)",
            hint: "the device may be left in another state than the next case expects; raise limits.teardown"
        )
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
        let signal = (error as? Interrupted)?.signal ?? "an unknown cause (\(error))"
        return Problem(
            type: "Interrupted",
            isRigError: true,
            message: "the run was interrupted by \(signal)",
            file: planned.suite.file,
            line: planned.testCase.position.line
        )
    }

    private func finish(_ writer: TraceWriter, verdict: Verdict, duration: Duration) {
        writer.end(verdict: verdict.rawValue)
        let digest = writer.finish()
        var times = writer.times
        progress.update {
            $0.record.duration = duration
            $0.record.exchangeCount += writer.exchangeCount
            if let p50 = times.percentile(50), let p95 = times.percentile(95) {
                $0.record.timing = AttemptRecord.Timing(
                    p50: Double(p50) / 1000,
                    p95: Double(p95) / 1000,
                    max: Double(times.maximum) / 1000
                )
            }
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

    // MARK: What the attempt is made from

    private var deviceSetup: DeviceSetup {
        let device = DeviceSelection(planned, options: options)
        let limit = planned.testCase.limits.apdu ?? planned.suite.limits.apdu ?? RunDefaults.exchangeDeadline
        return DeviceSetup(
            target: planned.suite.target,
            firmware: device.firmware,
            options: device.options,
            seed: CaseSeed.of(planned, seed: options.seed),
            exchangeDeadline: limit
        )
    }

    private var resolver: VariableResolver {
        VariableResolver(seed: options.seed, overrides: options.variables, environment: options.environment)
    }

    private var dictionary: DeviceDictionary? {
        Dictionaries.all.first { $0.target == planned.suite.target }
    }

    private func header(_ facts: ConnectionFacts, card: OpenedCard) -> TraceHeader {
        var header = TraceHeader(
            rig: options.rigVersion,
            suite: planned.suite.name,
            caseName: planned.name,
            target: planned.suite.target,
            via: route.spec,
            started: started
        )
        header.reader = facts.readerName
        header.atr = facts.atr.hex
        header.protocolName = facts.protocolName
        header.firmware = deviceSetup.firmware ?? card.firmware
        header.seed = options.seed
        header.scenarioSHA256 = planned.suite.sha256
        header.showsSecrets = options.showsSecrets
        return header
    }

    /// Waits in pieces, so that a signal ends it soon.
    private static func wait(_ duration: Duration, clock: any RigClock, interruption: Interruption) throws {
        guard !clock.isVirtual else {
            clock.wait(duration)
            return
        }
        let end = clock.now + duration
        while clock.now < end {
            if let signal = interruption.signal { throw Interrupted(signal: signal) }
            clock.wait(min(.milliseconds(50), end - clock.now))
        }
    }
}
