// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Trace
import Verbs

/// What a step is called where it has no name: its verb and what it is about.
enum StepTitle {
    /// The title, with what the trace would hide hidden: a VERIFY that is written out holds its PIN.
    static func of(_ step: Step, target: String, mask: SecretMask) -> String {
        mask.mask(text: title(of: step, target: target, mask: mask))
    }

    private static func title(of step: Step, target: String, mask: SecretMask) -> String {
        if let name = step.name { return name }
        switch step.action {
        case .use(let name, _, _): return "use \(name)"
        case .verb(let spec, let arguments):
            if case .value(.bytes(let command))? = arguments["apdu"] {
                let hidden = mask.hiddenInCommand(command)
                if !hidden.isEmpty {
                    return "\(spec.name) \(shortened(TracedBytes(command, hidden: hidden).text))"
                }
            }
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
            return Dictionaries.of(target)?.bytes.filter { $0.value == bytes }.keys.min()
                ?? shortened(bytes.hex)
        case .value(.text(let text)): return shortened(text)
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

    private static func shortened(_ text: String) -> String {
        text.count > 40 ? "\(text.prefix(40))..." : text
    }
}
