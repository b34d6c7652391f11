// SPDX-License-Identifier: MIT

extension StepReader {
    /// Reads `stats`, and settles with it how often the step is repeated.
    func readStatistics(_ entry: YAMLNode.Entry, beside entries: [YAMLNode.Entry], draft: StepDraft) {
        let example = "p95: \"<40ms\", samples: 50, warmup: 1"
        guard draft.verb != nil, let keys = context.mapping(entry, example: example) else { return }
        if let poll = entries.first(where: { $0.key == "poll" }) {
            context.mistakes.add(
                entry.keyPosition,
                "'stats' and 'poll' in line \(poll.keyPosition.line) exclude each other; a poll ends when its goal holds"
            )
            return
        }
        let before = context.mistakes.mistakes.count
        var samples: Int?
        var warmup = 0
        var demands: [StepStatistics.Demand] = []
        for key in keys {
            switch key.key {
            case "samples": samples = context.number(key, in: 1...Self.mostRepetitions)
            case "warmup": warmup = context.number(key, in: 0...Self.mostRepetitions) ?? 0
            default:
                guard let figure = StatisticsFigure(rawValue: key.key) else {
                    let known = StatisticsFigure.allCases.map(\.rawValue) + ["samples", "warmup"]
                    context.unknownKey(key, in: "'stats'", known: known)
                    continue
                }
                guard let check = ValueCheck.read(key.value, as: .time, in: context) else { continue }
                demands.append(StepStatistics.Demand(figure: figure, check: check, position: key.keyPosition))
            }
        }
        guard context.mistakes.mistakes.count == before else { return }
        guard !demands.isEmpty else {
            context.mistakes.add(entry.keyPosition, "'stats' asks for nothing; write it like {\(example)}")
            return
        }
        guard let samples = count(samples, warmup: warmup, at: entry, beside: entries, draft: draft) else {
            return
        }
        let statistics = StepStatistics(
            position: entry.keyPosition,
            samples: samples,
            warmup: warmup,
            demands: demands
        )
        draft.refer(statistics.references)
        draft.step.statistics = statistics
        draft.step.repetitions = samples + warmup
    }

    /// The most repetitions of a step.
    static let mostRepetitions = 10_000_000

    /// The number of samples: `repeat` is samples plus warm-up, or absent.
    private func count(
        _ samples: Int?,
        warmup: Int,
        at entry: YAMLNode.Entry,
        beside entries: [YAMLNode.Entry],
        draft: StepDraft
    ) -> Int? {
        let repeating = entries.first { $0.key == "repeat" }
        guard let samples else {
            guard let repeating else {
                context.mistakes.add(
                    entry.keyPosition,
                    "'stats' needs 'samples', or 'repeat' beside it; without either there is one sample"
                )
                return nil
            }
            guard draft.step.repetitions > warmup else {
                context.mistakes.add(
                    repeating.value.position,
                    "'repeat' leaves no sample behind a warm-up of \(warmup)"
                )
                return nil
            }
            return draft.step.repetitions - warmup
        }
        guard samples + warmup <= Self.mostRepetitions else {
            context.mistakes.add(
                entry.keyPosition,
                "samples and warm-up are more than \(Self.mostRepetitions) repetitions"
            )
            return nil
        }
        if let repeating, draft.step.repetitions != samples + warmup {
            context.mistakes.add(
                repeating.value.position,
                "'repeat' is samples plus warm-up, \(samples + warmup) here; leave it out"
            )
            return nil
        }
        return samples
    }

    /// Reads `on`: the step, and the steps of a library that name no other role, go to that connection.
    func address(_ entry: YAMLNode.Entry, draft: StepDraft) {
        guard let role = context.role(entry) else { return }
        draft.step.role = role
        draft.step.needs.append(Need(.role(role), at: entry.value.position))
        if case .use(let name, let steps, let bindings) = draft.step.action {
            draft.step.action = .use(name: name, steps: Self.addressed(steps, to: role), bindings: bindings)
        }
    }

    private static func addressed(_ steps: [Step], to role: String) -> [Step] {
        steps.map { step in
            guard step.role == nil else { return step }
            var step = step
            step.role = role
            if case .use(let name, let inner, let bindings) = step.action {
                step.action = .use(name: name, steps: addressed(inner, to: role), bindings: bindings)
            }
            return step
        }
    }
}
