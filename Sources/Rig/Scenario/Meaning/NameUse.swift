// SPDX-License-Identifier: MIT

/// What cases do with names: where they ask for values, and where they capture them.
///
/// Set-up, teardown and the steps of libraries count; names that a `use` gives to its steps are theirs alone.
public struct NameUse: Sendable {
    /// The first place where each name is asked for.
    public private(set) var asked: [String: SourcePosition] = [:]
    /// The names that are asked for only where they have a value: those behind `if: present`.
    public private(set) var guarded: Set<String> = []
    /// The names that are looked at, guarded or not, before any step captures them.
    public private(set) var fromOutside: Set<String> = []
    /// The first place where each name is captured.
    public private(set) var captured: [String: SourcePosition] = [:]

    /// All names that are looked at, wherever their values come from.
    var mentioned: Set<String> { Set(asked.keys).union(guarded) }

    /// Follows the names of some cases of a suite.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - suite: Their suite.
    ///   - overridden: Variables that get their values from outside, so that what the file says of them counts for nothing.
    public init(of cases: [TestCase], in suite: Suite, overridden: Set<String> = []) {
        for variable in suite.variables where !overridden.contains(variable.name) {
            switch variable.source {
            case .template(let template), .sha256(let template): ask(template.references, inside: Frame())
            case .random, .file, .environment: break
            }
        }
        for steps in [suite.setup] + cases.map(\.steps) + [suite.teardown] {
            var frame = Frame()
            follow(steps, in: &frame)
        }
    }

    private var followed: Set<Call> = []

    /// A call of a library, with all that decides what its steps ask for.
    private struct Call: Hashable {
        let body: LibraryBody
        let local: Set<String>
        let certain: Set<String>
    }

    /// Where steps stand.
    private struct Frame {
        /// Names with values that come from a call.
        var local: Set<String> = []
        /// Names that are known to have a value.
        var certain: Set<String> = []
        var isCall = false
    }

    private mutating func follow(_ steps: [Step], in frame: inout Frame) {
        for step in steps {
            var inside = frame
            if let name = step.condition?.guardedName, !frame.local.contains(name) {
                inside.certain.insert(name)
                guarded.insert(name)
                if captured[name] == nil { fromOutside.insert(name) }
            }
            ask(step.condition?.references ?? [], inside: inside)
            switch step.action {
            case .verb(_, let arguments):
                for template in arguments.values { ask(template.references, inside: inside) }
            case .use(let name, let steps, let bindings):
                for template in bindings.values { ask(template.references, inside: inside) }
                var call = Frame(local: Set(bindings.keys), certain: inside.certain, isCall: true)
                // What a name means inside is settled by the call, whatever it means around it.
                call.certain.subtract(call.local)
                // The same call again would ask for the same.
                let body = LibraryBody(name, steps)
                if followed.insert(Call(body: body, local: call.local, certain: call.certain)).inserted {
                    follow(steps, in: &call)
                }
            }
            ask(step.expectation?.references ?? [], inside: inside)
            ask(step.statistics?.references ?? [], inside: inside)
            if let poll = step.poll {
                ask(poll.goal.expectation.references, inside: inside)
                follow(poll.between, in: &inside)
                frame.local = inside.local
            }
            for capture in step.captures {
                if frame.isCall {
                    frame.local.insert(capture.name)
                } else if captured[capture.name] == nil {
                    captured[capture.name] = capture.position
                }
            }
        }
    }

    private mutating func ask(_ references: [(name: String, position: SourcePosition)], inside frame: Frame) {
        for (name, position) in references where !frame.local.contains(name) {
            if captured[name] == nil { fromOutside.insert(name) }
            if frame.certain.contains(name) {
                guarded.insert(name)
            } else if asked[name].map(position.isEarlier) ?? true {
                asked[name] = position
            }
        }
    }
}

extension Poll.Goal {
    /// What is looked at, whether it is to hold or no longer.
    var expectation: Expectation {
        switch self {
        case .until(let expectation), .whileHolding(let expectation): expectation
        }
    }
}

extension Condition {
    /// The name of `present ${name}`; nil for another condition.
    var guardedName: String? {
        guard case .present(let name, _)? = test else { return nil }
        return name
    }
}

extension SourcePosition {
    /// True when it stands before another place of the same file.
    fileprivate func isEarlier(than other: SourcePosition) -> Bool {
        file == other.file && (line, column) < (other.line, other.column)
    }
}
