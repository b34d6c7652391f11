// SPDX-License-Identifier: MIT

extension StepReader {
    /// Reads a key that stands beside the verb.
    func sideKey(_ entry: YAMLNode.Entry, draft: StepDraft) {
        if draft.verb == nil, !Self.keysOfUse.contains(entry.key) {
            context.mistakes.add(
                entry.keyPosition,
                "'use' takes no '\(entry.key)', only \(Self.keysOfUse.joined(separator: ", ")); "
                    + "write it at the steps that are used"
            )
            return
        }
        if let verb = draft.verb, !verb.exchanges, Self.exchangeKeys.contains(entry.key), !isGuard(entry) {
            context.mistakes.add(
                entry.keyPosition,
                "'\(verb.name)' sends no command, so '\(entry.key)' says nothing here"
            )
            return
        }
        switch entry.key {
        case "name": draft.step.name = name(entry, draft: draft)
        case "expect": draft.step.expectation = expectation(entry, draft: draft)
        case "capture": draft.step.captures = captures(entry, draft: draft)
        case "poll": draft.step.poll = poll(entry, draft: draft)
        case "needs": draft.step.needs = context.needs(entry)
        case "optional": draft.step.isOptional = context.boolean(entry) ?? false
        case "if": draft.step.condition = condition(entry, draft: draft)
        case "repeat": draft.step.repetitions = context.number(entry, in: 1...10_000_000) ?? 1
        case "allow": draft.step.allow = allowed(entry)
        case "delay": draft.step.delay = context.duration(entry)
        case "mask": draft.step.masks = context.masks(entry)
        case "limits": draft.step.limits = context.limits(entry, in: "the limits of a step", keys: ["apdu"])
        case "raw": draft.step.isRaw = context.boolean(entry)
        case "repeatable": draft.step.isRepeatable = context.boolean(entry)
        case "fault": draft.step.fault = context.fault(entry, isOfStep: true)
        case "on": address(entry, draft: draft)
        // It needs to know what 'repeat' says, which may stand behind it.
        case "stats": break
        default: break
        }
    }

    /// A name, which may hold variables; they do not count for `allow: guard`.
    private func name(_ entry: YAMLNode.Entry, draft: StepDraft) -> String? {
        guard let word = context.word(entry.value, "'name'"),
            let template = Template.read(entry.value, as: .text, in: context)
        else { return nil }
        draft.flow.refer(to: template.references, guarded: draft.guarded)
        return word
    }

    /// The keys that speak of commands and answers.
    private static let exchangeKeys = ["raw", "allow", "repeatable", "mask"]

    /// `allow: guard` has rules of its own.
    private func isGuard(_ entry: YAMLNode.Entry) -> Bool {
        entry.key == "allow" && entry.value.text == "guard"
    }

    private func expectation(_ entry: YAMLNode.Entry, draft: StepDraft) -> Expectation? {
        guard let verb = draft.verb else { return nil }
        return expectation(entry, verb: verb, draft: draft)
    }

    private func expectation(_ entry: YAMLNode.Entry, verb: VerbSpec, draft: StepDraft) -> Expectation? {
        guard !entry.value.isEmptyScalar else {
            context.mistakes.add(entry.keyPosition, "'\(entry.key)' says nothing; write it like {sw: 9000}")
            return nil
        }
        guard let expectation = Expectation.read(entry.value, verb: verb, in: context) else { return nil }
        draft.refer(expectation.references)
        return expectation
    }

    private func captures(_ entry: YAMLNode.Entry, draft: StepDraft) -> [Capture] {
        guard let verb = draft.verb, context.mapping(entry, example: "name: data") != nil else { return [] }
        return Capture.read(entry.value, verb: verb, in: context)
    }

    private func condition(_ entry: YAMLNode.Entry, draft: StepDraft) -> Condition? {
        guard let condition = Condition.read(entry.value, in: context) else {
            // The names in what cannot be read are not unused, and need no value either.
            let pieces = entry.value.text.flatMap { try? TextTemplate.pieces($0) } ?? []
            let names = TextTemplate.references(in: pieces, at: entry.value.textPlace)
            draft.flow.refer(to: names, guarded: Set(names.map(\.name)))
            return nil
        }
        draft.refer(condition.references)
        return condition
    }

    private func allowed(_ entry: YAMLNode.Entry) -> [String] {
        context.words(entry).compactMap { text, node in
            if text == "guard" { return text }
            context.hexPlaces?.note(node.position)
            let pattern = context.parsed(text, at: node) { text throws(TextError) in
                try StatusPattern.parse(text)
            }
            return pattern == nil ? nil : text
        }
    }

    private func poll(_ entry: YAMLNode.Entry, draft: StepDraft) -> Poll? {
        guard let verb = draft.verb,
            let entries = context.mapping(entry, example: "every: 100ms, max: 3s, until: {...}")
        else { return nil }
        var every: Duration?
        var max: Duration?
        var goal: Poll.Goal?
        var goalKey: YAMLNode.Entry?
        var between: YAMLNode.Entry?
        for key in entries {
            switch key.key {
            case "every": every = context.duration(key)
            case "max": max = context.duration(key, mayBeZero: false)
            case "until", "while":
                if let goalKey {
                    context.mistakes.add(
                        key.keyPosition,
                        "a poll has '\(goalKey.key)' or '\(key.key)', not both; keep one"
                    )
                    continue
                }
                goalKey = key
                let expectation = expectation(key, verb: verb, draft: draft)
                goal = expectation.map { key.key == "until" ? .until($0) : .whileHolding($0) }
            case "between": between = key
            default:
                context.unknownKey(key, in: "'poll'", known: ["every", "max", "until", "while", "between"])
            }
        }
        let steps = between.map { self.steps($0, flow: draft.flow) } ?? []
        if !entries.contains(where: { $0.key == "max" }) {
            context.mistakes.add(entry.keyPosition, "'poll' needs 'max', the time after which it has failed")
        }
        if goalKey == nil {
            context.mistakes.add(
                entry.keyPosition,
                "'poll' needs 'until' or 'while', which says when it ends"
            )
        }
        guard let max, let goal else { return nil }
        return Poll(every: every ?? .milliseconds(100), max: max, goal: goal, between: steps)
    }
}
