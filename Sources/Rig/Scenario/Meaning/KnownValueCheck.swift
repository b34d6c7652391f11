// SPDX-License-Identifier: MIT

/// Fills in what is known before a run, and finds the values that no step would take.
///
/// Known are variables, secrets and the row of a matrix; what a capture brings waits for the run, and so does a step
/// whose condition asks for such a name.
struct KnownValueCheck {
    /// What is wrong in the row that is followed, in the order of the steps.
    private(set) var mistakes: [ScenarioMistake] = []
    /// How many steps were looked at, in all rows.
    private(set) var looks = 0
    /// How many steps may be looked at; those behind are left to the run.
    var mostLooks = Int.max
    private var followed: Set<Call> = []
    private var libraries = LibraryNames()

    /// True when no further step is looked at.
    var isExhausted: Bool { looks >= mostLooks }

    /// Names and their values at one place.
    struct Frame {
        /// The values.
        let scope: Scope
        /// Names whose values only a run knows.
        var unknown: Set<String>

        /// True when all names have a value here.
        func knows(_ references: [(name: String, position: SourcePosition)]) -> Bool {
            references.allSatisfy { !unknown.contains($0.name) && scope[$0.name] != nil }
        }

        /// True when one of the names has a value that must not be shown.
        func hides(_ template: Template?) -> Bool {
            template?.references.contains { scope.secretNames.contains($0.name) } ?? false
        }
    }

    /// A call of a library, with all that its steps can tell from another one.
    private struct Call: Hashable {
        struct Name: Hashable {
            let name: String
            let value: Value?
            let isUnknown: Bool
            let isSecret: Bool
        }

        let body: LibraryBody
        let names: Set<Name>
    }

    /// Begins with another row, whose mistakes are its own.
    mutating func beginRow() {
        mistakes = []
        followed = []
    }

    /// Follows steps in their order; names that they capture are unknown from there on.
    mutating func follow(_ steps: [Step], in frame: inout Frame) {
        for step in steps {
            guard !isExhausted else { return }
            looks += 1
            if isDone(step, in: frame) { look(at: step, in: &frame) }
            for capture in step.captures { frame.unknown.insert(capture.name) }
        }
    }

    private mutating func look(at step: Step, in frame: inout Frame) {
        switch step.action {
        case .verb(let verb, let arguments):
            check(arguments, of: verb, at: step.position, in: frame)
        case .use(let name, let steps, let bindings):
            var inner = Frame(scope: Scope(parent: frame.scope), unknown: frame.unknown)
            for (name, template) in bindings {
                if let value = fill(template, as: .any, in: frame) {
                    inner.scope.define(name, value, isSecret: frame.hides(template))
                    inner.unknown.remove(name)
                } else {
                    inner.unknown.insert(name)
                }
            }
            // The same call again would find the same.
            if followed.insert(call(of: LibraryBody(name, steps), steps, in: inner)).inserted {
                follow(steps, in: &inner)
            }
        }
        if let expectation = step.expectation { check(expectation.checks, in: frame) }
        if let statistics = step.statistics { check(statistics.demands.map(\.check), in: frame) }
        if let poll = step.poll {
            check(poll.goal.expectation.checks, in: frame)
            follow(poll.between, in: &frame)
        }
    }

    private mutating func call(of body: LibraryBody, _ steps: [Step], in frame: Frame) -> Call {
        let names = libraries.mentioned(in: steps, of: body).map { name in
            Call.Name(
                name: name,
                value: frame.scope[name],
                isUnknown: frame.unknown.contains(name),
                isSecret: frame.scope.secretNames.contains(name)
            )
        }
        return Call(body: body, names: Set(names))
    }

    /// True when the step is surely done.
    private mutating func isDone(_ step: Step, in frame: Frame) -> Bool {
        guard let condition = step.condition else { return true }
        if let name = condition.guardedName, frame.unknown.contains(name) { return false }
        guard frame.knows(condition.references) else { return false }
        return attempt { () throws(ScenarioMistake) in try condition.holds(in: frame.scope) } ?? false
    }

    // MARK: Arguments

