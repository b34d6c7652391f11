// SPDX-License-Identifier: MIT

/// The reference of a vocabulary: what each verb takes, gives and needs.
public struct VerbReference: Sendable {
    /// A capability and what it means.
    public struct Capability: Sendable {
        /// The word.
        public let word: String
        /// What it means, in one line.
        public let summary: String

        /// Makes an entry.
        public init(word: String, summary: String) {
            self.word = word
            self.summary = summary
        }
    }

    let verbs: [VerbSpec]
    let capabilities: [Capability]
    private let vocabulary: Vocabulary

    /// Makes the reference.
    ///
    /// - Parameters:
    ///   - vocabulary: The verbs and their targets.
    ///   - capabilities: What `needs` may name.
    public init(vocabulary: Vocabulary, capabilities: [Capability]) {
        self.vocabulary = vocabulary
        self.capabilities = capabilities
        verbs = (vocabulary.verbs.values + [Self.use]).sorted { $0.name < $1.name }
    }

    /// The verb of a word, with or without its namespace; several when it is short for several.
    public func verbs(named word: String) -> [VerbSpec] {
        if let verb = verbs.first(where: { $0.name == word }) { return [verb] }
        return verbs.filter { $0.name.hasSuffix(".\(word)") }
    }

    /// All words that ``verbs(named:)`` knows, for suggestions.
    public var words: [String] {
        verbs.flatMap { verb in
            [verb.name] + (verb.name.firstIndex(of: ".").map { [String(verb.name[$0...].dropFirst())] } ?? [])
        }
    }

    /// The verbs by their namespace: those of the core first, under an empty name.
    var groups: [(namespace: String, verbs: [VerbSpec])] {
        var names = [""]
        for verb in verbs {
            let name = Self.namespace(of: verb)
            if !names.contains(name) { names.append(name) }
        }
        return names.map { name in (name, verbs.filter { Self.namespace(of: $0) == name }) }
            .filter { !$0.verbs.isEmpty }
    }

    private static func namespace(of verb: VerbSpec) -> String {
        verb.name.firstIndex(of: ".").map { String(verb.name[..<$0]) } ?? ""
    }

    // MARK: Text

