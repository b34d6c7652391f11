// SPDX-License-Identifier: MIT

/// One step on one line, as somebody types it: `select FILE_2`, `read {file: FILE_2, length: 1}`.
public enum StepLine {
    /// Reads a line.
    ///
    /// The verb and its argument may be parted by a blank or, as in a file, by a colon; `- ` in front is taken too.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - target: The target whose words are known.
    ///   - vocabulary: Everything that may be named.
    /// - Returns: The step.
    /// - Throws: The first mistake; its position counts in the line as a file would have it.
    public static func read(
        _ line: String,
        target: String,
        vocabulary: Vocabulary
    ) throws(ScenarioMistake) -> Step {
        let mistakes = MistakeCollector()
        let file = "line"
        let start = SourcePosition(file: file, line: 1, column: 1)
        let outcome = YAMLReader.read(Array(yaml(line).utf8), file: file, mistakes: mistakes)
        guard mistakes.mistakes.isEmpty, let root = outcome.root else {
            throw mistakes.mistakes.first ?? ScenarioMistake(start, "the line is no step")
        }
        let context = ReadingContext(vocabulary: vocabulary, target: target, mistakes: mistakes)
        let reader = StepReader(
            context: context,
            words: VerbWords(vocabulary, target: target),
            secretNames: nil,
            library: NoLibrary()
        )
        let list = YAMLNode(.sequence([root]), at: start)
        let steps = reader.steps(
            YAMLNode.Entry(key: "steps", keyPosition: start, value: list),
            flow: NameFlow()
        )
        if let mistake = mistakes.mistakes.first { throw mistake }
        guard let step = steps.first else { throw ScenarioMistake(start, "the line is no step") }
        return step
    }

    /// The words that may begin a line: verbs with their full names, and the target's own without their namespace.
    public static func words(target: String, vocabulary: Vocabulary) -> [String: VerbSpec] {
        let words = VerbWords(vocabulary, target: target)
        var out: [String: VerbSpec] = [:]
        for (word, kind) in words.kinds {
            switch kind {
            case .verb(let spec): out[word] = spec
            case .delay: out[word] = words["delay"]
            case .use, .side: break
            }
        }
        return out
    }

    /// The line as YAML: a colon behind the first word, an empty mapping where nothing follows it.
    private static func yaml(_ line: String) -> String {
        var text = line.trimmed
        if text.hasPrefix("- ") { text = String(text.dropFirst(2)).trimmed }
        guard !text.hasPrefix("{") else { return text }
        let word = text.prefix { !$0.isWhitespace && $0 != ":" }
        var rest = text[word.endIndex...]
        if rest.first == ":" { rest = rest.dropFirst() }
        let value = String(rest).trimmed
        return value.isEmpty ? "\(word): {}" : "\(word): \(value)"
    }

    /// A line uses no steps of a library.
    private final class NoLibrary: StepLibrary {
        func find(
            _ name: String,
            usedAt position: SourcePosition,
            words: VerbWords,
            in context: ReadingContext
        ) -> LibrarySteps? {
            context.mistakes.add(position, "'use' works in files only")
            return nil
        }
    }
}