    private mutating func check(
        _ arguments: [String: Template],
        of verb: VerbSpec,
        at position: SourcePosition,
        in frame: Frame
    ) {
        // What holds no variable was judged when the file was read.
        guard arguments.values.contains(where: { !$0.references.isEmpty }) else { return }
        var filled: [String: Template] = [:]
        for (name, template) in arguments.sorted(by: { $0.key < $1.key }) {
            let type = verb.arguments.first { $0.name == name }?.type ?? .any
            guard let value = fill(template, as: type, in: frame) else { continue }
            filled[name] = .value(value)
        }
        for rule in verb.rules {
            let asked = rule.names.filter { arguments[$0] != nil }
            guard asked.allSatisfy({ filled[$0] != nil }),
                asked.contains(where: { arguments[$0]?.isOpen == true }),
                let complaint = rule.complaint(about: filled)
            else { continue }
            let isHidden = asked.contains { frame.hides(arguments[$0]) }
            mistakes.append(
                ScenarioMistake(
                    arguments[complaint.name]?.place ?? position,
                    isHidden
                        ? "'\(complaint.name)': the value of a secret does not go with the other arguments"
                        : complaint.text
                )
            )
        }
    }

    /// The value with all variables filled in; nil when one is unknown, or a mistake was noted.
    private mutating func fill(_ template: Template, as type: ArgumentType, in frame: Frame) -> Value? {
        switch (template, type) {
        case (.value(let value), _): return value
        case (.text, _):
            guard frame.knows(template.references) else { return nil }
            return attempt { () throws(ScenarioMistake) in try template.value(in: frame.scope) }
        case (_, .checked(let inner, let check)):
            guard let value = fill(template, as: inner, in: frame) else { return nil }
            do throws(TextError) {
                try check.check(value)
                return value
            } catch {
                let text = frame.hides(template) ? type.hiddenComplaint : error.message
                if let place = template.place { mistakes.append(ScenarioMistake(place, text, hint: nil)) }
                return nil
            }
        case (.list(let templates, _), _):
            var element = ArgumentType.any
            if case .list(let type) = type { element = type }
            let values = templates.map { fill($0, as: element, in: frame) }
            return values.contains(nil) ? nil : .list(values.compactMap { $0 })
        case (.map(let entries, _), _):
            var values: [String: Value] = [:]
            for entry in entries {
                var inner = ArgumentType.any
                if case .map(let specs) = type { inner = specs.first { $0.name == entry.key }?.type ?? .any }
                values[entry.key] = fill(entry.value, as: inner, in: frame)
            }
            return values.count == entries.count ? .map(values) : nil
        }
    }

    // MARK: Expectations

    private mutating func check(_ checks: [ValueCheck], in frame: Frame) {
        for check in checks {
            switch check {
            case .template:
                guard frame.knows(check.references) else { continue }
                _ = attempt { () throws(ScenarioMistake) in try check.settled(in: frame.scope) }
            case .anyOf(let checks), .allOf(let checks), .elements(let checks):
                self.check(checks, in: frame)
            case .not(let inner), .length(let inner), .ascii(let inner), .some(let inner):
                self.check([inner], in: frame)
            case .entries(let entries): self.check(entries.map(\.check), in: frame)
            default: continue
            }
        }
    }

    private mutating func attempt<Result>(_ work: () throws(ScenarioMistake) -> Result) -> Result? {
        do throws(ScenarioMistake) {
            return try work()
        } catch {
            mistakes.append(error)
            return nil
        }
    }
}

extension Template {
    /// True when something is to be filled in.
    fileprivate var isOpen: Bool {
        if case .value = self { return false }
        return true
    }

    /// Where it stands; nil where nothing is to be filled in.
    fileprivate var place: SourcePosition? {
        switch self {
        case .value: nil
        case .text(_, _, let place): place.start
        case .list(_, let position), .map(_, let position): position
        }
    }
}

extension Expectation {
    /// What must hold, of commands on the wire too.
    fileprivate var checks: [ValueCheck] {
        items.flatMap { item in
            switch item.subject {
            case .wire(let expectations): expectations.flatMap(\.checks)
            case .every(let inner), .not(let inner): inner.checks
            default: [item.check]
            }
        }
    }
}
