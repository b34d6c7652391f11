// SPDX-License-Identifier: MIT

import Wording

/// Reading of plain values; each returns nil after it has noted a mistake.
extension ReadingContext {
    /// The text of a scalar that is not empty.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: What the value is, for the sentence: `'suite'`.
    /// - Returns: The text, or nil after a mistake.
    package func word(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = node.text else {
            mistakes.add(node.position, "\(what) is one text, not \(node.kindName)")
            return nil
        }
        guard !text.isEmpty else {
            mistakes.add(node.position, "\(what) is empty")
            return nil
        }
        return text
    }

    /// A list of texts, or one alone.
    package func words(_ entry: YAMLNode.Entry) -> [(text: String, node: YAMLNode)] {
        let nodes: [YAMLNode]
        switch entry.value.content {
        case .scalar("", isQuoted: false):
            mistakes.add(entry.keyPosition, "'\(entry.key)' has no value; write a list such as [a, b]")
            return []
        case .scalar:
            nodes = [entry.value]
        case .sequence(let elements):
            nodes = elements
        case .mapping:
            mistakes.add(entry.value.position, "'\(entry.key)' is a list of words, not a mapping")
            return []
        }
        return nodes.compactMap { node in
            word(node, "a word of '\(entry.key)'").map { ($0, node) }
        }
    }

    /// The entries of a mapping.
    package func mapping(_ entry: YAMLNode.Entry, example: String) -> [YAMLNode.Entry]? {
        if let entries = entry.value.entries { return entries }
        let kind = entry.value.isEmptyScalar ? "has no value" : "is a mapping, not \(entry.value.kindName)"
        let place = entry.value.isEmptyScalar ? entry.keyPosition : entry.value.position
        mistakes.add(place, "'\(entry.key)' \(kind); write it like {\(example)}")
        return nil
    }

    /// A time with its unit.
    package func duration(_ entry: YAMLNode.Entry, mayBeZero: Bool = true) -> Duration? {
        parsed(entry) { text throws(TextError) in
            let duration = try DurationText.parse(text)
            guard mayBeZero || duration > .zero else {
                throw TextError("a limit of no time lets nothing pass")
            }
            return duration
        }
    }

    /// A whole number within bounds.
    package func number(_ entry: YAMLNode.Entry, in bounds: ClosedRange<Int>) -> Int? {
        parsed(entry) { text throws(TextError) in try NumberText.parse(text, in: bounds) }
    }

    /// `yes`, `no`, `true` or `false`.
    package func boolean(_ entry: YAMLNode.Entry) -> Bool? {
        guard let text = word(entry.value, "'\(entry.key)'") else { return nil }
        switch text {
        case "yes", "true": return true
        case "no", "false": return false
        default:
            mistakes.add(entry.value.position, "'\(entry.key)' is yes or no, not '\(text)'")
            return nil
        }
    }

    /// One of a few words.
    package func choice(_ entry: YAMLNode.Entry, among choices: [String]) -> String? {
        guard let text = word(entry.value, "'\(entry.key)'") else { return nil }
        guard choices.contains(text) else {
            let list = choices.joined(separator: ", ")
            mistakes.add(
                entry.value.position,
                "'\(entry.key)' is one of \(list), not '\(text)'",
                hint: Suggestion.nearest(to: text, among: choices)
            )
            return nil
        }
        return text
    }

    /// A text that a parser takes; its errors get the place of the character that does not belong.
    package func parsed<Value>(_ entry: YAMLNode.Entry, by parse: (String) throws(TextError) -> Value)
        -> Value?
    {
        guard let text = word(entry.value, "'\(entry.key)'") else { return nil }
        guard !TextTemplate.hasReferences(text) else {
            mistakes.add(entry.value.position, "'\(entry.key)' cannot come from a variable; write it out")
            return nil
        }
        return parsed(text, at: entry.value, by: parse)
    }

    /// A text of a node that a parser takes.
    package func parsed<Value>(
        _ text: String,
        at node: YAMLNode,
        by parse: (String) throws(TextError) -> Value
    )
        -> Value?
    {
        do {
            return try parse(text)
        } catch {
            add(error, in: node)
            return nil
        }
    }

    /// Notes a key that nothing knows.
    package func unknownKey(_ entry: YAMLNode.Entry, in place: String, known: [String]) {
        guard mistakes.mistakes.count < Self.mostHints else {
            mistakes.add(entry.keyPosition, "unknown key '\(entry.key)' in \(place)")
            return
        }
        addUnknownKey(entry, of: place, known: known)
    }

    /// Past so many mistakes in a file nobody reads hints, and they cost time.
    static let mostHints = 500

    /// The word that was probably meant.
    package func hint(_ word: String, _ known: some Collection<String>) -> String? {
        guard mistakes.mistakes.count < Self.mostHints, known.count < 1000 else { return nil }
        return Suggestion.nearest(to: word, among: known)
    }
}

extension YAMLNode {
    /// True for a key with nothing behind it.
    package var isEmptyScalar: Bool {
        guard case .scalar(let text, isQuoted: false) = content else { return false }
        return text.isEmpty
    }
}
