// SPDX-License-Identifier: MIT

extension JSON {
    /// The document on one line.
    public var text: String {
        var out = ""
        write(to: &out, indent: nil)
        return out
    }

    /// The document with two blanks of indent a level, ending in a line feed.
    public var prettyText: String {
        var out = ""
        write(to: &out, indent: 0)
        return out + "\n"
    }

    private func write(to out: inout String, indent: Int?) {
        switch self {
        case .null: out += "null"
        case .boolean(let value): out += value ? "true" : "false"
        case .integer(let value): out += String(value)
        case .number(let value): out += value.isFinite ? String(value) : "null"
        case .string(let text): Self.writeQuoted(text, to: &out)
        case .array(let elements):
            Self.writeList(elements, in: ("[", "]"), to: &out, indent: indent) { element, out, indent in
                element.write(to: &out, indent: indent)
            }
        case .object(let members):
            Self.writeList(members, in: ("{", "}"), to: &out, indent: indent) { member, out, indent in
                Self.writeQuoted(member.key, to: &out)
                out += indent == nil ? ":" : ": "
                member.value.write(to: &out, indent: indent)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element],
        in brackets: (String, String),
        to out: inout String,
        indent: Int?,
        element: (Element, inout String, Int?) -> Void
    ) {
        out += brackets.0
        let inner = indent.map { $0 + 1 }
        for (index, item) in elements.enumerated() {
            if index > 0 { out += "," }
            if let inner { out += "\n" + String(repeating: "  ", count: inner) }
            element(item, &out, inner)
        }
        if let indent, !elements.isEmpty { out += "\n" + String(repeating: "  ", count: indent) }
        out += brackets.1
    }

    /// Appends a text in quotes, with the escapes that JSON asks for.
    public static func writeQuoted(_ text: String, to out: inout String) {
        out += "\""
        defer { out += "\"" }
        // Most texts need no escape: hex and names are appended whole.
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard !isPlain else {
            out += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}
