// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

extension StepRunner {
    /// Runs a step with its delay, fault, polls and repetitions.
    func perform(_ step: Step, record: inout StepRecord, scope: Scope) throws {
        if let delay = step.delay { try patience.wait(delay) }
        let prepared = try PreparedStep(step, suite: suite, verbs: verbs, record: record, scope: scope)
        enter(prepared)
        stack.tracing.forgetHidden()
        addFault(of: step)
        defer { session.withdrawGuardPass() }
        if prepared.passesGuard { session.letNextThroughGuard() }
        let call = makeCall(prepared)
        if let poll = step.poll {
            return try runPoll(poll, prepared, call, record: &record, scope: scope)
        }
        var samples = step.statistics.map(StepSamples.init)
        let stepBegin = session.clock.now
        let repetitions = max(1, step.repetitions)
        for repetition in 1...repetitions {
            if repetition > 1 {
                try patience.check()
                if patience.hasLimit { setDeadline(prepared) }
            }
            record.tries = repetition
            let begin = session.clock.now
            let stop = try invoke(prepared, call, record: &record, scope: scope)
            let end = session.clock.now
            call.observation.duration = end - begin
            if repetition == repetitions { call.observation.total = end - stepBegin }
            try judge(prepared, call, stop: stop, record: &record, scope: scope)
            if !step.captures.isEmpty { try capture(step, call, record: record, scope: scope) }
            samples?.add(call.observation)
        }
        if let samples { try judge(samples, record: &record, scope: scope) }
    }

    /// Sets the connection up as the step wants it; also after other steps ran in its middle.
    func enter(_ prepared: PreparedStep) {
        setDeadline(prepared)
        session.setFollowing(!prepared.isRaw)
        stack.tracing.masks.rules = prepared.maskRules
        stack.interposer.beginStep(name: prepared.step.name, verb: prepared.step.verbName)
    }

    func setDeadline(_ prepared: PreparedStep) {
        let wanted =
            prepared.step.limits.apdu ?? limits.apdu ?? suite.limits.apdu ?? RunDefaults.exchangeDeadline
        stack.top.exchangeDeadline = patience.cut(wanted)
    }

    func makeCall(_ prepared: PreparedStep) -> VerbCall {
        weak var running: VerbCall?
        let call = VerbCall(
            step: prepared.step,
            arguments: prepared.arguments ?? [:],
            target: suite.target,
            session: session,
            wire: stack.wire,
            recovery: { [unowned self] fault, command, resends in
                let lost = LostCommand(fault: fault, bytes: command, resends: resends, step: prepared.step)
                guard session.linkFault == nil else { return false }
                // A verb that has sent something of its own has changed the card before it is over.
                let state =
                    phase == .step ? cardState.noting(running?.observation.commands ?? []) : cardState
                let secrets = stack.tracing.masks.stepValues
                switch try recover(lost, state) {
                case .none: return false
                case .restartSetup:
                    wantsSetupRestart = true
                    return false
                case .resend:
                    enter(prepared)
                    stack.tracing.masks.stepValues = secrets
                    return true
                }
            }
        )
        running = call
        return call
    }

    /// Calls the verb; what it throws is handed back for judgement, unless it ends everything.
    func invoke(
        _ prepared: PreparedStep,
        _ call: VerbCall,
        record: inout StepRecord,
        scope: Scope
    ) throws -> VerbStop? {
        if prepared.arguments == nil {
            call.restart(with: try prepared.filledArguments(in: scope, record: record))
        } else {
            call.restart()
        }
        stack.tracing.masks.stepValues = prepared.secretValues(in: scope)
        var stop: VerbStop?
        do {
            try prepared.verb.run(call)
        } catch let end as VerbStop {
            stop = end
        }
        if wantsSetupRestart {
            wantsSetupRestart = false
            throw SetupRestart()
        }
        record.assertions += call.assertions
        if !call.details.isEmpty {
            record.detail = call.details.joined(separator: "; ")
            if prepared.step.verbName == "log" { stack.tracing.note(record.detail) }
        }
        if !call.warnings.isEmpty {
            let subject = Problem.subject(record)
            for warning in call.warnings { warn("\(subject): \(warning)") }
        }
        if phase == .step {
            if prepared.verb.spec.exchanges {
                for command in call.observation.commands { cardState.note(command) }
            } else if ["connect", "reset", "field"].contains(prepared.verb.spec.name) {
                cardState.forget()
            }
        }
        return stop
    }

    // MARK: Judging

