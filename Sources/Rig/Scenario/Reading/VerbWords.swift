// SPDX-License-Identifier: MIT

/// The words that steps of a target may use: full names, and the target's own without their namespace.
struct VerbWords {
    /// What a key of a step is.
    enum Kind {
        case verb(VerbSpec)
        case use
        case delay
        case side
    }

    /// Each word with its verb.
    let table: [String: VerbSpec]
    /// Each key that a step may have.
    let kinds: [String: Kind]
    /// All words and the side keys of steps, for suggestions.
    let suggestions: [String]
    /// Words of other targets without their namespace, with the full name.
    let foreign: [String: String]

    /// Collects the words for a target.
    ///
    /// - Parameters:
    ///   - vocabulary: All verbs.
    ///   - target: The suite's target; nil takes the short names of every target.
    init(_ vocabulary: Vocabulary, target: String?) {
        var table = vocabulary.verbs
        var foreign: [String: String] = [:]
        for (name, verb) in vocabulary.verbs.sorted(by: { $0.key < $1.key }) {
            guard let dot = name.firstIndex(of: ".") else { continue }
            let namespace = name[..<dot]
            let short = String(name[name.index(after: dot)...])
            let isOwn = target.map { $0 == namespace } ?? (vocabulary.dictionaries[String(namespace)] != nil)
            // Core verbs win, and so do the step's own keys.
            if isOwn, table[short] == nil, !StepReader.sideKeys.contains(short) { table[short] = verb }
            if !isOwn, foreign[short] == nil { foreign[short] = name }
        }
        self.table = table
        var kinds = table.mapValues { Kind.verb($0) }
        for key in StepReader.sideKeys { kinds[key] = .side }
        kinds["use"] = .use
        kinds["delay"] = .delay
        self.kinds = kinds
        self.foreign = foreign
        suggestions = (table.keys + ["use"] + StepReader.sideKeys).sorted()
    }

    /// The verb of a word.
    subscript(word: String) -> VerbSpec? { table[word] }
}
