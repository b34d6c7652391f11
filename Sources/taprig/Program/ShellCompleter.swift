// SPDX-License-Identifier: MIT

import LineEditor
import Routes
import Scenario

/// What Tab offers in the shell: verbs, their arguments, names of the device's dictionary, words of the shell's own.
struct ShellCompleter {
    let target: String
    var vocabulary = Vocabulary.shipped

    /// The words that may stand where the cursor is.
    func candidates(before text: String) -> LineEditor.Candidates {
        let typed = Self.lastWord(text)
        let before = text.dropLast(typed.count)
        let line = ShellLine.trimmed(String(before))
        let words = possible(after: line, typed: typed)
            .filter { $0.hasPrefix(typed) }
        return LineEditor.Candidates(replaced: typed.count, words: words.sorted())
    }

    private func possible(after line: String, typed: String) -> [String] {
        let controls = ShellControl.allCases.map { ":\($0.rawValue)" }
        let verbs = StepLine.words(target: target, vocabulary: vocabulary)
        if line.isEmpty { return typed.hasPrefix(":") ? controls : Array(verbs.keys) + controls }
        let first = String(line.prefix { !$0.isWhitespace && $0 != "{" })
        if first.hasPrefix(":") {
            guard line == first, let control = ShellControl(rawValue: String(first.dropFirst())) else {
                return []
            }
            if control == .help { return Array(verbs.keys) }
            return control == .trace ? ["off"] : control.choices ?? []
        }
        let verb = first.hasSuffix(":") ? String(first.dropLast()) : first
        guard let spec = verbs[verb] else { return [] }
        guard let brace = line.lastIndex(of: "{") else {
            guard line.count == first.count,
                let bare = spec.arguments.first(where: { $0.name == spec.bareArgument })
            else { return [] }
            return values(of: bare.type)
        }
        // The present argument is what follows the last comma.
        let inside = line[line.index(after: brace)...]
        guard !inside.contains("}") else { return [] }
        let given = inside.split(separator: ",").compactMap { part in
            part.firstIndex(of: ":").map { ShellLine.trimmed(String(part[..<$0])) }
        }
        if inside.last == ":", let name = given.last {
            return spec.arguments.first { $0.name == name }.map { values(of: $0.type) } ?? []
        }
        guard inside.isEmpty || inside.last == "," else { return [] }
        return spec.arguments.map(\.name).filter { !given.contains($0) }.map { "\($0):" }
    }

    private func values(of type: ArgumentType) -> [String] {
        switch type {
        case .file, .selector, .bytes, .list: Array((vocabulary.dictionaries[target]?.bytes ?? [:]).keys)
        case .word(let words): words
        case .boolean: ["yes", "no"]
        default: []
        }
    }

    /// What stands behind the last blank, brace or comma.
    private static func lastWord(_ text: String) -> String {
        String(text.reversed().prefix { !$0.isWhitespace && !"{,".contains($0) }.reversed())
    }
}