    func judge(
        _ prepared: PreparedStep,
        _ call: VerbCall,
        stop: VerbStop?,
        record: inout StepRecord,
        scope: Scope
    ) throws {
        if stop == nil, prepared.step.expectation == nil, call.observation.isPlainSuccess {
            record.assertions += 1
            return
        }
        let fault = try observe(stop, call, record: record)
        let judgement = try mistakes(record) { () throws(ScenarioMistake) -> Judgement in
            try self.judgement(prepared, call, scope: scope)
        }
        record.assertions += judgement.assertions
        if let fault {
            noteLoss(fault)
            guard prepared.step.expectation?.expects(fault) == true else {
                throw StepEnd(problem: .fault(fault, record: record), fault: fault)
            }
        }
        if !judgement.mismatches.isEmpty {
            throw StepEnd(problem: .mismatches(hiding(judgement.mismatches), record: record), fault: fault)
        }
    }

    /// Puts the end of the verb into what was observed; gives the fault, throws what needs no judgement.
    func observe(_ stop: VerbStop?, _ call: VerbCall, record: StepRecord) throws -> TransportFault? {
        switch stop {
        case nil, .ended: return nil
        case .mismatch(let mismatch):
            throw StepEnd(problem: .mismatches(hiding([mismatch]), record: record))
        case .argument(let mistake): throw StepEnd(problem: .mistake(mistake, record: record))
        case .earlierCommand(let what, let exchange):
            throw StepEnd(problem: .mismatches([earlier(what, exchange, call.step)], record: record))
        case .fault(let trouble):
            // Where a deadline was cut by the limit of the case, that limit is the cause.
            do { if trouble.kind == .timeout { try patience.checkLimit() } } catch {
                noteLoss(trouble)
                throw error
            }
            call.observation.fault = trouble.kind.rawValue
            return trouble
        case .device(let name, let detail):
            call.observation.error = name
            call.observation.errorDetail = detail
            return nil
        }
    }

    /// Remembers that the link is down, until a step or the teardown makes it anew.
    func noteLoss(_ fault: TransportFault) {
        if fault.takesLinkDown { session.linkFault = fault.kind }
    }

    private func judgement(
        _ prepared: PreparedStep,
        _ call: VerbCall,
        scope: Scope
    ) throws(ScenarioMistake) -> Judgement {
        if let expectation = prepared.step.expectation {
            return try expectation.judge(
                call.observation,
                scope: scope,
                isRaw: prepared.isRaw,
                allow: prepared.allowed
            )
        }
        guard prepared.verb.spec.exchanges || call.observation.error != nil else { return Judgement() }
        return Expectation.judgeDefault(
            call.observation,
            at: prepared.step.position,
            scope: scope,
            isRaw: prepared.isRaw,
            allow: prepared.allowed
        )
    }

    func earlier(_ what: String, _ exchange: Observation.Exchange, _ step: Step) -> Mismatch {
        let sw = exchange.response?.sw ?? StatusWord(rawValue: 0)
        return Mismatch(
            .unexpectedStatus,
            "\(what), which comes first, answered \(sw) instead of 9000",
            expected: "SW 9000",
            received: "SW \(sw) (\(sw.meaning))",
            at: step.position
        )
    }

    func capture(_ step: Step, _ call: VerbCall, record: StepRecord, scope: Scope) throws {
        for capture in step.captures {
            do throws(CaptureError) {
                let value = try capture.value(from: call.observation, scope: scope)
                // What comes out of a hidden answer is a secret from now on.
                let isSecret = isHidden(value)
                scope.define(capture.name, value, isSecret: isSecret)
                if isSecret { for form in value.secretForms { stack.tracing.masks.addHidden(form) } }
            } catch {
                switch error {
                case .mismatch(var mismatch):
                    // The sentence may show the answer.
                    if hidesAnswer { mismatch.message = "'\(capture.path)' has no value in the answer" }
                    throw StepEnd(problem: .mismatches(hiding([mismatch]), record: record))
                case .mistake(let mistake): throw StepEnd(problem: .mistake(mistake, record: record))
                }
            }
        }
    }
}

extension Observation {
    /// True when nothing but 9000 came back: the most frequent outcome, told apart without a judge.
    var isPlainSuccess: Bool {
        guard exchanges.count == 1, error == nil, fault == nil else { return false }
        return exchanges[0].response?.sw == .success
    }
}

extension TransportFault {
    /// False for what was refused before anything went to the card.
    var takesLinkDown: Bool {
        switch kind {
        case .guarded, .limit, .control, .probe, .permission: false
        default: true
        }
    }
}