    /// All verbs with one line each.
    public var overview: String {
        let width = verbs.map(\.name.count).max() ?? 0
        var lines: [String] = []
        for (namespace, verbs) in groups {
            if !lines.isEmpty { lines.append("") }
            lines += self.lines(of: verbs, in: namespace, width: width)
        }
        lines += [
            "",
            "'taprig verbs WORD' tells what a verb takes and gives, 'taprig verbs needs' what a case may need,",
            "'taprig verbs errors' which errors 'expect: {error: NAME}' knows.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The verbs of a namespace such as `tangem`, or of the `core`, with one line each; nil when there is none of that name.
    public func overview(of namespace: String) -> String? {
        guard let group = groups.first(where: { ($0.namespace.isEmpty ? "core" : $0.namespace) == namespace })
        else { return nil }
        let width = group.verbs.map(\.name.count).max() ?? 0
        return lines(of: group.verbs, in: group.namespace, width: width).joined(separator: "\n") + "\n"
    }

    private func lines(of verbs: [VerbSpec], in namespace: String, width: Int) -> [String] {
        [Self.title(of: namespace, isTarget: vocabulary.dictionaries[namespace] != nil)]
            + verbs.map { "  \(Self.padded($0.name, width))  \($0.summary)" }
    }

    /// Everything about a verb.
    public func text(of verb: VerbSpec) -> String {
        var lines = [verb.name, "  \(verb.summary)"]
        if !verb.discussion.isEmpty {
            let discussion = verb.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            lines += discussion.map { $0.isEmpty ? "" : "  \($0)" }
        }
        if let bare = verb.bareArgument {
            lines += ["", "  short form: '\(verb.name): VALUE' gives '\(bare)'"]
        }
        if !verb.arguments.isEmpty {
            lines += ["", "  arguments"] + Self.rows(verb.arguments, depth: 2)
        }
        let results = verb.results.map { ArgumentSpec($0.name, $0.type, $0.summary) }
        if !results.isEmpty {
            lines += ["", "  results, for 'expect' and 'capture'"] + Self.rows(results, depth: 2)
        }
        lines += ["", "  \(Self.common(of: verb))"]
        if !verb.errors.isEmpty { lines += ["", "  errors: \(errorList(of: verb))"] }
        if !verb.needs.isEmpty { lines += ["", "  needs \(verb.needs.joined(separator: ", "))"] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The capabilities with one line each.
    public var needsText: String {
        let width = capabilities.map(\.word.count).max() ?? 0
        let lines = capabilities.map { "\(Self.padded($0.word, width))  \($0.summary)" }
        return lines.joined(separator: "\n") + "\n" + Self.firmwareSentence + "\n"
    }

    /// The names of errors that `expect: {error: NAME}` may say, by the libraries that give them.
    public var errorsText: String {
        errorLists.map { list in
            "\(list.namespace)\n" + list.names.map { "  \($0)\n" }.joined()
        }.joined(separator: "\n")
    }

    /// The lists of errors, each under the namespace of its verbs.
    var errorLists: [(namespace: String, names: [String])] {
        groups.compactMap { group in
            guard let names = group.verbs.first(where: { !$0.errors.isEmpty })?.errors else { return nil }
            return (group.namespace, names)
        }
    }

    /// The errors of a verb in a line; a long list is told once for all verbs.
    private func errorList(of verb: VerbSpec) -> String {
        guard verb.errors.count > Self.longestList else { return verb.errors.joined(separator: ", ") }
        return "\(verb.errors.count) names, which 'taprig verbs errors' lists"
    }

    /// More errors than these are not listed with each verb.
    static let longestList = 20

    static let firmwareSentence =
        "Besides, 'firmware' with >=, <=, ==, !=, > or < and a version, such as \"firmware>=4.0\"."

    static func title(of namespace: String, isTarget: Bool) -> String {
        if namespace.isEmpty { return "core" }
        return isTarget
            ? "\(namespace) (in suites with 'target: \(namespace)' also without '\(namespace).')" : namespace
    }

    /// What every verb of the kind gives besides its own results.
    static func common(of verb: VerbSpec) -> String {
        if verb.name == use.name { return useSentence }
        var words = ["total"]
        if verb.exchanges {
            words = ["sw", "data", "len", "ascii", "tlv", "time", "exchanges", "wire", "every"] + words
        }
        if verb.waits { words.append("within") }
        words.append("fault")
        if !verb.errors.isEmpty { words.append("error") }
        let list = words.dropLast().map { "'\($0)'" }.joined(separator: ", ") + " and '\(words.last ?? "")'"
        return verb.exchanges
            ? "It sends commands: \(list) speak of them." : "It sends no command: \(list) may be expected."
    }

    private static func rows(_ specs: [ArgumentSpec], depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let names = specs.map { "\($0.name)\($0.isRequired ? "*" : "")" }
        let width = names.map(\.count).max() ?? 0
        var lines: [String] = []
        for (spec, name) in zip(specs, names) {
            lines.append(
                "\(indent)\(padded(name, width))  \(typeText(spec.type)): \(summary(of: spec, among: specs))"
            )
            if let inner = spec.type.keys { lines += rows(inner, depth: depth + 1) }
        }
        if depth == 2, specs.contains(where: \.isRequired) { lines.append("\(indent)(* must be given)") }
        if let sentence = choiceOfAll(specs) { lines.append("\(indent)(\(sentence))") }
        return lines
    }

    static func summary(of spec: ArgumentSpec, among specs: [ArgumentSpec]) -> String {
        var notes: [String] = []
        if let choice = spec.choice, choiceOfAll(specs) == nil {
            let names = specs.filter { $0.choice == choice }.map(\.name)
            notes.append("\(choice.rule) of \(names.joined(separator: ", "))")
        }
        if !spec.beside.isEmpty { notes.append("needs \(spec.beside.joined(separator: " or "))") }
        if !spec.excludes.isEmpty { notes.append("not beside \(spec.excludes.joined(separator: " or "))") }
        return notes.isEmpty ? spec.summary : "\(spec.summary) (\(notes.joined(separator: "; ")))"
    }

    /// The rule of arguments that all belong to one group.
    static func choiceOfAll(_ specs: [ArgumentSpec]) -> String? {
        guard let choice = specs.first?.choice, specs.allSatisfy({ $0.choice == choice }) else { return nil }
        return "\(choice.rule) \(choice.isNeeded ? "must" : "may") be given"
    }

    /// What an argument takes, in a few words.
    static func typeText(_ type: ArgumentType) -> String {
        switch type {
        case .bytes: "hex or a name"
        case .file: "file: two bytes or a name"
        case .selector: "file, or AID of 5 to 16 bytes"
        case .number(let range) where range.lowerBound == .min || range.upperBound == .max: "number"
        case .number(let range): "number, \(range.lowerBound) to \(range.upperBound)"
        case .duration: "time such as 200ms"
        case .word(let words): words.joined(separator: ", ")
        case .boolean: "yes or no"
        case .text: "text"
        case .list(let element): "list of \(typeText(element))"
        case .map: "mapping"
        case .any: "any value"
        case .checked(let inner, let check):
            check.text.isEmpty ? typeText(inner) : "\(typeText(inner)), \(check.text)"
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension ArgumentType {
    /// The keys of a mapping, or of the mappings in a list; nil for other types.
    var keys: [ArgumentSpec]? {
        switch self {
        case .map(let specs): specs
        case .list(let element), .checked(let element, _): element.keys
        default: nil
        }
    }
}

extension ArgumentChoice {
    /// How many of the group are given, in words.
    fileprivate var rule: String {
        switch (isNeeded, isExclusive) {
        case (true, true): "exactly one"
        case (false, _): "at most one"
        default: "at least one"
        }
    }
}
