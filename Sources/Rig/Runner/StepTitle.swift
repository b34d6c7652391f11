// SPDX-License-Identifier: MIT

import Scenario
import SmartCard
import Trace
import Verbs

/// What a step is called where it has no name: its verb and what it is about.
enum StepTitle {
    /// The title with variables filled in, and with what the trace would hide hidden: a VERIFY that is written out
    /// holds its PIN.
    static func of(_ step: Step, target: String, scope: Scope, mask: SecretMask) -> String {
        var mask = mask
        mask.rules = PreparedStep.maskRules(step, target: target)
        return mask.mask(text: title(of: step, Filling(target: target, scope: scope, mask: mask)))
    }

    /// What a step is about: the file that it reads, the command that it sends; nil when it has no such argument.
    static func object(of step: Step, target: String, scope: Scope, mask: SecretMask) -> String? {
        guard case .verb(let spec, let arguments) = step.action else { return nil }
        return object(of: spec, arguments, Filling(target: target, scope: scope, mask: mask))
    }

    /// What templates are filled from, and what hides the outcome.
    private struct Filling {
        let target: String
        let scope: Scope
        let mask: SecretMask

        /// The value of a template; nil where it has none yet, or where the written name says less than its value.
        func value(of template: Template) -> Value? {
            guard !template.references.contains(where: { scope.secretNames.contains($0.name) }) else {
                return nil
            }
            return try? template.value(in: scope)
        }

        /// A text as it is written, but for variables that have a value.
        func text(of pieces: [TextPiece]) -> String {
            pieces.map { piece in
                guard case .reference(let name, nil) = piece, !scope.secretNames.contains(name) else {
                    return piece.written
                }
                return scope[name]?.text ?? piece.written
            }.joined()
        }
    }

    private static func title(of step: Step, _ filling: Filling) -> String {
        if let name = step.name { return (try? TextTemplate.pieces(name)).map(filling.text) ?? name }
        switch step.action {
        case .use(let name, _, _): return "use \(name)"
        case .verb(let spec, let arguments):
            return object(of: spec, arguments, filling).map { "\(spec.name) \($0)" } ?? spec.name
        }
    }

    private static func object(of spec: VerbSpec, _ arguments: [String: Template], _ filling: Filling)
        -> String?
    {
        if case .bytes(let command)? = arguments["apdu"].flatMap(filling.value) {
            return shortened(TracedBytes(command, hidden: filling.mask.hiddenInCommand(command)).text)
        }
        for key in [spec.bareArgument, "file", "target", "is"].compactMap({ $0 }) {
            if let text = arguments[key].flatMap({ text(of: $0, filling) }) { return text }
        }
        return nil
    }

    private static func text(of template: Template, _ filling: Filling) -> String? {
        // Which part of an argument a mask hides, nobody knows before it is sent: of such a step only names are told.
        guard filling.mask.rules.isEmpty || filling.mask.showsSecrets else {
            guard case .bytes(let bytes)? = filling.value(of: template) else { return nil }
            return name(of: bytes, filling)
        }
        if let value = filling.value(of: template), let text = text(of: value, filling) { return text }
        guard case .text(let pieces, _, _) = template else { return nil }
        return pieces.map(\.written).joined()
    }

    /// The device's name for bytes.
    private static func name(of bytes: [UInt8], _ filling: Filling) -> String? {
        Dictionaries.of(filling.target)?.bytes.filter { $0.value == bytes }.keys.min()
    }

    private static func text(of value: Value, _ filling: Filling) -> String? {
        switch value {
        case .bytes(let bytes):
            return name(of: bytes, filling) ?? shortened(filling.mask.mask(text: bytes.hex))
        case .text(let text): return shortened(filling.mask.mask(text: text))
        case .duration(let duration): return DurationText.text(duration)
        case .number(let number): return String(number)
        default: return nil
        }
    }

    /// Cuts a text that is masked already: of half a secret no mask knows.
    private static func shortened(_ text: String) -> String {
        text.count > 40 ? "\(text.prefix(40))..." : text
    }
}

extension TextPiece {
    /// The piece as the file has it.
    fileprivate var written: String {
        switch self {
        case .literal(let text): text
        case .reference(let name, let index): "${\(name)\(index.map { "(\($0))" } ?? "")}"
        }
    }
}
