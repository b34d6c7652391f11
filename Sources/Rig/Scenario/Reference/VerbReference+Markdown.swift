// SPDX-License-Identifier: MIT

extension VerbReference {
    /// The whole reference as a page.
    public var markdown: String {
        var lines = [
            "# Verbs", "",
            "This page is what `taprig verbs --markdown` writes; edit the words in the program, not here.",
            "",
        ]
        for (namespace, verbs) in groups {
            lines += ["- \(namespace.isEmpty ? "core" : "`\(namespace)`"): \(list(verbs))"]
        }
        lines += [
            "- [needs](#needs): what a case may need",
            "- [errors](#errors): the errors of device libraries that `expect: {error: NAME}` knows", "",
            "An argument with \\* must be given. The short form of a verb takes the value of the named argument",
            "without its name.",
        ]
        for (_, verbs) in groups {
            for verb in verbs { lines += [""] + section(verb) }
        }
        lines += ["", "## needs", "", Self.firmwareSentence, "", "| word | meaning |", "|---|---|"]
        lines += capabilities.map { "| `\($0.word)` | \($0.summary) |" }
        lines += ["", "## errors", "", Self.errorsSentence]
        for list in errorLists {
            let names = list.names.map { "`\($0)`" }.joined(separator: ", ")
            lines += ["", "`\(list.namespace)`: \(names)."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let errorsSentence = """
        These lists are closed: another name is a mistake that `taprig lint` tells. Verbs of other namespaces have no
        device library behind them, and give no error.
        """

    private func list(_ verbs: [VerbSpec]) -> String {
        verbs.map { "[\($0.name)](#\(Self.anchor($0.name)))" }.joined(separator: ", ")
    }

    /// The fragment that Markdown makes of a heading.
    private static func anchor(_ name: String) -> String {
        name.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    private func section(_ verb: VerbSpec) -> [String] {
        var lines = ["## \(verb.name)", "", verb.summary]
        if !verb.discussion.isEmpty { lines += ["", verb.discussion] }
        if let bare = verb.bareArgument {
            lines += ["", "Short form: `\(verb.name): VALUE` gives `\(bare)`."]
        }
        if !verb.arguments.isEmpty {
            lines += ["", "| argument | takes | |", "|---|---|---|"] + Self.rows(verb.arguments, inside: "")
            if let sentence = Self.choiceOfAll(verb.arguments) { lines += ["", "Of these, \(sentence)."] }
        }
        if !verb.results.isEmpty {
            let results = verb.results.map { ArgumentSpec($0.name, $0.type, $0.summary) }
            lines += ["", "| result | is | |", "|---|---|---|"] + Self.rows(results, inside: "")
        }
        lines += ["", Self.common(of: verb).replacing("'", with: "`")]
        if !verb.errors.isEmpty {
            let isShort = verb.errors.count <= Self.longestList
            lines += [
                "",
                isShort
                    ? "Errors: \(verb.errors.map { "`\($0)`" }.joined(separator: ", "))."
                    : "Errors: see [errors](#errors).",
            ]
        }
        if !verb.needs.isEmpty {
            lines += ["", "Needs \(verb.needs.map { "`\($0)`" }.joined(separator: ", "))."]
        }
        return lines
    }

    private static func rows(_ specs: [ArgumentSpec], inside path: String) -> [String] {
        specs.flatMap { spec in
            let name = path + spec.name
            let mark = spec.isRequired ? " \\*" : ""
            let takes = typeText(spec.type).replacing("|", with: "\\|")
            let row = "| `\(name)`\(mark) | \(takes) | \(summary(of: spec, among: specs)) |"
            return [row] + (spec.type.keys.map { rows($0, inside: "\(name).") } ?? [])
        }
    }
}
