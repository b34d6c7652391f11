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
    let progress: AttemptProgress
    let interruption: Interruption
    let offered: NeedsCheck
    /// When the case must be over, on the session's clock; nil without a limit.
    var caseEnd: (time: Duration, limit: Duration)?
    /// Limits of the case over those of the suite.
    var limits: Limits
    /// Called when a harmless command was lost: reconnects, runs the set-up again; true when it may be sent again.
    var recover: (TransportFault, [UInt8], Step, Phase) throws -> Bool = { _, _, _, _ in false }
    /// SELECT commands of the case's own steps, to be replayed after a set-up that was run again.
    var selections: [[UInt8]] = []

    private var phase = Phase.setup
    private let start: Duration

    init(
        suite: Suite,
        verbs: VerbTable,
        session: CardSession,
        stack: ConnectionStack,
        progress: AttemptProgress,
        interruption: Interruption,
        offered: NeedsCheck,
        limits: Limits
    ) {
        self.suite = suite
        self.verbs = verbs
        self.session = session
        self.stack = stack
        self.progress = progress
        self.interruption = interruption
        self.offered = offered
        self.limits = limits
        start = session.clock.now
    }

    /// Runs a block of steps to its end, or throws what ended it.
    ///
    /// - Parameter first: Number of steps of the block that were run before, for their labels.
    func run(_ steps: [Step], phase: Phase, path: [Int] = [], from first: Int = 0, scope: Scope) throws {
        self.phase = phase
        stack.interposer.isArmed = phase == .step
        for (index, step) in steps.enumerated() {
            try run(step, phase: phase, path: path + [first + index + 1], scope: scope)
        }
    }

    private func run(_ step: Step, phase: Phase, path: [Int], scope: Scope) throws {
        try checkInterruption(phase)
        var record = StepRecord(
            label: phase.label(path),
            title: step.name ?? StepTitle.of(step, target: suite.target),
            verb: step.verbName,
            file: step.position.file,
            line: step.position.line
        )
        record.start = session.clock.now - start
        if let reason = try skipReason(of: step, scope: scope, record: record) {
            record.verdict = .skipped
            record.detail = reason
            finish(record)
            return
        }
        if case .use(_, let steps, let bindings) = step.action {
            let inner = Scope(parent: scope)
            for (name, template) in bindings {
                inner.define(
                    name,
                    try mistakes(record) { () throws(ScenarioMistake) in try template.value(in: scope) }
                )
            }
            try run(steps, phase: phase, path: path, scope: inner)
            return
        }
        progress.update { $0.current = record }
        stack.writer.step = "\(record.label) \(record.title)"
        let before = stack.writer.exchangeCount
        do {
            try perform(step, record: &record, scope: scope)
        } catch {
            close(&record, since: before)
            record.verdict = (error as? StepEnd)?.problem.isRigError == false ? .failed : .error
            finish(record)
            throw error
        }
        close(&record, since: before)
        finish(record)
    }

    private func close(_ record: inout StepRecord, since before: Int) {
        record.duration = session.clock.now - start - record.start
        record.exchangeCount = stack.writer.exchangeCount - before
        record.exchanges = stack.tracing.takeSummaries().shown.map {
            ExchangeSummary(command: $0.command, response: $0.response, milliseconds: $0.milliseconds)
        }
    }

    private func finish(_ record: StepRecord) {
        progress.update {
            $0.record.steps.append(record)
            $0.fresh.append(record)
            $0.current = nil
        }
    }

    private func skipReason(of step: Step, scope: Scope, record: StepRecord) throws -> String? {
        if let condition = step.condition {
            let holds = try mistakes(record) { () throws(ScenarioMistake) in try condition.holds(in: scope) }
            if !holds { return "if: \(condition.text) does not hold" }
        }
        guard step.isOptional else { return nil }
        return NeedsCheck.own(step).lazy.compactMap { self.offered.complaint(about: $0) }.first
    }

    // MARK: One step

    private func perform(_ step: Step, record: inout StepRecord, scope: Scope) throws {
        if let delay = step.delay { try session.wait(delay) }
        stack.top.exchangeDeadline =
            step.limits.apdu ?? limits.apdu ?? suite.limits.apdu ?? RunDefaults.exchangeDeadline
        session.setFollowing(!(step.isRaw ?? suite.isRaw))
        stack.tracing.masks.rules = maskRules(step)
        stack.interposer.beginStep(name: step.name, verb: step.verbName)
        if let plan = step.fault, let fault = InjectedFault(plan) { stack.interposer.add(fault) }
        if let poll = step.poll {
            try runPoll(poll, step: step, record: &record, scope: scope)
        } else {
            for repetition in 1...max(1, step.repetitions) {
                if repetition > 1 { try checkInterruption(phase) }
                record.tries = repetition
                try runOnce(step, record: &record, scope: scope)
            }
        }
    }

    private func runOnce(_ step: Step, record: inout StepRecord, scope: Scope) throws {
        let begin = session.clock.now
        let (call, stop) = try callVerb(step, record: &record, scope: scope)
        call.observation.total = session.clock.now - begin
        try judge(step, call: call, stop: stop, record: &record, scope: scope)
        try capture(step, call: call, record: record, scope: scope)
    }

    /// Calls the verb; what it throws is handed back for judgement, unless it ends everything.
    private func callVerb(
        _ step: Step,
        record: inout StepRecord,
        scope: Scope
    ) throws -> (VerbCall, VerbStop?) {
        guard case .verb(let spec, let templates) = step.action, let verb = verbs[spec.name] else {
            throw StepEnd(
                problem: .mistake(
                    ScenarioMistake(step.position, "this program has no verb '\(step.verbName)'"),
                    record: record
                )
            )
        }
        var arguments: [String: Value] = [:]
        for (name, template) in templates {
            arguments[name] = try mistakes(record) { () throws(ScenarioMistake) in
                try template.value(in: scope)
            }
        }
        if step.allow.contains("guard") { session.letNextThroughGuard() }
        let phase = phase
        let call = VerbCall(
            step: step,
            arguments: arguments,
            target: suite.target,
            session: session,
            recovery: { [recover] fault, command in try recover(fault, command, step, phase) }
        )
        var stop: VerbStop?
        do {
            try verb.run(call)
        } catch let end as VerbStop {
            stop = end
        }
        record.assertions += call.assertions
        if !call.details.isEmpty { record.detail = call.details.joined(separator: "; ") }
        for line in call.details where step.verbName == "log" {
            stack.writer.note(line, time: session.clock.now - start)
        }
        if !call.warnings.isEmpty {
            let subject = Problem.subject(record)
            progress.update { $0.warnings += call.warnings.map { "\(subject): \($0)" } }
        }
        noteSelections(call)
        return (call, stop)
    }

    private func noteSelections(_ call: VerbCall) {
        guard phase == .step else { return }
        for exchange in call.observation.exchanges {
            // Unwrapped by hand: comparing through `?.` here stops the optimiser of Swift 6.3.1 (ownership error).
            guard exchange.command.count >= 4, exchange.command[1] == 0xA4, let answer = exchange.response,
                answer.sw == .success
            else { continue }
            // A SELECT by name starts anew; what was selected before it no longer counts.
            if exchange.command[2] == 0x04 { selections = [] }
            selections.append(exchange.command)
        }
    }

    private func judge(
        _ step: Step,
        call: VerbCall,
        stop: VerbStop?,
        record: inout StepRecord,
        scope: Scope
    ) throws {
        var fault: TransportFault?
        switch stop {
        case nil: break
        case .mismatch(let mismatch): throw StepEnd(problem: .mismatches([mismatch], record: record))
        case .argument(let mistake): throw StepEnd(problem: .mistake(mistake, record: record))
        case .earlierCommand(let what, let exchange):
            throw StepEnd(problem: .mismatches([earlier(what, exchange, step)], record: record))
        case .fault(let trouble):
            fault = trouble
            call.observation.fault = trouble.kind.rawValue
        case .device(let name, let detail):
            call.observation.error = name
            call.observation.errorDetail = detail
        }
        let judgement: Judgement = try mistakes(record) { () throws(ScenarioMistake) in
            try self.judgement(step, of: call, scope: scope)
        }
        record.assertions += judgement.assertions
        if let fault, step.expectation?.expectsFault != true {
            throw StepEnd(problem: .fault(fault, record: record), fault: fault)
        }
        if !judgement.mismatches.isEmpty {
            throw StepEnd(problem: .mismatches(judgement.mismatches, record: record), fault: fault)
        }
    }

    private func judgement(_ step: Step, of call: VerbCall, scope: Scope) throws(ScenarioMistake) -> Judgement
    {
        if let expectation = step.expectation {
            return try expectation.judge(
                call.observation,
                scope: scope,
                isRaw: step.isRaw ?? suite.isRaw,
                allow: StatusPattern.allowed(step.allow)
            )
        }
        guard case .verb(let spec, _) = step.action, spec.exchanges || call.observation.error != nil else {
            return Judgement(mismatches: [], assertions: 0)
        }
        return Expectation.judgeDefault(
            call.observation,
            at: step.position,
            isRaw: step.isRaw ?? suite.isRaw,
            allow: StatusPattern.allowed(step.allow)
        )
    }

    private func earlier(_ what: String, _ exchange: Observation.Exchange, _ step: Step) -> Mismatch {
        let sw = exchange.response?.sw ?? StatusWord(rawValue: 0)
        return Mismatch(
            .unexpectedStatus,
            "\(what), which comes first, answered \(sw) instead of 9000",
            expected: "SW 9000",
            received: "SW \(sw) (\(sw.meaning))",
            at: step.position
        )
    }

    private func capture(_ step: Step, call: VerbCall, record: StepRecord, scope: Scope) throws {
        for capture in step.captures {
            let value = try mistakes(record) { () throws(ScenarioMistake) in
                try capture.value(from: call.observation, scope: scope)
            }
            scope.define(capture.name, value)
        }
    }

    // MARK: Polls

    private func runPoll(_ poll: Poll, step: Step, record: inout StepRecord, scope: Scope) throws {
        let begin = session.clock.now
        var tries = 0
        while true {
            tries += 1
            record.tries = tries
            let (call, stop) = try callVerb(step, record: &record, scope: scope)
            call.observation.total = session.clock.now - begin
            let missing = try complaints(of: poll, call: call, stop: stop, record: &record, scope: scope)
            let spent = session.clock.now - begin
            if missing.isEmpty {
                record.detail = "\(tries) tries in \(DurationText.text(spent))"
                if step.expectation != nil {
                    try judge(step, call: call, stop: stop, record: &record, scope: scope)
                }
                try capture(step, call: call, record: record, scope: scope)
                return
            }
            if spent + poll.every > poll.max {
                var first = missing[0]
                first.message = stillNot(first, poll: poll, call: call, tries: tries)
                if first.hint.isEmpty { first.hint = fieldHint(since: begin) }
                throw StepEnd(problem: .mismatches([first] + missing.dropFirst(), record: record))
            }
            try checkInterruption(phase)
            for (index, inner) in poll.between.enumerated() {
                try between(inner, number: index + 1, record: record, scope: scope)
            }
            try session.wait(poll.every)
        }
    }

    /// The sentence for a poll that ran out: `FILE_2 still 00 after 2000 ms (41 tries): ...`.
    private func stillNot(_ mismatch: Mismatch, poll: Poll, call: VerbCall, tries: Int) -> String {
        let data = call.observation.last?.data ?? []
        let what = StepTitle.object(of: call.step, target: suite.target) ?? "it"
        let state = data.isEmpty || data.count > 16 ? "\(what) still not so" : "\(what) still \(data.hex)"
        return "\(state) after \(poll.max.wholeMilliseconds) ms (\(tries) tries): \(mismatch.message)"
    }

    /// What keeps the poll going; empty when it is over. Trouble that the goal does not expect ends the case.
    private func complaints(
        of poll: Poll,
        call: VerbCall,
        stop: VerbStop?,
        record: inout StepRecord,
        scope: Scope
    ) throws -> [Mismatch] {
        switch stop {
        case .mismatch(let mismatch): return [mismatch]
        case .argument(let mistake): throw StepEnd(problem: .mistake(mistake, record: record))
        case .earlierCommand(let what, let exchange): return [earlier(what, exchange, call.step)]
        case .fault(let fault): call.observation.fault = fault.kind.rawValue
        case .device(let name, let detail):
            call.observation.error = name
            call.observation.errorDetail = detail
        case nil: break
        }
        let goal: Expectation
        let wantsIt: Bool
        switch poll.goal {
        case .until(let expectation): (goal, wantsIt) = (expectation, true)
        case .whileHolding(let expectation): (goal, wantsIt) = (expectation, false)
        }
        let allow = StatusPattern.allowed(call.step.allow)
        let isRaw = call.step.isRaw ?? suite.isRaw
        let judgement = try mistakes(record) { () throws(ScenarioMistake) in
            try goal.judge(call.observation, scope: scope, isRaw: isRaw, allow: allow)
        }
        record.assertions += judgement.assertions
        if case .fault(let fault)? = stop, !goal.expectsFault {
            throw StepEnd(problem: .fault(fault, record: record), fault: fault)
        }
        if wantsIt { return judgement.mismatches }
        guard judgement.mismatches.isEmpty else { return [] }
        return [
            Mismatch(
                .unexpectedData,
                "the answer is unchanged",
                expected: "a change",
                received: call.observation.last.map { "\($0.bytes.hex)" } ?? "no answer",
                at: goal.position
            )
        ]
    }

    private func between(_ step: Step, number: Int, record: StepRecord, scope: Scope) throws {
        var inner = StepRecord(
            label: record.label,
            title: "\(record.title), between: \(StepTitle.of(step, target: suite.target))",
            verb: step.verbName,
            file: step.position.file,
            line: step.position.line
        )
        stack.writer.step = "\(inner.label) between.\(number) \(StepTitle.of(step, target: suite.target))"
        try perform(step, record: &inner, scope: scope)
        stack.writer.step = "\(record.label) \(record.title)"
    }

    private func fieldHint(since begin: Duration) -> String {
        guard session.kit != nil, session.field == .on, session.fieldOnSince <= begin else { return "" }
        return "the field was on all the time: the kit's firmware reaches the chip only while it is off"
    }

    // MARK: Limits and mistakes

    private func maskRules(_ step: Step) -> [MaskRule] {
        let dictionary = Dictionaries.all.first { $0.target == suite.target }
        return step.masks.compactMap { text in
            // The reader of the scenario has checked the texts.
            try? MaskRule(text) { name in dictionary?.tags[name].flatMap { try? HexText.bytes($0) } }
        }
    }

    private func checkInterruption(_ phase: Phase) throws {
        if phase != .teardown, let signal = interruption.signal { throw Interrupted(signal: signal) }
        if interruption.isImpatient { throw Interrupted(signal: interruption.signal ?? "SIGINT") }
        if let end = caseEnd, session.clock.now > end.time, phase != .teardown {
            let current = progress.snapshot.current
            throw StepEnd(
                problem: Problem(
                    type: FaultKind.timeout.junitType,
                    isRigError: true,
                    message: "the case took longer than its limit of \(DurationText.text(end.limit))",
                    file: suite.file,
                    line: suite.position.line,
                    step: current?.label ?? "",
                    hint: "raise limits.case, or look at the times of the steps"
                )
            )
        }
    }

    private func mistakes<Result>(
        _ record: StepRecord,
        _ work: () throws(ScenarioMistake) -> Result
    ) throws -> Result {
        do throws(ScenarioMistake) {
            return try work()
        } catch {
            throw StepEnd(problem: .mistake(error, record: record))
        }
    }
}

extension Step {
    /// The verb's word; `use` for the steps of a library.
    var verbName: String {
        switch action {
        case .verb(let spec, _): spec.name
        case .use: "use"
        }
    }
}

extension Duration {
    /// Whole milliseconds, for sentences.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
