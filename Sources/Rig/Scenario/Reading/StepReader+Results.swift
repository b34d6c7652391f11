// SPDX-License-Identifier: MIT

import Wording

extension StepReader {
    /// Tells results that the step asks for and can never have: times of a change that it does not wait for, parts
    /// that a result does not have.
    func checkResults(_ draft: StepDraft) {
        guard let verb = draft.verb, case .verb(_, let arguments) = draft.step.action else { return }
        var given = Set(arguments.keys)
        if draft.step.expectation?.within != nil { given.insert("within") }
        for capture in draft.step.captures {
            guard case .field(let name)? = capture.parsed?.root,
                let gap = verb.results.first(where: { $0.name == name })?.gap(given: given)
            else { continue }
            context.mistakes.add(capture.position, "'\(verb.name)' gives no '\(name)' \(gap)")
        }
        for item in draft.step.expectation?.items ?? [] {
            guard case .field(let name) = item.subject, !item.check.acceptsNothing,
                let result = verb.results.first(where: { $0.name == name })
            else { continue }
            if let gap = result.gap(given: given) {
                context.mistakes.add(item.position, "'\(verb.name)' gives no '\(name)' \(gap)")
            }
            for part in item.check.parts where !result.parts.isEmpty && !result.parts.contains(part) {
                let hint = Suggestion.nearest(to: part, among: result.parts)
                let list = hint == nil ? "; it has \(result.parts.joined(separator: ", "))" : ""
                context.mistakes.add(item.position, "'\(name)' has no part '\(part)'\(list)", hint: hint)
            }
        }
    }
}

extension ValueCheck {
    /// The keys of the mappings that it looks at, those inside of others left out.
    fileprivate var parts: [String] {
        switch self {
        case .entries(let entries): entries.map(\.key)
        case .anyOf(let checks), .allOf(let checks), .elements(let checks): checks.flatMap(\.parts)
        case .not(let check), .some(let check): check.parts
        default: []
        }
    }
}
