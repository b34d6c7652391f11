// SPDX-License-Identifier: MIT

/// Reads YAML files of the rig that are no scenarios, by the same rules and with the same sentences.
package enum YAMLFile {
    /// The most bytes of a file.
    package static let largestFile = YAMLReader.largestFile

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - file: The file as it is shown to people.
    ///   - opening: How such a file starts, for the sentence about an empty one.
    ///   - body: Makes the value from the tree, and notes what is wrong in the context.
    /// - Returns: The value, nil when the file's YAML cannot be read; and all mistakes in the order of the file.
    package static func read<Value>(
        _ bytes: [UInt8],
        file: String,
        opening: String,
        by body: (YAMLNode, ReadingContext) -> Value?
    ) -> (value: Value?, mistakes: [ScenarioMistake]) {
        let collector = MistakeCollector()
        let outcome = YAMLReader.read(bytes, file: file, mistakes: collector, opening: opening)
        guard let root = outcome.root else { return (nil, collector.mistakes) }
        let vocabulary = Vocabulary(
            verbs: [],
            dictionaries: [],
            capabilities: [],
            faults: [],
            errorTypes: [],
            emulatorOptions: [:]
        )
        let meaning = MistakeCollector()
        let value = body(root, ReadingContext(vocabulary: vocabulary, target: "", mistakes: meaning))
        let own = meaning.mistakes.filter { !outcome.spoiled.contains($0.position) }
        let all = (collector.mistakes + own).sorted {
            ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
        }
        return (value, all)
    }
}
