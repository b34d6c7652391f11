// SPDX-License-Identifier: MIT

/// Why a text is no path to a TLV object.
public struct TLVPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole text.
    public let path: String
    /// The step that cannot be read.
    public let step: String
    /// Where the step begins, in characters from 1.
    public let column: Int

    /// What is wrong and what would be right.
    public var description: String {
        let subject = step.isEmpty ? "a step of '\(path)' is empty" : "'\(step)' in '\(path)' is no tag"
        return subject + "; write tags joined by dots, such as 6F.A5.9F38 or 61(1).4F"
    }
}

/// The way to an object inside others: `6F.A5.9F38`.
///
/// `61(1)` is the second `61` among its neighbours. Without a number, each one that fits is followed, in order.
public struct TLVPath: Hashable, Sendable, CustomStringConvertible {
    /// One step down.
    public struct Step: Hashable, Sendable {
        /// The tag to look for.
        public let tag: TLVTag
        /// Which one of that tag, from 0; nil for any.
        public let index: Int?

        /// Makes a step.
        public init(tag: TLVTag, index: Int? = nil) {
            self.tag = tag
            self.index = index
        }
    }

    /// The steps from the outside in, at least one.
    public let steps: [Step]

    /// Reads a path.
    ///
    /// - Parameters:
    ///   - text: Tags in hex, joined by dots, each with or without an index in parentheses.
    ///   - names: Words that stand for tags, looked at before hex.
    /// - Throws: ``TLVPathError`` with the step that cannot be read.
    public init(_ text: String, names: [String: TLVTag] = [:]) throws(TLVPathError) {
        var steps: [Step] = []
        var column = 1
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let step = Step(part, names: names) else {
                throw TLVPathError(path: text, step: String(part), column: column)
            }
            steps.append(step)
            column += part.count + 1
        }
        self.steps = steps
    }

    /// The first object at this path, in the order of the bytes; nil when there is none.
    public func first(in objects: [TLV]) -> TLV? { all(in: objects).first }

    /// All objects at this path, in the order of the bytes.
    public func all(in objects: [TLV]) -> [TLV] {
        guard let outermost = steps.first else { return [] }
        return steps.dropFirst().reduce(outermost.matches(in: objects)) { found, step in
            found.flatMap { step.matches(in: $0.children ?? []) }
        }
    }

    /// The text of the path.
    public var description: String {
        steps.map { step in step.tag.description + (step.index.map { "(\($0))" } ?? "") }.joined(
            separator: "."
        )
    }
}

extension TLVPath.Step {
    init?(_ text: Substring, names: [String: TLVTag]) {
        var name = text
        var index: Int?
        if text.hasSuffix(")") {
            guard let open = text.firstIndex(of: "(") else { return nil }
            let digits = text[text.index(after: open)...].dropLast()
            guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let value = Int(digits)
            else {
                return nil
            }
            index = value
            name = text[..<open]
        }
        // Only digits here: separators inside a tag would be taken for a slip elsewhere.
        let isHex = name.allSatisfy { $0.isASCII && $0.isHexDigit }
        guard let tag = names[String(name)] ?? (isHex ? TLVTag(hex: name) : nil) else { return nil }
        self.init(tag: tag, index: index)
    }

    func matches(in objects: [TLV]) -> [TLV] {
        let same = objects.filter { $0.tag == tag }
        guard let index else { return same }
        return same.indices.contains(index) ? [same[index]] : []
    }
}
