// SPDX-License-Identifier: MIT

import RunRecord
import Scenario
import SmartCard
import Trace
import Verbs

/// A step with everything that is the same in each of its repetitions.
struct PreparedStep {
    let step: Step
    let verb: Verb
    /// The arguments; nil when they hold variables, which a capture may change between two repetitions.
    let arguments: [String: Value]?
    let isRaw: Bool
    /// Status words that pass besides the expected ones.
    let allowed: [StatusPattern]
    /// Whether the first attempt at a PIN passes the guard.
    let passesGuard: Bool
    let maskRules: [MaskRule]
    let templates: [String: Template]

    init(_ step: Step, suite: Suite, verbs: VerbTable, record: StepRecord, scope: Scope) throws {
        guard case .verb(let spec, let templates) = step.action, let verb = verbs[spec.name] else {
            let mistake = ScenarioMistake(step.position, "this program has no verb '\(step.verbName)'")
            throw StepEnd(problem: .mistake(mistake, record: record))
        }
        self.step = step
        self.verb = verb
        self.templates = templates
        var settled: [String: Value]? = [:]
        for (name, template) in templates {
            guard case .value(let value) = template else {
                settled = nil
                break
            }
            settled?[name] = value
        }
        arguments = settled
        isRaw = step.isRaw ?? suite.isRaw
        allowed = step.allow.isEmpty ? [] : StatusPattern.allowed(step.allow)
        passesGuard = step.allow.contains("guard")
        maskRules = Self.maskRules(step, target: suite.target)
    }

    /// The arguments with all variables filled in.
    func filledArguments(in scope: Scope, record: StepRecord) throws -> [String: Value] {
        var out: [String: Value] = [:]
        for (name, template) in templates {
            do throws(ScenarioMistake) {
                out[name] = try template.value(in: scope)
            } catch {
                throw StepEnd(problem: .mistake(error, record: record))
            }
        }
        return out
    }

    /// What the step hides besides what is hidden anyway.
    static func maskRules(_ step: Step, target: String) -> [MaskRule] {
        guard !step.masks.isEmpty else { return [] }
        let dictionary = Dictionaries.of(target)
        return step.masks.compactMap { text in
            // The reader of the scenario has checked the texts.
            try? MaskRule(text) { name in dictionary?.tags[name].flatMap { try? HexText.bytes($0) } }
        }
    }
}
