// SPDX-License-Identifier: MIT

import CardConnection
import Scenario

/// Compares what a case needs with what target, reader and probe offer.
struct NeedsCheck {
    let offered: Set<Capability>
    let firmware: String?
    let place: String

    /// The reason why a need is not met; nil when it is.
    func complaint(about need: Need) -> String? {
        switch need.kind {
        case .capability(let word):
            if offered.contains(Capability(rawValue: word)) { return nil }
            return "needs capability \(word); \(place) does not offer it"
        case .firmware(let comparison, let version):
            guard let firmware else {
                return "needs firmware\(comparison)\(version); the firmware of \(place) is not known"
            }
            // What is no version cannot be compared, and a bound that cannot be judged does not hold.
            if let known = try? FirmwareVersion(firmware), let bound = try? FirmwareVersion(version),
                known.holds(comparison, bound)
            {
                return nil
            }
            return "needs firmware\(comparison)\(version); \(place) has \(firmware)"
        }
    }

    /// The first need of the whole case that is not met, its steps and blocks included.
    func complaint(about planned: PlannedCase) -> (need: Need, reason: String)? {
        let suite = planned.suite
        let all =
            suite.needs + planned.testCase.needs + Self.needs(of: suite.setup)
            + Self.needs(of: planned.testCase.steps)
            + Self.needs(of: suite.teardown)
        for need in all {
            if let reason = complaint(about: need) { return (need, reason) }
        }
        return nil
    }

    /// What steps need, those that may be left out not counted.
    private static func needs(of steps: [Step]) -> [Need] {
        steps.flatMap { step -> [Need] in
            guard !step.isOptional else { return [] }
            return own(step)
        }
    }

    /// What one step needs: its own words, its verb's, those of the steps inside it.
    static func own(_ step: Step) -> [Need] {
        let inner: [Need]
        switch step.action {
        case .verb(let spec, _): inner = spec.needs.map { Need(.capability($0), at: step.position) }
        case .use(_, let steps, _): inner = needs(of: steps)
        }
        return step.needs + inner + needs(of: step.poll?.between ?? [])
    }
}
