// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Verbs

/// What a step is called where it has no name: its verb and what it is about.
enum StepTitle {
    static func of(_ step: Step, target: String) -> String {
        if let name = step.name { return name }
        switch step.action {
        case .use(let name, _, _): return "use \(name)"
        case .verb(let spec, let arguments):
            return object(of: spec, arguments, target: target).map { "\(spec.name) \($0)" } ?? spec.name
        }
    }

    /// What a step is about: the file that it reads, the command that it sends; nil when it has no such argument.
    static func object(of step: Step, target: String) -> String? {
        guard case .verb(let spec, let arguments) = step.action else { return nil }
        return object(of: spec, arguments, target: target)
    }

    private static func object(of spec: VerbSpec, _ arguments: [String: Template], target: String) -> String?
    {
        for key in [spec.bareArgument, "file", "target", "is"].compactMap({ $0 }) {
            if let text = arguments[key].flatMap({ text(of: $0, target: target) }) { return text }
        }
        return nil
    }

    private static func text(of template: Template, target: String) -> String? {
        switch template {
        case .value(.bytes(let bytes)):
            let dictionary = Dictionaries.all.first { $0.target == target }
            let name = dictionary?.bytes.filter { $0.value == bytes }.keys.min()
            let hex = bytes.hex
            return name ?? (hex.count > 40 ? "\(hex.prefix(40))..." : hex)
        case .value(.text(let text)): return text.count > 40 ? "\(text.prefix(40))..." : text
        case .value(.duration(let duration)): return DurationText.text(duration)
        case .value(.number(let number)): return String(number)
        case .text(let pieces, _, _):
            return pieces.map { piece in
                switch piece {
                case .literal(let text): text
                case .reference(let name, _): "${\(name)}"
                }
            }.joined()
        default: return nil
        }
    }
}
