// SPDX-License-Identifier: MIT

public import CardConnection
import Scenario

/// Compares what a case needs with what target, reader and probe offer.
struct NeedsCheck {
    let offered: Set<Capability>
    let firmware: String?
    let place: String
    /// What must not be missing.
    let required: Set<Need.Kind>
    /// Why a role cannot be had; nil when nothing more is to be said.
    var absenceOfRole: (String) -> String? = { _ in nil }

    /// A need that is not met.
    struct Unmet {
        let need: Need
        /// Why it is not.
        let reason: String
        /// The sentence of the error, when the need was required; nil when leaving out is fine.
        let requirement: String?
    }

    /// The needs that are not met.
    func complaints(about needs: [Need]) -> [Unmet] {
        needs.compactMap { need in
            guard let reason = complaint(about: need) else { return nil }
            let isRequired = required.contains(need.kind)
            return Unmet(
                need: need,
                reason: reason,
                requirement: isRequired ? "\(reason), and --require asks for it" : nil
            )
        }
    }

    private func complaint(about need: Need) -> String? {
        switch need.kind {
        case .capability(let word):
            if offered.contains(Capability(rawValue: word)) { return nil }
            if word == Capability.operator.rawValue {
                return
                    "needs capability operator; nobody can be asked here, as with --ci or without a terminal"
            }
            if word == Capability.securityDelay.rawValue {
                return "needs capability \(word); \(place) cuts its delays short, or has none"
            }
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
        case .role(let role):
            if offered.contains(.role(role)) { return nil }
            return "needs role \(role); \(absenceOfRole(role) ?? "\(place) has no such connection")"
        }
    }

    /// What a whole case needs, its steps and the blocks around it included.
    static func all(of planned: PlannedCase) -> [Need] {
        let suite = planned.suite
        return suite.needs + planned.testCase.needs + cut(planned.testCase.fault)
            + needs(of: suite.setup)
            + needs(of: planned.testCase.steps)
            + needs(of: suite.teardown)
    }

    /// What steps need, those that may be left out not counted.
    private static func needs(of steps: [Step]) -> [Need] {
        steps.flatMap { $0.isOptional ? [] : own($0) }
    }

    /// What one step needs: its own words, its verb's, its fault's, those of the steps inside it.
    static func own(_ step: Step) -> [Need] {
        let inner: [Need]
        switch step.action {
        case .verb(let spec, _): inner = spec.needs.map { Need(.capability($0), at: step.position) }
        case .use(_, let steps, _): inner = needs(of: steps)
        }
        return step.needs + inner + cut(step.fault) + needs(of: step.poll?.between ?? [])
    }

    /// A fault that takes the power in the middle of an exchange is never pretended.
    private static func cut(_ plan: FaultPlan?) -> [Need] {
        guard let plan, plan.needsFieldCut else { return [] }
        return [Need(.capability(Capability.fieldCut.rawValue), at: plan.position)]
    }
}

extension Capability {
    /// Another connection of the bench, by the name that `on` uses.
    public static func role(_ name: String) -> Capability { Capability(rawValue: "role \(name)") }
}
