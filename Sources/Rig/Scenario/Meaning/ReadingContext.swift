// SPDX-License-Identifier: MIT

import Wording

/// What the reading of a suite needs to know: the words, the target's names, and where mistakes go.
public struct ReadingContext {
    /// Everything that a scenario may name.
    public let vocabulary: Vocabulary
    /// The names of the suite's target; nil when the target is unknown.
    public let dictionary: DeviceDictionary?
    /// The suite's target.
    public let target: String
    /// Where mistakes go.
    public let mistakes: MistakeCollector
    /// Collects where hex stands; nil where nobody asks.
    let hexPlaces: HexPlaces?

    /// Makes a context; the dictionary is the one that the vocabulary has for the target.
    public init(vocabulary: Vocabulary, target: String, mistakes: MistakeCollector) {
        self.init(vocabulary: vocabulary, target: target, mistakes: mistakes, hexPlaces: nil)
    }

    init(vocabulary: Vocabulary, target: String, mistakes: MistakeCollector, hexPlaces: HexPlaces?) {
        self.vocabulary = vocabulary
        self.target = target
        self.mistakes = mistakes
        self.hexPlaces = hexPlaces
        dictionary = vocabulary.dictionaries[target]
    }

    /// Notes what is wrong inside the text of a scalar, at its own column.
    public func add(_ error: TextError, in node: YAMLNode) {
        mistakes.add(node.textPosition(error.column), error.message, hint: error.hint)
    }

    /// Reads what cannot come from a variable, since it says how the file is to be understood.
    ///
    /// - Parameters:
    ///   - entry: The key with its value.
    ///   - type: What it is.
    ///   - make: Makes of it what is needed.
    /// - Returns: The outcome, or nil when a mistake was noted.
    func writtenOut<Result>(
        _ entry: YAMLNode.Entry,
        as type: ArgumentType,
        _ make: (Value) -> Result?
    ) -> Result? {
        guard let template = Template.read(entry.value, as: type, in: self) else { return nil }
        if case .value(let value) = template, let result = make(value) { return result }
        mistakes.add(entry.value.position, "'\(entry.key)' cannot come from a variable; write it out")
        return nil
    }

    /// Notes a key that is not known, with the known one that was probably meant.
    public func addUnknownKey(_ entry: YAMLNode.Entry, of what: String, known: some Sequence<String>) {
        let hint = Suggestion.nearest(to: entry.key, among: known)
        let list = hint == nil ? "; possible are \(known.joined(separator: ", "))" : ""
        mistakes.add(entry.keyPosition, "unknown key '\(entry.key)' in \(what)\(list)", hint: hint)
    }
}

extension YAMLNode {
    /// `a list`, `a mapping`, `a text`, for messages.
    package var kindName: String {
        switch content {
        case .scalar: "a text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
