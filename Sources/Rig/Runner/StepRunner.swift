// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

/// Runs the steps of one attempt: repeats, polls, judges, captures.
///
/// Belongs to the thread that runs the attempt.
final class StepRunner {
    let suite: Suite
    let verbs: VerbTable
    let session: CardSession
    let stack: ConnectionStack
    let patience: Patience
    let offered: NeedsCheck
    /// Limits of the case over those of the suite.
    let limits: Limits
    /// Where the records of steps go; nil while a set-up is replayed, which is in the trace alone.
    let progress: AttemptProgress?
    /// Decides about a lost command, and brings the card back for it.
    var recover: (LostCommand, VolatileState) throws -> Recovery = { _, _ in .none }
    /// What the case's own steps did to the card's volatile state.
    var cardState = VolatileState()

    /// Opens another connection of the bench, with its wrappers.
    var openRole: (String) throws(TransportFault) -> (CardSession, ConnectionStack) = {
        role throws(TransportFault) in
        throw TransportFault(.control, "there is no connection '\(role)'")
    }
    /// The kit's side of the trace; nil without a kit.
    var kitTrace: KitTrace?
    /// The runners of other connections, by role.
    var others: [String: StepRunner] = [:]
    /// The runner for which this one does something in between; other connections are that one's.
    private(set) var owner: StepRunner?
    /// The runner whose step this one runs on another connection; steps in its middle are that one's as well.
    weak var caller: StepRunner?

    var phase = Phase.setup
    var wantsSetupRestart = false
    private let start: Duration
    private var told: Set<String> = []
    private var plannedFaults: Set<SourcePosition> = []

    init(
        suite: Suite,
        verbs: VerbTable,
        session: CardSession,
        stack: ConnectionStack,
        patience: Patience,
        offered: NeedsCheck,
        limits: Limits,
        progress: AttemptProgress?
    ) {
        self.suite = suite
        self.verbs = verbs
        self.session = session
        self.stack = stack
        self.patience = patience
        self.offered = offered
        self.limits = limits
        self.progress = progress
        start = session.clock.now
    }

    /// Time since the attempt began.
    var elapsed: Duration { session.clock.now - start }

    /// A runner on the same card whose steps are in the trace and not in the report.
    func makeQuiet() -> StepRunner {
        let quiet = StepRunner(
            suite: suite,
            verbs: verbs,
            session: session,
            stack: stack,
            patience: patience,
            offered: offered,
            limits: limits,
            progress: nil
        )
        quiet.owner = self
        return quiet
    }

    // MARK: Blocks

    /// Runs a block of steps to its end, or throws what ended it.
    ///
    /// - Parameters:
    ///   - steps: The block.
    ///   - phase: What the block is for.
    ///   - path: Numbers of the steps around it, for labels.
    ///   - comesBack: Whether a later step outside of the block brings a lost card back.
    ///   - scope: The variables.
    /// - Throws: ``StepEnd`` with the problem, or what interrupted the case.
    func run(
        _ steps: [Step],
        phase: Phase,
        path: [Int] = [],
        comesBack: Bool = false,
        scope: Scope
    ) throws {
        self.phase = phase
        stack.interposer.isArmed = phase == .step
        let lastReturn = steps.lastIndex { $0.bringsCardBack } ?? 0
        for (index, step) in steps.enumerated() {
            let comesBack = comesBack || index < lastReturn
            try run(step, path: path + [index + 1], comesBack: comesBack, scope: scope)
        }
    }

    private func run(_ step: Step, path: [Int], comesBack: Bool, scope: Scope) throws {
        var record = StepRecord(
            label: phase.label(path),
            title: StepTitle.of(step, target: suite.target, scope: scope, mask: stack.tracing.masks),
            verb: step.verbName,
            file: step.position.file,
            line: step.position.line
        )
        record.start = elapsed
        do {
            try patience.check()
            if let reason = try skipReason(of: step, comesBack: comesBack, scope: scope, record: record) {
                record.verdict = .skipped
                record.detail = reason
                return finish(record)
            }
        } catch let limit as LimitReached {
            throw StepEnd(problem: .limit(limit, record: record))
        }
        if case .use(_, let steps, let bindings) = step.action {
            let inner = try bound(bindings, record: record, scope: scope)
            do {
                return try run(steps, phase: phase, path: path, comesBack: comesBack, scope: inner)
            } catch var end as StepEnd {
                // The place of the problem is in the library, which many use.
                end.problem.details.append("used at \(step.position.file):\(step.position.line)")
                throw end
            }
        }
        let open = record
        progress?.update { $0.current = open }
        stack.writer.step = "\(record.label) \(record.title)"
        let before = stack.writer.exchangeCount
        let runner = try runner(of: step, record: record)
        do {
            try perform(step, on: runner, record: &record, scope: scope)
        } catch {
            close(&record, since: before, tracing: runner.stack.tracing)
            let end = (error as? LimitReached).map { StepEnd(problem: .limit($0, record: record)) }
            record.verdict =
                ((end ?? error) as? StepEnd)?.problem.isRigError == false ? .failed : .error
            finish(record)
            throw end ?? error
        }
        close(&record, since: before, tracing: runner.stack.tracing)
        finish(record)
    }

