// SPDX-License-Identifier: MIT

import CardConnection
import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

extension StepRunner {
    /// Tries a step again and again, until what the poll waits for holds or its time is over.
    func runPoll(
        _ poll: Poll,
        _ prepared: PreparedStep,
        _ call: VerbCall,
        record: inout StepRecord,
        scope: Scope
    ) throws {
        let step = prepared.step
        let begin = session.clock.now
        var tries = 0
        while true {
            tries += 1
            record.tries = tries
            let tryBegin = session.clock.now
            let stop = try invoke(prepared, call, record: &record, scope: scope)
            call.observation.duration = session.clock.now - begin
            call.observation.total = call.observation.duration
            let missing = try complaints(of: poll, prepared, call, stop: stop, record: &record, scope: scope)
            let spent = session.clock.now - begin
            if missing.isEmpty {
                record.detail =
                    "\(tries) \(tries == 1 ? "try" : "tries") in \(DurationText.text(spent))"
                try judgeEnd(of: poll, prepared, call, stop: stop, record: &record, scope: scope)
                return try capture(step, call, record: record, scope: scope)
            }
            if spent >= poll.max {
                var first = missing[0]
                first.message = stillNot(first, poll: poll, call: call, tries: tries, scope: scope)
                if first.hint.isEmpty { first.hint = fieldHint(since: begin) }
                throw StepEnd(problem: .mismatches([first] + missing.dropFirst(), record: record))
            }
            try patience.check()
            for (index, inner) in poll.between.enumerated() {
                try runBetween(inner, label: "between.\(index + 1)", record: &record, scope: scope)
            }
            if !poll.between.isEmpty { stack.writer.step = "\(record.label) \(record.title)" }
            try waitForNextTry(poll, since: begin, tryBegin: tryBegin)
            enter(prepared)
        }
    }

    /// Waits between two tries; the last try is at the very end of the poll's time.
    private func waitForNextTry(_ poll: Poll, since begin: Duration, tryBegin: Duration) throws {
        let rest = poll.max - (session.clock.now - begin)
        try patience.wait(max(min(poll.every, rest), .zero))
        // Cards without times of their own would be polled for ever on a modelled clock.
        if session.clock.isVirtual, session.clock.now == tryBegin { try patience.wait(.milliseconds(1)) }
    }

    /// Judges the last answer: what `until` asked for has been looked at, of the rest nobody has spoken yet.
    private func judgeEnd(
        of poll: Poll,
        _ prepared: PreparedStep,
        _ call: VerbCall,
        stop: VerbStop?,
        record: inout StepRecord,
        scope: Scope
    ) throws {
        if case .until = poll.goal {
            if case .fault(let fault)? = stop, prepared.step.expectation == nil {
                return noteLoss(fault)
            }
            guard prepared.step.expectation != nil else { return }
        }
        try judge(prepared, call, stop: stop, record: &record, scope: scope)
    }

    /// The sentence for a poll that ran out: `FILE_2 still 00 after 2000 ms (41 tries): ...`.
    private func stillNot(_ mismatch: Mismatch, poll: Poll, call: VerbCall, tries: Int, scope: Scope)
        -> String
    {
        let data = call.observation.last?.data ?? []
        let masks = stack.tracing.masks
        let what = StepTitle.object(of: call.step, target: suite.target, scope: scope, mask: masks) ?? "it"
        let state =
            data.isEmpty || data.count > 16 || hidesAnswer
            ? "\(what) still not so" : "\(what) still \(data.hex)"
        let count = "\(tries) \(tries == 1 ? "try" : "tries")"
        return "\(state) after \(poll.max.wholeMilliseconds) ms (\(count)): \(mismatch.message)"
    }

    /// What keeps the poll going; empty when it is over.
    ///
    /// Trouble that the goal does not expect ends the case.
    private func complaints(
        of poll: Poll,
        _ prepared: PreparedStep,
        _ call: VerbCall,
        stop: VerbStop?,
        record: inout StepRecord,
        scope: Scope
    ) throws -> [Mismatch] {
        let fault: TransportFault?
        switch stop {
        case .mismatch(let mismatch): return hiding([mismatch])
        case .earlierCommand(let what, let exchange): return [earlier(what, exchange, call.step)]
        default: fault = try observe(stop, call, record: record)
        }
        let goal: Expectation
        let wantsIt: Bool
        switch poll.goal {
        case .until(let expectation): (goal, wantsIt) = (expectation, true)
        case .whileHolding(let expectation): (goal, wantsIt) = (expectation, false)
        }
        let judgement = try mistakes(record) { () throws(ScenarioMistake) in
            try goal.judge(call.observation, scope: scope, isRaw: prepared.isRaw, allow: prepared.allowed)
        }
        record.assertions += judgement.assertions
        if let fault, !goal.expects(fault), prepared.step.expectation?.expects(fault) != true {
            noteLoss(fault)
            throw StepEnd(problem: .fault(fault, record: record), fault: fault)
        }
        if wantsIt { return hiding(judgement.mismatches) }
        guard judgement.holds else { return [] }
        let mismatch = Mismatch(
            .unexpectedData,
            "the answer is unchanged",
            expected: "a change",
            received: call.observation.last.map { "\($0.bytes.hex)" } ?? "no answer",
            at: goal.position
        )
        return hiding([mismatch])
    }

    /// Runs a step between two tries; it belongs to the step that polls.
    private func runBetween(_ step: Step, label: String, record: inout StepRecord, scope: Scope) throws {
        let title = StepTitle.of(step, target: suite.target, scope: scope, mask: stack.tracing.masks)
        var inner = StepRecord(
            label: record.label,
            title: "\(record.title), between: \(title)",
            verb: step.verbName,
            file: step.position.file,
            line: step.position.line
        )
        guard try skipReason(of: step, comesBack: false, scope: scope, record: inner) == nil else { return }
        if case .use(_, let steps, let bindings) = step.action {
            let innerScope = try bound(bindings, record: inner, scope: scope)
            for (index, step) in steps.enumerated() {
                try runBetween(step, label: "\(label).\(index + 1)", record: &record, scope: innerScope)
            }
            return
        }
        stack.writer.step = "\(record.label) \(label) \(title)"
        do {
            let runner = try runner(of: step, record: inner)
            try perform(step, on: runner, record: &inner, scope: scope)
        } catch let limit as LimitReached {
            throw StepEnd(problem: .limit(limit, record: inner))
        }
        record.assertions += inner.assertions
    }

    /// Why the kit's firmware may not have done its part; empty for a file that the reader's side alone writes.
    private func fieldHint(since begin: Duration) -> String {
        guard session.kit != nil || suite.target == "nbt", session.field == .on,
            session.fieldOnSince <= begin
        else { return "" }
        if let selected = cardState.selections.last {
            // Source: the data transfer example of the kit: the phone writes FILE_1, the firmware reads it.
            let phones = Dictionaries.of(suite.target)?.bytes["FILE_1"]
            guard !cardState.written.contains(selected), phones.map({ selected.contains($0) }) != true else {
                return ""
            }
        }
        return "the field was on all the time: the kit's firmware reaches the chip only while it is off"
    }
}

extension Duration {
    /// Whole milliseconds, for sentences.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
