// SPDX-License-Identifier: MIT

/// What a list of steps does with names, in order: uses them, and gives values to them.
final class NameFlow {
    /// One use or one gift.
    enum Event {
        /// `${name}`, which must have a value here.
        case reference(name: String, position: SourcePosition)
        /// `${name}` in a step that runs only when the name has a value.
        case guarded(name: String)
        /// A capture.
        case capture(name: String, position: SourcePosition)
    }

    /// Uses and gifts, in order.
    private(set) var events: [Event] = []
    /// Number of steps, those of libraries included.
    var stepCount = 0

    /// Adds references; those to the guarded names need no value.
    func refer(to references: [(name: String, position: SourcePosition)], guarded: Set<String> = []) {
        for reference in references {
            if guarded.contains(reference.name) {
                events.append(.guarded(name: reference.name))
            } else {
                events.append(.reference(name: reference.name, position: reference.position))
            }
        }
    }

    /// Adds captures.
    func capture(_ captures: [Capture]) {
        for capture in captures { events.append(.capture(name: capture.name, position: capture.position)) }
    }

    /// The names that are given a value.
    var captured: [String] {
        events.compactMap { event in
            guard case .capture(let name, _) = event else { return nil }
            return name
        }
    }

    /// The names that are used.
    var mentioned: Set<String> {
        var out: Set<String> = []
        for event in events {
            switch event {
            case .reference(let name, _), .guarded(let name): out.insert(name)
            case .capture: break
            }
        }
        return out
    }

    /// Follows the names of a library's steps, whose captures end with the call.
    ///
    /// - Parameters:
    ///   - arguments: The names that each call gives a value to.
    ///   - mistakes: Where a name captured twice is noted.
    /// - Returns: The references that the caller must give a value to.
    func openReferences(
        arguments: Set<String>,
        mistakes: MistakeCollector
    ) -> [(name: String, position: SourcePosition)] {
        var local = arguments
        var open: [(name: String, position: SourcePosition)] = []
        var told: Set<SourcePosition> = []
        for event in events {
            switch event {
            case .reference(let name, let position):
                if !local.contains(name), told.insert(position).inserted { open.append((name, position)) }
            case .guarded:
                break
            case .capture(let name, let position):
                if !local.insert(name).inserted {
                    mistakes.add(position, "'\(name)' has a value already; a name is captured once in a call")
                }
            }
        }
        return open
    }
}

/// Follows the names of a suite through set-up, cases and teardown.
struct NameChecker {
    /// Names that the suite gives a value from the start: variables and secrets.
    let outside: Set<String>
    /// Names that are given a value from outside; matrix and captures go before it.
    var external: Set<String> = []
    let context: ReadingContext

    /// Follows one list of steps.
    ///
    /// - Parameters:
    ///   - flow: What the steps do.
    ///   - before: Names with values besides those from the start.
    ///   - partial: Names that only some rows of a matrix have.
    /// - Returns: `before` and the names that the steps captured.
    @discardableResult
    func follow(_ flow: NameFlow, before: Set<String>, partial: Set<String> = []) -> Set<String> {
        var known = before
        for event in flow.events {
            switch event {
            case .guarded:
                break
            case .reference(let name, let position):
                guard !known.contains(name), !outside.contains(name), !external.contains(name) else { break }
                report(name, at: position, known: known, partial: partial)
            case .capture(let name, let position):
                if outside.contains(name) || !known.insert(name).inserted {
                    context.mistakes.add(
                        position,
                        "'\(name)' has a value already; a name is captured once in a case"
                    )
                }
            }
        }
        return known
    }

    private func report(_ name: String, at position: SourcePosition, known: Set<String>, partial: Set<String>)
    {
        if partial.contains(name) {
            context.mistakes.add(
                position,
                "'\(name)' is undefined in some rows of the matrix; give it to each row"
            )
            return
        }
        let isShort = context.mistakes.mistakes.count < 500 && known.count + outside.count < 500
        let near = isShort ? context.hint(name, known.union(outside).sorted()) : nil
        context.mistakes.add(
            position,
            "undefined variable '\(name)'; define it under vars, in the matrix, by a capture of an earlier "
                + "step, or by --var",
            hint: near
        )
    }
}
