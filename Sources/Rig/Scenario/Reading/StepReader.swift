// SPDX-License-Identifier: MIT

/// Reads steps: one verb key with its arguments, and the side keys.
final class StepReader {
    /// The keys of a step besides its verb.
    static let sideKeys = [
        "name", "expect", "capture", "poll", "needs", "optional", "if", "repeat", "allow", "delay", "mask",
        "limits",
        "raw", "fault", "repeatable", "stats", "on",
    ]
    /// The side keys that `use` carries out; the others belong to a verb.
    static let keysOfUse = ["name", "needs", "optional", "if", "on"]
    /// The most steps of a file, those of libraries counted at each use.
    static let largestSteps = 200_000

    let context: ReadingContext
    let words: VerbWords
    /// Names whose values are secret; nil inside a library, where the caller knows.
    var secretNames: Set<String>?
    /// Finds the steps of a `use`.
    var library: any StepLibrary
    /// Inside a library: what its steps ask of the names that the caller gives.
    private(set) var guards: [GuardClaim] = []

    /// Makes a reader of steps.
    init(context: ReadingContext, words: VerbWords, secretNames: Set<String>?, library: any StepLibrary) {
        self.context = context
        self.words = words
        self.secretNames = secretNames
        self.library = library
    }

    /// Reads a list of steps and notes what they do with names.
    func steps(_ entry: YAMLNode.Entry, flow: NameFlow) -> [Step] {
        guard let nodes = entry.value.elements else {
            let place = entry.value.isEmptyScalar ? entry.keyPosition : entry.value.position
            let kind =
                entry.value.isEmptyScalar ? "has no steps" : "is a list of steps, not \(entry.value.kindName)"
            context.mistakes.add(place, "'\(entry.key)' \(kind); each step starts with '- '")
            return []
        }
        var steps: [Step] = []
        steps.reserveCapacity(nodes.count)
        for node in nodes {
            if let step = step(node, flow: flow) { steps.append(step) }
        }
        if flow.stepCount > Self.largestSteps {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' has more than \(Self.largestSteps) steps with those of its libraries; "
                    + "use repeat"
            )
        }
        return steps
    }

    private func step(_ node: YAMLNode, flow: NameFlow) -> Step? {
        guard let entries = node.entries else {
            let example = node.text.map { words[$0] == nil ? "" : "; write '\($0): {}'" } ?? ""
            context.mistakes.add(
                node.position,
                "a step is a mapping with a verb, not \(node.kindName)\(example)"
            )
            return nil
        }
        flow.stepCount += 1
        guard let (index, verb) = verbKey(of: entries, at: node) else { return nil }
        let draft = StepDraft(flow: flow, guarded: guardedNames(entries), position: node.position)
        if let verb {
            draft.step.action = .verb(verb, arguments: arguments(of: verb, entries[index], draft: draft))
            draft.verb = verb
        } else {
            guard let action = use(entries[index], draft: draft) else { return nil }
            draft.step.action = action
        }
        for side in entries.indices where side != index { sideKey(entries[side], draft: draft) }
        if let entry = entries.first(where: { $0.key == "stats" }) {
            readStatistics(entry, beside: entries, draft: draft)
        }
        checkWithin(draft, entries: entries)
        checkResults(draft)
        checkGuard(draft, entries: entries)
        // A capture has its value only after the step, so it comes last.
        if !draft.step.captures.isEmpty { flow.capture(draft.step.captures) }
        return draft.step
    }

    // MARK: The verb

    /// The key that holds the verb, and the verb, nil for `use`; unknown and second verbs are noted here.
    private func verbKey(of entries: [YAMLNode.Entry], at node: YAMLNode) -> (index: Int, verb: VerbSpec?)? {
        var found: (index: Int, verb: VerbSpec?)?
        var delay: Int?
        var unknown: [Int] = []
        for index in entries.indices {
            let verb: VerbSpec?
            switch words.kinds[entries[index].key] {
            case .side: continue
            case .delay:
                delay = index
                continue
            case .use: verb = nil
            case .verb(let spec): verb = spec
            case nil:
                unknown.append(index)
                continue
            }
            if let found {
                context.mistakes.add(
                    entries[index].keyPosition,
                    "a step has one verb, but '\(entries[found.index].key)' and "
                        + "'\(entries[index].key)' are two; make a step of each"
                )
            } else {
                found = (index, verb)
            }
        }
        if found == nil, unknown.isEmpty, let delay, let verb = words["delay"] { found = (delay, verb) }
        for index in unknown { noteUnknown(entries[index], verb: found.map { entries[$0.index] }) }
        if found == nil, unknown.isEmpty {
            context.mistakes.add(node.position, "the step has no verb; 'taprig verbs' lists them")
        }
        return found
    }

    private func noteUnknown(_ entry: YAMLNode.Entry, verb: YAMLNode.Entry?) {
        guard let verb else {
            let hint = words.foreign[entry.key] ?? context.hint(entry.key, words.suggestions)
            context.mistakes.add(entry.keyPosition, "unknown verb '\(entry.key)'", hint: hint)
            return
        }
        if let spec = words[verb.key], spec.arguments.contains(where: { $0.name == entry.key }) {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' is an argument of '\(verb.key)'; indent it below the verb"
            )
            return
        }
        if entry.key.contains(".") || spells(entry.key, aVerb: verb.key) {
            context.mistakes.add(
                entry.keyPosition,
                "unknown key '\(entry.key)' in a step with the verb '\(verb.key)'",
                hint: context.hint(entry.key, words.suggestions)
            )
            return
        }
        context.unknownKey(entry, in: "a step", known: Self.sideKeys)
    }

    private func spells(_ word: String, aVerb verb: String) -> Bool {
        guard context.hint(word, Self.sideKeys) == nil, let near = context.hint(word, words.suggestions)
        else {
            return false
        }
        return near != verb && words[near] != nil
    }

    private func arguments(
        of verb: VerbSpec,
        _ entry: YAMLNode.Entry,
        draft: StepDraft
    ) -> [String: Template] {
        var out = [String: Template](minimumCapacity: entry.value.entries?.count ?? 1)
        let bare = verb.arguments.first { $0.name == verb.bareArgument }
        if let entries = entry.value.entries, !takesMapping(verb, bare: bare) {
            for argument in entries {
                guard let spec = verb.arguments.first(where: { $0.name == argument.key }) else {
                    let advice = Self.advice(on: argument.key, of: verb)
                    context.mistakes.add(
                        argument.keyPosition,
                        "'\(entry.key)' has no argument '\(argument.key)'\(advice)",
                        hint: advice.isEmpty ? context.hint(argument.key, verb.arguments.map(\.name)) : nil
                    )
                    continue
                }
                read(argument.value, as: spec, at: argument.keyPosition, into: &out, draft: draft)
            }
            for spec in verb.arguments
            where spec.isRequired && !entries.contains(where: { $0.key == spec.name }) {
                context.mistakes.add(entry.keyPosition, "'\(entry.key)' needs '\(spec.name)'")
            }
            // A misspelt name may be the one that is missing.
            if entries.allSatisfy({ entry in verb.arguments.contains { $0.name == entry.key } }) {
                _ = context.choices(
                    of: verb.arguments,
                    hold: entries,
                    in: "'\(entry.key)'",
                    at: entry.keyPosition
                )
            }
            if verb.name == "check" { CheckRules(context: context).judge(entries) }
            checkRules(of: verb, out, entry)
            return out
        }
        if entry.value.isEmptyScalar {
            for spec in verb.arguments where spec.isRequired {
                context.mistakes.add(entry.keyPosition, "'\(entry.key)' needs '\(spec.name)'")
            }
            _ = context.choices(of: verb.arguments, hold: [], in: "'\(entry.key)'", at: entry.keyPosition)
            checkRules(of: verb, out, entry)
            return out
        }
        guard let bare else {
            let names = verb.arguments.map(\.name).joined(separator: ", ")
            let advice =
                names.isEmpty ? "has no arguments; write {}" : "takes its arguments by name: \(names)"
            context.mistakes.add(entry.value.position, "'\(entry.key)' \(advice)")
            return out
        }
        read(entry.value, as: bare, at: entry.keyPosition, into: &out, draft: draft)
        _ = context.neighbours(
            of: verb.arguments,
            hold: [(bare.name, entry.keyPosition)],
            in: "'\(entry.key)'"
        )
        checkRules(of: verb, out, entry)
        for spec in verb.arguments where spec.isRequired && spec.name != bare.name {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' needs '\(spec.name)', so name its arguments"
            )
        }
        return out
    }

    /// Where a key belongs that stands among the arguments; empty when nobody knows.
    private static func advice(on key: String, of verb: VerbSpec) -> String {
        if key == "within", verb.waits { return "; write it beside the verb: expect: {within: 1s}" }
        return sideKeys.contains(key) ? "; '\(key)' stands beside the verb, not among its arguments" : ""
    }

    /// Asks the verb's rules about what stands in the file.
    private func checkRules(of verb: VerbSpec, _ arguments: [String: Template], _ entry: YAMLNode.Entry) {
        let given = entry.value.entries ?? []
        // What could not be read was told already, and may be what a rule misses.
        guard given.allSatisfy({ arguments[$0.key] != nil }) else { return }
        for rule in verb.rules {
            guard let complaint = rule.complaint(about: arguments) else { continue }
            let argument = given.first { $0.key == complaint.name }
            let isBare = given.isEmpty && verb.bareArgument == complaint.name
            let place = argument?.value.position ?? (isBare ? entry.value.position : entry.keyPosition)
            context.mistakes.add(place, complaint.text)
        }
    }

    /// True when a mapping behind the verb is the value of its only argument, not a list of arguments.
    private func takesMapping(_ verb: VerbSpec, bare: ArgumentSpec?) -> Bool {
        guard let bare, verb.arguments.count == 1 else { return false }
        switch bare.type {
        case .any, .map: return true
        default: return false
        }
    }

    private func read(
        _ node: YAMLNode,
        as spec: ArgumentSpec,
        at key: SourcePosition,
        into out: inout [String: Template],
        draft: StepDraft
    ) {
        if node.isEmptyScalar {
            context.mistakes.add(key, "'\(spec.name)' has no value")
            return
        }
        guard let template = Template.read(node, as: spec.type, in: context) else { return }
        draft.refer(template.references)
        out[spec.name] = template
    }

    // MARK: use

    private func use(_ entry: YAMLNode.Entry, draft: StepDraft) -> Step.Action? {
        var nameNode = entry.value
        var given: [YAMLNode.Entry] = []
        if let entries = entry.value.entries {
            guard let name = entries.first(where: { $0.key == "name" }) else {
                context.mistakes.add(
                    entry.keyPosition,
                    "'use' needs the name of the steps: {name: N, with: {...}}"
                )
                return nil
            }
            nameNode = name.value
            for key in entries where key.key != "name" {
                if key.key == "with" {
                    given = context.mapping(key, example: "name: value") ?? []
                } else {
                    context.unknownKey(key, in: "'use'", known: ["name", "with"])
                }
            }
        }
        guard let name = context.word(nameNode, "'use'") else { return nil }
        guard let shelf = library.find(name, usedAt: nameNode.position, words: words, in: context) else {
            return nil
        }
        var bindings: [String: Template] = [:]
        for argument in given {
            guard shelf.arguments.contains(argument.key) else {
                context.mistakes.add(
                    argument.keyPosition,
                    "the steps '\(name)' have no argument '\(argument.key)'",
                    hint: context.hint(argument.key, shelf.arguments)
                )
                continue
            }
            guard let template = Template.read(argument.value, as: .any, in: context) else { continue }
            draft.refer(template.references)
            bindings[argument.key] = template
        }
        let names = Set(given.map(\.key))
        for argument in shelf.arguments where !names.contains(argument) {
            context.mistakes.add(
                entry.keyPosition,
                "the steps '\(name)' need a value for '\(argument)' under 'with'"
            )
        }
        claim(shelf.guards, of: name, arguments: shelf.arguments, bindings: bindings, at: entry.keyPosition)
        draft.refer(shelf.openReferences)
        draft.flow.stepCount += shelf.stepCount
        return .use(name: name, steps: shelf.steps, bindings: bindings)
    }

    /// The names of which `if: present ${name}` makes sure.
    private func guardedNames(_ entries: [YAMLNode.Entry]) -> Set<String> {
        guard let text = entries.first(where: { $0.key == "if" })?.value.text,
            text.trimmed.hasPrefix("present "), let open = text.range(ofFirst: "${")
        else { return [] }
        return [String(text[open.upperBound...].prefix { $0 != "}" && $0 != "(" })]
    }

    /// `allow: guard` is for values that the suite names as secret.
    private func checkGuard(_ draft: StepDraft, entries: [YAMLNode.Entry]) {
        guard draft.step.allow.contains("guard") else { return }
        let place = entries.first { $0.key == "allow" }?.keyPosition ?? draft.step.position
        guard let secretNames, !draft.mentioned.isEmpty else {
            if draft.mentioned.isEmpty {
                context.mistakes.add(place, Self.guardSentence)
            } else {
                guards.append(GuardClaim(names: draft.mentioned, position: place))
            }
            return
        }
        guard !draft.mentioned.contains(where: secretNames.contains) else { return }
        context.mistakes.add(place, Self.guardSentence)
    }

    private static let guardSentence =
        "'allow: guard' needs a value that is named under 'secrets' in this step"

    /// A library's `allow: guard` is judged where its names get their values.
    private func claim(
        _ claims: [GuardClaim],
        of name: String,
        arguments: [String],
        bindings: [String: Template],
        at position: SourcePosition
    ) {
        for claim in claims {
            var names: Set<String> = []
            for name in claim.names {
                guard arguments.contains(name) else {
                    names.insert(name)
                    continue
                }
                names.formUnion(bindings[name]?.references.map(\.name) ?? [])
            }
            if secretNames == nil, !names.isEmpty {
                guards.append(GuardClaim(names: names, position: claim.position))
            } else if !names.contains(where: { secretNames?.contains($0) == true }) {
                context.mistakes.add(
                    claim.position,
                    "\(Self.guardSentence); \(position) uses '\(name)' without one"
                )
            }
        }
    }
}

/// A step while it is read.
final class StepDraft {
    /// What the steps do with names, this one included.
    let flow: NameFlow
    /// Names that the step's condition makes sure of.
    let guarded: Set<String>
    /// Names that the step uses.
    private(set) var mentioned: Set<String> = []
    /// The verb; nil for `use`, which takes none of the keys that speak of a verb.
    var verb: VerbSpec?
    /// The step so far.
    var step: Step

    /// Starts a step behind what came before it.
    init(flow: NameFlow, guarded: Set<String>, position: SourcePosition) {
        self.flow = flow
        self.guarded = guarded
        step = Step(.use(name: "", steps: [], bindings: [:]), at: position)
    }

    /// Notes references.
    func refer(_ references: [(name: String, position: SourcePosition)]) {
        flow.refer(to: references, guarded: guarded)
        for reference in references { mentioned.insert(reference.name) }
    }
}
