// SPDX-License-Identifier: MIT

extension StepReader {
    /// Holds the `within` of a step against what its verb needs.
    func checkWithin(_ draft: StepDraft, entries: [YAMLNode.Entry]) {
        guard case .verb(let verb, let arguments) = draft.step.action, let rule = verb.within,
            let time = draft.step.expectation?.within,
            let expect = entries.first(where: { $0.key == "expect" })
        else { return }
        let key = expect.value.entries?.first { $0.key == "within" }
        let place = key?.keyPosition ?? expect.keyPosition
        if let other = rule.excludedBy.first(where: { arguments[$0] != nil }) {
            context.mistakes.add(place, "'within' means nothing beside '\(other)'; leave one of them out")
        } else if time < rule.shortest {
            context.mistakes.add(
                key?.value.position ?? place,
                "'within' is too short: \(rule.reason) \(DurationText.text(rule.shortest)) at least"
            )
        }
    }
}