    func bound(_ bindings: [String: Template], record: StepRecord, scope: Scope) throws -> Scope {
        let inner = Scope(parent: scope)
        for (name, template) in bindings {
            let value = try mistakes(record) { () throws(ScenarioMistake) in try template.value(in: scope) }
            let isSecret = template.references.contains { scope.secretNames.contains($0.name) }
            inner.define(name, value, isSecret: isSecret)
        }
        return inner
    }

    private func close(_ record: inout StepRecord, since before: Int, tracing: TracingConnection) {
        kitTrace?.collect(into: stack.tracing)
        record.duration = elapsed - record.start
        record.exchangeCount = stack.writer.exchangeCount - before
        // Of a quiet runner's exchanges, the step around it tells.
        guard progress != nil else { return }
        record.exchanges = tracing.takeSummaries().shown.map {
            ExchangeSummary(command: $0.command, response: $0.response, milliseconds: $0.milliseconds)
        }
    }

    private func finish(_ record: StepRecord) {
        guard let progress else { return }
        var record = record
        record.detail = stack.tracing.masks.mask(text: record.detail)
        let masked = record
        progress.update {
            $0.record.steps.append(masked)
            $0.fresh.append(masked)
            $0.current = nil
        }
    }

    /// Puts a remark into the report, once.
    func warn(_ text: String) {
        guard told.insert(text).inserted, told.count <= Self.warningLimit else { return }
        let masked = stack.tracing.masks.mask(text: text)
        progress?.update { $0.warnings.append(masked) }
    }

    // MARK: Skipping

    func skipReason(
        of step: Step,
        comesBack: Bool,
        scope: Scope,
        record: StepRecord
    ) throws -> String? {
        if let condition = step.condition {
            let holds = try mistakes(record) { () throws(ScenarioMistake) in try condition.holds(in: scope) }
            if !holds { return "if: \(condition.text) does not hold" }
        }
        if step.isOptional, let unmet = offered.complaints(about: NeedsCheck.own(step)).first {
            if let required = unmet.requirement {
                throw StepEnd(problem: .required(required, record: record))
            }
            return unmet.reason
        }
        // A fault stops only its own connection.
        let session = step.role.map { (owner ?? self).others[$0]?.session } ?? session
        if let fault = session?.linkFault, comesBack, step.needsLink {
            return "the link is down since the expected \(fault.rawValue), until a later step brings it back"
        }
        return nil
    }

    /// Adds the fault of a step, once however often the step is run.
    func addFault(of step: Step) {
        guard let plan = step.fault, plannedFaults.insert(plan.position).inserted else { return }
        if let fault = InjectedFault(plan, after: stack.interposer.exchangeCount) {
            stack.interposer.add(fault)
        }
    }

    func mistakes<Result>(
        _ record: StepRecord,
        _ work: () throws(ScenarioMistake) -> Result
    ) throws -> Result {
        do throws(ScenarioMistake) {
            return try work()
        } catch {
            throw StepEnd(problem: .mistake(error, record: record))
        }
    }

    private static let warningLimit = 100
}

extension Step {
    /// The verb's word; `use` for the steps of a library.
    var verbName: String {
        switch action {
        case .verb(let spec, _): spec.name
        case .use: "use"
        }
    }

    /// True when the step can do nothing without a card.
    var needsLink: Bool {
        if case .verb(let spec, _) = action { return spec.exchanges }
        return false
    }

    /// True when a card that was lost is there again after the step.
    var bringsCardBack: Bool {
        switch action {
        case .use(_, let steps, _): return steps.contains { $0.bringsCardBack }
        case .verb(let spec, let arguments):
            guard spec.name == "field" else { return spec.name == "connect" }
            return arguments["state"] == .value(.text("on")) || arguments["for"] != nil
        }
    }
}
