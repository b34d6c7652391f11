// SPDX-License-Identifier: MIT

extension ValueCheck {
    /// What is expected, for people, with variables filled in.
    func text(in scope: Scope) -> String {
        switch self {
        case .status(let pattern): return pattern.description
        case .bytes(let pattern):
            guard let bytes = pattern.exact else { return pattern.description }
            return MismatchText.short(bytes)
        case .count(let range): return range.description
        case .time(let bound): return bound.description
        case .text(let text): return text.isEmpty ? "no text" : text
        case .contains(let part): return "with '\(part)' in it"
        case .expression(let expression): return "re:\(expression.text)"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .ascii(let check): return "text \(check.text(in: scope))"
        case .value(let value): return value.shortText
        case .bound(let bound): return bound.explained(in: scope)
        case .template(let pieces, _, _):
            guard let check = try? settled(in: scope) else { return pieces.sourceText }
            return "\(check.text(in: scope)) (\(pieces.sourceText))"
        case .anyOf(let checks): return checks.map { $0.text(in: scope) }.joined(separator: " or ")
        case .allOf(let checks): return checks.map { $0.text(in: scope) }.joined(separator: " and ")
        case .not(let check): return "not \(check.text(in: scope))"
        case .length(let check): return "of length \(check.text(in: scope))"
        case .elements(let checks): return "[\(checks.map { $0.text(in: scope) }.joined(separator: ", "))]"
        case .some(let check): return "with an element \(check.text(in: scope))"
        case .entries(let entries):
            return "{\(entries.map { "\($0.key): \($0.check.text(in: scope))" }.joined(separator: ", "))}"
        case .present: return "present"
        case .absent: return "absent"
        }
    }
}

extension ExpectationItem {
    /// The key and what is expected of it.
    func text(in scope: Scope) -> String {
        let value = check.text(in: scope)
        return switch subject {
        case .status: "SW \(value)"
        case .data: "data \(value)"
        case .length: "len \(value)"
        case .ascii: "ascii \(value)"
        case .tlv(_, let text, _): "tag \(text) \(value)"
        case .ndef: "ndef \(value)"
        case .time: "time \(value)"
        case .total: "total \(value)"
        case .exchanges: "exchanges \(value)"
        case .wire: "the commands of 'wire'"
        case .every(let inner): "every \(inner.items.map { $0.text(in: scope) }.joined(separator: ", "))"
        case .not(let inner): "not \(inner.items.map { $0.text(in: scope) }.joined(separator: ", "))"
        case .field(let name): "\(name) \(value)"
        }
    }
}
