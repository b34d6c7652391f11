// SPDX-License-Identifier: MIT

/// Names of cases and of their files.
enum CaseNaming {
    /// A name for a file: letters, digits, dashes; never empty.
    static func slug(_ name: String) -> String {
        var out = ""
        for character in name {
            if character.isASCII, character.isLetter || character.isNumber {
                out.append(character)
            } else if !out.hasSuffix("-"), !out.isEmpty {
                out.append("-")
            }
        }
        while out.hasSuffix("-") { out.removeLast() }
        return out.isEmpty ? "case" : String(out.prefix(80))
    }

    /// Makes a name unique by ` (2)`, ` (3)`, ...; or by `-2` for slugs.
    static func unique(_ name: String, among taken: inout Set<String>, suffix: (Int) -> String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = name + suffix(number)
            number += 1
        }
        return candidate
    }

    /// The case's name with the values of its row filled in.
    static func title(_ name: String, row: [(key: String, text: String)]) -> String {
        row.reduce(name) { $0.replacing("${\($1.key)}", with: $1.text) }
    }

    /// The case's name with the values of its row filled in and shown in brackets.
    static func fullName(_ name: String, row: [(key: String, text: String)], repetition: Int?) -> String {
        let out = title(name, row: row)
        var label = row.map { "\($0.key)=\($0.text)" }
        if let repetition { label.append("repeat=\(repetition)") }
        return label.isEmpty ? out : "\(out) [\(label.joined(separator: ", "))]"
    }

    /// The name that a repetition would have if the case were run once.
    ///
    /// - Parameters:
    ///   - name: The full name, also when it was made unique.
    ///   - repetition: Number of the repetition; 0 when the case is run once.
    /// - Returns: The name without the cell of the repetition.
    static func name(_ name: String, withoutRepetition repetition: Int) -> String {
        guard repetition > 0 else { return name }
        for (cell, rest) in [(", repeat=\(repetition)]", "]"), (" [repeat=\(repetition)]", "")] {
            // Behind it stands nothing, or what makes a name unique.
            if let range = name.ranges(of: cell).last {
                return name[..<range.lowerBound] + rest + name[range.upperBound...]
            }
        }
        return name
    }
}

/// Shell-like patterns of a whole text: `*` any text, `?` any character, all else itself.
///
/// Brackets stand for themselves: names of cases end in the values of their matrix.
enum Glob {
    /// Whether a pattern fits a text as a whole.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        fits(Array(pattern)[...], Array(text)[...])
    }

    private static func fits(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        var pattern = pattern
        var text = text
        var retry: (pattern: ArraySlice<Character>, text: ArraySlice<Character>)?
        while !text.isEmpty {
            if let wanted = pattern.first, wanted == "*" {
                pattern = pattern.dropFirst()
                retry = (pattern, text)
            } else if let wanted = pattern.first, wanted == "?" || wanted == text.first {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let saved = retry {
                retry = (saved.pattern, saved.text.dropFirst())
                pattern = saved.pattern
                text = saved.text.dropFirst()
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}
