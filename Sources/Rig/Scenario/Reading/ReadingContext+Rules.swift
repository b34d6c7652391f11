// SPDX-License-Identifier: MIT

import SmartCard

/// Reading of the keys that suites, cases and steps share.
extension ReadingContext {
    /// `needs`: capabilities, and bounds on the firmware's version.
    func needs(_ entry: YAMLNode.Entry) -> [Need] {
        words(entry).compactMap { text, node in
            do throws(TextError) {
                if let kind = try Need.Kind(text, capabilities: vocabulary.capabilities) {
                    return Need(kind, at: node.position)
                }
            } catch {
                mistakes.add(node.position, error.message)
                return nil
            }
            mistakes.add(
                node.position,
                "unknown capability '\(text)'; 'taprig verbs needs' lists them",
                hint: hint(text, vocabulary.capabilities + ["firmware>=1.0"])
            )
            return nil
        }
    }

    /// `limits`: times for an exchange, a case, the teardown.
    package func limits(_ entry: YAMLNode.Entry, in place: String, keys: [String]) -> Limits {
        var limits = Limits()
        for key in mapping(entry, example: "apdu: 500ms") ?? [] {
            guard keys.contains(key.key) else {
                unknownKey(key, in: place, known: keys)
                continue
            }
            let duration = duration(key, mayBeZero: false)
            switch key.key {
            case "apdu": limits.apdu = duration
            case "case": limits.testCase = duration
            default: limits.teardown = duration
            }
        }
        return limits
    }

    /// `retry` of a case.
    func retry(_ entry: YAMLNode.Entry) -> Retry? {
        guard let entries = mapping(entry, example: "on: [LinkLost], max: 2, delay: 200ms") else {
            return nil
        }
        var types: [String] = []
        var max: Int?
        var delay: Duration?
        for key in entries {
            switch key.key {
            case "on":
                types = words(key).filter { errorType($0.text, at: $0.node) }.map(\.text)
                if key.value.elements?.isEmpty == true {
                    mistakes.add(
                        key.value.position,
                        "'on' names no error after which to try again, such as LinkLost"
                    )
                }
            case "max": max = number(key, in: 1...100)
            case "delay": delay = duration(key)
            default: unknownKey(key, in: "'retry'", known: ["on", "max", "delay"])
            }
        }
        for need in ["on", "max"] where !entries.contains(where: { $0.key == need }) {
            mistakes.add(entry.keyPosition, "'retry' needs '\(need)'")
        }
        return max.map { Retry(types: types, max: $0, delay: delay ?? .zero) }
    }

    private func errorType(_ text: String, at node: YAMLNode) -> Bool {
        if vocabulary.errorTypes.contains(text) { return true }
        let near = hint(text, vocabulary.errorTypes)
        let isFinal = vocabulary.finalErrorTypes.contains(text)
        let what =
            isFinal ? "an error of type '\(text)' is never tried again" : "unknown error type '\(text)'"
        let possible =
            isFinal || near == nil ? "; possible are \(vocabulary.errorTypes.joined(separator: ", "))" : ""
        mistakes.add(node.position, what + possible, hint: isFinal ? nil : near)
        return false
    }

    /// `fault` of a case or a step.
    ///
    /// - Parameters:
    ///   - entry: The key with its value.
    ///   - isOfStep: True beside a verb, where `at` may be left out and counts that step's exchanges.
    /// - Returns: The plan, or nil after a mistake.
    func fault(_ entry: YAMLNode.Entry, isOfStep: Bool) -> FaultPlan? {
        guard let entries = mapping(entry, example: "at: 2, when: before, kind: remove") else { return nil }
        let kinds = Self.faultKinds + (vocabulary.deviceFaults[target] ?? [])
        var plan = FaultPlan(
            trigger: .exchange(1),
            moment: "before",
            kind: "",
            parameter: nil,
            times: 1,
            position: entry.keyPosition
        )
        var isWhole = true
        for key in entries {
            switch key.key {
            case "at":
                if let trigger = trigger(key) { plan.trigger = trigger } else { isWhole = false }
            case "when":
                if let moment = choice(key, among: Self.faultMoments) {
                    plan.moment = moment
                } else {
                    isWhole = false
                }
            case "kind":
                if let kind = choice(key, among: kinds) { plan.kind = kind } else { isWhole = false }
            case "times":
                if let times = number(key, in: 1...10_000_000) { plan.times = times } else { isWhole = false }
            case "sw", "delay", "truncate": break
            default:
                unknownKey(key, in: "'fault'", known: ["at", "when", "kind", "times"] + Self.faultParameters)
            }
        }
        for need in isOfStep ? ["kind"] : ["at", "kind"] where !entries.contains(where: { $0.key == need }) {
            mistakes.add(entry.keyPosition, "'fault' needs '\(need)'")
            isWhole = false
        }
        for key in entries where Self.faultParameters.contains(key.key) {
            guard let value = parameter(key) else {
                isWhole = false
                continue
            }
            if key.key == plan.kind {
                plan.parameter = value
            } else if isWhole {
                mistakes.add(
                    key.keyPosition,
                    "'\(key.key)' says nothing to a fault of the kind '\(plan.kind)'"
                )
            }
        }
        if isWhole, plan.parameter == nil, Self.faultParameters.contains(plan.kind) {
            mistakes.add(
                entry.keyPosition,
                "a fault of the kind '\(plan.kind)' needs its value: \(Self.example(of: plan.kind))"
            )
            isWhole = false
        }
        return isWhole ? plan : nil
    }

    private func trigger(_ entry: YAMLNode.Entry) -> FaultPlan.Trigger? {
        guard let text = word(entry.value, "'at'") else { return nil }
        guard text.utf8.first?.isDigit == true else { return .step(text) }
        return number(entry, in: 1...10_000_000).map { .exchange($0) }
    }

    private func parameter(_ entry: YAMLNode.Entry) -> Value? {
        switch entry.key {
        case "sw":
            hexPlaces?.note(entry.value.position)
            return parsed(entry) { text throws(TextError) in
                guard text.utf8.count == 4, let word = UInt16(text, radix: 16) else {
                    throw TextError("'\(text)' is no status word; write four hex digits such as 6581")
                }
                return .statusWord(StatusWord(rawValue: word))
            }
        case "delay": return duration(entry).map { .duration($0) }
        default: return number(entry, in: 0...65_538).map { .number($0) }
        }
    }

    private static func example(of kind: String) -> String {
        switch kind {
        case "sw": "sw: 6581"
        case "delay": "delay: 200ms"
        default: "truncate: 1"
        }
    }

    static let faultKinds = [
        "remove", "power-loss", "mute", "sw", "delay", "truncate", "corrupt", "reset",
    ]
    static let faultMoments = ["before", "during", "after-answer-lost"]
    private static let faultParameters = ["sw", "delay", "truncate"]
}
